"""Depth 8, what each group pays for an outing."""

from math import gcd

from ...choices.problem import Problem, Trace, UnusableError
from ...streams import Stream
from .slips import miscounted, misused
from .words import fill, multiple, whole_for

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
