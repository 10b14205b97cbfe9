"""Stories of six and seven steps that end by the clock: a run of work, a journey in two legs."""

from math import gcd, lcm

from ..streams import Stream
from .clock import clock_text
from .clock_end import CARRY_SLIPS, HALF_SLIPS, end_after
from .problem import Problem, Trace, UnusableError
from .schema import CLOCK_UNIT
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


_TRIP_WORDINGS = (
    "{name} left {place} at {start} and drove {first} kilometres at {speed} kilometres an hour. After a rest of "
    "{stop} minutes, {name} drove another {second} kilometres at {next_speed} kilometres an hour and arrived at",
    "A coach set off at {start} and covered {first} kilometres at {speed} kilometres an hour. It waited {stop} "
    "minutes in {place} and then went {second} kilometres more at {next_speed} kilometres an hour. It reached the "
    "last stop at",
    "At {start}, a train departed and ran {first} kilometres at {speed} kilometres an hour. Held up for {stop} "
    "minutes near {place}, it then went on for {second} kilometres at {next_speed} kilometres an hour. The train "
    "arrived at",
    "{name} began a delivery tour at {start} with {first} kilometres at {speed} kilometres an hour. Unloading in "
    "{place} took {stop} minutes, and the way back was {second} kilometres at {next_speed} kilometres an hour. "
    "{name} was back at",
    "At {start}, {name} started a motorcycle ride: {first} kilometres at {speed} kilometres an hour, a lunch of "
    "{stop} minutes in {place}, and then {second} kilometres at {next_speed} kilometres an hour. The ride ended at",
)
# Each divides 60 times a small distance; none is far from another.
_SPEEDS = (36, 40, 45, 48, 50, 54, 60, 64, 70, 72, 75, 80, 84, 90, 96, 100)


def _two_legs(
    trace: Trace,
    start: int,
    first: int,
    speed: int,
    stop: int,
    second: int,
    next_speed: int,
    hour: int = 60,
    **slips: int,
) -> int:
    scaled = trace.multiply("first leg times minutes in an hour", first, hour)
    leg = trace.divide("minutes of the first leg", scaled, speed)
    scaled = trace.multiply("next leg times minutes in an hour", second, hour)
    next_leg = trace.divide("minutes of the next leg", scaled, next_speed)
    moving = trace.add("minutes on the move", leg, next_leg)
    minutes = trace.add("with the stop", moving, stop)
    return end_after(trace, "arrival", start, minutes, **slips)


def two_leg_arrival(draw: Stream) -> Problem:
    """Two legs at different speeds and a stop between them give the time of arrival."""
    start, stop = draw.integer(330, 1410), draw.integer(9, 58)
    speed, next_speed = draw.sample(_SPEEDS, 2)
    steps = [pace // gcd(pace, 60) for pace in (speed, next_speed)]
    if draw.below(2):
        steps = [lcm(*steps)] * 2
    first, second = (multiple(draw, step, 24, 210) for step in steps)
    lasting = 60 * first // speed + 60 * second // next_speed + stop
    if max(first, second) > 240 or lasting > _LONGEST or abs(speed - next_speed) > 40:
        raise UnusableError(f"implausible legs: {first} at {speed}, {second} at {next_speed}")
    operands = {"start": start, "first": first, "speed": speed, "stop": stop, "second": second}
    operands["next_speed"] = next_speed
    wordings = tuple((CLOCK_UNIT, wording) for wording in _TRIP_WORDINGS)
    unit, prompt = fill(draw, wordings, **{**operands, "start": clock_text(start)})
    return Problem(
        prompt=prompt,
        unit=unit,
        operands=operands,
        solve=_two_legs,
        bounds=(start + stop, start + _LONGEST),
        mistakes={
            "legs": {
                "left out the first leg": {"first": 0},
                "left out the next leg": {"second": 0},
                "kept the first speed": {"next_speed": speed},
                "used the next speed from the start": {"speed": next_speed},
                "swapped the speeds": {"speed": next_speed, "next_speed": speed},
            },
            "conversion": {"took an hour as 100 minutes": {"hour": 100}},
            "stop": misused("stop", stop, "forgot the stop", "counted the stop twice", "subtracted the stop"),
            "carry": CARRY_SLIPS,
            "half of the day": HALF_SLIPS,
        },
    )
