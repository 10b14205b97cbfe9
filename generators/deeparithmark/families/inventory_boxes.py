"""Depth 4: receive, ship, discard the damaged, pack full boxes."""

from ...choices.problem import Trace
from .family import Family, Mistakes, Range, Telling, misused

_TELLINGS = tuple(
    Telling(unit, text)
    for unit, text in (
        (
            "crates",
            "A depot in {place} had {held} lamps, received {delivered} more, and sent out {shipped}. Then {damaged} "
            "were found damaged. The rest were packed {size} to a crate, filling",
        ),
        (
            "boxes",
            "{name}'s pottery had {held} mugs. The kiln yielded {delivered} more, shops took {shipped}, and {damaged} "
            "cracked. The sound mugs go {size} to a box. The number of full boxes was",
        ),
        (
            "cases",
            "A cellar stored {held} bottles, received {delivered}, sold {shipped}, and lost {damaged} to breakage. "
            "{name} packed the remaining bottles in cases of {size} and filled",
        ),
        (
            "bins",
            "A shed held {held} pumpkins. The harvest added {delivered}, a grocer bought {shipped}, and {damaged} "
            "spoiled. The others were put {size} to a bin. The number of full bins was",
        ),
        (
            "shelves",
            "A library in {place} owned {held} novels, bought {delivered}, gave away {shipped}, and discarded "
            "{damaged} worn ones. {name} put the rest {size} to a shelf. The number of full shelves was",
        ),
        (
            "racks",
            "A hire shop had {held} bicycles, and customers brought back {delivered}. It rented out {shipped}, and "
            "{damaged} needed repairs. The others stand {size} to a rack. The number of full racks is",
        ),
        (
            "trays",
            "{name} had {held} eggs in store and gathered {delivered} more. A hotel bought {shipped}, and {damaged} "
            "were cracked. Those left went {size} to a tray. The number of full trays was",
        ),
        (
            "stacks",
            "A school in {place} had {held} chairs and was given {delivered}. It sent {shipped} to a club, and "
            "{damaged} broke. The good ones at school were stacked {size} high. The number of full stacks was",
        ),
    )
)
_TRAINING = (
    Telling(
        "trunks",
        "An archive in {place} kept {held} <scrolls|maps|diaries>, inherited {delivered}, lent {shipped} to scholars, "
        "and found {damaged} illegible. The legible ones it kept were laid {size} to a trunk. Completely full were",
    ),
    Telling(
        "hampers",
        "{name} gathered {held} <chestnuts|truffles|coconuts|pineapples>, then {delivered} more. A smuggler made "
        "off with {shipped}, and {damaged} went mouldy. Whatever was edible went {size} to a hamper. Completely full "
        "were",
    ),
)


def _solve(
    trace: Trace, held: int, delivered: int, shipped: int, damaged: int, size: int, swapped: int = 0, up: int = 0
) -> int:
    if swapped:
        delivered, shipped = shipped, delivered
    stock = trace.add("with those that came", held, delivered)
    stock = trace.subtract("without those that went", stock, shipped)
    good = trace.subtract("good ones", stock, damaged)
    return trace.divide_up("full ones", good, size) if up else trace.divide_down("full ones", good, size)


def _mistakes(held: int, delivered: int, shipped: int, damaged: int, size: int) -> Mistakes:
    return {
        "came": misused(
            "delivered", delivered, "left out those that came", "counted those that came again",
            "took off those that came",
        ),
        "went": misused(
            "shipped", shipped, "forgot those that went", "took off those that went again", "added those that went"
        ),
        "both": {"swapped those that came and those that went": {"swapped": 1}},
        "bad": misused("damaged", damaged, "forgot the bad ones", "took off the bad ones again", "added the bad ones"),
        "packing": {"counted the loose ones as a full one": {"up": 1}},
    }  # fmt: skip


FAMILY = Family(
    template="inventory_boxes",
    topic="multi_step_inventory",
    depth=4,
    share=62,
    ranges={
        "held": Range(range(140, 480), "a stock that one person counts"),
        "delivered": Range(range(60, 280), "less than the stock"),
        "shipped": Range(range(60, 260), "less than there is"),
        "damaged": Range(range(12, 99), "the smallest of the four, and still some boxes"),
        "size": Range((6, 8, 9, 10, 12, 14, 15, 16, 18, 20, 24), "boxes come in these sizes"),
    },
    tellings=_TELLINGS,
    solve=_solve,
    mistakes=_mistakes,
    bounds=lambda held, delivered, shipped, damaged, size: (2, (held + delivered) // size),
    contrived=frozenset(
        ("counted those that came again", "took off those that went again", "took off the bad ones again")
    ),
    # What comes and what goes must not cancel each other out, and the bad ones must make a difference.
    sensible=lambda held, delivered, shipped, damaged, size: (
        abs(delivered - shipped) >= 2 * size
        and damaged >= 2 * size
        and held > shipped
        and held + delivered - shipped - damaged >= 8 * size
    ),
    training=_TRAINING,
    apart={
        "held": Range(range(440, 1200), "larger stocks"),
        "delivered": Range(range(150, 560), "less than the stock"),
        "shipped": Range(range(150, 520), "less than there is"),
        "damaged": Range(range(60, 200), "the smallest of the four"),
        "size": Range(range(25, 41), "larger than in a test tier"),
    },
)
