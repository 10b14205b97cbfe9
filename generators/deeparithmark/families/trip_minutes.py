"""Depth 3, a distance at a speed and a stop, in minutes."""

from collections.abc import Sequence

from ...choices.problem import Problem, Trace
from ...streams import Stream
from .words import fill

TripStory = tuple[tuple[int, int], tuple[int, int], str]

# (speeds in km an hour, stop in minutes, wording)
_TRIP_STORIES = (
    (
        (48, 96),
        (8, 55),
        "{name} drove {distance} kilometres at a steady {speed} kilometres an hour and stopped on the way for {stop} "
        "minutes. Driving and stop together took",
    ),
    (
        (44, 84),
        (10, 45),
        "A coach covers the {distance} kilometres to {place} at {speed} kilometres an hour and waits {stop} minutes "
        "at a rest area on the way. The journey takes",
    ),
    (
        (14, 38),
        (12, 58),
        "A ferry sails {distance} kilometres at {speed} kilometres an hour, after {stop} minutes spent loading cars. "
        "Loading and sailing together take",
    ),
    (
        (12, 27),
        (15, 58),
        "{name} cycled {distance} kilometres at {speed} kilometres an hour, with a lunch break of {stop} minutes "
        "along the way. Counting the break, the outing lasted",
    ),
)


def _travel_and_stop(trace: Trace, distance: int, speed: int, stop: int, hour: int = 60, miscount: int = 0) -> int:
    hours = trace.divide("hours on the move", distance, speed) + miscount
    minutes = trace.multiply("in minutes", hours, hour)
    return trace.add("with the stop", minutes, stop)


def trip_minutes(
    draw: Stream, stories: Sequence[TripStory] = _TRIP_STORIES, hours: tuple[int, int] = (2, 6)
) -> Problem:
    """A distance at a speed gives hours, the hours become minutes, a stop is added."""
    speeds, stops, wording = draw.choice(stories)
    speed, stop = draw.integer(*speeds), draw.integer(*stops)
    distance = speed * draw.integer(*hours)
    unit, prompt = fill(draw, (("minutes", wording),), distance=distance, speed=speed, stop=stop)
    return Problem(
        prompt=prompt,
        unit=unit,
        operands={"distance": distance, "speed": speed, "stop": stop},
        solve=_travel_and_stop,
        bounds=(distance // speed * 60, distance // speed * 60 + 120),
        mistakes={
            "hours": {
                "counted one hour too few": {"miscount": -1},
                "counted one hour too many": {"miscount": 1},
            },
            "conversion": {
                "took an hour as 100 minutes": {"hour": 100},
                "took an hour as 50 minutes": {"hour": 50},
            },
            "stop": {
                "forgot the stop": {"stop": 0},
                "counted the stop twice": {"stop": 2 * stop},
                "subtracted the stop": {"stop": -stop},
            },
        },
    )
