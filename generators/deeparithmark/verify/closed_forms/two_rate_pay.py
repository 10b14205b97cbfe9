"""``two_rate_pay`` in closed form."""

from fractions import Fraction as F

from .recipe import Recipe


def two_rate_pay(first: F, low: F, second: F, high: F) -> Recipe:
    """Two quantities at two rates."""
    first_hours = {
        "": first,
        "counted the first part one short": first - 1,
        "counted the first part one over": first + 1,
        "used the second quantity for the first part": second,
    }
    second_hours = {
        "": second,
        "counted the second part one short": second - 1,
        "counted the second part one over": second + 1,
        "used the first quantity for the second part": first,
    }
    first_rate = {"": low, "used the second rate for the first part": high}
    second_rate = {"": high, "used the first rate for the second part": low}
    return (first_hours, first_rate, second_hours, second_rate), lambda a, b, c, d: a * b + c * d
