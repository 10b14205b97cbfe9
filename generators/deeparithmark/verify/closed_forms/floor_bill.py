"""``floor_bill`` in closed form."""

from fractions import Fraction as F

from .recipe import Recipe, used


def floor_bill(length: F, width: F, bare: F, spare: F, size: F, price: F, voucher: F) -> Recipe:
    """The price of packs for an area with a part left out and a percentage extra, less a sum."""
    area = length * width
    gap = used(bare, "forgot the part left out", "took the part left out off again", "added the part left out")
    times = used(spare / 100, "forgot the extra", "added the extra again", "took the extra off")
    base = {"": False, "took the extra of the whole area": True}
    less = used(voucher, "forgot the sum taken off", "took the sum off again", "added the sum")

    def bill(out: F, extra: F, of_all: bool, off: F) -> F:
        covered = area - out
        return (covered + extra * (area if of_all else covered)) / size * price - off

    return Recipe((gap, times, base, less), (2, 4, 3, 7), bill)
