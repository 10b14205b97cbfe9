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

from .clock import DAY
from .quantities import Number

CONVERSIONS = (2, 10, 12, 60, 100)


def gap_marks(numbers: Sequence[Number]) -> tuple[set[Number], set[Number]]:
    """The gaps that count as near, and those that count as wide.

    >>> near, wide = gap_marks([40, 7])
    >>> sorted(near), sorted(wide)
    ([7, 14, 40, 80], [7, 14, 33, 40, 47, 80, 280])
    """
    near = {number for number in numbers if number} | {2 * number for number in numbers if number}
    wide = set(near)
    for index, left in enumerate(numbers):
        for right in numbers[:index]:
            product = left * right
            wide.update((abs(left - right), left + right, product))
            if product % 100 == 0:
                wide.add(product // 100)
    wide.discard(0)
    return near, wide


def ratio_marks(numbers: Sequence[Number]) -> list[tuple[Number, Number]]:
    """Ratios larger : smaller of one mistake: percentages more or less, a divisor off by one."""
    marks: list[tuple[Number, Number]] = []
    for number in numbers:
        if number > 1:
            marks.append((number + 1, number))
            marks.append((number, number - 1))
        if 0 < number < 100:
            marks.append((100 + number, 100))
            marks.append((100, 100 - number))
    return marks


def neighbour_counts(
    numbers: Sequence[Number], values: Sequence[Number], clock: bool
) -> tuple[list[int], list[int], list[int]]:
    """For each option, how many others are its neighbours by the near, the wide and the divided rule.

    Clock values are minutes; numbers below 24 then count as hours too, and gaps go the short way round the day.

    >>> neighbour_counts([420, 260, 210, 40], [430, 470, 390, 640], clock=False)[0]
    [3, 2, 2, 1]
    """
    if clock:
        numbers = [*numbers, *(60 * number for number in numbers if number < 24)]
    near_gaps, wide_gaps = gap_marks(numbers)
    ratios = ratio_marks(numbers)
    divisors = [number for number in numbers if 1 < number <= 100]
    near, wide, divided = [0] * len(values), [0] * len(values), [0] * len(values)
    for i, left in enumerate(values):
        for j in range(i):
            right = values[j]
            low, high = (left, right) if left < right else (right, left)
            gap = min(high - low, DAY - high + low) if clock else high - low
            times = high // low if low > 0 and high % low == 0 else 0
            if gap in near_gaps or (times > 1 and times in numbers):
                near[i] += 1
                near[j] += 1
                wide[i] += 1
                wide[j] += 1
            elif gap in wide_gaps or times in CONVERSIONS or any(low * up == high * down for up, down in ratios):
                wide[i] += 1
                wide[j] += 1
            if any(abs(gap * divisor - number) < divisor for divisor in divisors for number in numbers):
                divided[i] += 1
                divided[j] += 1
    return near, wide, divided


def one_step_counts(numbers: Sequence[Number], values: Sequence[Number]) -> list[int]:
    """For each option, how many pairs of prompt numbers give it by one operation.

    >>> one_step_counts([6, 3], [9, 18, 2, 5])
    [1, 1, 1, 0]
    """
    results: list[Number] = []
    for index, left in enumerate(numbers):
        for right in numbers[:index]:
            results += (left + right, abs(left - right), left * right)
            low, high = (left, right) if left < right else (right, left)
            if low > 1:
                results.append(high // low)
    return [results.count(value) for value in values]
