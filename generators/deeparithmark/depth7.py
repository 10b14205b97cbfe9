"""Seven dependent steps: an arrival after two legs, what is left of a pay, the bill for a floor."""

from math import gcd, lcm

from ..streams import Stream
from .clock import clock_text
from .clock_end import CARRY_SLIPS, HALF_SLIPS, end_after
from .problem import Problem, Trace, UnusableError
from .schema import CLOCK_UNIT
from .slips import miscounted, misused
from .words import fill, multiple, whole_for

_TRIP_WORDINGS = (
    "{name} left {place} at {start} and drove {first} kilometres at {speed} kilometres an hour. After a rest of "
    "{stop} minutes, {name} drove another {second} kilometres at {next_speed} kilometres an hour and arrived at",
    "A coach set off at {start} and covered {first} kilometres at {speed} kilometres an hour. It waited {stop} "
    "minutes in {place} and then went {second} kilometres more at {next_speed} kilometres an hour. It reached the "
    "last stop at",
    "At {start}, a train departed and ran {first} kilometres at {speed} kilometres an hour. Held up for {stop} "
    "minutes near {place}, it then went on for {second} kilometres at {next_speed} kilometres an hour. The train "
    "arrived at",
    "{name} began a delivery tour at {start} with {first} kilometres at {speed} kilometres an hour. Unloading in "
    "{place} took {stop} minutes, and the way back was {second} kilometres at {next_speed} kilometres an hour. "
    "{name} was back at",
    "At {start}, {name} started a motorcycle ride: {first} kilometres at {speed} kilometres an hour, a lunch of "
    "{stop} minutes in {place}, and then {second} kilometres at {next_speed} kilometres an hour. The ride ended at",
)
# Each divides 60 times a small distance; none is far from another.
_SPEEDS = (36, 40, 45, 48, 50, 54, 60, 64, 70, 72, 75, 80, 84, 90, 96, 100)
# Nothing told here takes longer, in minutes.
_LONGEST = 480


def _two_legs(
    trace: Trace,
    start: int,
    first: int,
    speed: int,
    stop: int,
    second: int,
    next_speed: int,
    hour: int = 60,
    **slips: int,
) -> int:
    scaled = trace.multiply("first leg times minutes in an hour", first, hour)
    leg = trace.divide("minutes of the first leg", scaled, speed)
    scaled = trace.multiply("next leg times minutes in an hour", second, hour)
    next_leg = trace.divide("minutes of the next leg", scaled, next_speed)
    moving = trace.add("minutes on the move", leg, next_leg)
    minutes = trace.add("with the stop", moving, stop)
    return end_after(trace, "arrival", start, minutes, **slips)


def two_leg_arrival(draw: Stream) -> Problem:
    """Two legs at different speeds and a stop between them give the time of arrival."""
    start, stop = draw.integer(330, 1410), draw.integer(9, 58)
    speed, next_speed = draw.sample(_SPEEDS, 2)
    steps = [pace // gcd(pace, 60) for pace in (speed, next_speed)]
    if draw.below(2):
        steps = [lcm(*steps)] * 2
    first, second = (multiple(draw, step, 24, 210) for step in steps)
    lasting = 60 * first // speed + 60 * second // next_speed + stop
    if max(first, second) > 240 or lasting > _LONGEST or abs(speed - next_speed) > 40:
        raise UnusableError(f"implausible legs: {first} at {speed}, {second} at {next_speed}")
    operands = {"start": start, "first": first, "speed": speed, "stop": stop, "second": second}
    operands["next_speed"] = next_speed
    wordings = tuple((CLOCK_UNIT, wording) for wording in _TRIP_WORDINGS)
    unit, prompt = fill(draw, wordings, **{**operands, "start": clock_text(start)})
    return Problem(
        prompt=prompt,
        unit=unit,
        operands=operands,
        solve=_two_legs,
        bounds=(start + stop, start + _LONGEST),
        mistakes={
            "legs": {
                "left out the first leg": {"first": 0},
                "left out the next leg": {"second": 0},
                "kept the first speed": {"next_speed": speed},
                "used the next speed from the start": {"speed": next_speed},
                "swapped the speeds": {"speed": next_speed, "next_speed": speed},
            },
            "conversion": {"took an hour as 100 minutes": {"hour": 100}},
            "stop": misused("stop", stop, "forgot the stop", "counted the stop twice", "subtracted the stop"),
            "carry": CARRY_SLIPS,
            "half of the day": HALF_SLIPS,
        },
    )


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
