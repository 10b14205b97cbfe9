"""Depth 3: two quantities at two rates, added."""

from fractions import Fraction

from ...choices.problem import Trace
from .family import Family, Mistakes, Range, Telling, off_by_one

_WAGES = {"low": range(12, 31), "high": range(14, 42)}
_TELLINGS = tuple(
    Telling("dollars", text, values)
    for values, text in (
        (
            _WAGES,
            "{name} worked {first} hours at {low} dollars an hour on weekdays and {second} hours at {high} dollars an "
            "hour at the weekend. In all, {name} earned",
        ),
        (
            {"low": range(18, 40), "high": range(20, 55)},
            "A teacher gave {first} hours of maths lessons at {low} dollars an hour and {second} hours of music "
            "lessons at {high} dollars an hour. The lessons brought in",
        ),
        (
            {"low": range(15, 35), "high": range(18, 49)},
            "{name} spent {first} hours painting walls for {low} dollars an hour and {second} hours laying tiles for "
            "{high} dollars an hour. The whole job paid",
        ),
        (
            {"low": range(20, 45), "high": range(40, 75)},
            "A yard in {place} rented out a trailer for {first} days at {low} dollars a day and a van for {second} "
            "days at {high} dollars a day. The two rentals brought in",
        ),
        (
            {"low": range(8, 22), "high": range(12, 32)},
            "At the market in {place}, {name} bought {first} boxes of apples at {low} dollars a box and {second} boxes "
            "of cherries at {high} dollars a box. The purchase cost",
        ),
        (
            _WAGES,
            "A cafe paid {name} for {first} hours at the counter at {low} dollars an hour and for {second} hours in "
            "the kitchen at {high} dollars an hour. The pay came to",
        ),
        (
            {"low": range(6, 16), "high": range(9, 25)},
            "A school bought {first} children's tickets at {low} dollars each and {second} adults' tickets at {high} "
            "dollars each for a show in {place}. The tickets cost",
        ),
        (
            {"low": range(9, 25), "high": range(14, 40)},
            "For the garden, {name} ordered {first} sacks of soil at {low} dollars a sack and {second} sacks of bark "
            "at {high} dollars a sack. The order came to",
        ),
    )
)
_TRAINING = tuple(
    Telling("euros", text)
    for text in (
        "{name} tutored <chemistry|Latin|physics|algebra> for {first} afternoons at {low} euros apiece and "
        "<fencing|judo|rowing> for {second} afternoons at {high} euros apiece. The tutoring yielded",
        "A <printmaker|sculptor|gallery> in {place} sold {first} etchings for {low} euros apiece, and on top of these "
        "{second} engravings for {high} euros apiece. The artworks fetched",
        "For a laboratory, {name} bought {first} flasks costing {low} euros apiece plus {second} thermometers "
        "costing {high} euros apiece. The invoice for this equipment reads",
    )
)


def _solve(trace: Trace, first: int, low: int, second: int, high: int, average: int = 0) -> int:
    if average:
        low = high = trace.whole(Fraction(low + high, 2))
    first_part = trace.multiply("first part", first, low)
    second_part = trace.multiply("second part", second, high)
    return trace.add("in total", first_part, second_part)


def _mistakes(first: int, low: int, second: int, high: int) -> Mistakes:
    return {
        "rates": {
            "used the first rate for both parts": {"high": low},
            "used the second rate for both parts": {"low": high},
            "swapped the rates": {"low": high, "high": low},
            "took the mean of the rates for both parts": {"average": 1},
            "paid the second rate on top of the first": {"high": low + high},
            "paid only the difference of the rates for the second part": {"high": high - low},
        },
        "first quantity": {
            "left out the first part": {"first": 0},
            "used the second quantity for both parts": {"first": second},
            "counted both quantities at the first rate": {"first": first + second},
            **off_by_one("first", first, "counted one of the first part"),
        },
        "second quantity": {
            "left out the second part": {"second": 0},
            "used the first quantity for both parts": {"second": first},
            "counted both quantities at the second rate": {"second": first + second},
            **off_by_one("second", second, "counted one of the second part"),
        },
    }


FAMILY = Family(
    template="two_rate_pay",
    topic="rates_of_pay",
    depth=3,
    share=45,
    ranges={
        "first": Range(range(4, 19), "hours of a week, days of a fortnight, what fits a car"),
        "low": Range(range(8, 45), "whole dollars, by what is paid for"),
        "second": Range(range(3, 17), "as the first quantity"),
        "high": Range(range(10, 75), "the dearer of the two, at most twice the other"),
    },
    tellings=_TELLINGS,
    solve=_solve,
    mistakes=_mistakes,
    bounds=lambda first, low, second, high: (low, (first + second) * (low + high)),
    contrived=frozenset(
        f"counted one of the {part} part too {way}" for part in ("first", "second") for way in ("few", "many")
    ),
    sensible=lambda first, low, second, high: low + 2 <= high <= 2 * low and first != second,
    training=_TRAINING,
    apart={
        "first": Range(range(19, 39), "more than in a test tier"),
        "low": Range(range(11, 35), "whole euros"),
        "second": Range(range(6, 33), "as the first quantity"),
        "high": Range(range(13, 49), "the dearer of the two"),
    },
)
