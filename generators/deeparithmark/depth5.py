"""Five dependent steps: pay with overtime and tax; two percentage days and pallets; a ratio and a donation."""

from collections.abc import Sequence
from math import gcd

from ..streams import Stream
from .problem import Problem, Trace, UnusableError
from .words import Wordings, fill, multiple, whole_for

_SALARY_WORDINGS = (
    (
        "dollars",
        "{name} worked {hours} hours at {rate} dollars an hour and {extra} hours of overtime at {extra_rate} dollars "
        "an hour. From the total, {tax}% was held back as tax. {name} took home",
    ),
    (
        "dollars",
        "A welder is paid for {hours} normal hours at {rate} dollars each and {extra} overtime hours at {extra_rate} "
        "dollars each. Tax takes {tax}% of it all. The amount paid out is",
    ),
    (
        "dollars",
        "{name} drove a bus for {hours} hours at {rate} dollars an hour, plus {extra} overtime hours at {extra_rate} "
        "dollars an hour. After {tax}% tax on everything, {name} received",
    ),
    (
        "dollars",
        "{name} worked {hours} hours for {rate} dollars an hour, then {extra} overtime hours for {extra_rate} "
        "dollars an hour. All of the pay was taxed at {tax}%. After tax, {name} had",
    ),
)


def _pay_after_tax(
    trace: Trace, hours: int, rate: int, extra: int, extra_rate: int, tax: int, untaxed_extra: int = 0
) -> int:
    normal = trace.multiply("normal pay", hours, rate)
    overtime = trace.multiply("overtime pay", extra, extra_rate)
    gross = trace.add("total pay", normal, overtime)
    held_back = trace.percent("tax", normal if untaxed_extra else gross, tax)
    return trace.subtract("after tax", gross, held_back)


def salary_overtime_tax(
    draw: Stream, wordings: Wordings = _SALARY_WORDINGS, normal: tuple[int, int] = (32, 44)
) -> Problem:
    """Normal hours, overtime hours, their sum, the tax on it, what is left."""
    tax = draw.choice((10, 15, 20, 24, 25, 28, 30, 32, 35))
    step = whole_for(tax)
    hours, extra = draw.integer(*normal), draw.integer(3, 12)
    rate = multiple(draw, step // gcd(step, hours), 12, 36)
    extra_rate = multiple(draw, step // gcd(step, extra), rate + 2, rate + 20)
    if not rate < extra_rate <= 2 * rate or rate > 44:
        raise UnusableError(f"implausible rates: {rate}, {extra_rate}")
    unit, prompt = fill(draw, wordings, hours=hours, rate=rate, extra=extra, extra_rate=extra_rate, tax=tax)
    return Problem(
        prompt=prompt,
        unit=unit,
        operands={"hours": hours, "rate": rate, "extra": extra, "extra_rate": extra_rate, "tax": tax},
        solve=_pay_after_tax,
        bounds=(2, hours * rate + extra * extra_rate),
        mistakes={
            "normal rate": {"paid every hour at the overtime rate": {"rate": extra_rate}},
            "overtime rate": {"paid the overtime at the normal rate": {"extra_rate": rate}},
            "normal hours": {
                "counted one normal hour too few": {"hours": hours - 1},
                "counted one normal hour too many": {"hours": hours + 1},
            },
            "overtime hours": {
                "left out the overtime": {"extra": 0},
                "counted the overtime twice": {"extra": 2 * extra},
                "counted one overtime hour too few": {"extra": extra - 1},
                "counted one overtime hour too many": {"extra": extra + 1},
            },
            "tax": {
                "forgot the tax": {"tax": 0},
                "took the tax off twice": {"tax": 2 * tax},
                "taxed only the normal pay": {"untaxed_extra": 1},
            },
        },
    )


_CHAIN_WORDINGS = (
    (
        "pallets",
        "A depot had {stock} drums of paint. It sold {first}% of them on Monday and {second}% of the remaining drums "
        "on Tuesday. What was left was stacked on pallets of {size}. The number of pallets was",
    ),
    (
        "bunches",
        "{name} grew {stock} tulips, sold {first}% of them on one day and {second}% of those still unsold on the "
        "next. The others were tied {size} to a bunch. The number of bunches was",
    ),
    (
        "packs",
        "A press in {place} printed {stock} guides. Shops took {first}% of them, and fairs took {second}% of what "
        "was left. {name} tied the rest in packs of {size}. The number of packs was",
    ),
    (
        "bundles",
        "A sawmill cut {stock} boards. A builder bought {first}% of them, and a joiner bought {second}% of the "
        "boards left after that. The others were tied in bundles of {size}. The number of bundles was",
    ),
)


def _two_days_then_pack(trace: Trace, stock: int, first: int, second: int, size: int, from_start: int = 0) -> int:
    first_sold = trace.percent("first sale", stock, first)
    left = trace.subtract("left after it", stock, first_sold)
    second_sold = trace.percent("second sale", stock if from_start else left, second)
    left = trace.subtract("left after both", left, second_sold)
    return trace.divide("packed", left, size)


_DAY_SHARES = (10, 15, 20, 24, 25, 28, 30, 32, 35, 36, 40, 44, 45, 48, 50, 55, 60, 64, 65)


def inventory_percent_chain(
    draw: Stream, wordings: Wordings = _CHAIN_WORDINGS, firsts: Sequence[int] = _DAY_SHARES, most: int = 9000
) -> Problem:
    """A percentage sold, a percentage of the rest sold, the remainder packed."""
    first, second = draw.choice(firsts), draw.choice(_DAY_SHARES)
    size = draw.integer(3, 24)
    step = whole_for(first)
    step *= 100 // gcd(100, step * (100 - first) // 100 * second)
    left = step * (100 - first) * (100 - second) // 10000
    step *= size // gcd(size, left) * draw.choice((1, 1, size - 1, size + 1)) * draw.choice((1, 1, 1, size))
    stock = multiple(draw, step, 400, most)
    if stock > most:
        raise UnusableError(f"no plausible stock is a multiple of {step}")
    unit, prompt = fill(draw, wordings, stock=stock, first=first, second=second, size=size)
    return Problem(
        prompt=prompt,
        unit=unit,
        operands={"stock": stock, "first": first, "second": second, "size": size},
        solve=_two_days_then_pack,
        bounds=(2, stock // size),
        mistakes={
            "first sale": {
                "forgot the first sale": {"first": 0},
                "took the first sale off twice": {"first": 2 * first},
            },
            "second sale": {
                "forgot the second sale": {"second": 0},
                "took the second sale off twice": {"second": 2 * second},
                "took the second percentage of the whole stock": {"from_start": 1},
            },
            "size": {
                "packed one fewer in each": {"size": size - 1},
                "packed one more in each": {"size": size + 1},
            },
        },
    )


_PRIZE_WORDINGS = (
    (
        "dollars",
        "{name} and {other} shared a prize of {pool} dollars in the ratio {mine} to {theirs}, in that order. {name} "
        "gave {given}% of that share to charity. {name} kept",
    ),
    (
        "dollars",
        "A bonus of {pool} dollars was divided between {name} and {other} in the ratio {mine} to {theirs}, in that "
        "order. {name} donated {given}% of the amount received. {name} still had",
    ),
    (
        "dollars",
        "A quiz paid {pool} dollars, which {name} and {other} split in the ratio {mine} to {theirs}, respectively. "
        "{name} passed on {given}% of that share to an animal shelter and kept",
    ),
    (
        "dollars",
        "The {pool} dollars raised by a lottery went to {name} and {other} in the ratio {mine} to {theirs}, in that "
        "order. {name} gave away {given}% of the money received and kept",
    ),
)


_GIFTS = (5, 8, 10, 12, 15, 16, 20, 24, 25, 28, 30, 32, 35, 36, 40, 45, 48, 55, 60)


def _ratio_then_donate(
    trace: Trace, pool: int, mine: int, theirs: int, given: int, taken: int, from_pool: int = 0
) -> int:
    parts = trace.add("parts", mine, theirs)
    part = trace.divide("one part", pool, parts)
    share = trace.multiply("share", part, taken)
    donated = trace.percent("donated", pool if from_pool else share, given)
    return trace.subtract("kept", share, donated)


def prize_ratio_charity(draw: Stream, wordings: Wordings = _PRIZE_WORDINGS, gifts: Sequence[int] = _GIFTS) -> Problem:
    """Parts of a ratio, one part, the share, the donation, what is kept."""
    mine, theirs = draw.sample(range(2, 12), 2)
    while gcd(mine, theirs) > 1:
        mine, theirs = draw.sample(range(2, 12), 2)
    given = draw.choice(gifts)
    parts = mine + theirs
    step = whole_for(given) // gcd(whole_for(given), mine)
    step *= draw.choice((1, 1, parts - 1, parts + 1))
    pool = multiple(draw, parts * step, 240, 7200)
    if pool > 7200:
        raise UnusableError(f"no plausible prize is a multiple of {parts * step}")
    unit, prompt = fill(draw, wordings, pool=pool, mine=mine, theirs=theirs, given=given)
    return Problem(
        prompt=prompt,
        unit=unit,
        operands={"pool": pool, "mine": mine, "theirs": theirs, "given": given, "taken": mine},
        solve=_ratio_then_donate,
        bounds=(2, pool),
        mistakes={
            "parts": {
                "counted one part too few": {"theirs": theirs - 1},
                "counted one part too many": {"theirs": theirs + 1},
            },
            "share": {
                "took the other share": {"taken": theirs},
                "took one part too few": {"taken": mine - 1},
                "took one part too many": {"taken": mine + 1},
            },
            "donation": {
                "forgot the donation": {"given": 0},
                "made the donation twice": {"given": 2 * given},
                "took the percentage of the whole sum": {"from_pool": 1},
            },
        },
    )
