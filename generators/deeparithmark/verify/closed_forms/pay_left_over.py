"""``pay_left_over`` in closed form."""

from fractions import Fraction as F

from .recipe import Recipe, used


def pay_left_over(weeks: F, hours: F, missed: F, rate: F, bonus: F, tax: F, spent: F) -> Recipe:
    """Wages for the hours worked and an extra sum, less the tax on both and an expense."""
    away = used(missed, "forgot the hours missed", "took the hours missed off again", "added the hours missed")
    away["took the hours missed off every week"] = missed * weeks
    extra = used(bonus, "left out the extra sum", "counted the extra sum again", "took the extra sum off")
    times = used(1, "forgot the tax", "took the tax off again", "added the tax")
    untaxed = {"": False, "left the extra sum untaxed": True}
    early = {"": False, "took the expense off before the tax": True}
    expense = used(spent, "forgot the expense", "took the expense off again", "added the expense")

    def left(off: F, more: F, taxes: int, free: bool, before: bool, less: F) -> F:
        gross = (weeks * hours - off) * rate + more
        base = gross - (less if before else 0) - (more if free else 0)
        return gross - taxes * base * tax / 100 - less

    return Recipe((away, extra, times, untaxed, early, expense), (2, 4, 6, 5, 5, 7), left)
