"""Three dependent steps on amounts: lengths joined and cut, a sum shared out, a stock sold and packed."""

from collections.abc import Sequence

from ..streams import Stream
from .problem import Problem, Trace, UnusableError
from .words import Wordings, fill, multiple, whole_for

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


def measure_cm_cut(draw: Stream, wordings: Wordings = _MEASURE_WORDINGS, lengths: tuple[int, int] = (2, 9)) -> Problem:
    """Metres to centimetres, a piece joined on, a piece cut off."""
    metres = draw.integer(*lengths)
    joined, cut = draw.integer(24, 185), draw.integer(9, 98)
    unit, prompt = fill(draw, wordings, metres=metres, joined=joined, cut=cut)
    return Problem(
        prompt=prompt,
        unit=unit,
        operands={"metres": metres, "joined": joined, "cut": cut},
        solve=_convert_join_cut,
        bounds=(100 * metres - cut, 100 * metres + joined),
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


def share_then_split(
    draw: Stream, wordings: Wordings = _SHARE_WORDINGS, groups: tuple[int, int] = (3, 8), scale: int = 1
) -> Problem:
    """Two amounts, one deduction, and a division among a person and that person's friends."""
    people = draw.integer(*groups)
    unit_share = people * draw.choice((1, people - 1, people + 1))
    spent = multiple(draw, unit_share, 6 * scale, 60 * scale)
    second = multiple(draw, unit_share, 20 * scale, 150 * scale)
    first = multiple(draw, unit_share, spent + 10, 260 * scale)
    unit, prompt = fill(draw, wordings, first=first, second=second, spent=spent, friends=people - 1)
    return Problem(
        prompt=prompt,
        unit=unit,
        operands={"first": first, "second": second, "spent": spent, "people": people},
        solve=_share,
        bounds=(2, (first + second) // people),
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
        "bundles",
        "{name} printed {stock} postcards for a concert and handed out {sold}% of them. The remaining cards were "
        "tied {size} to a bundle. The number of bundles was",
    ),
    (
        "crates",
        "A farm near {place} picked {stock} melons and sold {sold}% of them at once. The others were packed in "
        "crates of {size}. The number of crates filled was",
    ),
)


_SHARES_SOLD = (10, 12, 15, 16, 20, 24, 25, 28, 30, 32, 35, 36, 40, 44, 45, 48, 55, 60, 64, 65, 70, 75)


def _sell_then_pack(trace: Trace, stock: int, percent: int, size: int, packed_sold: int = 0) -> int:
    sold = trace.percent("sold", stock, percent)
    left = sold if packed_sold else trace.subtract("left", stock, sold)
    return trace.divide("packed", left, size)


def stock_percent_pack(
    draw: Stream, wordings: Wordings = _PACK_WORDINGS, shares: Sequence[int] = _SHARES_SOLD, most: int = 2800
) -> Problem:
    """A percentage of a stock is sold, the rest is packed without a remainder."""
    sold = draw.choice(shares)
    size = draw.integer(3, 24)
    step = size * draw.choice((1, 1, size - 1, size + 1)) * draw.choice((1, 1, 1, size)) * whole_for(sold)
    stock = multiple(draw, step, 120, most)
    if stock > most:
        raise UnusableError(f"no plausible stock is a multiple of {step}")
    unit, prompt = fill(draw, wordings, stock=stock, sold=sold, size=size)
    return Problem(
        prompt=prompt,
        unit=unit,
        operands={"stock": stock, "percent": sold, "size": size},
        solve=_sell_then_pack,
        bounds=(2, stock // size),
        mistakes={
            "sale": {
                "forgot the sale": {"percent": 0},
                "took the sale off twice": {"percent": 2 * sold},
                "packed what was sold": {"packed_sold": 1},
            },
            "size": {
                "packed one fewer in each": {"size": size - 1},
                "packed one more in each": {"size": size + 1},
            },
        },
    )
