"""Depth 7, the bill for covering a floor."""

from math import gcd

from ...choices.problem import Problem, Trace, UnusableError
from ...streams import Stream
from .slips import miscounted, misused
from .words import fill, multiple, whole_for

_FLOOR_WORDINGS = (
    (
        "dollars",
        "A hall {length} metres long and {width} metres wide gets tiles, except on a stage of {bare} square metres. "
        "{name} orders {spare}% more than the area to be tiled, in boxes that cover {size} square metres and cost "
        "{price} dollars each. With {voucher} dollars off for a voucher, the bill is",
    ),
    (
        "dollars",
        "A garden of {length} by {width} metres includes a pond of {bare} square metres. {name} covers the rest with "
        "turf, ordering {spare}% more than that area. A pallet of turf covers {size} square metres and costs {price} "
        "dollars. After a voucher of {voucher} dollars is used, the turf costs",
    ),
    (
        "dollars",
        "A yard in {place} measures {length} by {width} metres and is paved, leaving out a flower bed of {bare} "
        "square metres. {name} buys {spare}% more paving than the paved area, in stacks that cover {size} square "
        "metres and cost {price} dollars each. A voucher takes off {voucher} dollars, so the total is",
    ),
    (
        "dollars",
        "A gym floor of {length} by {width} metres gets mats, except for {bare} square metres under the machines. "
        "The club orders {spare}% more than the area to be covered. Each roll covers {size} square metres and costs "
        "{price} dollars. Less a voucher of {voucher} dollars, the mats cost",
    ),
)


def _floor_bill(
    trace: Trace, length: int, width: int, bare: int, spare: int, size: int, price: int, voucher: int, times: int = 1
) -> int:
    area = trace.multiply("whole area", length, width)
    covered = trace.subtract("area to cover", area, bare)
    extra = trace.percent("extra", covered, spare)
    ordered = trace.add("area ordered", covered, times * extra)
    packs = trace.divide("packs", ordered, size)
    cost = trace.multiply("cost of the packs", packs, price)
    return trace.subtract("bill", cost, voucher)


def floor_bill(draw: Stream) -> Problem:
    """An area with a part left out, a percentage extra, packs for so many square metres, their price, a voucher."""
    spare, size = draw.choice((5, 8, 10, 12, 15, 20, 25)), draw.integer(2, 12)
    step = (
        whole_for(spare) * size * draw.choice((1, 1, size - 1, size + 1)) // draw.choice((1, 1, gcd(size, 100 + spare)))
    )
    length = draw.integer(10, 32)
    width = multiple(draw, step // gcd(step, length), 8, length - 1)
    bare = multiple(draw, step // draw.choice((1, gcd(step, 2), gcd(step, 3))), 6, 6 + length * width // 4)
    if width >= length or 3 * bare > length * width:
        raise UnusableError(f"implausible area: {length} by {width} less {bare}")
    price = draw.integer(13, 64)
    # Half of the vouchers are multiples of the price: else an option that is one would have left the voucher out.
    voucher = multiple(draw, draw.choice((1, price)), 15, 24 + (length * width - bare) * price // size // 8)
    operands = {"length": length, "width": width, "bare": bare, "spare": spare, "size": size, "price": price}
    operands["voucher"] = voucher
    unit, prompt = fill(draw, _FLOOR_WORDINGS, **operands)
    return Problem(
        prompt=prompt,
        unit=unit,
        operands=operands,
        solve=_floor_bill,
        bounds=(2, length * width * price * (100 + spare) // (100 * size)),
        mistakes={
            "part left out": misused(
                "bare", bare, "forgot the part left out", "took off the part left out twice", "added the part left out"
            ),
            "extra": {
                "forgot the extra": {"times": 0},
                "added the extra twice": {"times": 2},
                "subtracted the extra": {"times": -1},
            },
            "packs": miscounted("size", size, "counted one square metre of each pack"),
            "voucher": misused(
                "voucher", voucher, "forgot the voucher", "took off the voucher twice", "added the voucher"
            ),
        },
    )
