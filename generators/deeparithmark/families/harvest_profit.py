"""Depth 8, the profit on a harvest."""

from math import gcd

from ...choices.problem import Problem, Trace, UnusableError
from ...streams import Stream
from .slips import miscounted, misused
from .words import fill, multiple, whole_for

_HARVEST_WORDINGS = (
    (
        "dollars",
        "Each of {rows} trees near {place} bore {per} apples. Of all the apples, {bad}% were rotten, and {kept}% of "
        "the sound ones became juice. The remaining sound ones were packed {size} to a crate, and the full crates "
        "sold at {price} dollars each. After {cost} dollars for transport, the grower kept",
    ),
    (
        "dollars",
        "A greenhouse grew {rows} beds of {per} tulips. Frost ruined {bad}% of them, and {name} gave {kept}% of the "
        "good ones to a hospital. The good ones left over were tied in bunches of {size}, and all full bunches sold "
        "at {price} dollars each. After {cost} dollars for heating, the profit was",
    ),
    (
        "dollars",
        "A pottery in {place} fired {rows} loads of {per} plates. Of all the plates, {bad}% cracked, and the owner "
        "kept {kept}% of the sound ones. The other sound ones were packed {size} to a case, and every full case "
        "brought in {price} dollars. Less {cost} dollars for fuel, the pottery earned",
    ),
    (
        "dollars",
        "{name} picked {rows} rows of {per} melons. Of the whole crop, {bad}% had split, and {kept}% of the sound "
        "melons went to helpers. The sound melons still left were put {size} to a box, and the full boxes sold for "
        "{price} dollars each. After paying {cost} dollars in wages, {name} had",
    ),
    (
        "dollars",
        "A hatchery near {place} emptied {rows} ponds of {per} trout each. Of all the trout, {bad}% were too small, "
        "and {kept}% of the others were smoked. The rest were sold fresh in tubs of {size}, each full tub for "
        "{price} dollars. After {cost} dollars for ice, the fresh trout earned",
    ),
)


def _harvest_to_profit(
    trace: Trace, rows: int, per: int, bad: int, kept: int, size: int, price: int, cost: int,
    bad_times: int = 1, kept_times: int = 1, of_all: int = 0, loose: int = 0,
) -> int:  # fmt: skip
    crop = trace.multiply("in all", rows, per)
    lost = trace.percent("lost", crop, bad)
    good = trace.subtract("good ones", crop, bad_times * lost)
    if of_all and good == crop:
        raise UnusableError("whose percentage was taken makes no difference")
    held_back = trace.percent("held back", crop if of_all else good, kept)
    left = trace.subtract("left to pack", good, kept_times * held_back)
    packs = trace.divide_down("full packs", left, size) + (1 if loose and left % size else 0)
    takings = trace.multiply("takings", packs, price)
    return trace.subtract("profit", takings, cost)


_LOSSES = (4, 5, 6, 8, 10, 12, 15, 16, 18, 20, 24, 25)

_HELD_BACK = (10, 12, 15, 16, 20, 24, 25, 30, 35, 36, 40, 45, 48, 50)


def harvest_profit(draw: Stream) -> Problem:
    """A crop less a percentage lost, less a percentage of the rest, packed, sold, and a cost paid."""
    bad, kept, rows = draw.choice(_LOSSES), draw.choice(_HELD_BACK), draw.integer(8, 48)
    step = whole_for(bad)
    step *= 100 // gcd(100, step * (100 - bad) // 100 * kept)
    per = multiple(draw, step // gcd(step, rows) * draw.choice((1, 1, gcd(step, rows))), 40, 240)
    if per > 300:
        raise UnusableError(f"no plausible row bears a multiple of {step}")
    size, price = draw.integer(12, 48), draw.integer(6, 32)
    # Half of the costs are multiples of the price: else an option that is one would have left the cost out.
    cost = multiple(draw, draw.choice((1, price)), 48, 60 + rows * per * price // size // 4)
    operands = {"rows": rows, "per": per, "bad": bad, "kept": kept, "size": size, "price": price, "cost": cost}
    unit, prompt = fill(draw, _HARVEST_WORDINGS, **operands)
    return Problem(
        prompt=prompt,
        unit=unit,
        operands=operands,
        solve=_harvest_to_profit,
        bounds=(2, rows * per // size * price),
        mistakes={
            "rows": miscounted("rows", rows, "counted one row"),
            "loss": {
                "forgot the bad ones": {"bad_times": 0},
                "took off the bad ones twice": {"bad_times": 2},
                "added the bad ones": {"bad_times": -1},
            },
            "held back": {
                "forgot those held back": {"kept_times": 0},
                "took off those held back twice": {"kept_times": 2},
                "added those held back": {"kept_times": -1},
                "took that percentage of everything": {"of_all": 1},
            },
            "packing": {
                "packed one fewer in each": {"size": size - 1},
                "packed one more in each": {"size": size + 1},
                "counted the loose ones as a full pack": {"loose": 1},
            },
            "cost": misused("cost", cost, "forgot the cost", "took off the cost twice", "added the cost"),
        },
    )
