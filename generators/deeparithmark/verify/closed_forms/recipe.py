"""What a closed form is: stages with the named mistakes at each, the step of each stage, and how they combine.

A stage maps the name of a mistake to what the quantity becomes, the empty name to the right quantity. Numbers are exact
fractions; only stories of full boxes round, and they say so.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import floor
from typing import Any, NamedTuple

JOIN = "; "
Stage = Mapping[str, Any]


class Recipe(NamedTuple):
    """The stages of a story, the step (from 1) at which a mistake of each first shows, and the answer from them.

    ``later`` names the mistakes that show at another step than those of their stage.
    """

    stages: tuple[Stage, ...]
    steps: tuple[int, ...]
    combine: Callable[..., Fraction | int]
    later: Mapping[str, int] = {}


def used(value: Fraction | int, forgot: str, again: str, turned: str = "") -> dict[str, Fraction | int]:
    """A quantity that may be left out, used again, or, where ``turned`` names it, used the wrong way round.

    >>> used(40, "forgot the cost", "paid the cost again")
    {'': 40, 'forgot the cost': 0, 'paid the cost again': 80}
    """
    stage = {"": value, forgot: value - value, again: value + value}
    return stage | {turned: -value} if turned else stage


def counted(value: Fraction, what: str) -> dict[str, Fraction]:
    """A count that may be off by one.

    >>> sorted(counted(Fraction(8), "counted one row"))
    ['', 'counted one row too few', 'counted one row too many']
    """
    return {"": value, f"{what} too few": value - 1, f"{what} too many": value + 1}


def full(amount: Fraction, size: Fraction | int, loose: bool = False) -> Fraction:
    """How many packs of ``size`` an amount fills, and one more where ``loose`` ones count as a pack.

    >>> full(Fraction(25), 4), full(Fraction(25), 4, loose=True), full(Fraction(24), 4)
    (Fraction(6, 1), Fraction(7, 1), Fraction(6, 1))
    """
    packs = Fraction(amount) / size
    return Fraction(floor(packs) + (loose and packs.denominator > 1))


LOOSE: Stage = {"": False, "counted the loose ones as a full one": True}
LOOSE_PACK: Stage = {"": False, "counted the loose ones as a full pack": True}
