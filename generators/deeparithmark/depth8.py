"""Eight dependent steps that end in money: what a harvest earns, what each group pays for a trip."""

from math import gcd

from ..streams import Stream
from .problem import Problem, Trace, UnusableError
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


_OUTING_WORDINGS = (
    (
        "dollars",
        "For a day at the zoo, {groups} classes of {members} pupils each and {adults} adults in all need tickets at "
        "{low} dollars a pupil and {high} dollars an adult. The zoo takes {off}% off all the tickets. The coaches "
        "cost {fare} dollars. The classes share the total cost equally, so each class pays",
    ),
    (
        "dollars",
        "A club sent {groups} teams of {members} children each, with {adults} adults altogether, to a camp in "
        "{place}. The camp charged {low} dollars a child and {high} dollars an adult, less {off}% of the whole "
        "charge. The train cost {fare} dollars more. Split equally among the teams, each team paid",
    ),
    (
        "dollars",
        "To see a musical, {groups} choirs of {members} children each and {adults} adults in all bought tickets for "
        "{low} dollars a child and {high} dollars an adult, with {off}% off the whole order. A boat to {place} cost "
        "another {fare} dollars. Each choir paid an equal share of it all, namely",
    ),
    (
        "dollars",
        "{name} took {groups} groups of {members} scouts each and {adults} adults altogether to a museum. Tickets "
        "were {low} dollars a scout and {high} dollars an adult, with {off}% off the entire sum, and bus hire was "
        "{fare} dollars. Divided equally among the groups, each group owed",
    ),
)


def _outing_share(
    trace: Trace, groups: int, members: int, adults: int, low: int, high: int, off: int, fare: int, payers: int,
    times: int = 1, young_only: int = 0, fare_too: int = 0,
) -> int:  # fmt: skip
    young = trace.multiply("members", groups, members)
    young_sum = trace.multiply("their tickets", young, low)
    adult_sum = trace.multiply("tickets of the adults", adults, high)
    tickets = trace.add("all tickets", young_sum, adult_sum)
    if (young_only and not adult_sum) or (fare_too and not fare):
        raise UnusableError("what was reduced makes no difference")
    reduction = trace.percent("reduction", (young_sum if young_only else tickets) + fare_too * fare, off)
    reduced = trace.subtract("reduced tickets", tickets, times * reduction)
    total = trace.add("with the fare", reduced, fare)
    return trace.divide("share of each", total, payers)


def outing_share(draw: Stream) -> Problem:
    """Tickets of groups and adults, a discount on all tickets, a fare, and an equal split among the groups."""
    groups, off = draw.integer(3, 7), draw.choice((5, 8, 10, 12, 15, 16, 20, 24, 25, 30))
    whole = whole_for(off) * draw.choice((1, 1, groups - 1, groups + 1))
    members = draw.integer(9, 28)
    low = multiple(draw, whole // gcd(whole, members * draw.choice((1, groups))), 4, 24)
    adults = draw.integer(4, 19)
    high = multiple(draw, whole * groups // gcd(whole * groups, adults), low + 1, 2 * low + 12)
    fare = multiple(draw, groups * draw.choice((1, 1, groups - 1, groups + 1)), 60, 480)
    if low > 36 or not low < high <= 3 * low:
        raise UnusableError(f"implausible tickets: {low}, {high}")
    numbers = {"groups": groups, "members": members, "adults": adults, "low": low, "high": high, "off": off}
    numbers["fare"] = fare
    unit, prompt = fill(draw, _OUTING_WORDINGS, **numbers)
    return Problem(
        prompt=prompt,
        unit=unit,
        operands={**numbers, "payers": groups},
        solve=_outing_share,
        bounds=(2, members * low + (adults * high + fare) // groups),
        mistakes={
            "members": miscounted("members", members, "counted one member of each group"),
            "adults": {
                **misused("adults", adults, "left out the adults", "counted the adults twice"),
                "charged the adults the low price": {"high": low},
            },
            "reduction": {
                "forgot the reduction": {"times": 0},
                "took the reduction off twice": {"times": 2},
                "added the reduction": {"times": -1},
                "reduced only the tickets at the low price": {"young_only": 1},
                "reduced the fare as well": {"fare_too": 1},
            },
            "fare": misused("fare", fare, "forgot the fare", "counted the fare twice", "subtracted the fare"),
            "split": miscounted("payers", groups, "split among one group"),
        },
    )
