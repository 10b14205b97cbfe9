"""``salary_overtime_tax`` in closed form."""

from fractions import Fraction as F

from .recipe import Recipe, used


def salary_overtime_tax(hours: F, rate: F, extra: F, extra_rate: F, tax: F) -> Recipe:
    """Normal and overtime pay less the tax on each."""
    wage = {"": rate, "paid the normal hours at the higher rate": extra_rate}
    higher = {
        "": extra_rate,
        "paid the extra hours at the normal rate": rate,
        "paid the higher rate on top of the normal one": rate + extra_rate,
    }
    over = used(extra, "left out the extra hours", "counted the extra hours again")
    normal = {"": hours, "took the extra hours out of the normal ones": hours - extra}
    held_back = used(tax / 100, "forgot the tax", "took the tax off again", "added the tax")
    # Of which pay it is taken.
    base = {"": (1, 1), "taxed only the normal pay": (1, 0), "taxed only the extra pay": (0, 1)}

    def left(each: F, dear: F, more: F, time: F, share: F, of: tuple[int, int]) -> F:
        return time * each * (1 - share * of[0]) + more * dear * (1 - share * of[1])

    return Recipe((wage, higher, over, normal, held_back, base), (1, 2, 2, 1, 5, 4), left)
