"""Depth 7: an area with a part left out, a percentage extra, packs for so many square metres, a price, a voucher."""

from math import gcd

from ...choices.problem import Trace
from .family import Family, Mistakes, Range, Telling, down_to, mistaken, misused, whole_for

_TELLINGS = tuple(
    Telling("dollars", text)
    for text in (
        "A hall {length} metres long and {width} metres wide gets tiles, except on a stage of {bare} square metres. "
        "{name} orders {spare}% more than the area to be tiled, in boxes that cover {size} square metres and cost "
        "{price} dollars each. With {voucher} dollars off for a voucher, the bill is",
        "A garden of {length} by {width} metres includes a pond of {bare} square metres. {name} covers the rest with "
        "turf, ordering {spare}% more than that area. A pallet of turf covers {size} square metres and costs {price} "
        "dollars. After a voucher of {voucher} dollars is used, the turf costs",
        "A yard in {place} measures {length} by {width} metres and is paved, leaving out a flower bed of {bare} "
        "square metres. {name} buys {spare}% more paving than the paved area, in stacks that cover {size} square "
        "metres and cost {price} dollars each. A voucher takes off {voucher} dollars, so the total is",
        "A gym floor of {length} by {width} metres gets mats, except for {bare} square metres under the machines. The "
        "club orders {spare}% more than the area to be covered. Each roll covers {size} square metres and costs "
        "{price} dollars. Less a voucher of {voucher} dollars, the mats cost",
        "An attic of {length} by {width} metres gets a wooden floor, save for {bare} square metres of stairs. {name} "
        "allows {spare}% more boards than that area needs. A pack covers {size} square metres for {price} dollars. A "
        "refund of {voucher} dollars comes off, which makes the cost",
        "A courtyard of {length} by {width} metres gets gravel, except on {bare} square metres of lawn. {name} orders "
        "{spare}% more gravel than that area needs. A load covers {size} square metres and costs {price} dollars. "
        "With {voucher} dollars off for paying at once, the gravel costs",
        "A playground in {place} of {length} by {width} metres gets a rubber floor around {bare} square metres of "
        "sand. The town orders {spare}% more than that area, in batches for {size} square metres at {price} dollars "
        "each. A grant pays {voucher} dollars of the price, and the town pays",
        "A shop floor of {length} by {width} metres is carpeted, apart from {bare} square metres at the door. The "
        "owner orders {spare}% more carpet than that. A roll is enough for {size} square metres and costs {price} "
        "dollars. A discount of {voucher} dollars leaves a bill of",
    )
)


def _solve(
    trace: Trace, length: int, width: int, bare: int, spare: int, size: int, price: int, voucher: int,
    times: int = 1, whole: int = 0,
) -> int:  # fmt: skip
    area = trace.multiply("whole area", length, width)
    covered = trace.subtract("area to cover", area, bare)
    extra = trace.percent("extra", covered + bare if whole else covered, spare)
    ordered = trace.add("area ordered", covered, times * extra)
    packs = trace.divide("packs", ordered, size)
    cost = trace.multiply("cost of the packs", packs, price)
    return trace.subtract("bill", cost, voucher)


def _mistakes(length: int, width: int, bare: int, spare: int, size: int, price: int, voucher: int) -> Mistakes:
    return {
        "part left out": misused(
            "bare", bare, "forgot the part left out", "took the part left out off again", "added the part left out"
        ),
        "extra": mistaken("forgot the extra", "added the extra again", "took the extra off"),
        "base": {"took the extra of the whole area": {"whole": 1}},
        "voucher": misused("voucher", voucher, "forgot the sum taken off", "took the sum off again", "added the sum"),
    }


FAMILY = Family(
    template="floor_bill",
    topic="floor_areas",
    depth=7,
    share=83,
    ranges={
        "length": Range(range(8, 31), "rooms and yards"),
        "width": Range(range(5, 25), "shorter than the length"),
        "bare": Range(range(6, 120), "a twelfth to a third of the area"),
        "spare": Range((5, 8, 10, 12, 15, 20, 25), "what is ordered for waste"),
        "size": Range(range(2, 11), "square metres in a pack"),
        "price": Range(range(12, 61), "whole dollars for a pack"),
        "voucher": Range(range(30, 900), "a tenth to a quarter of the cost"),
    },
    tellings=_TELLINGS,
    solve=_solve,
    mistakes=_mistakes,
    bounds=lambda length, width, bare, spare, size, price, voucher: (
        2,
        length * width * (100 + spare) // 100 * price // size,
    ),
    contrived=frozenset(
        (
            "took the part left out off again",
            "added the extra again",
            "took the sum off again",
        )
    ),
    fitted=lambda length, width, bare, spare, size, price, voucher: {
        "bare": length * width - down_to(length * width - bare, _whole(spare, size))
    },
    sensible=lambda length, width, bare, spare, size, price, voucher: (
        width < length
        and bare >= 4
        and bare * 14 >= length * width
        and bare * 3 <= length * width
        and voucher * size * 12 >= (length * width - bare) * price
        and voucher * size * 3 <= (length * width - bare) * price
    ),
)


def _whole(spare: int, size: int) -> int:
    """The smallest area of which the extra is whole and which, with it, fills whole packs."""
    step = whole_for(spare)
    return step * (size // gcd(size, step * (100 + spare) // 100))
