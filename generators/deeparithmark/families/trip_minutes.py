"""Depth 3: a distance at a speed gives hours, the hours become minutes, a stop is added."""

from ...choices.problem import Trace
from .family import Family, Mistakes, Range, Telling, down_to, misused

_TELLINGS = tuple(
    Telling("minutes", text, {"speed": speeds, "stop": stops})
    for speeds, stops, text in (
        (
            range(50, 101, 2), range(15, 76),
            "{name} drove {distance} kilometres at a steady {speed} kilometres an hour and stopped on the way for "
            "{stop} minutes. Driving and stop together took",
        ),
        (
            range(44, 91, 2), range(15, 61),
            "A coach covers the {distance} kilometres to {place} at {speed} kilometres an hour and waits {stop} "
            "minutes at a rest area on the way. The journey takes",
        ),
        (
            range(16, 45), range(20, 76),
            "A ferry sails {distance} kilometres at {speed} kilometres an hour, after {stop} minutes spent loading "
            "cars. Loading and sailing together take",
        ),
        (
            range(12, 29), range(15, 81),
            "{name} cycled {distance} kilometres at {speed} kilometres an hour, with a lunch break of {stop} minutes "
            "along the way. Counting the break, the outing lasted",
        ),
        (
            range(60, 141, 2), range(15, 61),
            "A train from {place} ran {distance} kilometres at {speed} kilometres an hour. A signal fault held it up "
            "for another {stop} minutes. With the delay, the trip took",
        ),
        (
            range(40, 85), range(15, 76),
            "To deliver a sofa, {name} drove {distance} kilometres at {speed} kilometres an hour and spent {stop} "
            "minutes unloading it. Driving and unloading took",
        ),
        (
            range(10, 26), range(20, 76),
            "A tractor-drawn tour of {distance} kilometres goes at {speed} kilometres an hour and includes {stop} "
            "minutes of tasting at a dairy. From start to finish, the tour takes",
        ),
        (
            range(7, 16), range(15, 81),
            "{name} paddled {distance} kilometres down a river at {speed} kilometres an hour and rested on the bank "
            "for {stop} minutes. Paddling and rest together lasted",
        ),
    )
)  # fmt: skip
_TRAINING = (
    Telling(
        "minutes",
        "A <freight convoy|locomotive|lorry> crossed {distance} kilometres at {speed} kilometres an hour, and then "
        "spent {stop} minutes at the border near {place}. Crossing plus border took",
        {"distance": range(640, 951), "speed": range(60, 91)},
    ),
    Telling(
        "minutes",
        "A <schooner|barge|trawler|yacht> bound for {place} made {distance} kilometres at {speed} kilometres an hour, "
        "besides lying becalmed for {stop} minutes. From quay to quay it needed",
        {"distance": range(285, 421), "speed": range(26, 41)},
    ),
)


def _solve(
    trace: Trace,
    distance: int,
    speed: int,
    stop: int,
    hour: int = 60,
    miscount: int = 0,
    as_minutes: int = 0,
    each_hour: int = 0,
) -> int:
    if as_minutes:
        return trace.add("with the time standing still", distance, stop)
    hours = trace.divide("hours on the move", distance + miscount * speed, speed)
    minutes = trace.multiply("in minutes", hours, hour)
    if each_hour:
        stop = trace.multiply("time standing still", hours, stop)
    return trace.add("with the time standing still", minutes, stop)


def _mistakes(distance: int, speed: int, stop: int) -> Mistakes:
    return {
        "hours": {
            "counted one hour too few": {"miscount": -1},
            "counted one hour too many": {"miscount": 1},
            "took a kilometre a minute": {"as_minutes": 1},
        },
        "conversion": {"took an hour as 100 minutes": {"hour": 100}},
        "stop": {
            **misused(
                "stop", stop, "forgot the time standing still", "added the time standing still again",
                "took the time standing still off",
            ),
            "counted a full hour of standing still": {"stop": 60},
            "added the time standing still for every hour": {"each_hour": 1},
        },
    }  # fmt: skip


FAMILY = Family(
    template="trip_minutes",
    topic="travel_time",
    depth=3,
    share=33,
    ranges={
        "distance": Range(range(14, 560), "a whole number of hours at the speed, from two to six"),
        "speed": Range(range(7, 141), "what such a vehicle goes"),
        "stop": Range(range(15, 81), "a quarter of an hour to well over an hour"),
    },
    tellings=_TELLINGS,
    solve=_solve,
    mistakes=_mistakes,
    bounds=lambda distance, speed, stop: (distance // speed * 30, distance // speed * 120 + stop),
    contrived=frozenset(
        ("counted one hour too few", "counted one hour too many", "added the time standing still again")
    ),
    fitted=lambda distance, speed, stop: {"distance": down_to(distance, speed)},
    # A distance near the minutes would give them away.
    sensible=lambda distance, speed, stop: (
        2 * speed <= distance <= 6 * speed and abs(distance - distance // speed * 60 - stop) > stop
    ),
    training=_TRAINING,
    sensible_apart=lambda distance, speed, stop: 7 * speed <= distance <= 11 * speed,
    apart={
        "distance": Range(range(90, 990), "seven hours or more"),
        "stop": Range(range(20, 66), "a quarter of an hour to an hour"),
    },
)
