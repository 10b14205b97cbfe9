"""Depth 5: a percentage sold, a percentage of the rest sold, the remainder packed."""

from ...choices.problem import Trace
from .family import Family, Mistakes, Range, Telling, down_to, mistaken, whole_for

_TELLINGS = tuple(
    Telling(unit, text)
    for unit, text in (
        (
            "pallets",
            "A depot had {stock} drums of paint. It sold {first}% on Monday and {second}% of the remaining "
            "drums on Tuesday. The others were stacked on pallets of {size}. The number of full pallets was",
        ),
        (
            "bunches",
            "{name} grew {stock} tulips, sold {first}% of them on one day and {second}% of those still unsold on the "
            "next. The others were tied {size} to a bunch. The number of full bunches was",
        ),
        (
            "packs",
            "A press in {place} printed {stock} guides. Shops took {first}% of them, and fairs took {second}% of what "
            "was left. {name} tied the rest in packs of {size}. The number of full packs was",
        ),
        (
            "bundles",
            "A sawmill cut {stock} boards. A builder bought {first}%, and a joiner {second}% of the "
            "boards left after that. The others were tied in bundles of {size}. The number of full bundles was",
        ),
        (
            "crates",
            "An orchard picked {stock} pears. It sold {first}% in the morning and {second}% of the "
            "pears left by evening. {name} packed the others {size} to a crate. The number of full crates was",
        ),
        (
            "cartons",
            "A warehouse in {place} stored {stock} lamps. In May it shipped {first}% of them, in June {second}% of the "
            "lamps that remained. The lamps left went {size} to a carton. The number of full cartons was",
        ),
        (
            "boxes",
            "{name} made {stock} candles for two markets. At the first, {first}% were sold, at the next "
            "{second}% of the unsold ones. The rest filled boxes of {size}. The number of full boxes was",
        ),
        (
            "trays",
            "A nursery raised {stock} pansies. A park bought {first}% of them, and then a school {second}% of "
            "those that were left. The others stood {size} to a tray. The number of full trays was",
        ),
    )
)
_TRAINING = (
    Telling(
        "sheaves",
        "A <reed|bamboo|lavender|willow> cutter from {place} had {stock} stalks. Mice gnawed {first}% of them, then "
        "drought withered {second}% of the intact stalks. Whatever was unharmed made sheaves of {size} stalks. "
        "Completely full were",
    ),
    Telling(
        "cabinets",
        "A collector had {stock} <butterflies|fossils|corals|crystals>. Damp destroyed {first}% of them, then thieves "
        "stole {second}% of the intact ones. {name} put all that were left into cabinets of {size}. Completely full "
        "were",
    ),
)


def _solve(
    trace: Trace, stock: int, first: int, second: int, size: int,
    times: int = 1, next_times: int = 1, from_start: int = 0, other_part: int = 0, up: int = 0,
) -> int:  # fmt: skip
    first_gone = trace.percent("gone first", stock, first)
    left = first_gone if other_part else trace.subtract("left after that", stock, times * first_gone)
    next_gone = trace.percent("gone next", stock if from_start else left, second)
    left = trace.subtract("left after both", left, next_times * next_gone)
    return trace.divide_up("full ones", left, size) if up else trace.divide_down("full ones", left, size)


def _whole(first: int, second: int) -> int:
    """The smallest stock of which both percentages are whole."""
    step = whole_for(first)
    left = step * (100 - first) // 100
    return step * whole_for(left * second % 100 or 100)


def _mistakes(stock: int, first: int, second: int, size: int) -> Mistakes:
    return {
        "first": {
            **mistaken("forgot the first percentage", "took the first percentage off again"),
        },
        "part": {"went on with the part that left first": {"other_part": 1}},
        "second": mistaken(
            "forgot the second percentage", "took the second percentage off again", "added the second percentage",
            key="next_times",
        ),
        "base": {"took the second percentage of the whole stock": {"from_start": 1}},
        "packing": {"counted the loose ones as a full one": {"up": 1}},
    }  # fmt: skip


FAMILY = Family(
    template="inventory_percent_chain",
    topic="multi_step_inventory",
    depth=5,
    share=83,
    ranges={
        "stock": Range(range(200, 4000), "a season's stock of one thing"),
        "first": Range((10, 15, 20, 24, 25, 28, 30, 32, 35, 36, 40, 44, 45, 48, 55, 60), "what sells in a day"),
        "second": Range((10, 15, 20, 24, 25, 28, 30, 32, 35, 36, 40, 44, 45, 48, 50, 55, 60), "what sells in a day"),
        "size": Range((5, 6, 8, 9, 10, 12, 14, 15, 16, 18, 20, 24), "packs come in these sizes"),
    },
    tellings=_TELLINGS,
    solve=_solve,
    mistakes=_mistakes,
    bounds=lambda stock, first, second, size: (2, stock // size),
    contrived=frozenset(("took the first percentage off again", "took the second percentage off again")),
    fitted=lambda stock, first, second, size: {"stock": down_to(stock, _whole(first, second))},
    sensible=lambda stock, first, second, size: (
        stock * (100 - first) // 100 * second % 100 == 0
        and 10 * size <= stock * (100 - first) * (100 - second) // 10_000 <= 99 * size
    ),
    training=_TRAINING,
    apart={
        "stock": Range(range(400, 8000), "larger stocks"),
        "first": Range((5, 12, 16, 52, 56, 68, 70, 72), "no percentage of a test tier"),
    },
)
