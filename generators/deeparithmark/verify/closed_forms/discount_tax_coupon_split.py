"""``discount_tax_coupon_split`` in closed form."""

from fractions import Fraction as F

from .recipe import Recipe, used


def discount_tax_coupon_split(price: F, off: F, tax: F, coupon: F, people: F) -> Recipe:
    """A reduced and taxed price less a coupon, divided."""
    cut = used(off / 100, "forgot the discount", "took the discount off again", "added the discount")
    rate = used(tax / 100, "forgot the tax", "added the tax again", "took the tax off")
    full_price = {"": False, "took the tax of the full price": True}
    # What it takes off, and whether of each share.
    voucher = {
        "": (coupon, False),
        "forgot the coupon": (0, False),
        "used the coupon again": (coupon + coupon, False),
        "added the coupon": (-coupon, False),
        "used the coupon after the split": (coupon, True),
    }
    before = {"": False, "used the coupon before the tax": True}

    def each(less: F, more: F, of_all: bool, amount: tuple[F, bool], early: bool) -> F:
        value, late = amount
        reduced = price * (1 - less) - (value if early else 0)
        taxed = reduced + more * (price if of_all else reduced)
        return (taxed - (0 if early or late else value)) / people - (value if late and not early else 0)

    return Recipe((cut, rate, full_price, voucher, before), (1, 2, 2, 3, 2), each)
