"""Depth 5, two percentage days, and packing."""

from collections.abc import Sequence
from math import gcd

from ...choices.problem import Problem, Trace, UnusableError
from ...streams import Stream
from .words import Wordings, fill, multiple, whole_for

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
