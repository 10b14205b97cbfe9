"""Depth 6: batches of goods less the spoiled ones, packed, some packs given away, the rest sold, a cost paid."""

from ...choices.problem import Trace
from .family import Family, Mistakes, Range, Telling, misused

_TELLINGS = tuple(
    Telling("dollars", text)
    for text in (
        "A bakery made {batches} trays of {size} rolls. {name} threw out {lost} burnt ones and put the rest in bags of "
        "{pack}. From the full bags, {given} went to a school, and the others sold for {price} dollars each. After "
        "paying {cost} dollars for flour, the bakery had a profit of",
        "{name} poured {batches} batches of {size} candles, of which {lost} cracked. The sound ones were boxed in "
        "sets of {pack}. {name} gave away {given} full boxes, sold the remaining full ones at {price} dollars each, "
        "and paid {cost} dollars for wax. The profit was",
        "A nursery in {place} raised {batches} beds of {size} pansies, but frost killed {lost}. The living ones were "
        "set {pack} to a tray. Of the full trays, {given} were donated and the rest sold at {price} dollars each. Soil "
        "had cost {cost} dollars, leaving a profit of",
        "A club printed {batches} sheets of {size} stickers, discarded {lost} faulty ones, and packed the good ones "
        "{pack} to a bag. Sponsors received {given} of the full bags, and the others sold for {price} dollars each. "
        "Less {cost} dollars for printing, the club earned",
        "{name}'s farm filled {batches} baskets with {size} eggs each. Then {lost} of the eggs broke, and the whole "
        "ones went into cartons of {pack}. Neighbours got {given} full cartons for free, and the other full ones sold "
        "for {price} dollars each. After {cost} dollars for feed, the farm made",
        "A kitchen cooked {batches} pots of jam, enough for {size} jars each, but {lost} jars did not set. The good "
        "jars went {pack} to a box. Helpers took {given} of the full boxes, and the rest sold for {price} dollars "
        "each. With {cost} dollars spent on sugar, the gain was",
        "For a fair in {place}, {name} baked {batches} sheets of {size} biscuits. After {lost} had crumbled, the "
        "others were bagged {pack} at a time. The judges were given {given} full bags, and the rest sold at {price} "
        "dollars each. Minus {cost} dollars for butter, {name} made",
        "A soap maker cut {batches} blocks into {size} bars each and rejected {lost} bars. The others were wrapped in "
        "packs of {pack}. A shelter got {given} full packs, and all other full packs sold at {price} dollars each. "
        "Oils cost {cost} dollars, so the maker was left with",
    )
)


def _solve(
    trace: Trace, batches: int, size: int, lost: int, pack: int, given: int, price: int, cost: int,
    up: int = 0, off_money: int = 0,
) -> int:  # fmt: skip
    made = trace.multiply("made", batches, size)
    good = trace.subtract("good ones", made, lost)
    packs = trace.divide_up("full packs", good, pack) if up else trace.divide_down("full packs", good, pack)
    if off_money:
        takings = trace.subtract("takings", trace.multiply("packs at the price", packs, price), given)
    else:
        takings = trace.multiply("takings", trace.subtract("packs sold", packs, given), price)
    return trace.subtract("profit", takings, cost)


def _mistakes(batches: int, size: int, lost: int, pack: int, given: int, price: int, cost: int) -> Mistakes:
    return {
        "loss": misused(
            "lost", lost, "forgot the spoiled ones", "took off the spoiled ones again", "added the spoiled ones"
        ),
        "packing": {"counted the loose ones as a full pack": {"up": 1}},
        "gift": {
            **misused(
                "given", given, "forgot the packs given away", "took off the packs given away again",
                "added the packs given away",
            ),
            "took the packs given away off the money": {"off_money": 1},
        },
        "cost": misused("cost", cost, "forgot the cost", "took off the cost again", "added the cost"),
    }  # fmt: skip


FAMILY = Family(
    template="batch_profit",
    topic="batch_sales",
    depth=6,
    share=84,
    ranges={
        "batches": Range(range(8, 31), "what one kitchen makes for a sale"),
        "size": Range(range(12, 37), "pieces on a tray"),
        "lost": Range(range(11, 120), "pieces that count for some packs"),
        "pack": Range((4, 5, 6, 8, 10, 12), "packs come in these sizes"),
        "given": Range(range(3, 25), "some of the packs"),
        "price": Range(range(2, 13), "whole dollars for a pack"),
        "cost": Range(range(20, 320), "a fifth to two thirds of the takings"),
    },
    tellings=_TELLINGS,
    solve=_solve,
    mistakes=_mistakes,
    bounds=lambda batches, size, lost, pack, given, price, cost: (2, batches * size // pack * price),
    contrived=frozenset(
        (
            "took off the spoiled ones again",
            "took off the packs given away again",
            "took off the cost again",
        )
    ),
    sensible=lambda batches, size, lost, pack, given, price, cost: (
        lost * 12 >= batches * size
        and lost * 3 <= batches * size
        and given * pack * 12 >= batches * size
        and given * pack * 3 <= batches * size
        and cost * pack * 8 >= batches * size * price
        and cost * pack * 3 <= batches * size * price
    ),
)
