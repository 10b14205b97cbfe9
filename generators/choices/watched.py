"""Signed looks of the right option that no fixed strategy names but a classifier could learn.

Each look is a count per option; its lean is the right option's count less the mean over the options. Directions matter:
if an option that lies one prompt number *below* another were right more often than the one above, the gap alone would
tell them apart.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import log2

from .clock import HALF_DAY
from .options import OptionSet

# An option that is a multiple of one of these more often than the others is a product of the story's numbers.
_DIVISORS = (2, 3, 4, 6, 7, 8, 9, 11, 12)
_NUMBERS = 5
# Upper and lower end, for: a gap of each number, a gap of twice each number, two percentages, a divisor off by one.
_EDGE_KINDS = 2 * _NUMBERS + 3
# How near an option lies to the prompt's first number, and to the sum of all: within so much of it.
_NEARNESS = (0.0, 0.02, 0.1, 0.3)
# Sizes by half octaves, clock times by hours: right options must not keep to the usual sizes while wrong ones stray.
_SIZES = 24
LEANS = len(_DIVISORS) + 1 + _SIZES + 2 * (1 + len(_NEARNESS)) + 2 * _EDGE_KINDS


@dataclass(frozen=True, slots=True)
class Watch:
    """The leans that a set is held to: how to find them, how many there are, and their freedom as in ``Ledger``.

    ``texts`` says whether the totals of ``spellings.py`` are kept too.
    """

    find: Callable[[OptionSet, Sequence[int], bool], list[float]]
    count: int
    freedom: float
    within: float | None = None
    texts: bool = True


def leans(options: OptionSet, numbers: Sequence[int], clock: bool) -> list[float]:
    """The ``LEANS`` leans of the right option among those of a story with these numbers, in a fixed order."""
    values = options.values
    count = len(values)
    found = [(values[0] % part == 0) - sum([value % part == 0 for value in values]) / count for part in _DIVISORS]
    afternoons = [clock and value >= HALF_DAY for value in values]
    found.append(afternoons[0] - sum(afternoons) / count)
    sizes = [value // 60 if clock else min(int(2 * log2(value)), _SIZES - 1) for value in values]
    found += [(sizes[0] == size) - sizes.count(size) / count for size in range(_SIZES)]
    for reference in (numbers[0], sum(numbers)):
        looks = [[value < reference for value in values]]
        looks += [[abs(value - reference) <= part * reference for value in values] for part in _NEARNESS]
        found += [look[0] - sum(look) / count for look in looks]
    return found + _edge_leans(numbers, values)


def _edge_leans(numbers: Sequence[int], values: Sequence[int]) -> list[float]:
    upper = [[0] * len(values) for _ in range(_EDGE_KINDS)]
    lower = [[0] * len(values) for _ in range(_EDGE_KINDS)]
    for i, j in combinations(range(len(values)), 2):
        if values[i] < values[j]:
            i, j = j, i
        for kind in _edge_kinds(numbers, values[i], values[j]):
            upper[kind][i] += 1
            lower[kind][j] += 1
    return [row[0] - sum(row) / len(row) for row in (*upper, *lower)]


def _edge_kinds(numbers: Sequence[int], high: int, low: int) -> list[int]:
    gap, kinds = high - low, []
    for place, number in enumerate(numbers[:_NUMBERS]):
        if gap == number:
            kinds.append(place)
        elif gap == 2 * number:
            kinds.append(_NUMBERS + place)
        if 100 * high == (100 + number) * low:
            kinds.append(2 * _NUMBERS)
        if (100 - number) * high == 100 * low:
            kinds.append(2 * _NUMBERS + 1)
        if number * gap in (high, low):
            kinds.append(2 * _NUMBERS + 2)
    return kinds


# Leans are no strategies of their own; they only must not grow with the size of the set.
WATCH = Watch(leans, LEANS, freedom=4.0)
