"""``share_then_split`` in closed form."""

from fractions import Fraction as F

from .recipe import Recipe, used


def share_then_split(first: F, second: F, spent: F, friends: F) -> Recipe:
    """Two amounts less a loss, shared by the friends and the teller."""
    one = used(first, "left out the first amount", "counted the first amount again")
    other = used(second, "left out the second amount", "counted the second amount again")
    # What is taken off before the division, and off each share.
    losses = {
        "": (spent, 0),
        "forgot what was gone": (0, 0),
        "took off what was gone again": (2 * spent, 0),
        "added what was gone": (-spent, 0),
        "took what was gone off each share": (0, spent),
    }
    people = {
        "": friends + 1,
        "left one person out of the sharing": friends,
        "shared with one person too many": friends + 2,
    }

    def share(a: F, b: F, lost: tuple[F, F], count: F) -> F:
        return (a + b - lost[0]) / count - lost[1]

    return Recipe((one, other, losses, people), (1, 1, 2, 3), share)
