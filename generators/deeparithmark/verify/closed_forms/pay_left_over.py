"""``pay_left_over`` in closed form."""

from fractions import Fraction as F

from .recipe import Recipe, counted


def pay_left_over(weeks: F, hours: F, rate: F, extra: F, extra_rate: F, tax: F, spent: F) -> Recipe:
    """Normal and extra pay less the tax on each and an expense."""
    over = {
        "": extra * extra_rate,
        "left out the extra hours": F(0),
        "counted the extra hours twice": 2 * extra * extra_rate,
        "counted the extra hours in every week": extra * extra_rate * weeks,
        "paid the extra hours at the normal rate": extra * rate,
    }
    # The percentage held back of the normal pay, and of the extra pay.
    held_back = {
        "": (tax, tax),
        "forgot the tax": (0, 0),
        "took the tax off twice": (tax + tax, tax + tax),
        "added the tax": (-tax, -tax),
        "taxed only the normal pay": (tax, 0),
    }
    expense = {
        "": spent,
        "forgot the expense": 0,
        "took off the expense twice": spent + spent,
        "added the expense": -spent,
    }

    def left(time: F, more: F, held: tuple[F, F], less: F) -> F:
        return time * hours * rate * (100 - held[0]) / 100 + more * (100 - held[1]) / 100 - less

    return (counted(weeks, "counted one week"), over, held_back, expense), left
