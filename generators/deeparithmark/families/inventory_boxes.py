"""Depth 4, a stock that is delivered to, shipped from, sorted and packed."""

from ...choices.problem import Problem, Trace
from ...streams import Stream
from .words import Wordings, fill

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
