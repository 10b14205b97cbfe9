"""``harvest_profit`` in closed form."""

from collections.abc import Callable
from fractions import Fraction as F

from .recipe import LOOSE_PACK, Recipe, full, used


def harvest_profit(rows: F, per: F, bad: F, kept: F, size: F, price: F, cost: F) -> Recipe:
    """Full packs of what two percentages leave, at a price, less a cost."""
    lost = used(bad / 100, "forgot the bad ones", "took the bad ones off again", "added the bad ones")
    of_all = {"": False, "took the second percentage of everything": True}
    held = {
        "": lambda good, back: good - back,
        "forgot those held back": lambda good, back: good,
        "took those held back off again": lambda good, back: good - 2 * back,
        "added those held back": lambda good, back: good + back,
        "packed those held back": lambda good, back: back,
    }
    paid = used(cost, "forgot the cost", "took off the cost again", "added the cost")

    def profit(off: F, whole: bool, packed: Callable[[F, F], F], loose: bool, less: F) -> F:
        crop = rows * per
        good = crop * (1 - off)
        return full(packed(good, (crop if whole else good) * kept / 100), size, loose) * price - less

    return Recipe((lost, of_all, held, LOOSE_PACK, paid), (3, 4, 5, 6, 8), profit)
