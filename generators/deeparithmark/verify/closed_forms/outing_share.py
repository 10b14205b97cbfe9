"""``outing_share`` in closed form."""

from fractions import Fraction as F

from .recipe import Recipe, used


def outing_share(groups: F, members: F, adults: F, price: F, off: F, fare: F, grant: F) -> Recipe:
    """Reduced tickets and a further cost, less a sum given, divided among the groups."""
    grown = used(adults, "left out the adults", "counted the adults again")
    grown["counted the adults in every group"] = adults * groups
    less = used(off / 100, "forgot the reduction", "took the reduction off again", "added the reduction")
    fare_too = {"": False, "reduced the further cost as well": True}
    way = used(fare, "forgot the further cost", "counted the further cost again", "took the further cost off")
    # What is given to all together, and what is taken off each share.
    given = {
        "": (grant, 0),
        "forgot the sum given": (0, 0),
        "took the sum given off again": (grant + grant, 0),
        "added the sum given": (-grant, 0),
        "took the sum given off each share": (0, grant),
    }

    def share(old: F, part: F, both: bool, more: F, gift: tuple[F, F]) -> F:
        tickets = (groups * members + old) * price
        cost = tickets + more - part * (tickets + (more if both else 0))
        return (cost - gift[0]) / groups - gift[1]

    return Recipe((grown, less, fare_too, way, given), (2, 5, 4, 6, 7), share)
