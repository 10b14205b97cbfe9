"""Which options lie one mistake away from each other, seen without the story.

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

from .clock import DAY
from .quantities import Number

CONVERSIONS = (2, 10, 12, 60, 100)


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
