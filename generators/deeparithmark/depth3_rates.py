"""Three dependent steps on rates: two rates of pay, a distance at a speed, sessions a week."""

from collections.abc import Sequence

from ..streams import Stream
from .problem import Problem, Trace
from .words import Wordings, fill

_RATE_WORDINGS = (
    (
        "dollars",
        "{name} worked {first} hours at {low} dollars an hour on weekdays and {second} hours at {high} dollars an "
        "hour at the weekend. In all, {name} earned",
    ),
    (
        "dollars",
        "A teacher gave {first} hours of maths lessons at {low} dollars an hour and {second} hours of music lessons "
        "at {high} dollars an hour. The lessons brought in",
    ),
    (
        "dollars",
        "{name} spent {first} hours painting walls for {low} dollars an hour and {second} hours laying tiles for "
        "{high} dollars an hour. The whole job paid",
    ),
    (
        "dollars",
        "A yard in {place} rented out a trailer for {first} days at {low} dollars a day and a van for {second} days "
        "at {high} dollars a day. The two rentals brought in",
    ),
    (
        "dollars",
        "At the market in {place}, {name} bought {first} boxes of apples at {low} dollars a box and {second} boxes "
        "of cherries at {high} dollars a box. The purchase cost",
    ),
)


def _two_rates(trace: Trace, first: int, low: int, second: int, high: int) -> int:
    first_part = trace.multiply("first part", first, low)
    second_part = trace.multiply("second part", second, high)
    return trace.add("in total", first_part, second_part)


def two_rate_pay(draw: Stream, wordings: Wordings = _RATE_WORDINGS, firsts: tuple[int, int] = (4, 18)) -> Problem:
    """Two quantities at two rates, added."""
    first, second = draw.integer(*firsts), draw.integer(3, 16)
    low = draw.integer(11, 34)
    high = low + draw.integer(2, 14)
    unit, prompt = fill(draw, wordings, first=first, low=low, second=second, high=high)
    return Problem(
        prompt=prompt,
        unit=unit,
        operands={"first": first, "low": low, "second": second, "high": high},
        solve=_two_rates,
        bounds=((first + second) * low, (first + second) * high),
        mistakes={
            "first rate": {"used the second rate for the first part": {"low": high}},
            "second rate": {"used the first rate for the second part": {"high": low}},
            "first quantity": {
                "counted the first part one short": {"first": first - 1},
                "counted the first part one over": {"first": first + 1},
                "used the second quantity for the first part": {"first": second},
            },
            "second quantity": {
                "counted the second part one short": {"second": second - 1},
                "counted the second part one over": {"second": second + 1},
                "used the first quantity for the second part": {"second": first},
            },
        },
    )


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


_SESSION_WORDINGS = (
    (
        "minutes",
        "A choir in {place} plans {weekly} rehearsals a week for {weeks} weeks, but {cancelled} are called off. Each "
        "rehearsal lasts {length} minutes. The total rehearsal time is",
    ),
    (
        "minutes",
        "{name} booked {weekly} language lessons a week for {weeks} weeks and missed {cancelled} of them. Each "
        "lesson takes {length} minutes. The time that {name} spent in lessons was",
    ),
    (
        "minutes",
        "A dance class has {weekly} meetings a week. Over {weeks} weeks, {cancelled} meetings fell through, and "
        "every other one ran for {length} minutes. The class danced for",
    ),
    (
        "minutes",
        "{name} teaches {weekly} sessions a week for {weeks} weeks, except for {cancelled} that fall on holidays. At "
        "{length} minutes a session, {name} teaches for",
    ),
)


def _sessions(trace: Trace, weekly: int, weeks: int, cancelled: int, length: int) -> int:
    planned = trace.multiply("planned", weekly, weeks)
    held = trace.subtract("held", planned, cancelled)
    return trace.multiply("total minutes", held, length)


def schedule_sessions(draw: Stream, wordings: Wordings = _SESSION_WORDINGS, times: tuple[int, int] = (2, 5)) -> Problem:
    """Sessions a week over some weeks, some cancelled, each of one length."""
    weekly, weeks = draw.integer(*times), draw.integer(4, 16)
    cancelled, length = draw.integer(2, min(8, weekly * weeks // 3)), draw.integer(20, 95)
    unit, prompt = fill(draw, wordings, weekly=weekly, weeks=weeks, cancelled=cancelled, length=length)
    return Problem(
        prompt=prompt,
        unit=unit,
        operands={"weekly": weekly, "weeks": weeks, "cancelled": cancelled, "length": length},
        solve=_sessions,
        bounds=(length, weekly * weeks * length),
        mistakes={
            "weeks": {
                "left out one week": {"weeks": weeks - 1},
                "counted one week too many": {"weeks": weeks + 1},
            },
            "each week": {
                "counted one session a week too few": {"weekly": weekly - 1},
                "counted one session a week too many": {"weekly": weekly + 1},
            },
            "cancellations": {
                "forgot the cancelled sessions": {"cancelled": 0},
                "added the cancelled sessions": {"cancelled": -cancelled},
                "took off the cancelled sessions twice": {"cancelled": 2 * cancelled},
            },
            "length": {"took a session as a full hour": {"length": 60}},
        },
    )
