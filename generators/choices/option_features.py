"""One row of numbers per option, for classifiers that look for shortcuts too subtle for a fixed strategy.

A row holds what can be seen of an option without the story: its credits under the fixed strategies, its differences
and ratios to the other options, and its relation to each number of the prompt, in reading order. Slots are left out:
they have rows of their own, and where they are balanced exactly, what a learner counts in one part of the data is
reversed in the rest, which would pull its score below chance.
"""

from collections.abc import Sequence
from math import log

from .audit import Question, strategy_credits
from .quantities import Number
from .relations import divided_counts, looked, pair_counts
from .shortcuts import SLOTS

NUMBERS = 6
OTHERS = 3
KEPT = 3


def padded(values: Sequence[float], width: int) -> list[float]:
    """``values`` cut, or filled with zeros, to a width."""
    return [*values[:width], *[0.0] * (width - len(values))]


def _log(value: Number) -> float:
    return log(max(abs(value), 1))


def _among_options(value: Number, others: Sequence[Number]) -> list[float]:
    """Scaled gaps and log ratios to the other options, in order of size, and the look of the numeral itself."""
    scale = (abs(value) + sum(map(abs, others))) / (1 + len(others)) or 1
    ordered = sorted(others)
    gaps = [float((other - value) / scale) for other in ordered]
    ratios = [_log(other) - _log(value) for other in ordered]
    numeral = str(int(value))
    look = [_log(value), float(len(numeral)), float(value % 10), float(value % 2), float(value % 5), float(value % 60)]
    return [*padded(gaps, OTHERS), *padded(ratios, OTHERS), *look]


def _against_prompt(
    value: Number, others: Sequence[Number], numbers: Sequence[Number], direct: bool = False
) -> list[float]:
    """For each prompt number: the log ratio, divisibility, and how many other options it reaches by one operation.

    In a ``direct`` question ratios to the operands, their sum and divisibility estimate or check the result: they are
    the arithmetic itself, and are left out.
    """
    row: list[float] = []
    for number in numbers[:NUMBERS]:
        row.append(0.0 if direct else _log(value) - _log(number))
        row.append(float(number > 0 and value % number == 0 and not direct))
        row.append(float(sum(other == value + number for other in others)))
        row.append(float(sum(other == value - number for other in others)))
        row.append(float(sum(other == value + 2 * number for other in others)))
        row.append(float(sum(other == value - 2 * number for other in others)))
        row.append(float(sum(other == value * number for other in others)))
        row.append(float(sum(other * number == value for other in others)))
        row.append(float(sum(100 * other == value * (100 + number) for other in others)))
        row.append(float(sum(100 * other == value * (100 - number) for other in others)))
    row = padded(row, 10 * NUMBERS)
    known = set(numbers)
    above = sum(other - value in known for other in others)
    below = sum(value - other in known for other in others)
    against_sum = 0.0 if direct else _log(value) - _log(sum(numbers))
    return [*row, float(above), float(below), float(len(numbers)), against_sum]


def _divisible(value: Number, kept: Sequence[int]) -> list[float]:
    """By which part that a percentage leaves the option can be divided, in reading order."""
    return padded([float(value % part == 0) for part in kept], KEPT)


def option_rows(question: Question) -> list[list[float]]:
    """One row per option, all of the same width; ``ValueError`` when an ending holds no number.

    >>> asked = Question("2 and 3 make", (2, 3), (" 5.", " 6."), (5, 6), 0, None, "")
    >>> rows = option_rows(asked)
    >>> len(rows), len(rows[0]) == len(rows[1])
    (2, True)
    """
    values = question.values
    if values is None:
        raise ValueError(f"an ending holds no number: {question.texts}")
    table = [credit or (0.0,) * len(values) for credit in strategy_credits(question)[SLOTS:]]
    known = looked(question.numbers)
    columns = [row for rows in pair_counts(known, values) for row in rows]
    if not question.direct:
        columns += divided_counts(known, values)
    rows = []
    for index, value in enumerate(values):
        others = [*values[:index], *values[index + 1 :]]
        row = [float(column[index]) for column in (*table, *columns)]
        row += _divisible(value, () if question.direct else known.kept)
        rows.append(
            row + _among_options(value, others) + _against_prompt(value, others, question.numbers, question.direct)
        )
    return rows
