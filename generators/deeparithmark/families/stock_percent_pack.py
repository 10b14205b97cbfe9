"""Depth 3, a stock sold in part and packed."""

from collections.abc import Sequence

from ...choices.problem import Problem, Trace, UnusableError
from ...streams import Stream
from .words import Wordings, fill, multiple, whole_for

_PACK_WORDINGS = (
    (
        "bags",
        "A bakery in {place} had {stock} rolls and sold {sold}% of them by noon. The unsold rolls were packed {size} "
        "to a bag. The number of bags filled was",
    ),
    (
        "trays",
        "A nursery in {place} grew {stock} seedlings and sold {sold}% of them. {name} set out the rest on trays that "
        "hold {size} each. The number of trays filled was",
    ),
    (
        "nets",
        "Of the {stock} oranges picked on a farm, {sold}% went to a hotel. {name} put the remaining oranges into "
        "nets of {size}. The number of nets filled was",
    ),
    (
        "bundles",
        "{name} printed {stock} postcards for a concert and handed out {sold}% of them. The remaining cards were "
        "tied {size} to a bundle. The number of bundles was",
    ),
    (
        "crates",
        "A farm near {place} picked {stock} melons and sold {sold}% of them at once. The others were packed in "
        "crates of {size}. The number of crates filled was",
    ),
)

_SHARES_SOLD = (10, 12, 15, 16, 20, 24, 25, 28, 30, 32, 35, 36, 40, 44, 45, 48, 55, 60, 64, 65, 70, 75)


def _sell_then_pack(trace: Trace, stock: int, percent: int, size: int, packed_sold: int = 0) -> int:
    sold = trace.percent("sold", stock, percent)
    left = sold if packed_sold else trace.subtract("left", stock, sold)
    return trace.divide("packed", left, size)


def stock_percent_pack(
    draw: Stream, wordings: Wordings = _PACK_WORDINGS, shares: Sequence[int] = _SHARES_SOLD, most: int = 2800
) -> Problem:
    """A percentage of a stock is sold, the rest is packed without a remainder."""
    sold = draw.choice(shares)
    size = draw.integer(3, 24)
    step = size * draw.choice((1, 1, size - 1, size + 1)) * draw.choice((1, 1, 1, size)) * whole_for(sold)
    stock = multiple(draw, step, 120, most)
    if stock > most:
        raise UnusableError(f"no plausible stock is a multiple of {step}")
    unit, prompt = fill(draw, wordings, stock=stock, sold=sold, size=size)
    return Problem(
        prompt=prompt,
        unit=unit,
        operands={"stock": stock, "percent": sold, "size": size},
        solve=_sell_then_pack,
        bounds=(2, stock // size),
        mistakes={
            "sale": {
                "forgot the sale": {"percent": 0},
                "took the sale off twice": {"percent": 2 * sold},
                "packed what was sold": {"packed_sold": 1},
            },
            "size": {
                "packed one fewer in each": {"size": size - 1},
                "packed one more in each": {"size": size + 1},
            },
        },
    )
