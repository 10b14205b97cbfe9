"""``inventory_percent_chain`` in closed form."""

from fractions import Fraction as F

from .recipe import Recipe


def inventory_percent_chain(stock: F, first: F, second: F, size: F) -> Recipe:
    """Two percentage sales, the rest divided by the pack size."""
    monday = {
        "": first,
        "forgot the first sale": 0,
        "took the first sale off twice": first + first,
    }
    # The percentage sold of what the first day left, and of the whole stock.
    tuesday = {
        "": (second, 0),
        "forgot the second sale": (0, 0),
        "took the second sale off twice": (second + second, 0),
        "took the second percentage of the whole stock": (0, second),
    }
    sizes = {"": size, "packed one fewer in each": size - 1, "packed one more in each": size + 1}

    def packs(one: F, two: tuple[F, F], each: F) -> F:
        left = stock * (100 - one) / 100
        return (left * (100 - two[0]) / 100 - stock * two[1] / 100) / each

    return (monday, tuesday, sizes), packs
