"""The stories of eight steps in closed form, from the prompt's numbers in reading order."""

from fractions import Fraction as F
from math import floor

from .formulas_deep import counted
from .recipe import Recipe


def harvest_profit(rows: F, per: F, bad: F, kept: F, size: F, price: F, cost: F) -> Recipe:
    """Full packs of what two percentages leave, at a price, less a cost."""
    lost = {
        "": bad,
        "forgot the bad ones": 0,
        "took off the bad ones twice": bad + bad,
        "added the bad ones": -bad,
    }
    # The percentage held back of the good ones, and of everything.
    held = {
        "": (kept, 0),
        "forgot those held back": (0, 0),
        "took off those held back twice": (kept + kept, 0),
        "added those held back": (-kept, 0),
        "took that percentage of everything": (0, kept),
    }
    packing = {
        "": (size, False),
        "packed one fewer in each": (size - 1, False),
        "packed one more in each": (size + 1, False),
        "counted the loose ones as a full pack": (size, True),
    }
    paid = {"": cost, "forgot the cost": 0, "took off the cost twice": cost + cost, "added the cost": -cost}

    def profit(count: F, off: F, back: tuple[F, F], packed: tuple[F, bool], less: F) -> F:
        crop = count * per
        packs = (crop * (100 - off) / 100 * (100 - back[0]) / 100 - crop * back[1] / 100) / packed[0]
        return (floor(packs) + (packed[1] and packs.denominator > 1)) * price - less

    return (counted(rows, "counted one row"), lost, held, packing, paid), profit


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
