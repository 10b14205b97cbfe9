"""Directed relations between two options, and what divides them: who knows which end is right needs no arithmetic.

A forgotten discount of p per cent lies 100/(100 - p) above the right value, a divisor of n taken one too small
n/(n - 1) above it. If one end of such a pair were right more often than the other, the pair alone would tell. So each
kind of pair is looked at with its direction, and each option with what divides it, itself or with a prompt number put
on or taken off.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import gcd

from .quantities import Number

# Pairs whose upper and lower end are told apart, in this order; n and p are numbers of the prompt.
PAIRS = (
    "100/(100-p)",
    "(100-p)/(100-2p)",
    "(100+p)/100",
    "(100+p)/(100-p)",
    "n/(n-1)",
    "(n+1)/n",
    "factor 2 or 3",
    "gap n",
    "gap 2n",
    "gap 1",
    "gap 60",
    "close",
)
OFF, OFF_TWICE, MORE, TURNED, FEWER, FURTHER, TIMES, GAP, GAP_TWICE, ONE, SIXTY, CLOSE = range(len(PAIRS))
# What can divide an option; ``kept`` is (100 - p) without its common part with 100.
DIVISORS = ("n", "kept", "less n by kept", "plus n by kept", "less n by another n", "plus n by another n")
KEPT = DIVISORS.index("kept")
# Neighbours within so small a part of the larger one are close.
_CLOSE = 20


@dataclass(frozen=True, slots=True)
class Looked:
    """What the numbers of a prompt make of a ratio (reduced), of a gap and of a remainder.

    ``pairs`` and ``divided`` keep what was found of two values and of one, as ``Marks.pairs`` does.
    """

    ratios: dict[tuple[int, int], tuple[int, ...]]
    gaps: dict[int, tuple[int, ...]]
    numbers: tuple[int, ...]
    kept: tuple[int, ...]
    pairs: dict[tuple[Number, Number], tuple[int, ...]] = field(default_factory=dict)
    divided: dict[Number, tuple[int, ...]] = field(default_factory=dict)


@lru_cache(maxsize=256)
def looked(numbers: tuple[Number, ...]) -> Looked:
    """The ratios and gaps that a prompt's whole numbers name; kept for a while, as for ``neighbours.marks``.

    >>> found = looked((240, 20))
    >>> found.ratios[5, 4], found.gaps[40], found.kept
    ((0,), (8,), (4,))
    """
    whole = tuple(dict.fromkeys([int(number) for number in numbers if number == int(number) and number > 1]))
    ratios: dict[tuple[int, int], list[int]] = {(2, 1): [TIMES], (3, 1): [TIMES]}
    gaps: dict[int, list[int]] = {1: [ONE], 60: [SIXTY]}

    def ratio(high: int, low: int, kind: int) -> None:
        shared = gcd(high, low)
        kinds = ratios.setdefault((high // shared, low // shared), [])
        if kind not in kinds:
            kinds.append(kind)

    for number in whole:
        if number < 100:
            ratio(100, 100 - number, OFF)
            ratio(100 + number, 100, MORE)
            ratio(100 + number, 100 - number, TURNED)
        if number < 50:
            ratio(100 - number, 100 - 2 * number, OFF_TWICE)
        ratio(number, number - 1, FEWER)
        ratio(number + 1, number, FURTHER)
        for gap, kind in ((number, GAP), (2 * number, GAP_TWICE)):
            kinds = gaps.setdefault(gap, [])
            if kind not in kinds:
                kinds.append(kind)
    kept = [(100 - number) // gcd(100, number) for number in whole if number < 100]
    return Looked(
        {pair: tuple(kinds) for pair, kinds in ratios.items()},
        {gap: tuple(kinds) for gap, kinds in gaps.items()},
        whole,
        tuple(dict.fromkeys([part for part in kept if part > 1])),
    )


def pair_counts(found: Looked, values: Sequence[Number]) -> tuple[list[list[int]], list[list[int]]]:
    """For each kind of ``PAIRS``, of how many pairs each option is the upper end, and of how many the lower.

    >>> upper, lower = pair_counts(looked((240, 20)), [192, 240, 200, 160])
    >>> upper[0], lower[0]
    ([0, 1, 1, 0], [1, 0, 0, 1])
    """
    upper, lower = [[0] * len(values) for _ in PAIRS], [[0] * len(values) for _ in PAIRS]
    for i, left in enumerate(values):
        for j in range(i):
            right = values[j]
            (top, high), (bottom, low) = ((i, left), (j, right)) if left > right else ((j, right), (i, left))
            for kind in pair_kinds(found, high, low):
                upper[kind][top] += 1
                lower[kind][bottom] += 1
    return upper, lower


def pair_kinds(found: Looked, high: Number, low: Number) -> tuple[int, ...]:
    """The kinds of ``PAIRS``, as places, that two values make.

    >>> [PAIRS[kind] for kind in pair_kinds(looked((240, 20)), 240, 200)]
    ['gap 2n', '(100+p)/100']
    """
    kinds = found.pairs.get((high, low))
    if kinds is None:
        kinds = found.pairs[high, low] = _kinds(found, high, low)
    return kinds


def _kinds(found: Looked, high: Number, low: Number) -> tuple[int, ...]:
    gap = high - low
    # A fraction is no key, and finds nothing.
    kinds = found.gaps.get(gap, ())  # type: ignore[call-overload]
    if low > 0 and isinstance(high, int) and isinstance(low, int):
        shared = gcd(high, low)
        kinds += found.ratios.get((high // shared, low // shared), ())
    return (*kinds, CLOSE) if 0 < gap * _CLOSE <= high else kinds


def divided_counts(found: Looked, values: Sequence[Number]) -> list[list[int]]:
    """For each kind of ``DIVISORS``, how many divisors each option has.

    >>> divided_counts(looked((240, 20, 9)), [201, 192, 45, 60])[:3]
    [[0, 0, 1, 1], [0, 1, 0, 1], [1, 2, 1, 2]]
    """
    return [list(column) for column in zip(*[divided(found, value) for value in values], strict=True)]


def divided(found: Looked, value: Number) -> tuple[int, ...]:
    """How many divisors of each kind of ``DIVISORS`` a value has."""
    row = found.divided.get(value)
    if row is None:
        row = found.divided[value] = _divided(found, value)
    return row


def _divided(found: Looked, value: Number) -> tuple[int, ...]:
    less = plus = less_number = plus_number = 0
    numbers, kept = found.numbers, found.kept
    for number in numbers:
        for part in kept:
            less += (value - number) % part == 0
            plus += (value + number) % part == 0
        for other in numbers:
            if other > 2 and other != number:
                less_number += (value - number) % other == 0
                plus_number += (value + number) % other == 0
    whole = sum([value % number == 0 for number in numbers])
    return whole, sum([value % part == 0 for part in kept]), less, plus, less_number, plus_number


def alike_counts(values: Sequence[int]) -> tuple[list[int], list[int], list[int], list[int]]:
    """For each option: its largest common divisor with another, its divisors up to 12, others alike by 9 and by 11.

    >>> alike_counts([60, 90, 61, 49])
    ([30, 30, 1, 1], [7, 6, 0, 1], [0, 0, 0, 0], [1, 0, 0, 1])
    """
    shared, nines, elevens = [0] * len(values), [0] * len(values), [0] * len(values)
    for i, left in enumerate(values):
        for j in range(i):
            right = values[j]
            common = gcd(left, right)
            shared[i], shared[j] = max(shared[i], common), max(shared[j], common)
            gap = left - right
            if gap % 9 == 0:
                nines[i] += 1
                nines[j] += 1
            if gap % 11 == 0:
                elevens[i] += 1
                elevens[j] += 1
    return shared, [_SMALL[value % _TURN] for value in values], nines, elevens


# How many of 2 to 12 divide a number, by its remainder with their least common multiple.
_TURN = 27_720
_SMALL = [sum(value % part == 0 for part in range(2, 13)) for value in range(_TURN)]
