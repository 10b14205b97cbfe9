"""Looks of the right option that no fixed strategy names but a classifier could learn, and how far they lean.

Each look is a count per option; its lean is the right option's count less the mean over the options. Directions matter:
if an option that lies one prompt number *below* another were right more often than the one above, the gap alone would
tell them apart. So does the geometry: stories have more mistakes that raise an amount (left out, or added where it is
taken off) than lower it, and the distances between the options would tell where the right one lies. Each shape of four
options is therefore watched with each rank of the right one.
"""

from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import log, log2

from .options import OPTIONS, OptionSet
from .quantities import HALF_DAY
from .relations import DIVISORS, PAIRS, Looked, divided, looked, pair_kinds

# The places of a ledger that change, and by how much.
Leans = list[tuple[int, float]]

# An option that is a multiple of one of these more often than the others is a product of the story's numbers.
_DIVISORS = (2, 3, 4, 6, 7, 8, 9, 11, 12)
_NUMBERS = 8
# How near an option lies to the prompt's first number, and to the sum of all: within so much of it.
_NEARNESS = (0.0, 0.02, 0.1, 0.3)
# Sizes by half octaves, clock times by hours: right options must not keep to the usual sizes while wrong ones stray.
_SIZES = 24
# A whole unit of the natural logarithm, too wide a lean for a size, counts as so many items.
_SIZE = 4.0
_VALUE_LOOKS = len(_DIVISORS) + 2 + 2 * (1 + len(_NEARNESS)) + _NUMBERS + len(DIVISORS) + _SIZES
# Upper and lower end, for: a gap of each number, a gap of twice each number, and the kinds of ``relations.PAIRS``.
_PAIR_LOOKS = 2 * (2 * _NUMBERS + len(PAIRS))
# Gaps between neighbours, in parts of the mean option: where one width ends and the next begins.
_WIDTHS = (0.02, 0.05, 0.1, 0.18, 0.3)
_COARSE = (0.05, 0.12, 0.25)
_GAPS = OPTIONS - 1
_SHAPES = _GAPS * (len(_WIDTHS) + 1) + _GAPS * (len(_COARSE) + 1) ** 2
# Few items have one shape, so that an item counts for more than where all items have the look.
_WEIGHT = 3.0
# The shapes, and which rank the centre of the graph has, or that it has none, each with the right option's rank.
RANK_LOOKS = OPTIONS * (_SHAPES + OPTIONS + 1)
LEANS = _VALUE_LOOKS + _PAIR_LOOKS + RANK_LOOKS


@dataclass(frozen=True, slots=True)
class Watch:
    """How tightly a set is held: the leans' freedom over the set and within a template, as in ``Ledger``.

    ``texts`` says whether the totals of what the endings are written with are kept too.
    """

    freedom: float
    within: float
    texts: bool = True


class Lens:
    """The looks of one story's options; what was found of a value and of a pair is kept for its other option sets."""

    __slots__ = ("_clock", "_found", "_numbers", "_pairs", "_sum", "_values")

    def __init__(self, numbers: Sequence[int], clock: bool) -> None:
        self._numbers = tuple(numbers[:_NUMBERS])
        self._sum = sum(numbers)
        self._clock = clock
        self._found: Looked = looked(tuple(numbers))
        self._values: dict[int, tuple[list[float], int]] = {}
        self._pairs: dict[tuple[int, int], list[int]] = {}

    def leans(self, options: OptionSet) -> Leans:
        """The leans of an option set, at places from 0 to ``LEANS``; each place at most once."""
        first = _VALUE_LOOKS + _PAIR_LOOKS
        shapes = [(first + place, lean) for place, lean in rank_leans(options)]
        return [*self._value_leans(options.values), *self._pair_leans(options.values), *shapes]

    def _value_leans(self, values: Sequence[int]) -> Leans:
        rows = []
        for value in values:
            row = self._values.get(value)
            if row is None:
                row = self._values[value] = self._look(value)
            rows.append(row)
        (first, size), *others = rows
        found: Leans = []
        for place, (own, one, two, three) in enumerate(zip(first, *[row for row, _ in others], strict=True)):
            lean = own - (own + (one + two + three)) / OPTIONS
            if lean:
                found.append((place, lean))
        sizes = [size, *[other for _, other in others]]
        start = len(first)
        for other in dict.fromkeys(sizes):
            found.append((start + other, (other == size) - sizes.count(other) / OPTIONS))
        return found

    def _look(self, value: int) -> tuple[list[float], int]:
        row: list[float] = [value % part == 0 for part in _DIVISORS]
        row += (self._clock and value >= HALF_DAY, _SIZE * log(max(value, 1)))
        for reference in (self._numbers[0], self._sum):
            row.append(value < reference)
            row += [abs(value - reference) <= part * reference for part in _NEARNESS]
        multiples = [number > 1 and value % number == 0 for number in self._numbers]
        row += multiples + [False] * (_NUMBERS - len(multiples))
        row += divided(self._found, value)
        return row, value // 60 if self._clock else min(int(2 * log2(max(value, 1))), _SIZES - 1)

    def _pair_leans(self, values: Sequence[int]) -> Leans:
        """An option that is an end of a pair has one count more, and the mean of the options a quarter."""
        right = values[0]
        found: dict[int, float] = {}
        for left, other in combinations(values, 2):
            pair = (left, other) if left > other else (other, left)
            kinds = self._pairs.get(pair)
            if kinds is None:
                kinds = self._pairs[pair] = self._kinds(*pair)
            for kind in kinds:
                for end, value in enumerate(pair):
                    place = 2 * kind + end
                    found[place] = found.get(place, 0.0) + (value == right) - 1 / OPTIONS
        return [(_VALUE_LOOKS + place, lean) for place, lean in found.items() if lean]

    def _kinds(self, high: int, low: int) -> list[int]:
        gap, kinds = high - low, list(pair_kinds(self._found, high, low))
        for place, number in enumerate(self._numbers):
            if gap == number:
                kinds.append(len(PAIRS) + place)
            elif gap == 2 * number:
                kinds.append(len(PAIRS) + _NUMBERS + place)
        return kinds


def rank_leans(options: OptionSet) -> Leans:
    """For each shape, and each place of the centre of the graph, what the set adds to each rank, less chance.

    The places go from 0 to ``RANK_LOOKS``.
    """
    ordered = sorted(options.values)
    rank, mean = ordered.index(options.values[0]), sum(ordered) / len(ordered)
    gaps = [(high - low) / mean for low, high in pairwise(ordered)]
    rows, first = [], 0
    for gap in gaps:
        rows.append(first + bisect(_WIDTHS, gap))
        first += len(_WIDTHS) + 1
    for one, other in combinations(gaps, 2):
        rows.append(first + (len(_COARSE) + 1) * bisect(_COARSE, one) + bisect(_COARSE, other))
        first += (len(_COARSE) + 1) ** 2
    rows.append(first + _centre(options, ordered))
    chance = _WEIGHT / OPTIONS
    return [
        (OPTIONS * row + place, _WEIGHT - chance if place == rank else -chance)
        for row in rows
        for place in range(OPTIONS)
    ]


def _centre(options: OptionSet, ordered: Sequence[int]) -> int:
    """The rank of the graph's only hub, and ``OPTIONS`` where there is not one."""
    return ordered.index(options.values[options.hubs[0]]) if len(options.hubs) == 1 else OPTIONS


# The leans are held about as far as chance leaves them: with less, what a learner counts in one part of a set would be
# reversed in the rest.
WATCH = Watch(freedom=1.5, within=1.0)
