"""Depth 2: a percentage off a price, then a delivery charge that the discount does not touch."""

from fractions import Fraction

from ...choices.problem import Trace
from .family import Family, Mistakes, Range, Telling, mistaken, misused, whole_for

_CHEAP = "<a desk lamp|a toaster|a raincoat|a chess set|a backpack|a keyboard|a bedside table|a plant stand>"
_MIDDLE = "<a winter coat|a microwave|a suitcase|an office chair|a wool rug|a folding table|a bookcase|a garden bench>"
_DEAR = "<a mountain bike|a camera|a washing machine|a telescope|a family tent|a guitar|a sofa|a dishwasher>"
_TEXTS = (
    "{name} bought GOOD listed at {price} dollars. The shop took {off}% off the price and added {fee} dollars for "
    "delivery. In total, {name} paid",
    "The price of GOOD was {price} dollars before a discount of {off}%. {name} bought it at the lower price and paid "
    "{fee} dollars for delivery. The total cost was",
    "In a sale, GOOD marked at {price} dollars was reduced by {off}%. {name} bought it and also paid a delivery charge "
    "of {fee} dollars. Altogether {name} spent",
    "{name} ordered GOOD online for {price} dollars. A voucher cut that price by {off}%, and shipping added {fee} "
    "dollars on top. The amount charged was",
    "A store in {place} sells GOOD for {price} dollars, but members get {off}% off. {name}, a member, paid {fee} "
    "dollars extra for shipping. The bill was",
    "For GOOD priced at {price} dollars, {name} had a code for {off}% off. Sending it home cost another {fee} dollars. "
    "With the shipping, {name} paid",
    "An online shop offered GOOD at {price} dollars less {off}%. {name} placed the order and paid {fee} dollars more "
    "to have it brought upstairs. The order came to",
    "GOOD that normally costs {price} dollars was on sale in {place} at {off}% off. {name} took it and paid {fee} "
    "dollars to have it delivered. Including delivery, it cost",
)
_ANTIQUES = "<a globe|a samovar|a microscope|an etching|a barometer|a porcelain vase|a typewriter>"
_TRAINING = (
    "{name} chose GOOD that an antiquarian offered for {price} euros. Haggling knocked {off}% off that, but a courier "
    "wanted {fee} euros more. {name} parted with",
    "The catalogue asks {price} euros for GOOD. Subscribers get {off}% knocked off, yet must add {fee} euros of "
    "postage. For a subscriber from {place} the parcel comes to",
    "An auctioneer in {place} let GOOD, valued at {price} euros, go for {off}% under its valuation. A commission of "
    "{fee} euros came on top. The winning bidder handed over",
)


def _told(text: str, goods: str, unit: str = "dollars", **values: range) -> Telling:
    things = goods.replace("<a", "<A").replace("|a", "|A") if text.startswith("GOOD") else goods
    return Telling(unit, text.replace("GOOD", things), values)


def _solve(trace: Trace, price: int, off: int, fee: int, times: int = 1, as_amount: int = 0, off_fee: int = 0) -> int:
    if as_amount:
        reduced = trace.subtract("after the discount", price, off)
    else:
        reduced = trace.percent(f"price less {off}%", price, 100 - times * off)
    if off_fee:
        fee -= trace.whole(Fraction(fee * off, 100))
    return trace.add("with the charge", reduced, fee)


def _mistakes(price: int, off: int, fee: int) -> Mistakes:
    return {
        "discount": {
            **mistaken("forgot the discount", "took the discount off again", "added the discount"),
            "took the percentage as an amount": {"as_amount": 1},
            "took the discount off the charge alone": {"times": 0, "off_fee": 1},
        },
        "charge": misused("fee", fee, "forgot the charge", "paid the charge again", "took the charge off"),
        "base": {"took the discount off the charge as well": {"off_fee": 1}},
    }


FAMILY = Family(
    template="money_discount_fee",
    topic="money_discount",
    depth=2,
    share=122,
    ranges={
        "price": Range(range(30, 1800), "whole dollars, by what is bought"),
        "off": Range((5, 10, 15, 20, 25, 30, 35, 40, 45), "discounts come in fives"),
        "fee": Range(range(4, 181), "whole dollars, a tenth to a half of the price of the goods"),
    },
    tellings=tuple(
        _told(text, goods, price=range(*prices), fee=range(*fees))
        for text in _TEXTS
        for goods, prices, fees in (
            (_CHEAP, (30, 120), (4, 25)),
            (_MIDDLE, (90, 500), (12, 90)),
            (_DEAR, (320, 1800), (35, 181)),
        )
    ),
    solve=_solve,
    mistakes=_mistakes,
    bounds=lambda price, off, fee: (fee, price + fee),
    contrived=frozenset(("took the discount off again", "paid the charge again")),
    fitted=lambda price, off, fee: {"price": price // whole_for(off) * whole_for(off)},
    sensible=lambda price, off, fee: (
        price >= 30
        and price * off <= 500 * fee <= 20 * price * off
        and not 70 * price * off < 10_000 * fee < 150 * price * off
    ),
    training=(
        *(
            _told(
                text, "<a globe|a samovar|a microscope|an etching|a barometer|a porcelain vase|a typewriter>", "euros"
            )
            for text in _TRAINING
        ),
    ),
    apart={
        "price": Range(range(100, 900), "antiques of the middling sort"),
        "fee": Range(range(4, 99), "a tenth to a half of the price"),
        "off": Range((14, 18, 22, 26, 34, 38, 42, 44, 48, 50), "no discount of a test tier"),
    },
)
