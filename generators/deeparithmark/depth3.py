"""Three dependent steps: lengths, sharing, two rates, packing, travelling and a course of sessions."""

from ..streams import Stream
from .problem import Problem, Trace, UnusableError
from .words import fill, multiple, whole_for

_MEASURE_WORDINGS = (
    (
        "centimetres",
        "{name} took a rail {metres} metres long, fixed a piece of {joined} centimetres to one end, and cut {cut} "
        "centimetres off the other. The length left over was",
    ),
    (
        "centimetres",
        "A ribbon of {metres} metres was too short, so {name} sewed another {joined} centimetres onto it. After "
        "{cut} centimetres were trimmed away, the ribbon measured",
    ),
    (
        "centimetres",
        "In {place}, a plank {metres} metres long was glued end to end with one of {joined} centimetres. {name} then "
        "sawed off {cut} centimetres. The plank now measured",
    ),
    (
        "centimetres",
        "{name} had {metres} metres of garden hose, added an extension of {joined} centimetres, and removed a "
        "leaking section of {cut} centimetres. The hose now measured",
    ),
    (
        "centimetres",
        "An electrician joined a cable of {metres} metres to another of {joined} centimetres, then snipped {cut} "
        "centimetres off the end. The cable that was left measured",
    ),
)


def _convert_join_cut(trace: Trace, metres: int, joined: int, cut: int, per_metre: int = 100) -> int:
    length = trace.multiply("in centimetres", metres, per_metre)
    length = trace.add("after joining", length, joined)
    return trace.subtract("after cutting", length, cut)


def measure_cm_cut(draw: Stream) -> Problem:
    """Metres to centimetres, a piece joined on, a piece cut off."""
    metres = draw.integer(2, 9)
    joined, cut = draw.integer(24, 185), draw.integer(9, 98)
    unit, prompt = fill(draw, _MEASURE_WORDINGS, metres=metres, joined=joined, cut=cut)
    return Problem(
        prompt=prompt,
        unit=unit,
        operands={"metres": metres, "joined": joined, "cut": cut},
        solve=_convert_join_cut,
        mistakes={
            "conversion": {
                "counted one metre too few": {"metres": metres - 1},
                "counted one metre too many": {"metres": metres + 1},
                "took a metre as 10 centimetres": {"per_metre": 10},
            },
            "joining": {
                "left out the joined piece": {"joined": 0},
                "joined the piece twice": {"joined": 2 * joined},
                "subtracted the joined piece": {"joined": -joined},
            },
            "cutting": {
                "forgot the cut": {"cut": 0},
                "made the cut twice": {"cut": 2 * cut},
                "added the cut": {"cut": -cut},
            },
        },
    )


_SHARE_WORDINGS = (
    (
        "dollars",
        "{name} earned {first} dollars at a bake sale and {second} at a raffle, then paid {spent} dollars for "
        "supplies. {name} and {friends} friends split the rest equally. Each person got",
    ),
    (
        "stickers",
        "{name} had {first} stickers, was given {second} more and lost {spent}. The remaining stickers were shared "
        "equally among {name} and {friends} cousins. Each of them received",
    ),
    (
        "apples",
        "{name} picked {first} apples in the morning and {second} later, but {spent} were rotten and thrown away. "
        "{name} and {friends} neighbours shared the good ones equally. Each took home",
    ),
    (
        "shells",
        "{name} found {first} shells on one beach and {second} on another, then broke {spent} of them. {name} and "
        "{friends} classmates divided the whole shells equally. Each had",
    ),
    (
        "marbles",
        "{name} won {first} marbles on Saturday and {second} on Sunday, then lost {spent}. The others were dealt out "
        "equally to {name} and {friends} teammates. Each player got",
    ),
)


def _share(trace: Trace, first: int, second: int, spent: int, people: int) -> int:
    total = trace.add("altogether", first, second)
    rest = trace.subtract("to share", total, spent)
    return trace.divide("each share", rest, people)


def share_then_split(draw: Stream) -> Problem:
    """Two amounts, one deduction, and a division among a person and that person's friends."""
    people = draw.integer(3, 8)
    unit_share = people * draw.choice((1, people - 1, people + 1))
    spent = multiple(draw, unit_share, 6, 60)
    second = multiple(draw, unit_share, 20, 150)
    first = multiple(draw, unit_share, spent + 10, 260)
    unit, prompt = fill(draw, _SHARE_WORDINGS, first=first, second=second, spent=spent, friends=people - 1)
    return Problem(
        prompt=prompt,
        unit=unit,
        operands={"first": first, "second": second, "spent": spent, "people": people},
        solve=_share,
        mistakes={
            "first amount": {
                "left out the first amount": {"first": 0},
                "counted the first amount twice": {"first": 2 * first},
            },
            "second amount": {
                "left out the second amount": {"second": 0},
                "counted the second amount twice": {"second": 2 * second},
            },
            "deduction": {
                "forgot the deduction": {"spent": 0},
                "added the deduction": {"spent": -spent},
                "made the deduction twice": {"spent": 2 * spent},
            },
            "people": {
                "left one person out of the sharing": {"people": people - 1},
                "counted one person too many": {"people": people + 1},
            },
        },
    )


_RATE_WORDINGS = (
    (
        "dollars",
        "{name} worked {first} hours at {low} dollars an hour on weekdays and {second} hours at {high} dollars an "
        "hour at the weekend. In all, {name} earned",
    ),
    (
        "dollars",
        "A teacher gave {first} hours of maths lessons at {low} dollars an hour and {second} hours of music lessons "
        "at {high} dollars an hour. The lessons brought in",
    ),
    (
        "dollars",
        "{name} spent {first} hours painting walls for {low} dollars an hour and {second} hours laying tiles for "
        "{high} dollars an hour. The whole job paid",
    ),
    (
        "dollars",
        "A boat yard in {place} rented out a canoe for {first} hours at {low} dollars an hour and a sailing boat for "
        "{second} hours at {high} dollars an hour. The two rentals brought in",
    ),
    (
        "dollars",
        "At the market in {place}, {name} bought {first} boxes of apples at {low} dollars a box and {second} boxes "
        "of cherries at {high} dollars a box. The purchase cost",
    ),
)


def _two_rates(trace: Trace, first: int, low: int, second: int, high: int) -> int:
    first_part = trace.multiply("first part", first, low)
    second_part = trace.multiply("second part", second, high)
    return trace.add("in total", first_part, second_part)


def two_rate_pay(draw: Stream) -> Problem:
    """Two quantities at two rates, added."""
    first, second = draw.integer(4, 18), draw.integer(3, 16)
    low = draw.integer(11, 34)
    high = low + draw.integer(2, 14)
    unit, prompt = fill(draw, _RATE_WORDINGS, first=first, low=low, second=second, high=high)
    return Problem(
        prompt=prompt,
        unit=unit,
        operands={"first": first, "low": low, "second": second, "high": high},
        solve=_two_rates,
        mistakes={
            "first rate": {"used the second rate for the first part": {"low": high}},
            "second rate": {"used the first rate for the second part": {"high": low}},
            "first quantity": {
                "counted the first part one short": {"first": first - 1},
                "counted the first part one over": {"first": first + 1},
                "used the second quantity for the first part": {"first": second},
            },
            "second quantity": {
                "counted the second part one short": {"second": second - 1},
                "counted the second part one over": {"second": second + 1},
                "used the first quantity for the second part": {"second": first},
            },
        },
    )


_PACK_WORDINGS = (
    (
        "bags",
        "A bakery in {place} had {stock} rolls and sold {sold}% of them by noon. The unsold rolls were packed {size} "
        "to a bag. The number of bags filled was",
    ),
    (
        "trays",
        "A nursery in {place} grew {stock} seedlings and sold {sold}% of them. {name} set out the rest on trays that "
        "hold {size} each. The number of trays filled was",
    ),
    (
        "nets",
        "Of the {stock} oranges picked on a farm, {sold}% went to a hotel. {name} put the remaining oranges into "
        "nets of {size}. The number of nets filled was",
    ),
    (
        "boxes",
        "{name} printed {stock} posters for a concert and handed out {sold}% of them. The remaining posters were "
        "stored {size} to a box. The number of boxes filled was",
    ),
    (
        "crates",
        "An orchard near {place} picked {stock} melons and sold {sold}% of them at once. The others were packed in "
        "crates of {size}. The number of crates filled was",
    ),
)


def _sell_then_pack(trace: Trace, stock: int, percent: int, size: int, packed_sold: int = 0) -> int:
    sold = trace.percent("sold", stock, percent)
    left = sold if packed_sold else trace.subtract("left", stock, sold)
    return trace.divide("packed", left, size)


def stock_percent_pack(draw: Stream) -> Problem:
    """A percentage of a stock is sold, the rest is packed without a remainder."""
    sold = draw.choice((10, 12, 15, 16, 20, 24, 25, 28, 30, 32, 35, 36, 40, 44, 45, 48, 55, 60, 64, 65, 70, 75))
    size = draw.integer(3, 24)
    step = size * draw.choice((1, 1, size - 1, size + 1)) * draw.choice((1, 1, 1, size)) * whole_for(sold)
    stock = multiple(draw, step, 120, 2800)
    if stock > 2800:
        raise UnusableError(f"no plausible stock is a multiple of {step}")
    unit, prompt = fill(draw, _PACK_WORDINGS, stock=stock, sold=sold, size=size)
    return Problem(
        prompt=prompt,
        unit=unit,
        operands={"stock": stock, "percent": sold, "size": size},
        solve=_sell_then_pack,
        mistakes={
            "sale": {
                "forgot the sale": {"percent": 0},
                "took the sale off twice": {"percent": 2 * sold},
                "added the sale": {"percent": -sold},
                "packed what was sold": {"packed_sold": 1},
            },
            "size": {
                "packed one fewer in each": {"size": size - 1},
                "packed one more in each": {"size": size + 1},
            },
        },
    )


# (speeds in km an hour, stop in minutes, wording)
_TRIP_STORIES = (
    (
        (48, 96),
        (8, 55),
        "{name} drove {distance} kilometres at a steady {speed} kilometres an hour and stopped on the way for {stop} "
        "minutes. Driving and stop together took",
    ),
    (
        (44, 84),
        (10, 45),
        "A coach covers the {distance} kilometres to {place} at {speed} kilometres an hour and waits {stop} minutes "
        "at a rest area on the way. The journey takes",
    ),
    (
        (14, 38),
        (12, 58),
        "A ferry sails {distance} kilometres at {speed} kilometres an hour, after {stop} minutes spent loading cars. "
        "Loading and sailing together take",
    ),
    (
        (12, 27),
        (15, 58),
        "{name} cycled {distance} kilometres at {speed} kilometres an hour, with a lunch break of {stop} minutes "
        "along the way. Counting the break, the outing lasted",
    ),
)


def _travel_and_stop(trace: Trace, distance: int, speed: int, stop: int, hour: int = 60, miscount: int = 0) -> int:
    hours = trace.divide("hours on the move", distance, speed) + miscount
    minutes = trace.multiply("in minutes", hours, hour)
    return trace.add("with the stop", minutes, stop)


def trip_minutes(draw: Stream) -> Problem:
    """A distance at a speed gives hours, the hours become minutes, a stop is added."""
    speeds, stops, wording = draw.choice(_TRIP_STORIES)
    speed, stop = draw.integer(*speeds), draw.integer(*stops)
    distance = speed * draw.integer(2, 6)
    unit, prompt = fill(draw, (("minutes", wording),), distance=distance, speed=speed, stop=stop)
    return Problem(
        prompt=prompt,
        unit=unit,
        operands={"distance": distance, "speed": speed, "stop": stop},
        solve=_travel_and_stop,
        mistakes={
            "hours": {
                "counted one hour too few": {"miscount": -1},
                "counted one hour too many": {"miscount": 1},
            },
            "conversion": {
                "took an hour as 100 minutes": {"hour": 100},
                "took an hour as 50 minutes": {"hour": 50},
            },
            "stop": {
                "forgot the stop": {"stop": 0},
                "counted the stop twice": {"stop": 2 * stop},
                "subtracted the stop": {"stop": -stop},
            },
        },
    )


_SESSION_WORDINGS = (
    (
        "minutes",
        "A choir in {place} plans {weekly} rehearsals a week for {weeks} weeks, but {cancelled} are called off. Each "
        "rehearsal lasts {length} minutes. The total rehearsal time is",
    ),
    (
        "minutes",
        "{name} booked {weekly} swimming lessons a week for {weeks} weeks and missed {cancelled} of them. Each "
        "lesson takes {length} minutes. The time that {name} spent in lessons was",
    ),
    (
        "minutes",
        "A dance class meets {weekly} times a week. Over {weeks} weeks, {cancelled} meetings fell through, and every "
        "other one ran for {length} minutes. The class danced for",
    ),
    (
        "minutes",
        "{name} teaches {weekly} sessions a week for {weeks} weeks, except for {cancelled} that fall on holidays. At "
        "{length} minutes a session, {name} teaches for",
    ),
)


def _sessions(trace: Trace, weekly: int, weeks: int, cancelled: int, length: int) -> int:
    planned = trace.multiply("planned", weekly, weeks)
    held = trace.subtract("held", planned, cancelled)
    return trace.multiply("total minutes", held, length)


def schedule_sessions(draw: Stream) -> Problem:
    """Sessions a week over some weeks, some cancelled, each of one length."""
    weekly, weeks = draw.integer(2, 5), draw.integer(4, 16)
    cancelled, length = draw.integer(2, 8), draw.integer(20, 95)
    unit, prompt = fill(draw, _SESSION_WORDINGS, weekly=weekly, weeks=weeks, cancelled=cancelled, length=length)
    return Problem(
        prompt=prompt,
        unit=unit,
        operands={"weekly": weekly, "weeks": weeks, "cancelled": cancelled, "length": length},
        solve=_sessions,
        mistakes={
            "weeks": {
                "left out one week": {"weeks": weeks - 1},
                "counted one week too many": {"weeks": weeks + 1},
            },
            "each week": {
                "counted one session a week too few": {"weekly": weekly - 1},
                "counted one session a week too many": {"weekly": weekly + 1},
            },
            "cancellations": {
                "forgot the cancelled sessions": {"cancelled": 0},
                "added the cancelled sessions": {"cancelled": -cancelled},
                "took off the cancelled sessions twice": {"cancelled": 2 * cancelled},
            },
            "length": {"took a session as a full hour": {"length": 60}},
        },
    )
