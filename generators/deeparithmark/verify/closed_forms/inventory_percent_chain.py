"""``inventory_percent_chain`` in closed form."""

from fractions import Fraction as F

from .recipe import LOOSE, Recipe, full, used


def inventory_percent_chain(stock: F, first: F, second: F, size: F) -> Recipe:
    """Two percentage sales, the rest in full packs."""
    one = used(first / 100, "forgot the first percentage", "took the first percentage off again")
    part = {"": False, "went on with the part that left first": True}
    two = used(
        second / 100,
        "forgot the second percentage",
        "took the second percentage off again",
        "added the second percentage",
    )
    base = {"": False, "took the second percentage of the whole stock": True}

    def packs(less: F, other: bool, then: F, of_all: bool, loose: bool) -> F:
        left = stock * (first / 100 if other else 1 - less)
        return full(left - then * (stock if of_all else left), size, loose)

    return Recipe((one, part, two, base, LOOSE), (2, 2, 4, 3, 5), packs)
