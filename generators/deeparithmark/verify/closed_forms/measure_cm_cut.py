"""``measure_cm_cut`` in closed form."""

from fractions import Fraction as F

from .recipe import Recipe, used


def measure_cm_cut(metres: F, joined: F, cut: F) -> Recipe:
    """Metres in centimetres, a piece added, a piece taken off."""
    start = {
        "": metres * 100,
        "left the metres unconverted": metres,
        "took a metre as 10 centimetres": metres * 10,
    }
    added = used(joined, "left out the piece added", "added the piece again", "took the added piece off")
    removed = used(cut, "forgot the piece taken off", "took the piece off again", "added the piece taken off")
    turn = {"": 1, "swapped the two pieces": -1}
    return Recipe((start, added, removed, turn), (1, 2, 3, 2), lambda base, more, less, way: base + way * (more - less))
