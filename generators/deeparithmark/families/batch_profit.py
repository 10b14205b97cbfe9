"""Depth 6, the profit on batches of goods."""

from ...choices.problem import Problem, Trace
from ...streams import Stream
from .slips import miscounted, misused
from .words import fill, multiple

_BATCH_WORDINGS = (
    (
        "dollars",
        "A bakery made {batches} trays of {size} rolls. {name} threw out {lost} burnt ones and put the rest in bags "
        "of {pack}. From the full bags, {given} went to a school, and the others sold for {price} dollars each. "
        "After paying {cost} dollars for flour, the bakery had a profit of",
    ),
    (
        "dollars",
        "{name} poured {batches} batches of {size} candles, of which {lost} cracked. The sound ones were boxed in "
        "sets of {pack}. {name} gave away {given} full boxes, sold the remaining full ones at {price} dollars "
        "each, and paid {cost} dollars for wax. The profit was",
    ),
    (
        "dollars",
        "A nursery in {place} raised {batches} beds of {size} pansies, but frost killed {lost}. The living ones were "
        "set {pack} to a tray. Of the full trays, {given} were donated and the rest sold at {price} dollars each. "
        "Soil had cost {cost} dollars, leaving a profit of",
    ),
    (
        "dollars",
        "A club printed {batches} sheets of {size} stickers, discarded {lost} faulty ones, and packed the good ones "
        "{pack} to a bag. Sponsors received {given} of the full bags, and the others sold for {price} dollars each. "
        "Less {cost} dollars for printing, the club earned",
    ),
    (
        "dollars",
        "{name}'s farm filled {batches} baskets with {size} eggs each. Of these, {lost} broke, and the rest went "
        "into cartons of {pack}. Neighbours got {given} full cartons for free, and the other full ones sold for "
        "{price} dollars each. After {cost} dollars for feed, the farm made",
    ),
)


def _batches_to_profit(
    trace: Trace, batches: int, size: int, lost: int, pack: int, given: int, price: int, cost: int, loose: int = 0
) -> int:
    made = trace.multiply("made", batches, size)
    good = trace.subtract("good ones", made, lost)
    packs = trace.divide_down("full packs", good, pack) + (1 if loose and good % pack else 0)
    sold = trace.subtract("packs sold", packs, given)
    takings = trace.multiply("takings", sold, price)
    return trace.subtract("profit", takings, cost)


def batch_profit(draw: Stream) -> Problem:
    """Batches of goods less the spoiled ones, packed, some packs given away, the rest sold, a cost paid."""
    batches, size = draw.integer(12, 36), draw.integer(14, 32)
    lost, pack = draw.integer(11, 64), draw.integer(5, 12)
    given, price = draw.integer(3, 18), draw.integer(2, 9)
    # Half of the costs are multiples of the price: else an option that is one would have left the cost out.
    cost = multiple(draw, draw.choice((1, price)), 31, 60 + batches * size * price // pack // 4)
    numbers = {"batches": batches, "size": size, "lost": lost, "pack": pack, "given": given}
    numbers |= {"price": price, "cost": cost}
    unit, prompt = fill(draw, _BATCH_WORDINGS, **numbers)
    return Problem(
        prompt=prompt,
        unit=unit,
        operands=numbers,
        solve=_batches_to_profit,
        bounds=(2, batches * size // pack * price),
        mistakes={
            "batches": miscounted("batches", batches, "counted one batch"),
            "loss": misused(
                "lost", lost, "forgot the spoiled ones", "took off the spoiled ones twice", "added the spoiled ones"
            ),
            "packing": {
                "packed one fewer in each": {"pack": pack - 1},
                "packed one more in each": {"pack": pack + 1},
                "counted the loose ones as a full pack": {"loose": 1},
            },
            "gift": misused(
                "given",
                given,
                "forgot the packs given away",
                "took off the packs given away twice",
                "added the packs given away",
            ),
            "cost": misused("cost", cost, "forgot the cost", "took off the cost twice", "added the cost"),
        },
    )
