"""``salary_overtime_tax`` in closed form."""

from fractions import Fraction as F

from .recipe import Recipe


def salary_overtime_tax(hours: F, rate: F, extra: F, extra_rate: F, tax: F) -> Recipe:
    """Normal and overtime pay less the tax on each."""
    normal = {
        "": hours,
        "counted one normal hour too few": hours - 1,
        "counted one normal hour too many": hours + 1,
    }
    over = {
        "": extra,
        "left out the overtime": 0,
        "counted the overtime twice": extra + extra,
        "counted one overtime hour too few": extra - 1,
        "counted one overtime hour too many": extra + 1,
    }
    normal_rate = {"": rate, "paid every hour at the overtime rate": extra_rate}
    over_rate = {"": extra_rate, "paid the overtime at the normal rate": rate}
    # The percentage held back of the normal pay, and of the overtime pay.
    held_back = {
        "": (tax, tax),
        "forgot the tax": (0, 0),
        "took the tax off twice": (2 * tax, 2 * tax),
        "taxed only the normal pay": (tax, 0),
    }

    def paid(h: F, r: F, e: F, s: F, held: tuple[F, F]) -> F:
        return h * r * (100 - held[0]) / 100 + e * s * (100 - held[1]) / 100

    return (normal, normal_rate, over, over_rate, held_back), paid
