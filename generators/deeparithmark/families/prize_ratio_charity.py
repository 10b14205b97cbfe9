"""Depth 5: parts of a ratio, one part, the share, the donation, what is kept."""

from math import gcd, lcm

from ...choices.problem import Trace
from .family import Family, Mistakes, Range, Telling, down_to, mistaken, whole_for

_TELLINGS = tuple(
    Telling("dollars", text)
    for text in (
        "{name} and {other} shared a prize of {pool} dollars in the ratio {mine} to {theirs}, in that order. {name} "
        "gave {given}% of {name}'s share to charity. {name} kept",
        "A bonus of {pool} dollars was divided between {name} and {other} in the ratio {mine} to {theirs}, in that "
        "order. {name} donated {given}% of {name}'s share. {name} still had",
        "A quiz paid {pool} dollars, which {name} and {other} split in the ratio {mine} to {theirs}, respectively. "
        "{name} passed on {given}% of {name}'s share to an animal shelter and kept",
        "The {pool} dollars won in a lottery went to {name} and {other} in the ratio {mine} to {theirs}, in that "
        "order. {name} gave {given}% of {name}'s share to a school and kept",
        "{name} and {other} sold a boat for {pool} dollars and split the money {mine} to {theirs}, in that order. "
        "{name} gave {given}% of {name}'s part to a hospital. {name} had left",
        "A song earned {pool} dollars, to be shared by {name} and {other} in the ratio {mine} to {theirs}, in that "
        "order. {name} donated {given}% of {name}'s share to a choir in {place} and kept",
        "Of the {pool} dollars that a stall took in, {name} and {other} received shares in the ratio {mine} to "
        "{theirs}, in that order. {name} gave away {given}% of {name}'s share. Left to {name} was",
        "In {place}, {name} and {other} won {pool} dollars and divided it {mine} to {theirs}, with {name} named first. "
        "From {name}'s share, {given}% went to flood relief. The rest of that share was",
    )
)
_TRAINING = (
    Telling(
        "euros",
        "Heirs {name} and {other} divided an inheritance of {pool} euros as {mine} to {theirs}, {name} first. Of "
        "what fell to {name}, {name} lent {given}% to a cooperative. In hand, {name} had",
    ),
    Telling(
        "euros",
        "{name} and {other} found a treasure worth {pool} euros and agreed on {mine} to {theirs}, {name} first. "
        "{name} put {given}% of what fell to {name} into a vineyard, and was left with",
    ),
)


def _solve(
    trace: Trace, pool: int, mine: int, theirs: int, given: int,
    taken: int = 0, halves: int = 0, one_to_other: int = 0, unshared: int = 0, times: int = 1, from_pool: int = 0,
    of_other: int = 0, kept: int = 0,
) -> int:  # fmt: skip
    parts = theirs if one_to_other else trace.add("parts", mine, theirs)
    part = pool if unshared else trace.divide("one part", pool, 2 if halves else parts)
    share = part if halves or unshared else trace.multiply("share", part, taken or mine)
    donated = trace.percent("donated", pool if from_pool else pool - share if of_other else share, given)
    return donated if kept else trace.subtract("kept", share, times * donated)


def _mistakes(pool: int, mine: int, theirs: int, given: int) -> Mistakes:
    return {
        "parts": {
            "divided by the other's parts alone": {"one_to_other": 1},
        },
        "halves": {"shared in two halves": {"halves": 1}, "forgot to share": {"unshared": 1}},
        "share": {"took the other share": {"taken": theirs}, "took a single part": {"taken": 1}},
        "donation": mistaken("forgot the donation", "made the donation again", "added the donation"),
        "base": {
            "took the percentage of the whole sum": {"from_pool": 1},
            "took the percentage of the other share": {"of_other": 1},
        },
        "kept": {"kept what was given": {"kept": 1}},
    }


FAMILY = Family(
    template="prize_ratio_charity",
    topic="ratio_and_donation",
    depth=5,
    share=83,
    ranges={
        "pool": Range(range(150, 5000), "a prize between two people"),
        "mine": Range(range(2, 12), "small ratios in lowest terms"),
        "theirs": Range(range(2, 12), "small ratios in lowest terms"),
        "given": Range((5, 8, 10, 12, 15, 16, 20, 24, 25, 28, 30, 32, 35, 36, 40, 45), "less than half is given"),
    },
    tellings=_TELLINGS,
    solve=_solve,
    mistakes=_mistakes,
    bounds=lambda pool, mine, theirs, given: (2, pool),
    contrived=frozenset(("made the donation again",)),
    fitted=lambda pool, mine, theirs, given: {"pool": down_to(pool, lcm(mine + theirs, whole_for(given)))},
    sensible=lambda pool, mine, theirs, given: (
        gcd(mine, theirs) == 1 and mine != theirs and pool // (mine + theirs) * mine * given % 100 == 0
    ),
    training=_TRAINING,
    apart={
        "pool": Range(range(300, 9000), "a fortune between two people"),
        "given": Range((4, 6, 14, 18, 22, 26, 34, 38, 42, 44, 50, 52), "no percentage of a test tier"),
    },
)
