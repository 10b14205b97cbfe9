"""The tasks of a digit bucket, class by carry pattern: sizes and members by counting digits column by column.

A column's carry out depends only on its two digits and the carry in, so the number of tasks with a given pattern is a
product over columns. Additions are unordered: the highest column whose digits differ decides which operand is larger.
"""

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cache
from itertools import accumulate

from ..errors import InputError
from ..expression import Expression
from .contracts import carry_key
from .spaces import Bucket

Pair = tuple[int, int]


@cache
def column_pairs(operator: str, carry_in: int, carry_out: int, lowest: int) -> tuple[Pair, ...]:
    """All digit pairs of a column with these carries; ``lowest`` is 1 in a leading column, where zero may not stand.

    >>> len(column_pairs("+", 0, 1, 0))
    45
    """
    sign = 1 if operator == "+" else -1
    return tuple(
        (left, right)
        for left in range(lowest, 10)
        for right in range(lowest, 10)
        if (not 0 <= left + sign * (right + carry_in) <= 9 if sign < 0 else left + right + carry_in > 9)
        == bool(carry_out)
    )


@cache
def digit_pairs(operator: str, mask: int, column: int, leading: bool) -> tuple[Pair, ...]:
    """The digit pairs of one column under a pattern."""
    carry_in = mask >> column - 1 & 1 if column else 0
    return column_pairs(operator, carry_in, mask >> column & 1, lowest=1 if leading and column else 0)


@cache
def fillings(operator: str, mask: int, columns: int, leading: bool) -> tuple[int, int]:
    """How many ways there are to fill the lowest ``columns`` columns: (any, with left <= right).

    >>> fillings("+", 0, 1, leading=True)  # 55 ordered digit pairs do not carry, 30 of them unordered
    (55, 30)
    """
    if not columns:
        return 1, 1
    pairs = digit_pairs(operator, mask, columns - 1, leading)
    free, tied = fillings(operator, mask & (1 << columns - 1) - 1, columns - 1, False)
    rising, same = sum(a < b for a, b in pairs), sum(a == b for a, b in pairs)
    return len(pairs) * free, rising * free + same * tied


@dataclass(frozen=True, slots=True)
class CarrySpace:
    """Class ``mask`` holds the additions that carry in those columns; the subtractions' masks follow."""

    bucket: Bucket
    digits: int = field(init=False)
    ends: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        digits = len(str(self.bucket.high))
        if self.bucket != Bucket(10 ** (digits - 1) if digits > 1 else 0, 10**digits - 1):
            raise InputError("the carry contract needs a bucket of operands with one number of digits")
        object.__setattr__(self, "digits", digits)
        sizes = [fillings("+", mask, digits, True)[1] for mask in range(2**digits)]
        sizes += [fillings("-", mask, digits, True)[0] for mask in range(2 ** (digits - 1))]
        object.__setattr__(self, "ends", tuple(accumulate(sizes)))

    @property
    def classes(self) -> int:
        return len(self.ends)

    def index(self, task: Expression) -> int | None:
        operator, mask = carry_key(task)[:2]
        if operator not in ("+", "-") or mask >= 2 ** (self.digits if operator == "+" else self.digits - 1):
            return None
        return mask if operator == "+" else 2**self.digits + mask

    def before(self, index: int) -> int:
        return self.ends[index - 1] if index else 0

    def task(self, index: int, offset: int) -> Expression:
        operator, mask = ("+", index) if index < 2**self.digits else ("-", index - 2**self.digits)
        left = right = 0
        tied = operator == "+"
        for column in reversed(range(self.digits)):
            pairs = digit_pairs(operator, mask & (2 << column) - 1, column, column == self.digits - 1)
            # while an addition's operands are equal from the top, the left digit may not be the larger
            pairs = tuple(pair for pair in pairs if not tied or pair[0] <= pair[1])
            free, unordered = fillings(operator, mask & (1 << column) - 1, column, False)
            ends = list(accumulate(unordered if tied and a == b else free for a, b in pairs))
            chosen = bisect_right(ends, offset)
            offset -= ends[chosen - 1] if chosen else 0
            a, b = pairs[chosen]
            left, right, tied = 10 * left + a, 10 * right + b, tied and a == b
        return Expression(left, operator, right)
