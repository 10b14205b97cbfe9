"""``batch_profit`` in closed form."""

from fractions import Fraction as F

from .recipe import LOOSE_PACK, Recipe, full, used


def batch_profit(batches: F, size: F, lost: F, pack: F, given: F, price: F, cost: F) -> Recipe:
    """Full packs of what is not spoiled, less those given away, at a price, less a cost."""
    spoiled = used(lost, "forgot the spoiled ones", "took off the spoiled ones again", "added the spoiled ones")
    gift = used(
        given, "forgot the packs given away", "took off the packs given away again", "added the packs given away"
    )
    # Packs taken off, and dollars.
    gifts = {name: (value, 0) for name, value in gift.items()} | {"took the packs given away off the money": (0, given)}
    paid = used(cost, "forgot the cost", "took off the cost again", "added the cost")

    def profit(bad: F, loose: bool, free: tuple[F, F], less: F) -> F:
        return (full(batches * size - bad, pack, loose) - free[0]) * price - free[1] - less

    return Recipe((spoiled, LOOSE_PACK, gifts, paid), (2, 3, 4, 6), profit)
