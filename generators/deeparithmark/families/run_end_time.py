"""Depth 6: lots of pieces, a percentage of them done again, a speed and a pause give the end by the clock."""

from ...choices.item import CLOCK_UNIT
from ...choices.problem import Trace
from .clock_sums import carry_slips, end_after, start_slips
from .family import Family, Mistakes, Range, Telling, down_to, mistaken, misused, whole_for

# Nothing told here takes longer, in minutes.
_LONGEST = 480
_TELLINGS = tuple(
    Telling(CLOCK_UNIT, text)
    for text in (
        "At {start}, {name} began to print {lots} copies of a guide of {size} pages. Then {again}% of all the pages "
        "came out faint and were printed once more. The printer managed {speed} pages a minute and stood still for "
        "{pause} minutes. The work ended at",
        "A plant in {place} started at {start} to fill {lots} crates of {size} bottles each. Because of leaks, "
        "{again}% of the bottles had to be filled a further time. The line fills {speed} bottles a minute and was "
        "stopped for {pause} minutes. It finished at",
        "At {start}, {name} set a machine to fold {lots} bundles of {size} leaflets. Afterwards {again}% of the "
        "leaflets had to be folded afresh. The machine folds {speed} leaflets a minute and was idle for {pause} "
        "minutes. Everything was folded at",
        "Volunteers in {place} began at {start} to stamp {lots} sacks of {size} letters each. Later, {again}% of all "
        "the letters needed another stamp. The group stamped {speed} letters a minute and rested for {pause} minutes. "
        "The stamping was over at",
        "From {start}, a robot welded {lots} frames with {size} seams each, and then welded {again}% of all the seams "
        "again. It welds {speed} seams a minute and paused for {pause} minutes. The robot was done at",
        "At {start}, a laundry in {place} started to iron {lots} baskets of {size} shirts. In the end {again}% of the "
        "shirts were ironed a further time. The team irons {speed} shirts a minute and had a break of {pause} minutes. "
        "The ironing was finished at",
        "{name} switched on a scanner at {start} for {lots} folders of {size} photos each. Of all the photos, {again}% "
        "were blurred and scanned afresh. The scanner takes {speed} photos a minute and jammed for {pause} minutes. "
        "The last photo was scanned at",
        "At {start}, packers in {place} began to label {lots} pallets of {size} cans. Of all the cans, {again}% got a "
        "crooked label and were labelled anew. The packers label {speed} cans a minute and were off for {pause} "
        "minutes. They were ready at",
    )
)


def _solve(
    trace: Trace, start: int, lots: int, size: int, again: int, speed: int, pause: int, times: int = 1, **slips: int
) -> int:
    first = trace.multiply("first round", lots, size)
    repeats = trace.percent("repeats", first, again)
    total = trace.add("in all", first, times * repeats)
    working = trace.divide("minutes of work", total, speed)
    minutes = trace.add("with the pause", working, pause)
    return end_after(trace, "end", start, minutes, start, **slips)


def _mistakes(start: int, lots: int, size: int, again: int, speed: int, pause: int) -> Mistakes:
    return {
        "repeats": mistaken("forgot the repeats", "counted the repeats again", "took the repeats off"),
        "pause": misused("pause", pause, "forgot the pause", "counted the pause again", "took the pause off"),
        "start": start_slips(start),
        **carry_slips(pause),
    }


FAMILY = Family(
    template="run_end_time",
    topic="production_time",
    depth=6,
    share=83,
    ranges={
        "start": Range(range(300, 1430, 5), "work starts at five minutes"),
        "lots": Range(range(8, 61), "lots of a shift"),
        "size": Range(range(12, 121), "pieces in a lot"),
        "again": Range((4, 5, 6, 8, 10, 12, 15, 16, 20, 24, 25), "a part that fails at first"),
        "speed": Range(range(4, 33), "pieces a minute, by hand or by a small machine"),
        "pause": Range(range(10, 76), "a break of a shift"),
    },
    tellings=_TELLINGS,
    solve=_solve,
    mistakes=_mistakes,
    bounds=lambda start, lots, size, again, speed, pause: (start + pause, start + pause + 2 * lots * size // speed),
    contrived=frozenset(
        (
            "counted the repeats again",
            "counted the pause again",
            "carried an hour too many",
        )
    ),
    fitted=lambda start, lots, size, again, speed, pause: {
        "size": down_to(size, _whole(lots, again, speed)),
    },
    sensible=lambda start, lots, size, again, speed, pause: (
        size <= 160
        and 60 <= lots * size * (100 + again) // (100 * speed) <= _LONGEST - 2 * pause - 60
        and lots * size * again // (100 * speed) * 4 >= pause
    ),
)


def _whole(lots: int, again: int, speed: int) -> int:
    """The smallest lot of which the repeats are whole and the speed makes whole minutes."""
    step = whole_for(again) * speed
    return next(size for size in range(1, step + 1) if step and lots * size % step == 0)
