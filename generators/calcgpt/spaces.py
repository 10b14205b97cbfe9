"""The tasks of a bucket as a numbered space, ordered so that each contract's classes are contiguous. Nothing is listed.

A bucket of n operands has n(n + 1) tasks: n(n + 1)/2 unordered additions and as many subtractions with left >= right.
Each space answers three questions in closed form: which class a task is in, how many tasks lie in the classes before
it, and which task is the k-th of a class. Source of the numbering: CalcGPT's group-space sampler.

Under the carry contract a column's carry out depends only on its two digits and the carry in, so the number of tasks
with a pattern is a product over columns. Additions are unordered: the highest column whose digits differ decides
which operand is larger.
"""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import accumulate, combinations, product
from math import isqrt
from typing import Protocol

from ..errors import InputError
from ..expression import Expression, evaluate
from . import contracts
from .contracts import Key, carry_key, fact_family_key
from .representations import MAX_WIDTH, check_width

LISTED = 2_000_000  # tasks of a space that has no closed form


@dataclass(frozen=True, slots=True)
class Bucket:
    """Operands from ``low`` to ``high`` inclusive; both operands of a task lie in it.

    >>> [digit_bucket(digits).tasks for digits in (1, 2, 3)]
    [110, 8190, 810900]
    """

    low: int
    high: int

    def __post_init__(self) -> None:
        if not 0 <= self.low <= self.high:
            raise ValueError(f"no operands from {self.low} to {self.high}")

    @property
    def operands(self) -> int:
        """How many operand values there are: n."""
        return self.high - self.low + 1

    @property
    def pairs(self) -> int:
        """Unordered operand pairs, n(n + 1)/2: the number of additions and of subtractions."""
        return self.operands * (self.operands + 1) // 2

    @property
    def tasks(self) -> int:
        """All tasks, n(n + 1)."""
        return 2 * self.pairs

    def __contains__(self, task: Expression) -> bool:
        return self.low <= min(task.left, task.right) and max(task.left, task.right) <= self.high

    def __str__(self) -> str:
        return f"operands {self.low} to {self.high}"

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """Every (smaller, larger) pair."""
        values = range(self.low, self.high + 1)
        return ((small, large) for large in values for small in range(self.low, large + 1))

    def pair_index(self, small: int, large: int) -> int:
        """The number of the pair, counted by larger operand: pairs of small operands come first."""
        above = large - self.low
        return above * (above + 1) // 2 + small - self.low

    def pair(self, index: int) -> tuple[int, int]:
        """The (smaller, larger) operands of pair number ``index``."""
        above = (isqrt(8 * index + 1) - 1) // 2
        return self.low + index - above * (above + 1) // 2, self.low + above


def digit_bucket(digits: int) -> Bucket:
    """Operands of exactly ``digits`` digits; zero counts as a one-digit operand."""
    check_width(digits)
    return Bucket(10 ** (digits - 1) if digits > 1 else 0, 10**digits - 1)


def width_bucket(width: int) -> Bucket:
    """Operands of at most ``width`` digits."""
    check_width(width)
    return Bucket(0, 10**width - 1)


@dataclass(frozen=True, slots=True)
class MixedBucket:
    """Operands of different lengths: ``lengths`` are the numbers of digits (shorter, longer) that are allowed.

    >>> MixedBucket(((1, 2),)).pairs  # 0 to 9 beside 10 to 99
    900
    """

    lengths: tuple[tuple[int, int], ...]

    @property
    def boxes(self) -> list[tuple[Bucket, Bucket]]:
        """The operands of each pair of lengths."""
        return [(digit_bucket(short), digit_bucket(long)) for short, long in self.lengths]

    @property
    def pairs(self) -> int:
        """Unordered operand pairs: the number of additions and of subtractions."""
        return sum(short.operands * long.operands for short, long in self.boxes)

    @property
    def tasks(self) -> int:
        """All tasks."""
        return 2 * self.pairs

    @property
    def low(self) -> int:
        """The smallest operand."""
        return min(short.low for short, _ in self.boxes)

    @property
    def high(self) -> int:
        """The largest operand."""
        return max(long.high for _, long in self.boxes)

    def __contains__(self, task: Expression) -> bool:
        return min(task.left, task.right) >= 0 and lengths(task) in self.lengths

    def __str__(self) -> str:
        return f"operands of different lengths up to {max(long for _, long in self.lengths)} digits"

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """Every (smaller, larger) pair."""
        for short, long in self.boxes:
            yield from product(range(short.low, short.high + 1), range(long.low, long.high + 1))


def lengths(task: Expression) -> tuple[int, int]:
    """The numbers of digits of both operands, the shorter first.

    >>> lengths(Expression(345, "-", 7))
    (1, 3)
    """
    short, long = sorted((len(str(abs(task.left))), len(str(abs(task.right)))))
    return short, long


Label = int | str


def bucket_of(label: Label, width: int) -> Bucket | MixedBucket:
    """The bucket of a number of digits, of ``mixed``, or of a range such as ``100-399``.

    ``InputError`` for anything else, and where it does not fit into ``width`` digits.

    >>> str(bucket_of("100-399", 3)), bucket_of("mixed", 2).tasks
    ('operands 100 to 399', 1800)
    """
    if isinstance(label, int) and not isinstance(label, bool):
        if not 1 <= label <= width:
            raise InputError(f"digit buckets must lie in 1 to {width}, not {label}")
        return digit_bucket(label)
    if label == "mixed":
        if width < 2:
            raise InputError("operands of one digit have no different lengths")
        return MixedBucket(tuple(combinations(range(1, width + 1), 2)))
    low, sign, high = str(label).partition("-")
    if not (sign and low.isdecimal() and high.isdecimal() and max(len(low), len(high)) <= MAX_WIDTH):
        raise InputError(f"not a number of digits, 'mixed' or a range LOW-HIGH: {label!r}")
    if not int(low) <= int(high) < 10**width:
        raise InputError(f"no range of operands of at most {width} digits: {label!r}")
    return Bucket(int(low), int(high))


class Space(Protocol):
    """The tasks of a bucket with some of the operations, numbered class after class."""

    @property
    def bucket(self) -> Bucket | MixedBucket: ...

    @property
    def operators(self) -> str: ...

    @property
    def classes(self) -> int:
        """How many classes the contract cuts the bucket into."""
        ...

    def index(self, task: Expression) -> int | None:
        """The class of a training task, None when it is in no class of this bucket."""
        ...

    def before(self, index: int) -> int:
        """How many tasks lie in the classes below ``index``; at ``classes`` this is the number of all tasks."""
        ...

    def task(self, index: int, offset: int) -> Expression:
        """Task number ``offset`` of a class, with left >= right for subtraction and left <= right for addition."""
        ...


@dataclass(frozen=True, slots=True)
class OperandPairSpace:
    """Every task is its own class: additions first, then subtractions."""

    bucket: Bucket
    operators: str = "+-"

    @property
    def classes(self) -> int:
        return self.bucket.pairs * len(self.operators)

    def index(self, task: Expression) -> int | None:
        small, large = (task.left, task.right) if task.left <= task.right else (task.right, task.left)
        if small < self.bucket.low or large > self.bucket.high or task.operator not in self.operators:
            return None
        # 7-12 is not the canonical task 12-7, and no bucket of non-negative results holds it
        if task.operator == "-" and task.left != large:
            return None
        return self.operators.index(task.operator) * self.bucket.pairs + self.bucket.pair_index(small, large)

    def before(self, index: int) -> int:
        return index

    def task(self, index: int, offset: int) -> Expression:
        operation, number = divmod(index, self.bucket.pairs)
        return _canonical(self.operators[operation], *self.bucket.pair(number))


def _canonical(operator: str, small: int, large: int) -> Expression:
    return Expression(small, "+", large) if operator == "+" else Expression(large, "-", small)


@dataclass(frozen=True, slots=True)
class MixedPairSpace:
    """:class:`OperandPairSpace` where the operands differ in length: box after box, by longer operand in each."""

    bucket: MixedBucket
    operators: str = "+-"

    @property
    def classes(self) -> int:
        return self.bucket.pairs * len(self.operators)

    def index(self, task: Expression) -> int | None:
        if task not in self.bucket or task.operator not in self.operators:
            return None
        small, large = sorted((task.left, task.right))
        if task.operator == "-" and task.left != large:
            return None
        number = self.operators.index(task.operator) * self.bucket.pairs
        for short, long in self.bucket.boxes:
            if small <= short.high and long.low <= large <= long.high and small >= short.low:
                return number + (large - long.low) * short.operands + small - short.low
            number += short.operands * long.operands
        raise AssertionError(f"{task} lies in the bucket and in none of its boxes")

    def before(self, index: int) -> int:
        return index

    def task(self, index: int, offset: int) -> Expression:
        operation, number = divmod(index, self.bucket.pairs)
        for short, long in self.bucket.boxes:
            if number < short.operands * long.operands:
                above, over = divmod(number, short.operands)
                return _canonical(self.operators[operation], short.low + over, long.low + above)
            number -= short.operands * long.operands
        raise IndexError(index)


@dataclass(frozen=True, slots=True)
class FactFamilySpace:
    """A class for each fact small + large: its sum, then its differences, as far as their operands lie in the bucket.

    Classes are numbered by larger addend, then smaller. A difference may be smaller than the bucket's operands, so the
    smaller addend starts at zero; a class whose tasks all lie outside is empty.
    """

    bucket: Bucket
    operators: str = "+-"

    @property
    def classes(self) -> int:
        return self._first(self.bucket.high + 1)

    def index(self, task: Expression) -> int | None:
        operator, small, large = fact_family_key(task)  # type: ignore[misc]
        if operator != "+" or small < 0 or not self.bucket.low <= large <= self.bucket.high:
            return None
        return self._first(large) + small

    def before(self, index: int) -> int:
        small, large = self._addends(index)
        low, high = self.bucket.low, self.bucket.high
        # facts of smaller larger addends: sums, differences that leave the larger addend, and the smaller one
        sums = _triangle(large - low) + max(0, small - low)
        leaves_large = _capped(low, large - 1, high, 1 - low)
        leaves_small = _capped(low, large - 1, high + 1, 0)
        reach = min(small, high - large + 1)
        differences = leaves_large + leaves_small + max(0, reach - low) + max(0, reach)
        return sums * ("+" in self.operators) + differences * ("-" in self.operators)

    def task(self, index: int, offset: int) -> Expression:
        small, large = self._addends(index)
        tasks = [Expression(small, "+", large)] if small >= self.bucket.low else []
        if small + large <= self.bucket.high:
            tasks += [Expression(small + large, "-", small)] if small >= self.bucket.low else []
            tasks += [Expression(small + large, "-", large)] if small < large else []
        return [task for task in tasks if task.operator in self.operators][offset]

    def _first(self, large: int) -> int:
        return _triangle(large) - _triangle(self.bucket.low)

    def _addends(self, index: int) -> tuple[int, int]:
        number = index + _triangle(self.bucket.low)
        large = (isqrt(8 * number + 1) - 1) // 2
        return number - _triangle(large), large


def _capped(first: int, last: int, height: int, shift: int) -> int:
    """The sum over y from ``first`` to ``last`` of max(0, min(y, height - y) + shift).

    >>> _capped(0, 5, 5, 0)  # 0 1 2 2 1 0
    6
    """
    peak = height // 2
    start, end = max(first, -shift), min(last, peak)
    rising = _triangle(end + shift) - _triangle(start + shift - 1) if end >= start else 0
    start, end = max(first, peak + 1), min(last, height + shift)
    falling = _triangle(height + shift - start) - _triangle(height + shift - end - 1) if end >= start else 0
    return rising + falling


@dataclass(frozen=True, slots=True)
class ResultSpace:
    """Class r holds every task whose result is r: additions first, then subtractions."""

    bucket: Bucket
    operators: str = "+-"

    @property
    def classes(self) -> int:
        return 2 * self.bucket.high + 1

    def index(self, task: Expression) -> int | None:
        try:
            result = evaluate(task)
        except ValueError:
            return None
        return result if 0 <= result < self.classes else None

    def before(self, index: int) -> int:
        n, total = self.bucket.operands, index - 1 - 2 * self.bucket.low
        ordered = _triangle(total + 1) - 2 * _triangle(total + 1 - n) + _triangle(total + 1 - 2 * n)
        doubles = min(n, total // 2 + 1) if total >= 0 else 0
        wide = min(index, n)
        sums, differences = (ordered + doubles) // 2, wide * n - wide * (wide - 1) // 2
        return sums * ("+" in self.operators) + differences * ("-" in self.operators)

    def task(self, index: int, offset: int) -> Expression:
        least = max(self.bucket.low, index - self.bucket.high)
        sums = max(0, index // 2 - least + 1) if "+" in self.operators else 0
        if offset < sums:
            return Expression(least + offset, "+", index - least - offset)
        small = self.bucket.low + offset - sums
        return Expression(small + index, "-", small)


@dataclass(frozen=True, slots=True)
class WidthSpace:
    """Class w - 1 holds the tasks whose wider operand has w digits; training blocks every class up to its widest."""

    bucket: Bucket
    operators: str = "+-"

    @property
    def classes(self) -> int:
        return len(str(self.bucket.high))

    def index(self, task: Expression) -> int | None:
        return min(len(str(max(abs(task.left), abs(task.right)))), self.classes) - 1

    def before(self, index: int) -> int:
        return self._pairs(index) * len(self.operators)

    def task(self, index: int, offset: int) -> Expression:
        first = self._pairs(index)
        operation, number = divmod(offset, self._pairs(index + 1) - first)
        return _canonical(self.operators[operation], *self.bucket.pair(first + number))

    def _pairs(self, index: int) -> int:
        """Operand pairs in the classes below ``index``."""
        return _triangle(min(10**index - 1, self.bucket.high) - self.bucket.low + 1) if index else 0


def _triangle(count: int) -> int:
    """1 + 2 + ... + count, zero below one."""
    return count * (count + 1) // 2 if count > 0 else 0


class ListedSpace:
    """Any bucket under any contract, its tasks listed by class: for what has no closed form, and is small.

    >>> ListedSpace(MixedBucket(((1, 2),)), "carry").classes
    5
    """

    def __init__(self, bucket: Bucket | MixedBucket, contract: str, operators: str = "+-") -> None:
        if bucket.tasks > LISTED:
            raise InputError(
                f"{bucket} under {contract!r} are {bucket.tasks:,} tasks, which must be listed: at most {LISTED:,} are"
            )
        self.bucket, self.operators, self.contract = bucket, operators, contracts.get(contract)
        groups: dict[Key, list[Expression]] = {}
        for operator in operators:
            for small, large in bucket:
                task = _canonical(operator, small, large)
                groups.setdefault(self.contract.key(task), []).append(task)
        self._keys = sorted(groups)
        self._tasks = [groups[key] for key in self._keys]
        self._ends = [0, *accumulate(map(len, self._tasks))]

    @property
    def classes(self) -> int:
        """How many classes the contract cuts the bucket into."""
        return len(self._keys)

    def index(self, task: Expression) -> int | None:
        """The class of a training task; under an ordered contract the last class that it covers."""
        place = bisect_right(self._keys, self.contract.key(task)) - 1
        if place >= 0 and (self.contract.ordered or self._keys[place] == self.contract.key(task)):
            return place
        return None

    def before(self, index: int) -> int:
        """How many tasks lie in the classes below ``index``."""
        return self._ends[index]

    def task(self, index: int, offset: int) -> Expression:
        """Task number ``offset`` of a class."""
        return self._tasks[index][offset]


def space(contract: str, bucket: Bucket | MixedBucket, operators: str = "+-") -> Space:
    """The space of a bucket's tasks with these operations under the named contract."""
    contracts.get(contract)
    if isinstance(bucket, MixedBucket):
        return (
            MixedPairSpace(bucket, operators)
            if contract == "operand_pair"
            else ListedSpace(bucket, contract, operators)
        )
    if contract == "carry":
        one_length = len(str(bucket.low)) == len(str(bucket.high)) and bucket == digit_bucket(len(str(bucket.high)))
        return CarrySpace(bucket, operators) if one_length else ListedSpace(bucket, contract, operators)
    spaces: dict[str, type[OperandPairSpace | FactFamilySpace | ResultSpace | WidthSpace]] = {
        "operand_pair": OperandPairSpace,
        "fact_family": FactFamilySpace,
        "result": ResultSpace,
        "width": WidthSpace,
    }
    return spaces[contract](bucket, operators)


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
    operators: str = "+-"
    digits: int = field(init=False)
    ends: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        digits = len(str(self.bucket.high))
        if self.bucket != Bucket(10 ** (digits - 1) if digits > 1 else 0, 10**digits - 1):
            raise InputError("the carry contract needs a bucket of operands with one number of digits")
        object.__setattr__(self, "digits", digits)
        sizes = [fillings("+", mask, digits, True)[1] * ("+" in self.operators) for mask in range(2**digits)]
        sizes += [fillings("-", mask, digits, True)[0] * ("-" in self.operators) for mask in range(2 ** (digits - 1))]
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
