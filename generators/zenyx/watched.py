"""Looks of the right option, among options that are bare numbers, that a classifier could learn.

As in DeepArithmark's leans, each look is a count per option, and its lean is the right option's count less the mean
over the options. A slip often has a direction (a dropped carry only ever lowers a sum), so what must not lean is where
the others lie from an option: how far above or below, and by how many times which power of ten.
"""

from bisect import bisect
from collections.abc import Sequence

_DIVISORS = (3, 4, 7, 8, 9, 11)
# Gaps as parts of the mean option.
_EDGES = (0.001, 0.005, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8)
_BINS = len(_EDGES) + 1
# Gaps of 1, 2, 9 and other multiples of a power of ten, from the tens, hundreds and higher.
_MULTIPLES = {1: 0, 2: 1, 9: 2}
_STEPS = (len(_MULTIPLES) + 1) * 3
LEANS = len(_DIVISORS) + 10 + 9 + 2 * _BINS + 2 * _STEPS


def leans(values: Sequence[int]) -> list[float]:
    """The ``LEANS`` leans of ``values[0]``, the right one of four options, in a fixed order."""
    looks = [_looks(value, values) for value in values]
    return [right - sum(column) / len(values) for right, column in zip(looks[0], zip(*looks, strict=True), strict=True)]


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
