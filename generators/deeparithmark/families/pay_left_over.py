"""Depth 7, what is left of some weeks' pay."""

from math import gcd

from ...choices.problem import Problem, Trace, UnusableError
from ...streams import Stream
from .slips import miscounted, misused
from .words import fill, multiple, whole_for

_PAY_WORDINGS = (
    (
        "dollars",
        "In {weeks} weeks, {name} worked {hours} hours a week at {rate} dollars an hour, plus {extra} overtime hours "
        "in total at {extra_rate} dollars an hour. Tax took {tax}% of all the pay. Out of the rest, {name} paid "
        "{spent} dollars in rent and then had",
    ),
    (
        "dollars",
        "A cook worked {weeks} weeks of {hours} normal hours at {rate} dollars an hour and, over the whole time, "
        "{extra} extra hours at {extra_rate} dollars an hour. The restaurant in {place} held back {tax}% of the total "
        "as tax and {spent} dollars for meals. The cook received",
    ),
    (
        "dollars",
        "{name} painted houses for {weeks} weeks, {hours} hours a week, at {rate} dollars an hour. Besides, there "
        "were {extra} hours of overtime altogether at {extra_rate} dollars an hour. After {tax}% tax on everything, "
        "{name} spent {spent} dollars on tools and kept",
    ),
    (
        "dollars",
        "A nurse had {weeks} weeks of {hours} hours each at {rate} dollars an hour, as well as {extra} night hours "
        "in all, paid at {extra_rate} dollars an hour. From the total pay, {tax}% went in tax. The nurse then gave "
        "{spent} dollars to {name}, which left",
    ),
)


def _pay_left(
    trace: Trace, weeks: int, hours: int, rate: int, extra: int, extra_rate: int, tax: int, spent: int,
    times: int = 1, untaxed_extra: int = 0,
) -> int:  # fmt: skip
    worked = trace.multiply("normal hours", weeks, hours)
    normal = trace.multiply("normal pay", worked, rate)
    overtime = trace.multiply("extra pay", extra, extra_rate)
    gross = trace.add("total pay", normal, overtime)
    if untaxed_extra and not overtime:
        raise UnusableError("whether the extra pay was taxed makes no difference")
    held_back = trace.percent("tax", normal if untaxed_extra else gross, tax)
    after_tax = trace.subtract("after tax", gross, times * held_back)
    return trace.subtract("left", after_tax, spent)


def pay_left_over(draw: Stream) -> Problem:
    """Weeks of normal hours, extra hours, the tax on both, and an expense paid from what is left."""
    tax, weeks = draw.choice((10, 12, 15, 16, 18, 20, 22, 24, 25, 28, 30)), draw.integer(2, 6)
    whole = whole_for(tax)
    hours, extra = draw.integer(18, 42), draw.integer(3, 16)
    rate = multiple(draw, whole // gcd(whole, weeks * hours), 11, 34)
    extra_rate = multiple(draw, whole // gcd(whole, extra), rate + 2, rate + 20)
    if rate > 40 or not rate < extra_rate <= 2 * rate:
        raise UnusableError(f"implausible rates: {rate}, {extra_rate}")
    gross = weeks * hours * rate + extra * extra_rate
    spent = draw.integer(64, gross // 3)
    operands = {"weeks": weeks, "hours": hours, "rate": rate, "extra": extra, "extra_rate": extra_rate}
    operands |= {"tax": tax, "spent": spent}
    unit, prompt = fill(draw, _PAY_WORDINGS, **operands)
    return Problem(
        prompt=prompt,
        unit=unit,
        operands=operands,
        solve=_pay_left,
        bounds=(2, gross),
        mistakes={
            "weeks": miscounted("weeks", weeks, "counted one week"),
            "extra pay": {
                "left out the extra hours": {"extra": 0},
                "counted the extra hours twice": {"extra": 2 * extra},
                "counted the extra hours in every week": {"extra": weeks * extra},
                "paid the extra hours at the normal rate": {"extra_rate": rate},
            },
            "tax": {
                "forgot the tax": {"times": 0},
                "took the tax off twice": {"times": 2},
                "added the tax": {"times": -1},
                "taxed only the normal pay": {"untaxed_extra": 1},
            },
            "expense": misused("spent", spent, "forgot the expense", "took off the expense twice", "added the expense"),
        },
    )
