"""``hall_takings`` in closed form."""

from fractions import Fraction as F

from .recipe import Recipe, used


def hall_takings(rows: F, seats: F, closed: F, share: F, free: F, price: F, bar: F) -> Recipe:
    """Paying guests at a price, and another income."""
    # Seats taken off before the percentage, and after it.
    shut = {
        "": (closed, 0),
        "forgot the closed seats": (0, 0),
        "took off the closed seats again": (closed + closed, 0),
        "added the closed seats": (-closed, 0),
        "took the closed seats off the guests": (0, closed),
    }
    filled = {
        "": share,
        "counted every seat as filled": 100,
        "took the percentage of the empty seats": 100 - share,
    }
    unpaid = used(
        free, "charged those who came free", "took off those who came free again", "added those who came free"
    )
    more = used(bar, "left out the other income", "counted the other income again", "took the other income off")

    def takings(gone: tuple[F, F], percent: F, without: F, extra: F) -> F:
        guests = (rows * seats - gone[0]) * percent / 100 - gone[1]
        return (guests - without) * price + extra

    return Recipe((shut, filled, unpaid, more), (2, 3, 4, 6), takings)
