"""The stories of four and five steps in closed form, from the prompt's numbers in reading order."""

from fractions import Fraction as F
from math import floor

from .recipe import Recipe


def inventory_boxes(held: F, delivered: F, shipped: F, damaged: F, size: F) -> Recipe:
    """Full boxes of what deliveries, shipping and damage leave."""
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
    """A mixture less a loss, divided, with the same extra on each part."""
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
    """A level after an inflow and a leak, less a draw."""
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
    """A reduced and taxed price less a coupon, divided."""
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
    """Normal and overtime pay less the tax on each."""
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
        "taxed only the normal pay": (tax, 0),
    }

    def paid(h: F, r: F, e: F, s: F, held: tuple[F, F]) -> F:
        return h * r * (100 - held[0]) / 100 + e * s * (100 - held[1]) / 100

    return (normal, normal_rate, over, over_rate, held_back), paid


def inventory_percent_chain(stock: F, first: F, second: F, size: F) -> Recipe:
    """Two percentage sales, the rest divided by the pack size."""
    monday = {
        "": first,
        "forgot the first sale": 0,
        "took the first sale off twice": first + first,
    }
    # The percentage sold of what the first day left, and of the whole stock.
    tuesday = {
        "": (second, 0),
        "forgot the second sale": (0, 0),
        "took the second sale off twice": (second + second, 0),
        "took the second percentage of the whole stock": (0, second),
    }
    sizes = {"": size, "packed one fewer in each": size - 1, "packed one more in each": size + 1}

    def packs(one: F, two: tuple[F, F], each: F) -> F:
        left = stock * (100 - one) / 100
        return (left * (100 - two[0]) / 100 - stock * two[1] / 100) / each

    return (monday, tuesday, sizes), packs


def prize_ratio_charity(pool: F, mine: F, theirs: F, given: F) -> Recipe:
    """A share by ratio less a percentage given away."""
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
        "made the donation twice": (given + given, 0),
        "took the percentage of the whole sum": (0, given),
    }

    def kept(count: F, share: F, gift: tuple[F, F]) -> F:
        return pool * share / count * (100 - gift[0]) / 100 - pool * gift[1] / 100

    return (parts, taken, donated), kept
