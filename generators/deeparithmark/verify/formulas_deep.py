"""The stories of six and seven steps in closed form, from the prompt's numbers in reading order."""

from collections.abc import Callable
from fractions import Fraction as F
from math import floor

from .clock_stages import DAY, carrying, half_of_day
from .recipe import Recipe, Stage


def counted(value: F, what: str) -> Stage:
    """A count that may be off by one."""
    return {"": value, f"{what} too few": value - 1, f"{what} too many": value + 1}


def batch_profit(batches: F, size: F, lost: F, pack: F, given: F, price: F, cost: F) -> Recipe:
    """Full packs of what is not spoiled, less those given away, at a price, less a cost."""
    spoiled = {
        "": lost,
        "forgot the spoiled ones": 0,
        "took off the spoiled ones twice": lost + lost,
        "added the spoiled ones": -lost,
    }
    # How many go in a pack, and whether the loose ones make one more.
    packing = {
        "": (pack, False),
        "packed one fewer in each": (pack - 1, False),
        "packed one more in each": (pack + 1, False),
        "counted the loose ones as a full pack": (pack, True),
    }
    gift = {
        "": given,
        "forgot the packs given away": 0,
        "took off the packs given away twice": given + given,
        "added the packs given away": -given,
    }
    paid = {"": cost, "forgot the cost": 0, "took off the cost twice": cost + cost, "added the cost": -cost}

    def profit(count: F, bad: F, packed: tuple[F, bool], free: F, less: F) -> F:
        packs = (count * size - bad) / packed[0]
        return (floor(packs) + (packed[1] and packs.denominator > 1) - free) * price - less

    return (counted(batches, "counted one batch"), spoiled, packing, gift, paid), profit


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


def _end(start: F, minutes: Callable[..., F]) -> Callable[..., F]:
    """The time of day after the minutes that the stages but the last two give."""

    def end(*stages: F | Callable[[F], F]) -> F:
        *quantities, carried, kept = stages
        return kept(carried(start + minutes(*quantities))) % DAY  # type: ignore[operator]

    return end


def run_end_time(start: F, lots: F, size: F, again: F, speed: F, pause: F) -> Recipe:
    """Pieces with a percentage more at a speed, and a pause, after the start."""
    repeats = {
        "": 100 + again,
        "forgot the repeats": 100,
        "counted the repeats twice": 100 + again + again,
        "subtracted the repeats": 100 - again,
    }
    still = {
        "": pause,
        "forgot the pause": 0,
        "counted the pause twice": pause + pause,
        "subtracted the pause": -pause,
    }
    end = _end(start, lambda count, percent, idle: count * size * percent / 100 / speed + idle)
    return (counted(lots, "counted one lot"), repeats, still, carrying(start), half_of_day(start)), end


def two_leg_arrival(start: F, first: F, speed: F, stop: F, second: F, next_speed: F) -> Recipe:
    """The times of two legs and a stop after the start."""
    # The hours of both legs.
    legs = {
        "": first / speed + second / next_speed,
        "left out the first leg": second / next_speed,
        "left out the next leg": first / speed,
        "kept the first speed": (first + second) / speed,
        "used the next speed from the start": (first + second) / next_speed,
        "swapped the speeds": first / next_speed + second / speed,
    }
    hours = {"": 60, "took an hour as 100 minutes": 100}
    rest = {"": stop, "forgot the stop": 0, "counted the stop twice": stop + stop, "subtracted the stop": -stop}
    end = _end(start, lambda moving, hour, idle: moving * hour + idle)
    return (legs, hours, rest, carrying(start), half_of_day(start)), end


def pay_left_over(weeks: F, hours: F, rate: F, extra: F, extra_rate: F, tax: F, spent: F) -> Recipe:
    """Normal and extra pay less the tax on each and an expense."""
    over = {
        "": extra * extra_rate,
        "left out the extra hours": F(0),
        "counted the extra hours twice": 2 * extra * extra_rate,
        "counted the extra hours in every week": extra * extra_rate * weeks,
        "paid the extra hours at the normal rate": extra * rate,
    }
    # The percentage held back of the normal pay, and of the extra pay.
    held_back = {
        "": (tax, tax),
        "forgot the tax": (0, 0),
        "took the tax off twice": (tax + tax, tax + tax),
        "added the tax": (-tax, -tax),
        "taxed only the normal pay": (tax, 0),
    }
    expense = {
        "": spent,
        "forgot the expense": 0,
        "took off the expense twice": spent + spent,
        "added the expense": -spent,
    }

    def left(time: F, more: F, held: tuple[F, F], less: F) -> F:
        return time * hours * rate * (100 - held[0]) / 100 + more * (100 - held[1]) / 100 - less

    return (counted(weeks, "counted one week"), over, held_back, expense), left


def floor_bill(length: F, width: F, bare: F, spare: F, size: F, price: F, voucher: F) -> Recipe:
    """The price of packs for an area with a part left out and a percentage extra, less a voucher."""
    left_out = {
        "": bare,
        "forgot the part left out": 0,
        "took off the part left out twice": bare + bare,
        "added the part left out": -bare,
    }
    extra = {
        "": 100 + spare,
        "forgot the extra": 100,
        "added the extra twice": 100 + spare + spare,
        "subtracted the extra": 100 - spare,
    }
    reduction = {
        "": voucher,
        "forgot the voucher": 0,
        "took off the voucher twice": voucher + voucher,
        "added the voucher": -voucher,
    }

    def bill(gap: F, percent: F, each: F, off: F) -> F:
        return (length * width - gap) * percent / 100 / each * price - off

    return (left_out, extra, counted(size, "counted one square metre of each pack"), reduction), bill
