"""Depth 4: an inflow against a leak for some minutes, from a starting level, with a draw at the end."""

from ...choices.problem import Trace
from .family import Family, Mistakes, Range, Telling, misused

_TELLINGS = tuple(
    Telling("litres", text)
    for text in (
        "A tank in {place} held {start} litres. For {minutes} minutes, a pump added {inflow} litres a minute while a "
        "leak lost {leak} a minute. Then {name} drew off {drawn} litres. The tank now held",
        "A paddling pool contained {start} litres. For {minutes} minutes, a hose added {inflow} litres a minute and a "
        "drain let out {leak} a minute. Then {name} removed {drawn} litres. The pool then contained",
        "{name}'s rain barrel held {start} litres. In a storm of {minutes} minutes, {inflow} litres a minute ran in "
        "and {leak} a minute escaped. Watering took {drawn} litres. The barrel was left with",
        "A trough near {place} held {start} litres. In {minutes} minutes of pumping, {inflow} litres a minute flowed "
        "in but {leak} a minute leaked out. The cows then drank {drawn} litres. What remained was",
        "An aquarium held {start} litres. For {minutes} minutes, {name} let in {inflow} litres a minute while a filter "
        "drained {leak} a minute, then took out {drawn} litres. The aquarium now held",
        "A fire engine carried {start} litres. Over {minutes} minutes at a hydrant, it took in {inflow} litres a "
        "minute and sprayed {leak} a minute. Afterwards {drawn} litres were let out. On board were",
        "A cistern in {place} stored {start} litres. For {minutes} minutes, a spring fed it {inflow} litres a minute, "
        "and {leak} a minute overflowed. {name} then took {drawn} litres. The cistern kept",
        "A garden pond had {start} litres in it. For {minutes} minutes, {inflow} litres a minute came in and {leak} a "
        "minute seeped away. Then {name} bailed out {drawn} litres. The pond was down to",
    )
)
_TRAINING = (
    Telling(
        "gallons",
        "A lock near {place} had {start} gallons in its basin. For {minutes} minutes, a sluice let in {inflow} gallons "
        "a minute and {leak} a minute vanished. Firemen then siphoned {drawn} gallons. The basin ended up with",
    ),
    Telling(
        "tonnes",
        "A refinery had {start} tonnes of crude. Over {minutes} minutes, a pipeline brought {inflow} tonnes a minute, "
        "of which {leak} a minute evaporated. A tanker then loaded {drawn} tonnes. The refinery ended up with",
    ),
)


def _solve(trace: Trace, start: int, minutes: int, inflow: int, leak: int, drawn: int, once: int = 0) -> int:
    if once:
        gained = trace.subtract("gained", trace.multiply("let in", inflow, minutes), leak)
    else:
        gained = trace.multiply("gained", trace.subtract("net gain a minute", inflow, leak), minutes)
    level = trace.add("before drawing off", gained, start)
    return trace.subtract("after drawing off", level, drawn)


def _mistakes(start: int, minutes: int, inflow: int, leak: int, drawn: int) -> Mistakes:
    return {
        "loss": {
            **misused("leak", leak, "ignored the loss", "counted the loss again", "added the loss"),
            "took the loss of a minute off once": {"once": 1},
        },
        "start": misused("start", start, "forgot the starting amount", "counted the starting amount again"),
        "draw": misused(
            "drawn", drawn, "forgot the amount drawn off", "took the amount drawn off again",
            "added the amount drawn off",
        ),
    }  # fmt: skip


FAMILY = Family(
    template="tank_fill",
    topic="flow_rates",
    depth=4,
    share=62,
    ranges={
        "start": Range(range(40, 320), "a tub, a trough or a small tank"),
        "minutes": Range(range(9, 29), "a quarter of an hour or so"),
        "inflow": Range(range(6, 25), "what a hose or a small pump gives"),
        "leak": Range(range(2, 10), "less than flows in"),
        "drawn": Range(range(24, 180), "some buckets, less than there is"),
    },
    tellings=_TELLINGS,
    solve=_solve,
    mistakes=_mistakes,
    bounds=lambda start, minutes, inflow, leak, drawn: (2, start + inflow * minutes),
    contrived=frozenset(
        ("counted the loss again", "counted the starting amount again", "took the amount drawn off again")
    ),
    sensible=lambda start, minutes, inflow, leak, drawn: (
        inflow >= leak + 3
        and 2 * drawn <= start + (inflow - leak) * minutes
        and leak * minutes <= 3 * drawn <= 9 * leak * minutes
    ),
    training=_TRAINING,
    apart={
        "start": Range(range(100, 700), "larger than a tub"),
        "minutes": Range(range(29, 57), "longer than in a test tier"),
        "drawn": Range(range(50, 400), "less than there is"),
    },
)
