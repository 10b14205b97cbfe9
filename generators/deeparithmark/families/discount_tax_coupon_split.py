"""Depth 4, a bill that is discounted, taxed, cut by a coupon and shared."""

from math import gcd

from ...choices.problem import Problem, Trace, UnusableError
from ...streams import Stream
from .words import Wordings, fill, multiple

_BILL_WORDINGS = (
    (
        "dollars",
        "A tour costs {price} dollars for a group. It is sold at {off}% off, {tax}% tax is added to the reduced "
        "price, and a coupon takes off {coupon} dollars. Split equally among {people} travellers, each pays",
    ),
    (
        "dollars",
        "{name} booked a cabin for {price} dollars, less {off}%. Then {tax}% tax was added to the lower price, and a "
        "coupon cut {coupon} dollars. Shared equally by {people} guests, each paid",
    ),
    (
        "dollars",
        "A caterer in {place} asked {price} dollars and gave {off}% off. The reduced price was taxed at {tax}%, and "
        "a coupon took off {coupon} dollars. Divided equally by {people} hosts, each owed",
    ),
    (
        "dollars",
        "A boat hire of {price} dollars was reduced by {off}%, {tax}% tax was added to the new price, and a coupon "
        "took off {coupon} dollars. {name}'s party of {people} shared the bill equally. Each paid",
    ),
)


def _discount_tax_coupon(trace: Trace, price: int, kept: int, taxed: int, coupon: int, people: int) -> int:
    reduced = trace.percent("after the discount", price, kept)
    total = trace.percent("with tax", reduced, taxed)
    rest = trace.subtract("after the coupon", total, coupon)
    return trace.divide("each pays", rest, people)


def discount_tax_coupon_split(
    draw: Stream, wordings: Wordings = _BILL_WORDINGS, groups: tuple[int, int] = (2, 6), most: int = 2400
) -> Problem:
    """A discount, a tax on the reduced price, a coupon, and an equal split."""
    off, tax = draw.choice((10, 15, 20, 25, 30, 35, 40)), draw.choice((4, 5, 8, 10, 12, 20))
    people = draw.integer(*groups)
    kept, taxed = 100 - off, 100 + tax
    step = people * 10000 // gcd(10000, kept * taxed)
    while step * kept % 100:
        step *= 2
    price = multiple(draw, step, 200, most)
    if price > most:
        raise UnusableError(f"no plausible price is a multiple of {step}")
    coupon = multiple(draw, people, 10, 20 + price // 12)
    unit, prompt = fill(draw, wordings, price=price, off=off, tax=tax, coupon=coupon, people=people)
    return Problem(
        prompt=prompt,
        unit=unit,
        operands={"price": price, "kept": kept, "taxed": taxed, "coupon": coupon, "people": people},
        solve=_discount_tax_coupon,
        bounds=(2, price * taxed // (100 * people)),
        mistakes={
            "discount": {
                "forgot the discount": {"kept": 100},
                "took the discount off twice": {"kept": 100 - 2 * off},
                "added the discount": {"kept": 100 + off},
            },
            "tax": {
                "forgot the tax": {"taxed": 100},
                "subtracted the tax": {"taxed": 100 - tax},
                "added the tax twice": {"taxed": 100 + 2 * tax},
            },
            "coupon": {
                "forgot the coupon": {"coupon": 0},
                "added the coupon": {"coupon": -coupon},
                "used the coupon twice": {"coupon": 2 * coupon},
            },
            "people": {
                "split among one person too few": {"people": people - 1},
                "split among one person too many": {"people": people + 1},
            },
        },
    )
