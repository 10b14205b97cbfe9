"""``outing_share`` in closed form."""

from fractions import Fraction as F

from .recipe import Recipe, counted


def outing_share(groups: F, members: F, adults: F, low: F, high: F, off: F, fare: F) -> Recipe:
    """Reduced tickets and a fare, divided among the groups."""
    grown = {
        "": adults * high,
        "left out the adults": F(0),
        "counted the adults twice": 2 * adults * high,
        "charged the adults the low price": adults * low,
    }
    # The percentage off the tickets at the low price, off those of the adults, and off the fare.
    reduction = {
        "": (off, off, 0),
        "forgot the reduction": (0, 0, 0),
        "took the reduction off twice": (off + off, off + off, 0),
        "added the reduction": (-off, -off, 0),
        "reduced only the tickets at the low price": (off, 0, 0),
        "reduced the fare as well": (off, off, off),
    }
    ride = {"": fare, "forgot the fare": F(0), "counted the fare twice": fare + fare, "subtracted the fare": -fare}

    def share(size: F, old: F, less: tuple[F, F, F], way: F, payers: F) -> F:
        young = groups * size * low * (100 - less[0]) / 100
        return (young + old * (100 - less[1]) / 100 + way * (100 - less[2]) / 100) / payers

    members_of_each = counted(members, "counted one member of each group")
    return (members_of_each, grown, reduction, ride, counted(groups, "split among one group")), share
