"""Looks of the right option, among options that are bare numbers, that a classifier could learn.

As in DeepArithmark's leans, each look is a count per option, and its lean is the right option's count less the mean
over the options. A slip often has a direction (a dropped carry only ever lowers a sum), so what must not lean is where
the others lie from an option: how far above or below, by how many times which power of ten, in what pattern of gaps.
"""

from bisect import bisect
from collections.abc import Sequence
from itertools import pairwise

_DIVISORS = (3, 4, 7, 8, 9, 11)
# Gaps as parts of the mean option.
_EDGES = (0.001, 0.005, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8)
_BINS = len(_EDGES) + 1
# Gaps of 1, 2, 9 and other multiples of a power of ten, from the tens, hundreds and higher.
_MULTIPLES = {1: 0, 2: 1, 9: 2}
_STEPS = (len(_MULTIPLES) + 1) * 3
_SHAPES = 8
LEANS = len(_DIVISORS) + 10 + 9 + 2 * _BINS + 2 * _STEPS + 4 * _SHAPES


def leans(values: Sequence[int]) -> list[float]:
    """The ``LEANS`` leans of ``values[0]``, the right one of four options, in a fixed order."""
    looks = [_looks(value, values) for value in values]
    found = [
        right - sum(column) / len(values) for right, column in zip(looks[0], zip(*looks, strict=True), strict=True)
    ]
    shapes = [0.0] * (4 * _SHAPES)
    first = 4 * _shape(sorted(values))
    rank = sum(value < values[0] for value in values)
    for other in range(4):
        shapes[first + other] = (other == rank) - 0.25
    return found + shapes


def _looks(value: int, values: Sequence[int]) -> list[int]:
    numeral = str(value)
    counts = [int(value % part == 0) for part in _DIVISORS]
    counts += [numeral.count(digit) for digit in "0123456789"]
    counts += [int(numeral[0] == digit) for digit in "123456789"]
    gaps, steps = [0] * (2 * _BINS), [0] * (2 * _STEPS)
    whole = sum(values)
    for other in values:
        gap = abs(other - value)
        if gap:
            above = other > value
            gaps[_BINS * above + bisect(_EDGES, gap * len(values) / whole)] += 1
            steps[_STEPS * above + _step(gap)] += 1
    return counts + gaps + steps


def _step(gap: int) -> int:
    """The kind of a gap: which multiple of which power of ten.

    >>> _step(10), _step(900), _step(1234000)
    (0, 6, 11)
    """
    zeros = 0
    while gap % 10 == 0:
        gap //= 10
        zeros += 1
    return _MULTIPLES.get(gap, len(_MULTIPLES)) + (len(_MULTIPLES) + 1) * (min(max(zeros, 1), 3) - 1)


def _shape(ordered: Sequence[int]) -> int:
    """The pattern of the three gaps between four ordered values: a square's two, or the order of their sizes.

    >>> _shape([1, 2, 5, 6]), _shape([1, 3, 4, 6]), _shape([1, 2, 4, 8]), _shape([1, 5, 7, 8])
    (0, 1, 2, 7)
    """
    low, middle, high = (upper - lower for lower, upper in pairwise(ordered))
    if low == high:
        return int(middle < low)
    orders = (
        low <= middle <= high,
        low <= high <= middle,
        middle <= low <= high,
        high <= low <= middle,
        middle <= high <= low,
        high <= middle <= low,
    )
    return 2 + orders.index(True)
