"""``measure_cm_cut`` in closed form."""

from fractions import Fraction as F

from .recipe import Recipe


def measure_cm_cut(metres: F, joined: F, cut: F) -> Recipe:
    """Metres in centimetres, a piece added, a piece taken off."""
    start = {
        "": metres * 100,
        "counted one metre too few": metres * 100 - 100,
        "counted one metre too many": metres * 100 + 100,
        "took a metre as 10 centimetres": metres * 10,
    }
    added = {
        "": joined,
        "left out the joined piece": 0,
        "joined the piece twice": joined + joined,
        "subtracted the joined piece": -joined,
    }
    removed = {"": cut, "forgot the cut": 0, "made the cut twice": cut + cut, "added the cut": -cut}
    return (start, added, removed), lambda length, more, less: length + more - less
