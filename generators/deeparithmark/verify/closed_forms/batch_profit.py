"""``batch_profit`` in closed form."""

from fractions import Fraction as F
from math import floor

from .recipe import Recipe, counted


def batch_profit(batches: F, size: F, lost: F, pack: F, given: F, price: F, cost: F) -> Recipe:
    """Full packs of what is not spoiled, less those given away, at a price, less a cost."""
    spoiled = {
        "": lost,
        "forgot the spoiled ones": 0,
        "took off the spoiled ones twice": lost + lost,
        "added the spoiled ones": -lost,
    }
    # How many go in a pack, and whether the loose ones make one more.
    packing = {
        "": (pack, False),
        "packed one fewer in each": (pack - 1, False),
        "packed one more in each": (pack + 1, False),
        "counted the loose ones as a full pack": (pack, True),
    }
    gift = {
        "": given,
        "forgot the packs given away": 0,
        "took off the packs given away twice": given + given,
        "added the packs given away": -given,
    }
    paid = {"": cost, "forgot the cost": 0, "took off the cost twice": cost + cost, "added the cost": -cost}

    def profit(count: F, bad: F, packed: tuple[F, bool], free: F, less: F) -> F:
        packs = (count * size - bad) / packed[0]
        return (floor(packs) + (packed[1] and packs.denominator > 1) - free) * price - less

    return (counted(batches, "counted one batch"), spoiled, packing, gift, paid), profit
