"""Depth 8: members of groups and adults, a ticket price, a reduction, a fare, a grant, an equal split."""

from ...choices.problem import Trace
from .family import Family, Mistakes, Range, Telling, down_to, mistaken, misused, whole_for

_TELLINGS = tuple(
    Telling("dollars", text)
    for text in (
        "For a day at the zoo, {groups} classes of {members} pupils each and {adults} adults in all need tickets at "
        "{price} dollars. The zoo takes {off}% off all the tickets. The coaches cost {fare} dollars more, and a fund "
        "pays {grant} dollars. The classes share what is left to pay equally, so each class pays",
        "A club sent {groups} teams of {members} children each, with {adults} adults altogether, to a camp in "
        "{place}. The camp charged {price} dollars a head, less {off}% of the whole charge. The train cost {fare} "
        "dollars more, and sponsors gave {grant} dollars. Split equally among the teams, the share of each was",
        "To see a musical, {groups} choirs of {members} singers each and {adults} helpers in all bought tickets for "
        "{price} dollars, with {off}% off the whole order. A boat to {place} cost another {fare} dollars, and the "
        "town gave {grant} dollars. Each choir paid an equal share of the rest, namely",
        "{name} took {groups} groups of {members} scouts each and {adults} leaders altogether to a museum. Tickets "
        "were {price} dollars, with {off}% off the entire sum, and bus hire was {fare} dollars more. The scouts' fund "
        "paid {grant} dollars. The groups divided the rest equally, and each group owed",
        "A ski day for {groups} courses of {members} pupils each and {adults} teachers in all costs {price} dollars a "
        "pass. The lift company grants {off}% off all passes, and the coach is {fare} dollars. The school adds "
        "{grant} dollars. Shared equally among the courses, the rest costs each course",
        "For a fair in {place}, {groups} bands of {members} players each and {adults} drivers in all ordered meals at "
        "{price} dollars a head. The caterer took {off}% off the whole order, parking cost {fare} dollars, and the "
        "fair paid {grant} dollars. The bands split the remaining cost equally. Each band paid",
        "{name} booked a climbing hall for {groups} teams of {members} members each and {adults} trainers in all, at "
        "{price} dollars a person and {off}% off for so many. Shoes cost {fare} dollars more for everyone together, "
        "and a shop paid {grant} dollars. The teams shared the rest equally. Each team paid",
        "On a lake near {place}, {groups} crews of {members} rowers each and {adults} coaches in all rented cabins at "
        "{price} dollars a head, {off}% less out of season. Firewood was {fare} dollars more, and a prize of {grant} "
        "dollars was used up. The crews divided what was left to pay equally. Each crew paid",
    )
)


def _solve(
    trace: Trace, groups: int, members: int, adults: int, price: int, off: int, fare: int, grant: int,
    times: int = 1, fare_too: int = 0, late: int = 0,
) -> int:  # fmt: skip
    young = trace.multiply("members", groups, members)
    people = trace.add("with the adults", young, adults)
    tickets = trace.multiply("tickets", people, price)
    reduction = trace.percent("reduction", tickets + fare_too * fare, off)
    reduced = trace.subtract("reduced tickets", tickets, times * reduction)
    total = trace.add("with the further cost", reduced, fare)
    rest = total if late else trace.subtract("left to pay", total, grant)
    share = trace.divide("share of each", rest, groups)
    return trace.subtract("left to pay", share, grant) if late else share


def _mistakes(groups: int, members: int, adults: int, price: int, off: int, fare: int, grant: int) -> Mistakes:
    return {
        "adults": {
            **misused("adults", adults, "left out the adults", "counted the adults again"),
            "counted the adults in every group": {"adults": groups * adults},
        },
        "reduction": mistaken("forgot the reduction", "took the reduction off again", "added the reduction"),
        "base": {"reduced the further cost as well": {"fare_too": 1}},
        "fare": misused(
            "fare", fare, "forgot the further cost", "counted the further cost again", "took the further cost off"
        ),
        "grant": {
            **misused("grant", grant, "forgot the sum given", "took the sum given off again", "added the sum given"),
            "took the sum given off each share": {"late": 1},
        },
    }


FAMILY = Family(
    template="outing_share",
    topic="group_outings",
    depth=8,
    share=84,
    ranges={
        "groups": Range(range(3, 8), "classes of a school, teams of a club"),
        "members": Range(range(9, 29), "a class or a team"),
        "adults": Range(range(4, 40), "a tenth to a third of the others"),
        "price": Range(range(6, 31), "whole dollars for a ticket"),
        "off": Range((5, 8, 10, 12, 15, 16, 20, 24, 25, 30), "reductions for groups"),
        "fare": Range(range(60, 900), "a tenth to a third of the tickets"),
        "grant": Range(range(60, 900), "a tenth to a third of the tickets"),
    },
    tellings=_TELLINGS,
    solve=_solve,
    mistakes=_mistakes,
    bounds=lambda groups, members, adults, price, off, fare, grant: (
        2,
        ((groups * members + adults) * price + fare) // groups,
    ),
    contrived=frozenset(
        (
            "counted the adults again",
            "took the reduction off again",
            "counted the further cost again",
            "took the sum given off again",
        )
    ),
    fitted=lambda groups, members, adults, price, off, fare, grant: {
        "adults": down_to(groups * members + adults, _whole(groups, price, off)) - groups * members,
        "fare": down_to(fare, groups),
        "grant": down_to(grant, groups),
    },
    sensible=lambda groups, members, adults, price, off, fare, grant: (
        adults >= 4
        and 12 * adults >= groups * members
        and 3 * adults <= groups * members
        and 10 * fare >= groups * members * price
        and 10 * grant >= groups * members * price
        and 3 * fare <= groups * members * price
        and 3 * grant <= groups * members * price
        and fare != grant
    ),
)


def _whole(groups: int, price: int, off: int) -> int:
    """The smallest number of people whose reduced tickets are whole and split evenly."""
    step = whole_for(off) * groups
    return next(people for people in range(1, step + 1) if people * price % step == 0)
