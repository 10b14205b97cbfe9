"""``two_rate_pay`` in closed form."""

from fractions import Fraction as F

from .recipe import Recipe, counted


def two_rate_pay(first: F, low: F, second: F, high: F) -> Recipe:
    """Two quantities at two rates."""
    # What each of the first part, and of the second, counts for.
    rates = {
        "": (low, high),
        "used the first rate for both parts": (low, low),
        "used the second rate for both parts": (high, high),
        "swapped the rates": (high, low),
        "took the mean of the rates for both parts": ((low + high) / 2, (low + high) / 2),
        "paid the second rate on top of the first": (low, low + high),
        "paid only the difference of the rates for the second part": (low, high - low),
    }
    counts = {
        **counted(first, "counted one of the first part"),
        "left out the first part": 0,
        "used the second quantity for both parts": second,
        "counted both quantities at the first rate": first + second,
    }
    others = {
        **counted(second, "counted one of the second part"),
        "left out the second part": 0,
        "used the first quantity for both parts": first,
        "counted both quantities at the second rate": first + second,
    }

    def pay(each: tuple[F, F], one: F, other: F) -> F:
        return one * each[0] + other * each[1]

    later = (
        "used the first rate for both parts",
        "paid the second rate on top of the first",
        "paid only the difference of the rates for the second part",
    )
    return Recipe((rates, counts, others), (1, 1, 2), pay, dict.fromkeys(later, 2))
