"""``prize_ratio_charity`` in closed form."""

from fractions import Fraction as F

from .recipe import Recipe


def prize_ratio_charity(pool: F, mine: F, theirs: F, given: F) -> Recipe:
    """A share by ratio less a percentage given away."""
    parts = {
        "": mine + theirs,
        "counted one part too few": mine + theirs - 1,
        "counted one part too many": mine + theirs + 1,
    }
    taken = {
        "": mine,
        "took the other share": theirs,
        "took one part too few": mine - 1,
        "took one part too many": mine + 1,
    }
    # The percentage given of the share, and of the whole sum.
    donated = {
        "": (given, 0),
        "forgot the donation": (0, 0),
        "made the donation twice": (given + given, 0),
        "took the percentage of the whole sum": (0, given),
    }

    def kept(count: F, share: F, gift: tuple[F, F]) -> F:
        return pool * share / count * (100 - gift[0]) / 100 - pool * gift[1] / 100

    return (parts, taken, donated), kept
