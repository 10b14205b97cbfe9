"""Depth 5, a share by ratio, less a donation."""

from collections.abc import Sequence
from math import gcd

from ...choices.problem import Problem, Trace, UnusableError
from ...streams import Stream
from .words import Wordings, fill, multiple, whole_for

_PRIZE_WORDINGS = (
    (
        "dollars",
        "{name} and {other} shared a prize of {pool} dollars in the ratio {mine} to {theirs}, in that order. {name} "
        "gave {given}% of that share to charity. {name} kept",
    ),
    (
        "dollars",
        "A bonus of {pool} dollars was divided between {name} and {other} in the ratio {mine} to {theirs}, in that "
        "order. {name} donated {given}% of the amount received. {name} still had",
    ),
    (
        "dollars",
        "A quiz paid {pool} dollars, which {name} and {other} split in the ratio {mine} to {theirs}, respectively. "
        "{name} passed on {given}% of that share to an animal shelter and kept",
    ),
    (
        "dollars",
        "The {pool} dollars raised by a lottery went to {name} and {other} in the ratio {mine} to {theirs}, in that "
        "order. {name} gave away {given}% of the money received and kept",
    ),
)

_GIFTS = (5, 8, 10, 12, 15, 16, 20, 24, 25, 28, 30, 32, 35, 36, 40, 45, 48, 55, 60)


def _ratio_then_donate(
    trace: Trace, pool: int, mine: int, theirs: int, given: int, taken: int, from_pool: int = 0
) -> int:
    parts = trace.add("parts", mine, theirs)
    part = trace.divide("one part", pool, parts)
    share = trace.multiply("share", part, taken)
    donated = trace.percent("donated", pool if from_pool else share, given)
    return trace.subtract("kept", share, donated)


def prize_ratio_charity(draw: Stream, wordings: Wordings = _PRIZE_WORDINGS, gifts: Sequence[int] = _GIFTS) -> Problem:
    """Parts of a ratio, one part, the share, the donation, what is kept."""
    mine, theirs = draw.sample(range(2, 12), 2)
    while gcd(mine, theirs) > 1:
        mine, theirs = draw.sample(range(2, 12), 2)
    given = draw.choice(gifts)
    parts = mine + theirs
    step = whole_for(given) // gcd(whole_for(given), mine)
    step *= draw.choice((1, 1, parts - 1, parts + 1))
    pool = multiple(draw, parts * step, 240, 7200)
    if pool > 7200:
        raise UnusableError(f"no plausible prize is a multiple of {parts * step}")
    unit, prompt = fill(draw, wordings, pool=pool, mine=mine, theirs=theirs, given=given)
    return Problem(
        prompt=prompt,
        unit=unit,
        operands={"pool": pool, "mine": mine, "theirs": theirs, "given": given, "taken": mine},
        solve=_ratio_then_donate,
        bounds=(2, pool),
        mistakes={
            "parts": {
                "counted one part too few": {"theirs": theirs - 1},
                "counted one part too many": {"theirs": theirs + 1},
            },
            "share": {
                "took the other share": {"taken": theirs},
                "took one part too few": {"taken": mine - 1},
                "took one part too many": {"taken": mine + 1},
            },
            "donation": {
                "forgot the donation": {"given": 0},
                "made the donation twice": {"given": 2 * given},
                "took the percentage of the whole sum": {"from_pool": 1},
            },
        },
    )
