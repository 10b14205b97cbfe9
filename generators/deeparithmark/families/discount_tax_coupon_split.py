"""Depth 4: a discount, a tax on the reduced price, a coupon, and an equal split."""

from fractions import Fraction

from ...choices.problem import Trace
from .family import Family, Mistakes, Range, Telling, down_to, mistaken, misused, whole_for

_TELLINGS = tuple(
    Telling("dollars", text)
    for text in (
        "A group tour of {price} dollars is sold at {off}% off. To the reduced price {tax}% tax is added, and a coupon "
        "takes off {coupon} dollars. The {people} travellers share the cost equally, each paying",
        "{name} booked a cabin for {price} dollars, less {off}%. Then {tax}% tax was added to the lower price, and a "
        "coupon cut {coupon} dollars. The {people} guests shared the cost equally, each paying",
        "A caterer in {place} asked {price} dollars and gave {off}% off. The reduced price was taxed at {tax}%, and a "
        "coupon took off {coupon} dollars. The {people} hosts paid equal shares of",
        "A boat hire of {price} dollars was reduced by {off}%, {tax}% tax was added to the new price, and a coupon "
        "took off {coupon} dollars. {name}'s party of {people} shared the bill equally. Each paid",
        "Dinner for {name}'s party was {price} dollars, and a deal took {off}% off. Tax of {tax}% was added to the "
        "rest, and a coupon cut {coupon} dollars. The {people} diners split the bill equally, each paying",
        "A minibus rents for {price} dollars, now at {off}% off. To the reduced price comes {tax}% tax, and a coupon "
        "saves {coupon} dollars. The {people} passengers share the cost equally, so each owes",
        "A studio in {place} charges {price} dollars, {off}% less on Mondays. After {tax}% tax on the lower price and "
        "a coupon for {coupon} dollars, {people} musicians shared Monday's bill equally. Each paid",
        "Tickets for {name} and the others cost {price} dollars, reduced by {off}%. The lower price was taxed at "
        "{tax}%, and a coupon took off {coupon} dollars. All {people} of them paid the same, which was",
    )
)
_TRAINING = (
    Telling(
        "euros",
        "A <sleigh|balloon|gondola> excursion normally costing {price} euros is let at {off}% less. Then {tax}% "
        "duty goes on that, and a rebate is worth {coupon} euros. {name}'s gang of {people} divides it evenly, so "
        "each owes",
    ),
    Telling(
        "euros",
        "A lawyer from {place} asked {price} euros, waived {off}% of it, added {tax}% duty on what remained, and "
        "credited a deposit of {coupon} euros. The {people} heirs settled it evenly. Each heir owed",
    ),
)


def _solve(
    trace: Trace, price: int, off: int, tax: int, coupon: int, people: int,
    times: int = 1, taxed: int = 1, full: int = 0, early: int = 0, late: int = 0,
) -> int:  # fmt: skip
    reduced = trace.percent("after the discount", price, 100 - times * off)
    if early:
        reduced = trace.subtract("after the coupon", reduced, coupon)
    if full:
        total = trace.add("with tax", reduced, taxed * trace.whole(Fraction(price * tax, 100)))
    else:
        total = trace.percent("with tax", reduced, 100 + taxed * tax)
    if not early and not late:
        total = trace.subtract("after the coupon", total, coupon)
    share = trace.divide("each pays", total, people)
    return trace.subtract("after the coupon", share, coupon) if late and not early else share


def _mistakes(price: int, off: int, tax: int, coupon: int, people: int) -> Mistakes:
    return {
        "discount": mistaken("forgot the discount", "took the discount off again", "added the discount"),
        "tax": mistaken("forgot the tax", "added the tax again", "took the tax off", key="taxed"),
        "base": {"took the tax of the full price": {"full": 1}},
        "coupon": {
            **misused("coupon", coupon, "forgot the coupon", "used the coupon again", "added the coupon"),
            "used the coupon after the split": {"late": 1},
        },
        "order": {"used the coupon before the tax": {"early": 1}},
    }


FAMILY = Family(
    template="discount_tax_coupon_split",
    topic="shared_bill",
    depth=4,
    share=63,
    ranges={
        "price": Range(range(100, 2400), "what a small group orders together"),
        "off": Range((5, 10, 15, 20, 25, 30, 35, 40), "discounts come in fives"),
        "tax": Range((4, 5, 6, 8, 10, 12, 15, 20), "sales taxes as they are"),
        "coupon": Range(range(10, 241, 5), "coupons come in fives"),
        "people": Range(range(2, 7), "a small group"),
    },
    tellings=_TELLINGS,
    solve=_solve,
    mistakes=_mistakes,
    bounds=lambda price, off, tax, coupon, people: (2, price * (100 + tax) // (100 * people)),
    contrived=frozenset(
        (
            "took the discount off again",
            "added the tax again",
            "used the coupon again",
        )
    ),
    fitted=lambda price, off, tax, coupon, people: {
        "price": down_to(price, whole_for(off) * whole_for(tax) // (5 if off % 5 == 0 and tax % 5 else 1))
    },
    sensible=lambda price, off, tax, coupon, people: (
        coupon * 20 >= price
        and coupon * 5 <= price
        and price <= 400 * people
        and (price * (100 - off) // 100 * (100 + tax) // 100 - coupon) % people == 0
    ),
    training=_TRAINING,
    apart={
        "price": Range(range(400, 5000), "larger orders"),
        "coupon": Range(range(20, 401, 5), "in fives"),
        "people": Range(range(7, 13), "more than in a test tier"),
    },
)
