"""``share_then_split`` in closed form."""

from fractions import Fraction as F

from .recipe import Recipe


def share_then_split(first: F, second: F, spent: F, friends: F) -> Recipe:
    """Two amounts less a loss, shared by the friends and the teller."""
    mornings = {"": first, "left out the first amount": 0, "counted the first amount twice": first + first}
    afternoons = {"": second, "left out the second amount": 0, "counted the second amount twice": second + second}
    losses = {
        "": spent,
        "forgot the deduction": 0,
        "added the deduction": -spent,
        "made the deduction twice": spent + spent,
    }
    people = {
        "": friends + 1,
        "left one person out of the sharing": friends,
        "counted one person too many": friends + 2,
    }
    return (mornings, afternoons, losses, people), lambda one, two, lost, count: (one + two - lost) / count
