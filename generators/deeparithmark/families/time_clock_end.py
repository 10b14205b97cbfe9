"""Depth 2, two stretches of minutes from a clock time."""

from collections.abc import Sequence
from dataclasses import dataclass

from ...choices.clock import HALF_DAY, clock_text
from ...choices.item import CLOCK_UNIT
from ...choices.problem import Changes, Problem, Trace
from ...streams import Stream
from .clock_sums import CARRY_SLIPS, HALF_SLIPS, carried_at_100
from .words import fill


@dataclass(frozen=True, slots=True)
class ClockStory:
    """A wording with the ranges of its numbers, in minutes; a sign tells if a stretch moves the clock back."""

    starts: tuple[int, int]
    first: tuple[int, int]
    second: tuple[int, int]
    wording: str
    first_sign: int = 1
    second_sign: int = 1


# Nothing told here takes longer, in minutes.
_LONGEST = 480

_CLOCK_STORIES = (
    ClockStory(
        (630, 1370),
        (8, 45),
        (84, 165),
        "A film in {place} was due to start at {start} but began {first} minutes late. It ran for {second} minutes "
        "without a break. The film ended at",
    ),
    ClockStory(
        (330, 1400),
        (35, 190),
        (6, 28),
        "At {start}, {name} boarded a train. The ride to {place} took {first} minutes, and the walk to the hotel "
        "another {second} minutes. {name} reached the hotel at",
    ),
    ClockStory(
        (1140, 1430),
        (95, 200),
        (15, 50),
        "At {start}, {name} began a night shift. After {first} minutes of work came a break of {second} minutes. The "
        "break was over at",
    ),
    ClockStory(
        (510, 840),
        (45, 110),
        (35, 95),
        "A mock exam in {place} began at {start} with part one, which lasted {first} minutes. Part two followed at "
        "once and took {second} minutes. The exam finished at",
    ),
    ClockStory(
        (600, 1390),
        (5, 20),
        (50, 160),
        "A concert in {place} was planned for {start} but began {first} minutes early. It lasted {second} minutes. "
        "The concert ended at",
        first_sign=-1,
    ),
    ClockStory(
        (420, 1290),
        (3, 28),
        (45, 150),
        "{name}'s watch showed {start}, but it runs {first} minutes fast. At that moment a play began, and it lasted "
        "{second} minutes. By the correct time, the play ended at",
        first_sign=-1,
    ),
    ClockStory(
        (345, 1410),
        (80, 210),
        (5, 28),
        "{name} set off from {place} at {start} on a ride that should take {first} minutes, but arrived {second} "
        "minutes early. {name} arrived at",
        second_sign=-1,
    ),
    ClockStory(
        (1080, 1425),
        (95, 230),
        (6, 24),
        "An evening flight took off at {start} with {first} minutes of flying planned. A tailwind saved {second} "
        "minutes. By the clock at the departure airport, it landed at",
        second_sign=-1,
    ),
    ClockStory(
        (400, 1180),
        (50, 120),
        (4, 25),
        "At {start}, {name} put a roast in the oven for {first} minutes but took it out {second} minutes before the "
        "time was up. The roast came out at",
        second_sign=-1,
    ),
)


def _two_stretches(
    trace: Trace, start: int, first: int, second: int, carry: int = 0, hundred: int = 0, same_half: int = 0
) -> int:
    middle = trace.shift("after the first stretch", start, first)
    end = trace.shift("after the second stretch", middle, second + carry)
    if hundred:
        end = carried_at_100(start, first + second)
    return end % HALF_DAY + start // HALF_DAY * HALF_DAY if same_half else end


def _stretch_slips(name: str, minutes: int) -> dict[str, Changes]:
    wrong_way = "subtracted" if minutes > 0 else "added"
    return {
        f"left out the {name} stretch": {name: 0},
        f"counted the {name} stretch twice": {name: 2 * minutes},
        f"{wrong_way} the {name} stretch": {name: -minutes},
    }


def time_clock_end(draw: Stream, stories: Sequence[ClockStory] = _CLOCK_STORIES) -> Problem:
    """Two stretches of minutes from a clock time, across noon and midnight where the story allows."""
    story = draw.choice(stories)
    start, first, second = draw.integer(*story.starts), draw.integer(*story.first), draw.integer(*story.second)
    unit, prompt = fill(draw, ((CLOCK_UNIT, story.wording),), start=clock_text(start), first=first, second=second)
    first, second = first * story.first_sign, second * story.second_sign
    mistakes: dict[str, dict[str, Changes]] = {
        "first stretch": _stretch_slips("first", first),
        "second stretch": _stretch_slips("second", second),
        "carry": CARRY_SLIPS,
        "half of the day": HALF_SLIPS,
    }
    return Problem(
        prompt=prompt,
        unit=unit,
        operands={"start": start, "first": first, "second": second},
        solve=_two_stretches,
        bounds=(start, start + _LONGEST),
        mistakes=mistakes,
    )
