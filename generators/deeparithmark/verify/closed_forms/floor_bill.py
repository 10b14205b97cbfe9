"""``floor_bill`` in closed form."""

from fractions import Fraction as F

from .recipe import Recipe, counted


def floor_bill(length: F, width: F, bare: F, spare: F, size: F, price: F, voucher: F) -> Recipe:
    """The price of packs for an area with a part left out and a percentage extra, less a voucher."""
    left_out = {
        "": bare,
        "forgot the part left out": 0,
        "took off the part left out twice": bare + bare,
        "added the part left out": -bare,
    }
    extra = {
        "": 100 + spare,
        "forgot the extra": 100,
        "added the extra twice": 100 + spare + spare,
        "subtracted the extra": 100 - spare,
    }
    reduction = {
        "": voucher,
        "forgot the voucher": 0,
        "took off the voucher twice": voucher + voucher,
        "added the voucher": -voucher,
    }

    def bill(gap: F, percent: F, each: F, off: F) -> F:
        return (length * width - gap) * percent / 100 / each * price - off

    return (left_out, extra, counted(size, "counted one square metre of each pack"), reduction), bill
