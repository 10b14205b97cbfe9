"""Seven dependent steps: what is left of a pay, the bill for a floor; ``deep_clock.py`` has a third story."""

from math import gcd

from ..streams import Stream
from .problem import Problem, Trace, UnusableError
from .slips import miscounted, misused
from .words import fill, multiple, whole_for

_PAY_WORDINGS = (
    (
        "dollars",
        "In {weeks} weeks, {name} worked {hours} hours a week at {rate} dollars an hour, plus {extra} overtime hours "
        "in total at {extra_rate} dollars an hour. Tax took {tax}% of all the pay. Out of the rest, {name} paid "
        "{spent} dollars in rent and then had",
    ),
    (
        "dollars",
        "A cook worked {weeks} weeks of {hours} normal hours at {rate} dollars an hour and, over the whole time, "
        "{extra} extra hours at {extra_rate} dollars an hour. The restaurant in {place} held back {tax}% of the total "
        "as tax and {spent} dollars for meals. The cook received",
    ),
    (
        "dollars",
        "{name} painted houses for {weeks} weeks, {hours} hours a week, at {rate} dollars an hour. Besides, there "
        "were {extra} hours of overtime altogether at {extra_rate} dollars an hour. After {tax}% tax on everything, "
        "{name} spent {spent} dollars on tools and kept",
    ),
    (
        "dollars",
        "A nurse had {weeks} weeks of {hours} hours each at {rate} dollars an hour, as well as {extra} night hours "
        "in all, paid at {extra_rate} dollars an hour. From the total pay, {tax}% went in tax. The nurse then gave "
        "{spent} dollars to {name}, which left",
    ),
)


def _pay_left(
    trace: Trace, weeks: int, hours: int, rate: int, extra: int, extra_rate: int, tax: int, spent: int,
    times: int = 1, untaxed_extra: int = 0,
) -> int:  # fmt: skip
    worked = trace.multiply("normal hours", weeks, hours)
    normal = trace.multiply("normal pay", worked, rate)
    overtime = trace.multiply("extra pay", extra, extra_rate)
    gross = trace.add("total pay", normal, overtime)
    if untaxed_extra and not overtime:
        raise UnusableError("whether the extra pay was taxed makes no difference")
    held_back = trace.percent("tax", normal if untaxed_extra else gross, tax)
    after_tax = trace.subtract("after tax", gross, times * held_back)
    return trace.subtract("left", after_tax, spent)


def pay_left_over(draw: Stream) -> Problem:
    """Weeks of normal hours, extra hours, the tax on both, and an expense paid from what is left."""
    tax, weeks = draw.choice((10, 12, 15, 16, 18, 20, 22, 24, 25, 28, 30)), draw.integer(2, 6)
    whole = whole_for(tax)
    hours, extra = draw.integer(18, 42), draw.integer(3, 16)
    rate = multiple(draw, whole // gcd(whole, weeks * hours), 11, 34)
    extra_rate = multiple(draw, whole // gcd(whole, extra), rate + 2, rate + 20)
    if rate > 40 or not rate < extra_rate <= 2 * rate:
        raise UnusableError(f"implausible rates: {rate}, {extra_rate}")
    gross = weeks * hours * rate + extra * extra_rate
    spent = draw.integer(64, gross // 3)
    operands = {"weeks": weeks, "hours": hours, "rate": rate, "extra": extra, "extra_rate": extra_rate}
    operands |= {"tax": tax, "spent": spent}
    unit, prompt = fill(draw, _PAY_WORDINGS, **operands)
    return Problem(
        prompt=prompt,
        unit=unit,
        operands=operands,
        solve=_pay_left,
        bounds=(2, gross),
        mistakes={
            "weeks": miscounted("weeks", weeks, "counted one week"),
            "extra pay": {
                "left out the extra hours": {"extra": 0},
                "counted the extra hours twice": {"extra": 2 * extra},
                "counted the extra hours in every week": {"extra": weeks * extra},
                "paid the extra hours at the normal rate": {"extra_rate": rate},
            },
            "tax": {
                "forgot the tax": {"times": 0},
                "took the tax off twice": {"times": 2},
                "added the tax": {"times": -1},
                "taxed only the normal pay": {"untaxed_extra": 1},
            },
            "expense": misused("spent", spent, "forgot the expense", "took off the expense twice", "added the expense"),
        },
    )


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
