"""How options lie to each other, seen without the story: directed relations, and who is one mistake from whom.

A forgotten discount of p per cent lies 100/(100 - p) above the right value, a divisor of n taken one too small
n/(n - 1) above it. If one end of such a pair were right more often than the other, the pair alone would tell. So each
kind of pair is looked at with its direction, and each option with what divides it, itself or with a prompt number put
on or taken off.

When three wrong options are each one mistake away from the right one, the right one is the *hub*: the option from which
the others are reached by adding, dropping or swapping one prompt number. Counting neighbours finds it without any
arithmetic of the story. Three rules, from narrow to generous:

* near: the gap is a prompt number or twice one (dropped; added instead of subtracted), or one option is the other times
  a prompt number;
* wide: near, or the gap is the sum, difference, product or percentage of two prompt numbers, or the ratio is a unit
  conversion, a percentage more or less, or a divisor off by one;
* divided: the gap is a prompt number after a whole division by another one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import gcd

from .quantities import DAY, Number

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
CONVERSIONS = (2, 10, 12, 60, 100)


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


@dataclass(frozen=True, slots=True)
class Marks:
    """What one mistake with a prompt's numbers can make: gaps, ratios (larger, smaller), results of one operation.

    ``pairs`` keeps which rules hold between two values, ``looks`` what was found of one: a generator weighs many option
    sets of one story.
    """

    near: frozenset[Number]
    wide: frozenset[Number]
    factors: frozenset[Number]
    ratios: tuple[tuple[Number, Number], ...]
    divisors: tuple[Number, ...]
    numbers: tuple[Number, ...]
    results: tuple[Number, ...]
    pairs: dict[tuple[Number, Number], tuple[bool, bool, bool]] = field(default_factory=dict)
    looks: dict[Number, tuple[Number, ...]] = field(default_factory=dict)


@lru_cache(maxsize=256)
def marks(numbers: tuple[Number, ...], clock: bool) -> Marks:
    """The marks of a prompt; kept for a while, because a generator weighs many option sets of one story.

    >>> found = marks((40, 7), clock=False)
    >>> sorted(found.near), sorted(found.wide), found.results
    ([7, 14, 40, 80], [7, 14, 33, 40, 47, 80, 280], (47, 33, 280, 5))
    """
    results: list[Number] = []
    for index, left in enumerate(numbers):
        for right in numbers[:index]:
            low, high = (left, right) if left < right else (right, left)
            results += (low + high, high - low, low * high)
            if low > 1:
                results.append(high // low)
    spans = (*numbers, *(60 * number for number in numbers if number < 24)) if clock else numbers
    near = {number for number in spans if number} | {2 * number for number in spans if number}
    wide = set(near)
    for index, left in enumerate(spans):
        for right in spans[:index]:
            product = left * right
            wide.update((abs(left - right), left + right, product))
            if product % 100 == 0:
                wide.add(product // 100)
    ratios: list[tuple[Number, Number]] = []
    for number in spans:
        if number > 1:
            ratios += ((number + 1, number), (number, number - 1))
        if 0 < number < 100:
            ratios += ((100 + number, 100), (100, 100 - number))
    return Marks(
        near=frozenset(near),
        wide=frozenset(wide - {0}),
        factors=frozenset(number for number in spans if number > 1),
        ratios=tuple(dict.fromkeys(ratios)),
        divisors=tuple(dict.fromkeys(number for number in spans if 1 < number <= 100)),
        numbers=tuple(dict.fromkeys(spans)),
        results=tuple(results),
    )


def neighbour_counts(found: Marks, values: Sequence[Number], clock: bool) -> tuple[list[int], list[int], list[int]]:
    """For each option, how many others are its neighbours by the near, the wide and the divided rule.

    Clock values are minutes; numbers below 24 then count as hours too, and gaps go the short way round the day.

    >>> neighbour_counts(marks((420, 260, 210, 40), False), [430, 470, 390, 640], False)[0]
    [3, 2, 2, 1]
    """
    near, wide, divided = [0] * len(values), [0] * len(values), [0] * len(values)
    for i, left in enumerate(values):
        for j in range(i):
            pair = (left, values[j])
            rules = found.pairs.get(pair)
            if rules is None:
                rules = found.pairs[pair] = _rules(found, *pair, clock)
            if rules[0]:
                near[i] += 1
                near[j] += 1
            if rules[1]:
                wide[i] += 1
                wide[j] += 1
            if rules[2]:
                divided[i] += 1
                divided[j] += 1
    return near, wide, divided


def _rules(found: Marks, left: Number, right: Number, clock: bool) -> tuple[bool, bool, bool]:
    low, high = (left, right) if left < right else (right, left)
    gap = min(high - low, DAY - high + low) if clock else high - low
    times = high // low if low > 0 and high % low == 0 else 0
    near = gap in found.near or times in found.factors
    wide = near or gap in found.wide or times in CONVERSIONS or _has_ratio(found, low, high)
    return near, wide, _has_division(found, gap)


def _has_ratio(found: Marks, low: Number, high: Number) -> bool:
    for up, down in found.ratios:  # noqa: SIM110 - a plain loop: this is the innermost one of the audit
        if low * up == high * down:
            return True
    return False


def _has_division(found: Marks, gap: Number) -> bool:
    for divisor in found.divisors:
        whole = gap * divisor
        low, high = whole - divisor, whole + divisor
        for number in found.numbers:
            if low < number < high:
                return True
    return False


def one_step_counts(found: Marks, values: Sequence[Number]) -> list[int]:
    """For each option, how many pairs of prompt numbers give it by one operation.

    >>> one_step_counts(marks((6, 3), False), [9, 18, 2, 5])
    [1, 1, 1, 0]
    """
    return [found.results.count(value) for value in values]
