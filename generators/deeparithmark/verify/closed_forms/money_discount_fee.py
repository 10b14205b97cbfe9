"""``money_discount_fee`` in closed form."""

from fractions import Fraction as F

from .recipe import Recipe


def money_discount_fee(price: F, off: F, fee: F) -> Recipe:
    """A reduced price plus a delivery charge."""
    reduced = {
        "": price * (100 - off) / 100,
        "forgot the discount": price,
        "took the discount off twice": price - 2 * price * off / 100,
        "added the discount": price + price * off / 100,
        "took the percentage as dollars": price - off,
        "charged only the discount": price * off / 100,
    }
    charge = {
        "": fee,
        "forgot the delivery charge": 0,
        "charged for delivery twice": fee + fee,
        "subtracted the delivery charge": -fee,
    }
    return (reduced, charge), lambda goods, delivery: goods + delivery
