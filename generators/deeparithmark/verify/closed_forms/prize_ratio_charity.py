"""``prize_ratio_charity`` in closed form."""

from collections.abc import Callable
from fractions import Fraction as F

from .recipe import Recipe, used


def prize_ratio_charity(pool: F, mine: F, theirs: F, given: F) -> Recipe:
    """A share by ratio less a percentage given away."""
    parts = {"": mine + theirs, "divided by the other's parts alone": theirs}
    together = {"": F(0), "shared in two halves": pool / 2, "forgot to share": pool}
    taken = {"": mine, "took the other share": theirs, "took a single part": 1}
    times = used(1, "forgot the donation", "made the donation again", "added the donation")
    base = {
        "": lambda share: share,
        "took the percentage of the whole sum": lambda share: pool,
        "took the percentage of the other share": lambda share: pool - share,
    }
    rest = {"": False, "kept what was given": True}

    def kept(whole: F, undivided: F, count: F, donations: int, of: Callable[[F], F], gift_alone: bool) -> F:
        share = undivided or pool / whole * count
        gift = of(share) * given / 100
        return gift if gift_alone else share - donations * gift

    return Recipe((parts, together, taken, times, base, rest), (1, 2, 3, 5, 4, 5), kept)
