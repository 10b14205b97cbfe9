"""Depth 7, the arrival after two legs at different speeds."""

from math import gcd, lcm

from ...choices.clock import clock_text
from ...choices.item import CLOCK_UNIT
from ...choices.problem import Problem, Trace, UnusableError
from ...streams import Stream
from .clock_sums import CARRY_SLIPS, HALF_SLIPS, end_after
from .slips import misused
from .words import fill, multiple

# Nothing told here takes longer, in minutes.
_LONGEST = 480

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
