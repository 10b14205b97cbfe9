"""``harvest_profit`` in closed form."""

from fractions import Fraction as F
from math import floor

from .recipe import Recipe, counted


def harvest_profit(rows: F, per: F, bad: F, kept: F, size: F, price: F, cost: F) -> Recipe:
    """Full packs of what two percentages leave, at a price, less a cost."""
    lost = {
        "": bad,
        "forgot the bad ones": 0,
        "took off the bad ones twice": bad + bad,
        "added the bad ones": -bad,
    }
    # The percentage held back of the good ones, and of everything.
    held = {
        "": (kept, 0),
        "forgot those held back": (0, 0),
        "took off those held back twice": (kept + kept, 0),
        "added those held back": (-kept, 0),
        "took that percentage of everything": (0, kept),
    }
    packing = {
        "": (size, False),
        "packed one fewer in each": (size - 1, False),
        "packed one more in each": (size + 1, False),
        "counted the loose ones as a full pack": (size, True),
    }
    paid = {"": cost, "forgot the cost": 0, "took off the cost twice": cost + cost, "added the cost": -cost}

    def profit(count: F, off: F, back: tuple[F, F], packed: tuple[F, bool], less: F) -> F:
        crop = count * per
        packs = (crop * (100 - off) / 100 * (100 - back[0]) / 100 - crop * back[1] / 100) / packed[0]
        return (floor(packs) + (packed[1] and packs.denominator > 1)) * price - less

    return (counted(rows, "counted one row"), lost, held, packing, paid), profit
