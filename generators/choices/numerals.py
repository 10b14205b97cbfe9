"""Scores of the options by their numerals alone: roundness, digits, parity, and where they lie among each other."""

from collections.abc import Iterable, Sequence
from functools import lru_cache, reduce
from math import log
from operator import add

from .quantities import Number

Scores = Sequence[Number]
# The scores of the options, and whether the lowest one makes a strategy of its own beside the highest.
Look = tuple[Scores, bool]


def added(values: Iterable[float]) -> float:
    """The values added one after the other: ``sum`` rounds otherwise from Python 3.12 on, and a set must not.

    >>> added([0.5, 0.25])
    0.75
    """
    return reduce(add, values)


def trailing_zeros(value: Number) -> int:
    """Decimal zeros at the end of a whole number; 0 itself and fractions have none.

    >>> trailing_zeros(1200), trailing_zeros(0)
    (2, 0)
    """
    count = 0
    while value and value % 10 == 0:
        value //= 10
        count += 1
    return count


@lru_cache(maxsize=8192)
def roundness(value: Number, clock: bool = False) -> int:
    """How round a number looks: two per trailing zero, one more for a 5 before them; a clock time by its minutes.

    >>> roundness(470), roundness(450), roundness(43), roundness(9 * 60 + 45, clock=True)
    (2, 3, 0, 2)
    """
    if clock:
        return sum(value % part == 0 for part in (5, 15, 30, 60))
    zeros = trailing_zeros(value)
    return 2 * zeros + (value // 10**zeros % 10 == 5)


def look_scores(values: Sequence[Number], clock: bool) -> list[Look]:
    """How the options look as numerals: roundness, digits, parity, digits shared with the other options."""
    round_scores = [roundness(value, clock) for value in values]
    digits, sums, leading = zip(*[_numeral(value) for value in values], strict=True)
    parities = [value % 2 for value in values]
    shared = [0] * len(values)
    places = [0] * len(values)
    for i, left in enumerate(digits):
        for j in range(i):
            common, aligned = _alike(left, digits[j])
            shared[i] += common
            shared[j] += common
            places[i] += aligned
            places[j] += aligned
    return [
        (round_scores, True),
        (sums, True),
        (leading, False),
        ([-parities.count(parity) for parity in parities], False),
        (shared, True),
        (places, False),
    ]


@lru_cache(maxsize=8192)
def _numeral(value: Number) -> tuple[str, int, int]:
    """The digits, their sum, and the first one below nothing: the smaller, the higher."""
    digits = str(abs(int(value)))
    return digits, sum(map(int, digits)), -int(digits[0])


@lru_cache(maxsize=8192)
def _alike(left: str, right: str) -> tuple[int, int]:
    """How many digits two numerals share, and how many of them in the same place."""
    common = sum([min(left.count(digit), right.count(digit)) for digit in set(left)])
    return common, sum([a == b for a, b in zip(left[::-1], right[::-1], strict=False)])


def spread_scores(values: Sequence[Number]) -> list[Look]:
    """Where an option lies among the others."""
    total, count = sum(values), len(values)
    offsets = [abs(count * value - total) for value in values]
    logs = [log(max(abs(value), 1)) for value in values]
    centre = added(logs) / count
    gaps = [min([abs(value - other) for j, other in enumerate(values) if j != i]) for i, value in enumerate(values)]
    middles = {values[i] + values[j]: (i, j) for i in range(count) for j in range(i)}
    midpoints = [2 * value in middles and i not in middles[2 * value] for i, value in enumerate(values)]
    parts = [sum([_divides(value, other) for other in values if other != value]) for value in values]
    return [
        ([-offset for offset in offsets], True),
        ([-round(abs(size - centre), 9) for size in logs], False),
        ([-gap for gap in gaps], True),
        (midpoints, False),
        (parts, False),
    ]


def _divides(left: Number, right: Number) -> bool:
    low, high = (left, right) if left < right else (right, left)
    return low > 0 and high % low == 0
