"""``money_discount_fee`` in closed form."""

from fractions import Fraction as F

from .recipe import Recipe, used


def money_discount_fee(price: F, off: F, fee: F) -> Recipe:
    """A reduced price plus a charge."""
    share = off / 100
    # What is taken off the price, and off the charge.
    reductions = {
        "": (price * share, 0),
        "forgot the discount": (0, 0),
        "took the discount off again": (2 * price * share, 0),
        "added the discount": (-price * share, 0),
        "took the percentage as an amount": (off, 0),
        "took the discount off the charge alone": (0, share),
    }
    charge = used(fee, "forgot the charge", "paid the charge again", "took the charge off")
    base = {"": 0, "took the discount off the charge as well": share}

    def paid(taken: tuple[F, F], more: F, of_charge: F) -> F:
        return price - taken[0] + more * (1 - max(taken[1], of_charge))

    return Recipe((reductions, charge, base), (1, 2, 2), paid)
