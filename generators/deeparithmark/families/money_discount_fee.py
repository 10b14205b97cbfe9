"""Depth 2, a price less a percentage, and a charge on top."""

from collections.abc import Sequence

from ...choices.problem import Problem, Trace
from ...streams import Stream
from .words import Wordings, fill, multiple, whole_for

Good = tuple[str, int, int, int]

Offs = tuple[Sequence[int], Sequence[int]]

# (what, cheapest, dearest, dearest delivery) in dollars.
_GOODS = (
    ("a winter coat", 80, 260, 18),
    ("a mountain bike", 260, 900, 75),
    ("a desk lamp", 40, 140, 15),
    ("a bookcase", 100, 420, 68),
    ("a microwave", 80, 300, 35),
    ("a family tent", 120, 600, 45),
    ("a guitar", 160, 900, 48),
    ("a camera", 240, 1200, 32),
    ("a suitcase", 60, 320, 28),
    ("an office chair", 80, 480, 62),
    ("a coffee machine", 100, 700, 38),
    ("a wool rug", 80, 640, 55),
    ("a keyboard", 40, 220, 14),
    ("a folding table", 60, 260, 52),
    ("a washing machine", 320, 980, 95),
    ("a wall mirror", 50, 280, 46),
    ("a sewing machine", 120, 560, 36),
    ("a garden bench", 90, 400, 85),
    ("a backpack", 40, 180, 16),
    ("a telescope", 140, 800, 42),
    ("a toaster", 30, 95, 12),
    ("a raincoat", 40, 98, 14),
    ("a chess set", 30, 96, 13),
    ("a bedside table", 45, 98, 32),
    ("a floor lamp", 40, 98, 28),
    ("a wooden stool", 40, 95, 24),
    ("a plant stand", 30, 90, 22),
)

_DISCOUNT_WORDINGS = (
    (
        "dollars",
        "{name} bought {good} listed at {price} dollars. The shop took {off}% off the price and added {fee} dollars "
        "for delivery. In total, {name} paid",
    ),
    (
        "dollars",
        "The price of {good} was {price} dollars before a discount of {off}%. {name} bought it at the lower price "
        "and paid {fee} dollars for delivery. The total cost was",
    ),
    (
        "dollars",
        "In a sale, {good} marked at {price} dollars was reduced by {off}%. {name} bought it and also paid a "
        "delivery charge of {fee} dollars. Altogether {name} spent",
    ),
    (
        "dollars",
        "{name} ordered {good} online for {price} dollars. A voucher cut that price by {off}%, and shipping added "
        "{fee} dollars on top. The amount charged was",
    ),
    (
        "dollars",
        "A store in {place} sells {good} for {price} dollars, but members get {off}% off. {name}, a member, paid "
        "{fee} dollars extra for shipping. The bill was",
    ),
)

# Small and large percentages, equally often.
_OFFS = ((4, 5, 6, 8, 10), (12, 15, 16, 20, 24, 25, 28, 30, 32, 35, 36, 40, 45))


def _discount_then_fee(trace: Trace, price: int, off: int, fee: int, kept: int, cut: int = 0) -> int:
    if cut:
        reduced = trace.subtract("after the discount", price, cut)
    else:
        reduced = trace.percent(f"price less {off}%", price, kept)
    return trace.add("with delivery", reduced, fee)


def money_discount_fee(
    draw: Stream, wordings: Wordings = _DISCOUNT_WORDINGS, goods: Sequence[Good] = _GOODS, offs: Offs = _OFFS
) -> Problem:
    """A percentage off a price, then a delivery charge that the discount does not touch."""
    good, low, high, dearest_fee = draw.choice(goods)
    off = draw.choice(offs[0] if draw.below(2) else offs[1])
    price = multiple(draw, whole_for(off), low, high)
    fee = draw.integer(4, min(dearest_fee, price // 3))
    unit, prompt = fill(draw, wordings, good=good, price=price, off=off, fee=fee)
    return Problem(
        prompt=prompt,
        unit=unit,
        operands={"price": price, "off": off, "fee": fee, "kept": 100 - off},
        solve=_discount_then_fee,
        bounds=(fee, price + fee),
        mistakes={
            "discount": {
                "forgot the discount": {"kept": 100},
                "took the discount off twice": {"kept": 100 - 2 * off},
                "added the discount": {"kept": 100 + off},
                "took the percentage as dollars": {"cut": off},
                "charged only the discount": {"kept": off},
            },
            "fee": {
                "forgot the delivery charge": {"fee": 0},
                "charged for delivery twice": {"fee": 2 * fee},
                "subtracted the delivery charge": {"fee": -fee},
            },
        },
    )
