"""Depth 4, an inflow against a leak, and a draw."""

from ...choices.problem import Problem, Trace
from ...streams import Stream
from .words import Wordings, fill

_TANK_WORDINGS = (
    (
        "litres",
        "A tank in {place} held {start} litres. For {minutes} minutes, a pump added {inflow} litres a minute while a "
        "leak lost {leak} a minute. Then {name} drew off {drawn} litres. The tank now held",
    ),
    (
        "litres",
        "A paddling pool contained {start} litres. For {minutes} minutes, a hose added {inflow} litres a minute and "
        "a drain let out {leak} a minute. Then {name} removed {drawn} litres. The pool then contained",
    ),
    (
        "litres",
        "{name}'s rain tank held {start} litres. In a storm of {minutes} minutes, {inflow} litres a minute ran in "
        "and {leak} a minute escaped. Watering took {drawn} litres. The tank was left with",
    ),
    (
        "litres",
        "A trough near {place} held {start} litres. In {minutes} minutes of pumping, {inflow} litres a minute flowed "
        "in but {leak} a minute leaked out. The cows then drank {drawn} litres. What remained was",
    ),
)


def _fill_and_draw(trace: Trace, start: int, minutes: int, inflow: int, leak: int, drawn: int) -> int:
    net = trace.subtract("net gain a minute", inflow, leak)
    gained = trace.multiply("gained", net, minutes)
    level = trace.add("before drawing off", gained, start)
    return trace.subtract("after drawing off", level, drawn)


def tank_fill(draw: Stream, wordings: Wordings = _TANK_WORDINGS, spans: tuple[int, int] = (9, 28)) -> Problem:
    """An inflow against a leak for some minutes, from a starting level, with a draw at the end."""
    start, minutes = draw.integer(60, 320), draw.integer(*spans)
    leak = draw.integer(2, 7)
    inflow = leak + draw.integer(3, 14)
    drawn = draw.integer(24, 110)
    unit, prompt = fill(draw, wordings, start=start, minutes=minutes, inflow=inflow, leak=leak, drawn=drawn)
    return Problem(
        prompt=prompt,
        unit=unit,
        operands={"start": start, "minutes": minutes, "inflow": inflow, "leak": leak, "drawn": drawn},
        solve=_fill_and_draw,
        bounds=(2, start + inflow * minutes),
        mistakes={
            "leak": {
                "ignored the loss": {"leak": 0},
                "counted the loss twice": {"leak": 2 * leak},
                "added the loss": {"leak": -leak},
            },
            "time": {
                "counted one minute too few": {"minutes": minutes - 1},
                "counted one minute too many": {"minutes": minutes + 1},
            },
            "start": {
                "forgot the starting amount": {"start": 0},
                "counted the starting amount twice": {"start": 2 * start},
            },
            "draw": {
                "forgot the amount drawn off": {"drawn": 0},
                "drew the amount off twice": {"drawn": 2 * drawn},
                "added the amount drawn off": {"drawn": -drawn},
            },
        },
    )
