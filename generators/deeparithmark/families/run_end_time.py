"""Depth 6, the end of a run of work by the clock."""

from math import gcd

from ...choices.clock import clock_text
from ...choices.item import CLOCK_UNIT
from ...choices.problem import Problem, Trace, UnusableError
from ...streams import Stream
from .clock_sums import CARRY_SLIPS, HALF_SLIPS, end_after
from .slips import miscounted, misused
from .words import fill, multiple, whole_for

# Nothing told here takes longer, in minutes.
_LONGEST = 480

_RUN_WORDINGS = (
    "At {start}, {name} began to print {lots} copies of a guide of {size} pages. Then {again}% of all the pages came "
    "out faint and were printed once more. The printer managed {speed} pages a minute and stood still for {pause} "
    "minutes. The work ended at",
    "A plant in {place} started at {start} to fill {lots} crates of {size} bottles each. Because of leaks, {again}% "
    "of the bottles had to be filled a further time. The line fills {speed} bottles a minute and was stopped for "
    "{pause} minutes. It finished at",
    "At {start}, {name} set a machine to fold {lots} bundles of {size} leaflets. Afterwards {again}% of the leaflets "
    "had to be folded afresh. The machine folds {speed} leaflets a minute and was idle for {pause} minutes. "
    "Everything was folded at",
    "Volunteers in {place} began at {start} to stamp {lots} sacks of {size} letters each. Later, {again}% of all the "
    "letters needed another stamp. The group stamped {speed} letters a minute and rested for {pause} minutes. The "
    "stamping was over at",
    "From {start}, a robot welded {lots} frames with {size} seams each, and then welded {again}% of all the seams "
    "again. It welds {speed} seams a minute and paused for {pause} minutes. The robot was done at",
)

_REPEAT_SHARES = (2, 4, 5, 6, 8, 10, 12, 14, 15, 16, 18, 20, 24, 25)


def _run_to_end(
    trace: Trace, start: int, lots: int, size: int, again: int, speed: int, pause: int, times: int = 1, **slips: int
) -> int:
    first = trace.multiply("first round", lots, size)
    repeats = trace.percent("repeats", first, again)
    total = trace.add("in all", first, times * repeats)
    working = trace.divide("minutes of work", total, speed)
    minutes = trace.add("with the pause", working, pause)
    return end_after(trace, "end", start, minutes, **slips)


def run_end_time(draw: Stream) -> Problem:
    """Lots of pieces, a percentage of them done again, a speed and a pause give the end of the work by the clock."""
    start, again, pause = draw.integer(330, 1410), draw.choice(_REPEAT_SHARES), draw.integer(6, 58)
    speed, lots = draw.integer(4, 32), draw.integer(8, 60)
    step = whole_for(again) * speed
    size = multiple(draw, step // gcd(step, lots) * draw.choice((1, 1, gcd(step, lots))), 12, 120)
    lasting = lots * size * (100 + again) // (100 * speed) + pause
    if size > 120 or not 45 <= lasting <= _LONGEST:
        raise UnusableError(f"{lots} lots of {size} at {speed} a minute take {lasting} minutes")
    operands = {"start": start, "lots": lots, "size": size, "again": again, "speed": speed, "pause": pause}
    wordings = tuple((CLOCK_UNIT, wording) for wording in _RUN_WORDINGS)
    unit, prompt = fill(draw, wordings, **{**operands, "start": clock_text(start)})
    return Problem(
        prompt=prompt,
        unit=unit,
        operands=operands,
        solve=_run_to_end,
        bounds=(start + pause, start + _LONGEST),
        mistakes={
            "lots": miscounted("lots", lots, "counted one lot"),
            "repeats": {
                "forgot the repeats": {"times": 0},
                "counted the repeats twice": {"times": 2},
                "subtracted the repeats": {"times": -1},
            },
            "pause": misused("pause", pause, "forgot the pause", "counted the pause twice", "subtracted the pause"),
            "carry": CARRY_SLIPS,
            "half of the day": HALF_SLIPS,
        },
    )
