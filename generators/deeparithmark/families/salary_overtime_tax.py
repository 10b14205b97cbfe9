"""Depth 5, pay with overtime, less tax."""

from math import gcd

from ...choices.problem import Problem, Trace, UnusableError
from ...streams import Stream
from .words import Wordings, fill, multiple, whole_for

_SALARY_WORDINGS = (
    (
        "dollars",
        "{name} worked {hours} hours at {rate} dollars an hour and {extra} hours of overtime at {extra_rate} dollars "
        "an hour. From the total, {tax}% was held back as tax. {name} took home",
    ),
    (
        "dollars",
        "A welder is paid for {hours} normal hours at {rate} dollars each and {extra} overtime hours at {extra_rate} "
        "dollars each. Tax takes {tax}% of it all. The amount paid out is",
    ),
    (
        "dollars",
        "{name} drove a bus for {hours} hours at {rate} dollars an hour, plus {extra} overtime hours at {extra_rate} "
        "dollars an hour. After {tax}% tax on everything, {name} received",
    ),
    (
        "dollars",
        "{name} worked {hours} hours for {rate} dollars an hour, then {extra} overtime hours for {extra_rate} "
        "dollars an hour. All of the pay was taxed at {tax}%. After tax, {name} had",
    ),
)


def _pay_after_tax(
    trace: Trace, hours: int, rate: int, extra: int, extra_rate: int, tax: int, untaxed_extra: int = 0
) -> int:
    normal = trace.multiply("normal pay", hours, rate)
    overtime = trace.multiply("overtime pay", extra, extra_rate)
    gross = trace.add("total pay", normal, overtime)
    held_back = trace.percent("tax", normal if untaxed_extra else gross, tax)
    return trace.subtract("after tax", gross, held_back)


def salary_overtime_tax(
    draw: Stream, wordings: Wordings = _SALARY_WORDINGS, normal: tuple[int, int] = (32, 44)
) -> Problem:
    """Normal hours, overtime hours, their sum, the tax on it, what is left."""
    tax = draw.choice((10, 15, 20, 24, 25, 28, 30, 32, 35))
    step = whole_for(tax)
    hours, extra = draw.integer(*normal), draw.integer(3, 12)
    rate = multiple(draw, step // gcd(step, hours), 12, 36)
    extra_rate = multiple(draw, step // gcd(step, extra), rate + 2, rate + 20)
    if not rate < extra_rate <= 2 * rate or rate > 44:
        raise UnusableError(f"implausible rates: {rate}, {extra_rate}")
    unit, prompt = fill(draw, wordings, hours=hours, rate=rate, extra=extra, extra_rate=extra_rate, tax=tax)
    return Problem(
        prompt=prompt,
        unit=unit,
        operands={"hours": hours, "rate": rate, "extra": extra, "extra_rate": extra_rate, "tax": tax},
        solve=_pay_after_tax,
        bounds=(2, hours * rate + extra * extra_rate),
        mistakes={
            "normal rate": {"paid every hour at the overtime rate": {"rate": extra_rate}},
            "overtime rate": {"paid the overtime at the normal rate": {"extra_rate": rate}},
            "normal hours": {
                "counted one normal hour too few": {"hours": hours - 1},
                "counted one normal hour too many": {"hours": hours + 1},
            },
            "overtime hours": {
                "left out the overtime": {"extra": 0},
                "counted the overtime twice": {"extra": 2 * extra},
                "counted one overtime hour too few": {"extra": extra - 1},
                "counted one overtime hour too many": {"extra": extra + 1},
            },
            "tax": {
                "forgot the tax": {"tax": 0},
                "took the tax off twice": {"tax": 2 * tax},
                "taxed only the normal pay": {"untaxed_extra": 1},
            },
        },
    )
