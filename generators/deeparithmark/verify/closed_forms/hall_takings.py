"""``hall_takings`` in closed form."""

from fractions import Fraction as F

from .recipe import Recipe, counted


def hall_takings(rows: F, seats: F, share: F, cheap: F, low: F, high: F) -> Recipe:
    """All tickets at the high price, less what the cheap ones save."""
    sold = {"": share, "counted every seat as sold": 100, "took the percentage left over": 100 - share}
    dear = {
        "": cheap,
        "charged the cheap tickets at the high price as well": 0,
        "took off the cheap tickets twice": cheap + cheap,
    }
    # How many are sold at the low price, that price, and the high one.
    reduced = {
        "": (cheap, low, high),
        "left out the cheap tickets": (0, low, high),
        "counted the cheap tickets twice": (cheap + cheap, low, high),
        "charged every ticket at the high price": (cheap, high, high),
        "charged every ticket at the low price": (cheap, low, low),
        "swapped the prices": (cheap, high, low),
    }

    def takings(lines: F, percent: F, not_dear: F, prices: tuple[F, F, F]) -> F:
        return (lines * seats * percent / 100 - not_dear) * prices[2] + prices[0] * prices[1]

    return (counted(rows, "counted one row"), sold, dear, reduced), takings
