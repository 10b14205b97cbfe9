"""A second statement of the 15 stories, in closed form, that shares no code with the families.

Each formula takes the numbers of the prompt in reading order and returns its *stages* and how they combine. A stage
maps the name of a mistake to what the quantity becomes, the empty name to the right quantity. Numbers are exact
fractions; only stories of full boxes round, and they say so.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import floor
from typing import Any

Stage = Mapping[str, Any]
Recipe = tuple[tuple[Stage, ...], Callable[..., Fraction | int]]
F = Fraction


def money_discount_fee(price: F, off: F, fee: F) -> Recipe:
    reduced = {
        "": price * (100 - off) / 100,
        "forgot the discount": price,
        "took the discount off twice": price - 2 * price * off / 100,
        "added the discount": price + price * off / 100,
        "took the percentage as dollars": price - off,
        "charged only the discount": price * off / 100,
    }
    charge = {
        "": fee,
        "forgot the delivery charge": 0,
        "charged for delivery twice": fee + fee,
        "subtracted the delivery charge": -fee,
    }
    return (reduced, charge), lambda goods, delivery: goods + delivery


def measure_cm_cut(metres: F, joined: F, cut: F) -> Recipe:
    start = {
        "": metres * 100,
        "counted one metre too few": metres * 100 - 100,
        "counted one metre too many": metres * 100 + 100,
        "took a metre as 10 centimetres": metres * 10,
    }
    added = {
        "": joined,
        "left out the joined piece": 0,
        "joined the piece twice": joined + joined,
        "subtracted the joined piece": -joined,
    }
    removed = {"": cut, "forgot the cut": 0, "made the cut twice": cut + cut, "added the cut": -cut}
    return (start, added, removed), lambda length, more, less: length + more - less


def share_then_split(first: F, second: F, spent: F, friends: F) -> Recipe:
    mornings = {"": first, "left out the first amount": 0, "counted the first amount twice": first + first}
    afternoons = {"": second, "left out the second amount": 0, "counted the second amount twice": second + second}
    losses = {
        "": spent,
        "forgot the deduction": 0,
        "added the deduction": -spent,
        "made the deduction twice": spent + spent,
    }
    people = {
        "": friends + 1,
        "left one person out of the sharing": friends,
        "counted one person too many": friends + 2,
    }
    return (mornings, afternoons, losses, people), lambda one, two, lost, count: (one + two - lost) / count


def two_rate_pay(first: F, low: F, second: F, high: F) -> Recipe:
    first_hours = {
        "": first,
        "counted the first part one short": first - 1,
        "counted the first part one over": first + 1,
        "used the second quantity for the first part": second,
    }
    second_hours = {
        "": second,
        "counted the second part one short": second - 1,
        "counted the second part one over": second + 1,
        "used the first quantity for the second part": first,
    }
    first_rate = {"": low, "used the second rate for the first part": high}
    second_rate = {"": high, "used the first rate for the second part": low}
    return (first_hours, first_rate, second_hours, second_rate), lambda a, b, c, d: a * b + c * d


def stock_percent_pack(stock: F, sold: F, size: F) -> Recipe:
    packed = {
        "": stock * (100 - sold) / 100,
        "forgot the sale": stock,
        "took the sale off twice": stock - 2 * stock * sold / 100,
        "added the sale": stock + stock * sold / 100,
        "packed what was sold": stock * sold / 100,
    }
    sizes = {"": size, "packed one fewer in each": size - 1, "packed one more in each": size + 1}
    return (packed, sizes), lambda amount, each: amount / each


def trip_minutes(distance: F, speed: F, stop: F) -> Recipe:
    hours = {
        "": distance / speed,
        "counted one hour too few": distance / speed - 1,
        "counted one hour too many": distance / speed + 1,
    }
    hour = {"": 60, "took an hour as 100 minutes": 100, "took an hour as 50 minutes": 50}
    pause = {
        "": stop,
        "forgot the stop": 0,
        "counted the stop twice": stop + stop,
        "subtracted the stop": -stop,
    }
    return (hours, hour, pause), lambda moving, minutes, still: moving * minutes + still


def schedule_sessions(weekly: F, weeks: F, cancelled: F, length: F) -> Recipe:
    span = {"": weeks, "left out one week": weeks - 1, "counted one week too many": weeks + 1}
    each = {
        "": weekly,
        "counted one session a week too few": weekly - 1,
        "counted one session a week too many": weekly + 1,
    }
    missed = {
        "": cancelled,
        "forgot the cancelled sessions": 0,
        "added the cancelled sessions": -cancelled,
        "took off the cancelled sessions twice": cancelled + cancelled,
    }
    minutes = {"": length, "took a session as a full hour": 60}
    return (span, each, missed, minutes), lambda w, n, off, long: (w * n - off) * long


def inventory_boxes(held: F, delivered: F, shipped: F, damaged: F, size: F) -> Recipe:
    arrived = {"": delivered, "forgot the delivery": 0, "counted the delivery twice": delivered + delivered}
    sent = {"": shipped, "forgot what was sent out": 0, "took off what was sent out twice": shipped + shipped}
    bad = {
        "": damaged,
        "forgot the damaged ones": 0,
        "added the damaged ones": -damaged,
        "took off the damaged ones twice": damaged + damaged,
    }
    packing = {"": False, "counted the loose ones as a full one": True}

    def full(more: F, less: F, lost: F, loose: bool) -> int:
        boxes = (held + more - less - lost) / size
        return floor(boxes) + (loose and boxes.denominator > 1)

    return (arrived, sent, bad, packing), full


def mix_split(first: F, second: F, lost: F, parts: F, extra: F) -> Recipe:
    other = {"": second, "left out the second amount": 0, "counted the second amount twice": second + second}
    away = {
        "": lost,
        "forgot the amount taken away": 0,
        "added the amount taken away": -lost,
        "took the amount away twice": lost + lost,
    }
    into = {"": parts, "divided into one part too few": parts - 1, "divided into one part too many": parts + 1}
    top = {
        "": extra,
        "forgot the extra": 0,
        "added the extra twice": extra + extra,
        "subtracted the extra": -extra,
    }
    return (other, away, into, top), lambda two, gone, count, more: (first + two - gone) / count + more


def tank_fill(start: F, minutes: F, inflow: F, leak: F, drawn: F) -> Recipe:
    loss = {"": leak, "ignored the loss": 0, "counted the loss twice": leak + leak, "added the loss": -leak}
    time = {"": minutes, "counted one minute too few": minutes - 1, "counted one minute too many": minutes + 1}
    before = {"": start, "forgot the starting amount": 0, "counted the starting amount twice": start + start}
    after = {
        "": drawn,
        "forgot the amount drawn off": 0,
        "drew the amount off twice": drawn + drawn,
        "added the amount drawn off": -drawn,
    }
    return (loss, time, before, after), lambda out, t, level, taken: level + t * inflow - t * out - taken


def discount_tax_coupon_split(price: F, off: F, tax: F, coupon: F, people: F) -> Recipe:
    reduced = {
        "": price * (100 - off) / 100,
        "forgot the discount": price,
        "took the discount off twice": price - 2 * price * off / 100,
        "added the discount": price + price * off / 100,
    }
    taxed = {
        "": 1 + tax / 100,
        "forgot the tax": 1,
        "subtracted the tax": 1 - tax / 100,
        "added the tax twice": 1 + 2 * tax / 100,
    }
    voucher = {
        "": coupon,
        "forgot the coupon": 0,
        "added the coupon": -coupon,
        "used the coupon twice": coupon + coupon,
    }
    payers = {
        "": people,
        "split among one person too few": people - 1,
        "split among one person too many": people + 1,
    }
    return (reduced, taxed, voucher, payers), lambda cost, factor, less, count: (cost * factor - less) / count


def salary_overtime_tax(hours: F, rate: F, extra: F, extra_rate: F, tax: F) -> Recipe:
    normal = {
        "": hours,
        "counted one normal hour too few": hours - 1,
        "counted one normal hour too many": hours + 1,
    }
    over = {
        "": extra,
        "left out the overtime": 0,
        "counted the overtime twice": extra + extra,
        "counted one overtime hour too few": extra - 1,
        "counted one overtime hour too many": extra + 1,
    }
    normal_rate = {"": rate, "paid every hour at the overtime rate": extra_rate}
    over_rate = {"": extra_rate, "paid the overtime at the normal rate": rate}
    # The percentage held back of the normal pay, and of the overtime pay.
    held_back = {
        "": (tax, tax),
        "forgot the tax": (0, 0),
        "took the tax off twice": (2 * tax, 2 * tax),
        "added the tax": (-tax, -tax),
        "taxed only the normal pay": (tax, 0),
    }

    def paid(h: F, r: F, e: F, s: F, held: tuple[F, F]) -> F:
        return h * r * (100 - held[0]) / 100 + e * s * (100 - held[1]) / 100

    return (normal, normal_rate, over, over_rate, held_back), paid


def inventory_percent_chain(stock: F, first: F, second: F, size: F) -> Recipe:
    monday = {
        "": first,
        "forgot the first sale": 0,
        "took the first sale off twice": first + first,
        "added the first sale": -first,
    }
    # The percentage sold of what the first day left, and of the whole stock.
    tuesday = {
        "": (second, 0),
        "forgot the second sale": (0, 0),
        "took the second sale off twice": (second + second, 0),
        "added the second sale": (-second, 0),
        "took the second percentage of the whole stock": (0, second),
    }
    sizes = {"": size, "packed one fewer in each": size - 1, "packed one more in each": size + 1}

    def packs(one: F, two: tuple[F, F], each: F) -> F:
        left = stock * (100 - one) / 100
        return (left * (100 - two[0]) / 100 - stock * two[1] / 100) / each

    return (monday, tuesday, sizes), packs


def prize_ratio_charity(pool: F, mine: F, theirs: F, given: F) -> Recipe:
    parts = {
        "": mine + theirs,
        "counted one part too few": mine + theirs - 1,
        "counted one part too many": mine + theirs + 1,
    }
    taken = {
        "": mine,
        "took the other share": theirs,
        "took one part too few": mine - 1,
        "took one part too many": mine + 1,
    }
    # The percentage given of the share, and of the whole sum.
    donated = {
        "": (given, 0),
        "forgot the donation": (0, 0),
        "added the donation": (-given, 0),
        "made the donation twice": (given + given, 0),
        "took the percentage of the whole sum": (0, given),
    }

    def kept(count: F, share: F, gift: tuple[F, F]) -> F:
        return pool * share / count * (100 - gift[0]) / 100 - pool * gift[1] / 100

    return (parts, taken, donated), kept


FORMULAS: Mapping[str, Callable[..., Recipe]] = {
    formula.__name__: formula
    for formula in (
        money_discount_fee,
        measure_cm_cut,
        share_then_split,
        two_rate_pay,
        stock_percent_pack,
        trip_minutes,
        schedule_sessions,
        inventory_boxes,
        mix_split,
        tank_fill,
        discount_tax_coupon_split,
        salary_overtime_tax,
        inventory_percent_chain,
        prize_ratio_charity,
    )
}
