"""``stock_percent_pack`` in closed form."""

from fractions import Fraction as F

from .recipe import Recipe


def stock_percent_pack(stock: F, sold: F, size: F) -> Recipe:
    """What a percentage sale leaves, divided by the pack size."""
    packed = {
        "": stock * (100 - sold) / 100,
        "forgot the sale": stock,
        "took the sale off twice": stock - 2 * stock * sold / 100,
        "packed what was sold": stock * sold / 100,
    }
    sizes = {"": size, "packed one fewer in each": size - 1, "packed one more in each": size + 1}
    return (packed, sizes), lambda amount, each: amount / each
