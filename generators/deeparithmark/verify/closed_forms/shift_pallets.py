"""``shift_pallets`` in closed form."""

from fractions import Fraction as F
from math import floor

from .recipe import Recipe, counted


def shift_pallets(makers: F, rate: F, hours: F, bad: F, size: F, sent: F, stack: F, held: F) -> Recipe:
    """Full stacks of the full packs that are not sent off, and the earlier stacks."""
    rejects = {
        "": 100 - bad,
        "forgot the rejects": 100,
        "took off the rejects twice": 100 - bad - bad,
        "added the rejects": 100 + bad,
    }
    packing = {
        "": (size, False),
        "packed one fewer in each": (size - 1, False),
        "packed one more in each": (size + 1, False),
        "counted the loose ones as a full pack": (size, True),
    }
    gone = {
        "": sent,
        "forgot the packs sent off": 0,
        "took off the packs sent off twice": sent + sent,
        "added the packs sent off": -sent,
    }
    stacking = {
        "": (stack, False),
        "stacked one fewer in each": (stack - 1, False),
        "stacked one more in each": (stack + 1, False),
        "counted the loose packs as a full stack": (stack, True),
    }
    earlier = {
        "": held,
        "forgot the earlier ones": 0,
        "counted the earlier ones twice": held + held,
        "subtracted the earlier ones": -held,
    }

    def full(amount: F, by: tuple[F, bool]) -> int:
        return floor(amount / by[0]) + (by[1] and (amount / by[0]).denominator > 1)

    def stacks(crew: F, time: F, good: F, packed: tuple[F, bool], less: F, stacked: tuple[F, bool], before: F) -> F:
        packs = F(full(crew * rate * time * good / 100, packed))
        return full(packs - less, stacked) + before

    crews, times = counted(makers, "counted one maker"), counted(hours, "counted one hour")
    return (crews, times, rejects, packing, gone, stacking, earlier), stacks
