"""``discount_tax_coupon_split`` in closed form."""

from fractions import Fraction as F

from .recipe import Recipe


def discount_tax_coupon_split(price: F, off: F, tax: F, coupon: F, people: F) -> Recipe:
    """A reduced and taxed price less a coupon, divided."""
    reduced = {
        "": price * (100 - off) / 100,
        "forgot the discount": price,
        "took the discount off twice": price - 2 * price * off / 100,
        "added the discount": price + price * off / 100,
    }
    taxed = {
        "": 1 + tax / 100,
        "forgot the tax": 1,
        "subtracted the tax": 1 - tax / 100,
        "added the tax twice": 1 + 2 * tax / 100,
    }
    voucher = {
        "": coupon,
        "forgot the coupon": 0,
        "added the coupon": -coupon,
        "used the coupon twice": coupon + coupon,
    }
    payers = {
        "": people,
        "split among one person too few": people - 1,
        "split among one person too many": people + 1,
    }
    return (reduced, taxed, voucher, payers), lambda cost, factor, less, count: (cost * factor - less) / count
