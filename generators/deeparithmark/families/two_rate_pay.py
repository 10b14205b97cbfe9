"""Depth 3, two quantities at two rates."""

from ...choices.problem import Problem, Trace
from ...streams import Stream
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
