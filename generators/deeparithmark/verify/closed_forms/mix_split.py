"""``mix_split`` in closed form."""

from fractions import Fraction as F

from .recipe import Recipe


def mix_split(first: F, second: F, lost: F, parts: F, extra: F) -> Recipe:
    """A mixture less a loss, divided, with the same extra on each part."""
    other = {"": second, "left out the second amount": 0, "counted the second amount twice": second + second}
    away = {
        "": lost,
        "forgot the amount taken away": 0,
        "added the amount taken away": -lost,
        "took the amount away twice": lost + lost,
    }
    into = {"": parts, "divided into one part too few": parts - 1, "divided into one part too many": parts + 1}
    top = {
        "": extra,
        "forgot the extra": 0,
        "added the extra twice": extra + extra,
        "subtracted the extra": -extra,
    }
    return (other, away, into, top), lambda two, gone, count, more: (first + two - gone) / count + more
