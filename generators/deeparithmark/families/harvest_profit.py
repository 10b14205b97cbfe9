"""Depth 8: a crop less a percentage lost, less a percentage of the rest, packed, sold, and a cost paid."""

from ...choices.problem import Trace
from .family import Family, Mistakes, Range, Telling, mistaken, misused, whole_for

# What is dear by the piece goes in small packs.
_LARGE = {"size": (6, 8, 10, 12), "price": range(15, 31)}
_TELLINGS = tuple(
    Telling("dollars", text, _LARGE if "plates" in text or "melons" in text or "trout" in text else {})
    for text in (
        "Each of {rows} trees near {place} bore {per} apples. Of all the apples, {bad}% were rotten, and {kept}% of "
        "the sound ones became juice. The remaining sound ones were packed {size} to a crate, and the full crates "
        "sold at {price} dollars each. After {cost} dollars for transport, the grower kept",
        "A greenhouse grew {rows} beds of {per} tulips. Frost ruined {bad}% of them, and {name} gave {kept}% of the "
        "good ones to a hospital. The good ones left over were tied in bunches of {size}, and all full bunches sold "
        "at {price} dollars each. After {cost} dollars for heating, the profit was",
        "A pottery in {place} fired {rows} loads of {per} plates. Of all the plates, {bad}% cracked, and the owner "
        "kept {kept}% of the sound ones. The other sound ones were packed {size} to a case, and every full case "
        "brought in {price} dollars. Less {cost} dollars for fuel, the pottery earned",
        "{name} picked {rows} rows of {per} melons. Of the whole crop, {bad}% had split, and {kept}% of the sound "
        "melons went to helpers. The sound melons still left were put {size} to a box, and the full boxes sold for "
        "{price} dollars each. After paying {cost} dollars in wages, {name} had",
        "A hatchery near {place} emptied {rows} ponds of {per} trout each. Of all the trout, {bad}% were too small, "
        "and {kept}% of the others were smoked. The rest were sold fresh in tubs of {size}, each full tub for {price} "
        "dollars. After {cost} dollars for ice, the fresh trout earned",
        "{name} kept {rows} pens that gave {per} duck eggs each. Of all the eggs, {bad}% were broken, and {kept}% of "
        "the whole ones were hatched. The whole ones left were packed {size} to a carton, and the full cartons "
        "brought in {price} dollars each. Minus {cost} dollars for feed, the eggs earned",
        "A grape farm near {place} cut {rows} rows of {per} bunches of grapes. Of all the bunches, {bad}% were "
        "rotten, and {kept}% of the good ones became juice. The good ones left went {size} to a basket, and full "
        "baskets sold at {price} dollars each. With {cost} dollars paid to pickers, the gain was",
        "A kitchen garden gave {rows} rows of {per} lettuces. Snails spoiled {bad}% of them, and {kept}% of the good "
        "ones went to a canteen. {name} packed the good ones left {size} to a tray and sold the full trays for "
        "{price} dollars each. After {cost} dollars for seed, {name} was left with",
    )
)


def _solve(
    trace: Trace, rows: int, per: int, bad: int, kept: int, size: int, price: int, cost: int,
    bad_times: int = 1, kept_times: int = 1, of_all: int = 0, other_part: int = 0, up: int = 0,
) -> int:  # fmt: skip
    crop = trace.multiply("in all", rows, per)
    lost = trace.percent("lost", crop, bad)
    good = trace.subtract("good ones", crop, bad_times * lost)
    held_back = trace.percent("held back", crop if of_all else good, kept)
    left = held_back if other_part else trace.subtract("left to pack", good, kept_times * held_back)
    packs = trace.divide_up("full packs", left, size) if up else trace.divide_down("full packs", left, size)
    takings = trace.multiply("takings", packs, price)
    return trace.subtract("profit", takings, cost)


def _mistakes(rows: int, per: int, bad: int, kept: int, size: int, price: int, cost: int) -> Mistakes:
    return {
        "loss": mistaken("forgot the bad ones", "took the bad ones off again", "added the bad ones", key="bad_times"),
        "base": {"took the second percentage of everything": {"of_all": 1}},
        "held back": {
            **mistaken(
                "forgot those held back", "took those held back off again", "added those held back", key="kept_times"
            ),
            "packed those held back": {"other_part": 1},
        },
        "packing": {"counted the loose ones as a full pack": {"up": 1}},
        "cost": misused("cost", cost, "forgot the cost", "took off the cost again", "added the cost"),
    }


FAMILY = Family(
    template="harvest_profit",
    topic="harvests",
    depth=8,
    share=83,
    ranges={
        "rows": Range(range(8, 49), "rows, beds or trees of one grower"),
        "per": Range(range(20, 200), "pieces in each"),
        "bad": Range((5, 8, 10, 12, 15, 16, 20, 24, 25), "a part that is lost"),
        "kept": Range((10, 12, 15, 16, 20, 24, 25, 30, 35, 36, 40, 45, 48, 50), "a part that is used otherwise"),
        "size": Range((6, 8, 10, 12, 15, 16, 18, 20, 24, 25, 30, 36, 40), "packs come in these sizes"),
        "price": Range(range(4, 31), "whole dollars for a pack"),
        "cost": Range(range(40, 1500), "a tenth to a third of the takings"),
    },
    tellings=_TELLINGS,
    solve=_solve,
    mistakes=_mistakes,
    bounds=lambda rows, per, bad, kept, size, price, cost: (2, rows * per // size * price),
    contrived=frozenset(("took the bad ones off again", "took those held back off again", "took off the cost again")),
    fitted=lambda rows, per, bad, kept, size, price, cost: {"per": _whole(rows, per, bad, kept)},
    sensible=lambda rows, per, bad, kept, size, price, cost: (
        20 <= per <= 240
        and 12 * size <= rows * per * (100 - bad) * (100 - kept) // 10_000 <= 400 * size
        and cost * size * 12 >= rows * per * price
        and cost * size * 4 <= rows * per * price
        and rows * per * price <= 9000 * size
    ),
)


def _whole(rows: int, per: int, bad: int, kept: int) -> int:
    """A number in each near ``per``, or above it, of which both percentages of the crop are whole."""
    step = whole_for(bad)
    step *= whole_for(step * (100 - bad) // 100 * kept % 100 or 100)
    return next(number for number in range(per, per + step) if rows * number % step == 0)
