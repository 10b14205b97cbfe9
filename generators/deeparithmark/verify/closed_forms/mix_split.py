"""``mix_split`` in closed form."""

from fractions import Fraction as F

from .recipe import Recipe, used


def mix_split(first: F, second: F, lost: F, parts: F, extra: F) -> Recipe:
    """A mixture less a loss, divided, with the same extra on each part."""
    other = used(second, "left out the second amount", "counted the second amount again")
    # What is lost before the division, and of each part.
    away = {
        "": (lost, 0),
        "forgot the amount lost": (0, 0),
        "took off the amount lost again": (lost + lost, 0),
        "added the amount lost": (-lost, 0),
        "took the amount lost off each part": (0, lost),
    }
    top = used(extra, "forgot the extra", "added the extra again", "took the extra off")
    early = {"": False, "added the extra before dividing": True}

    def part(two: F, gone: tuple[F, F], more: F, before: bool) -> F:
        return (first + two - gone[0] + (more if before else 0)) / parts - gone[1] + (0 if before else more)

    return Recipe((other, away, top, early), (1, 2, 4, 3), part)
