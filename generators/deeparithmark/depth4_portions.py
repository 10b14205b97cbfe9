"""Four dependent steps that end in portions: a stock packed in boxes, a mixture divided."""

from ..streams import Stream
from .problem import Problem, Trace
from .words import Wordings, fill, multiple

_INVENTORY_WORDINGS = (
    (
        "crates",
        "A depot in {place} had {held} lamps, received {delivered} more, and sent out {shipped}. Then {damaged} were "
        "found damaged. The rest were packed {size} to a crate. The number of full crates was",
    ),
    (
        "boxes",
        "{name}'s pottery had {held} mugs. The kiln yielded {delivered} more, shops took {shipped}, and {damaged} "
        "cracked. The sound mugs go {size} to a box. The number of full boxes was",
    ),
    (
        "cases",
        "A cellar stored {held} bottles, received {delivered}, sold {shipped}, and lost {damaged} to breakage. "
        "{name} packed the remaining bottles in cases of {size}. The number of full cases was",
    ),
    (
        "bins",
        "A shed held {held} pumpkins. The harvest added {delivered}, a grocer bought {shipped}, and {damaged} "
        "spoiled. The others were put {size} to a bin. The number of full bins was",
    ),
    (
        "shelves",
        "A library in {place} owned {held} books, bought {delivered}, sold {shipped}, and discarded {damaged} worn "
        "ones. {name} put the rest {size} to a shelf. The number of full shelves was",
    ),
)


def _stock_to_boxes(
    trace: Trace, held: int, delivered: int, shipped: int, damaged: int, size: int, loose: int = 0
) -> int:
    stock = trace.add("after the delivery", held, delivered)
    stock = trace.subtract("after shipping", stock, shipped)
    good = trace.subtract("good ones", stock, damaged)
    full = trace.divide_down("full ones", good, size)
    return full + (1 if loose and good % size else 0)


def inventory_boxes(
    draw: Stream,
    wordings: Wordings = _INVENTORY_WORDINGS,
    sizes: tuple[int, int] = (8, 24),
    stocks: tuple[int, int] = (240, 620),
) -> Problem:
    """Receive, ship, discard the damaged, pack full boxes."""
    size = draw.integer(*sizes)
    held, delivered = draw.integer(*stocks), draw.integer(90, 280)
    shipped, damaged = draw.integer(80, 240), draw.integer(12, 78)
    unit, prompt = fill(draw, wordings, held=held, delivered=delivered, shipped=shipped, damaged=damaged, size=size)
    return Problem(
        prompt=prompt,
        unit=unit,
        operands={"held": held, "delivered": delivered, "shipped": shipped, "damaged": damaged, "size": size},
        solve=_stock_to_boxes,
        bounds=(2, (held + delivered) // size),
        mistakes={
            "delivery": {
                "forgot the delivery": {"delivered": 0},
                "counted the delivery twice": {"delivered": 2 * delivered},
            },
            "shipping": {
                "forgot what was sent out": {"shipped": 0},
                "took off what was sent out twice": {"shipped": 2 * shipped},
            },
            "damage": {
                "forgot the damaged ones": {"damaged": 0},
                "added the damaged ones": {"damaged": -damaged},
                "took off the damaged ones twice": {"damaged": 2 * damaged},
            },
            "packing": {"counted the loose ones as a full one": {"loose": 1}},
        },
    )


_MIX_WORDINGS = (
    (
        "millilitres",
        "{name} mixed {first} millilitres of juice with {second} of water and spilled {lost}. The rest was poured "
        "equally into {parts} glasses, each topped with {extra} millilitres of syrup. Each glass held",
    ),
    (
        "grams",
        "A cook mixed {first} grams of rice with {second} of vegetables and set {lost} grams aside. The rest made "
        "{parts} equal portions, each topped with {extra} grams of cheese. Each portion weighed",
    ),
    (
        "grams",
        "{name} stirred {first} grams of oats into {second} of nuts and ate {lost}. The rest was divided equally "
        "among {parts} jars, and {extra} grams of raisins went into each. Each jar held",
    ),
    (
        "millilitres",
        "A painter blended {first} millilitres of blue with {second} of white and used {lost}. The rest went equally "
        "into {parts} tins, with {extra} millilitres of thinner added to each. Each tin held",
    ),
)


def _mix(trace: Trace, first: int, second: int, lost: int, parts: int, extra: int) -> int:
    total = trace.add("mixed", first, second)
    rest = trace.subtract("left", total, lost)
    share = trace.divide("each part", rest, parts)
    return trace.add("with the extra", share, extra)


def mix_split(
    draw: Stream, wordings: Wordings = _MIX_WORDINGS, shares: tuple[int, int] = (3, 8), scale: int = 1
) -> Problem:
    """Two amounts mixed, some lost, the rest divided, the same extra added to each part."""
    parts = draw.integer(*shares)
    step = parts * draw.choice((1, 1, parts - 1, parts + 1))
    first, second = multiple(draw, step, 260, 900 * scale), multiple(draw, step, 120, 480 * scale)
    lost, extra = multiple(draw, step, 24, 160 * scale), draw.integer(6, 48)
    unit, prompt = fill(draw, wordings, first=first, second=second, lost=lost, parts=parts, extra=extra)
    return Problem(
        prompt=prompt,
        unit=unit,
        operands={"first": first, "second": second, "lost": lost, "parts": parts, "extra": extra},
        solve=_mix,
        bounds=(extra, (first + second) // parts + extra),
        mistakes={
            "mixing": {
                "left out the second amount": {"second": 0},
                "counted the second amount twice": {"second": 2 * second},
            },
            "loss": {
                "forgot the amount taken away": {"lost": 0},
                "added the amount taken away": {"lost": -lost},
                "took the amount away twice": {"lost": 2 * lost},
            },
            "parts": {
                "divided into one part too few": {"parts": parts - 1},
                "divided into one part too many": {"parts": parts + 1},
            },
            "extra": {
                "forgot the extra": {"extra": 0},
                "added the extra twice": {"extra": 2 * extra},
                "subtracted the extra": {"extra": -extra},
            },
        },
    )
