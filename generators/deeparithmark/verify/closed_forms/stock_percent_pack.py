"""``stock_percent_pack`` in closed form."""

from fractions import Fraction as F

from .recipe import LOOSE, Recipe, full, used


def stock_percent_pack(stock: F, sold: F, lost: F, size: F) -> Recipe:
    """Full packs of what a percentage and a loss leave."""
    share = sold / 100
    # The part that is kept, and how often the percentage is taken off.
    kept = {
        "": (1 - share, 1),
        "forgot the percentage": (F(1), 0),
        "took the percentage off again": (1 - 2 * share, 2),
        "went on with the part that left": (share, 1),
    }
    dropped = used(lost, "forgot those dropped", "took off those dropped again", "added those dropped")
    early = {"": False, "took off those dropped before the percentage": True}

    def packs(part: tuple[F, int], less: F, before: bool, loose: bool) -> F:
        # Who reverses the order takes the percentage of the loss as well, as often as of the stock.
        return full(stock * part[0] - less * (1 - part[1] * share if before else 1), size, loose)

    return Recipe((kept, dropped, early, LOOSE), (1, 2, 2, 3), packs)
