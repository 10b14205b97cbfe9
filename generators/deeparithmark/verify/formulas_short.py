"""The stories of two and three steps in closed form, from the prompt's numbers in reading order; not the clock."""

from fractions import Fraction as F

from .recipe import Recipe


def money_discount_fee(price: F, off: F, fee: F) -> Recipe:
    """A reduced price plus a delivery charge."""
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
    """Metres in centimetres, a piece added, a piece taken off."""
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
    """Two amounts less a loss, shared by the friends and the teller."""
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
    """Two quantities at two rates."""
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
    """What a percentage sale leaves, divided by the pack size."""
    packed = {
        "": stock * (100 - sold) / 100,
        "forgot the sale": stock,
        "took the sale off twice": stock - 2 * stock * sold / 100,
        "packed what was sold": stock * sold / 100,
    }
    sizes = {"": size, "packed one fewer in each": size - 1, "packed one more in each": size + 1}
    return (packed, sizes), lambda amount, each: amount / each


def trip_minutes(distance: F, speed: F, stop: F) -> Recipe:
    """Hours at a speed in minutes, and a stop."""
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
    """Sessions held times their length."""
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
