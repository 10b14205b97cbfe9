"""The question types of the bench, each with its questions as a numbered space.

Nothing is listed, so a space of two billion products costs no more than one of 4,095 sums. Two questions that are the
same by ``semantic_key`` are one question here.

Source: the table of Zenyx Arithmetic Bench (Arko007/arithmetic-bench); the extended types are additions to it.
"""

from dataclasses import dataclass
from math import isqrt
from typing import Protocol

from ..errors import InputError
from ..expression import Expression, SemanticKey

OPERATIONS = {"+": "addition", "-": "subtraction", "*": "multiplication", "/": "division"}


@dataclass(frozen=True, slots=True)
class Bounds:
    """The operator and the inclusive operand ranges of a space's semantic keys."""

    operator: str
    left: tuple[int, int]
    right: tuple[int, int]


class Space(Protocol):
    """All distinct questions of one type."""

    @property
    def size(self) -> int:
        """How many distinct questions there are."""
        ...

    def question(self, number: int, swap: bool) -> Expression:
        """Question ``number``, 0 to ``size - 1``; ``swap`` turns the operands round where the order is free."""
        ...

    @property
    def bounds(self) -> Bounds:
        """Ranges that the operands of every key lie in: a quick filter, wider than the space for divisions."""
        ...

    def __contains__(self, key: SemanticKey) -> bool: ...


@dataclass(frozen=True, slots=True)
class Pairs:
    """Both operands from ``low`` to ``high``, unordered; a subtraction takes the smaller from the larger.

    >>> Pairs("+", 10, 99).size
    4095
    >>> [str(Pairs("-", 10, 11).question(number, swap=True)) for number in range(3)]
    ['10-10', '11-10', '11-11']
    """

    operator: str
    low: int
    high: int

    @property
    def size(self) -> int:
        """n(n + 1) / 2 for n operand values."""
        operands = self.high - self.low + 1
        return operands * (operands + 1) // 2

    def question(self, number: int, swap: bool) -> Expression:
        """Counted by the larger operand, then by the smaller one."""
        above = (isqrt(8 * number + 1) - 1) // 2
        large, small = self.low + above, self.low + number - above * (above + 1) // 2
        if swap and self.operator != "-":
            large, small = small, large
        return Expression(large, self.operator, small)

    @property
    def bounds(self) -> Bounds:
        return Bounds(self.operator, (self.low, self.high), (self.low, self.high))

    def __contains__(self, key: SemanticKey) -> bool:
        operator, left, right = key
        inside = self.low <= min(left, right) and max(left, right) <= self.high
        return operator == self.operator and inside and (operator != "-" or left >= right)


@dataclass(frozen=True, slots=True)
class Products:
    """A narrower operand times a wider one, written in this order; the two ranges do not overlap.

    >>> str(Products((100, 999), (1000, 9999)).question(9000, swap=True))
    '101*1000'
    """

    left: tuple[int, int]
    right: tuple[int, int]

    @property
    def size(self) -> int:
        """One question for each pair of operands."""
        return _count(self.left) * _count(self.right)

    def question(self, number: int, swap: bool) -> Expression:
        """Counted by the left operand, then by the right one; the order is part of the type."""
        left, right = divmod(number, _count(self.right))
        return Expression(self.left[0] + left, "*", self.right[0] + right)

    @property
    def bounds(self) -> Bounds:
        return Bounds("*", self.left, self.right)

    def __contains__(self, key: SemanticKey) -> bool:
        operator, left, right = key
        return operator == "*" and _within(left, self.left) and _within(right, self.right)


@dataclass(frozen=True, slots=True)
class Quotients:
    """Exact divisions: the dividend is a divisor of one range times a quotient of the other.

    >>> str(Quotients((11, 99), (101, 999)).question(0, swap=False))
    '1111/11'
    """

    divisor: tuple[int, int]
    quotient: tuple[int, int]

    @property
    def size(self) -> int:
        """One question for each divisor and quotient."""
        return _count(self.divisor) * _count(self.quotient)

    def question(self, number: int, swap: bool) -> Expression:
        """Counted by the divisor, then by the quotient."""
        divisor, quotient = divmod(number, _count(self.quotient))
        divisor += self.divisor[0]
        return Expression(divisor * (self.quotient[0] + quotient), "/", divisor)

    @property
    def bounds(self) -> Bounds:
        dividends = self.divisor[0] * self.quotient[0], self.divisor[1] * self.quotient[1]
        return Bounds("/", dividends, self.divisor)

    def __contains__(self, key: SemanticKey) -> bool:
        operator, dividend, divisor = key
        if operator != "/" or not _within(divisor, self.divisor):
            return False
        quotient, remainder = divmod(dividend, divisor)
        return remainder == 0 and _within(quotient, self.quotient)


@dataclass(frozen=True, slots=True)
class Remainders:
    """Divisions that leave a remainder: a divisor of one range times a quotient of the other, and 1 to divisor - 1.

    >>> space = Remainders((11, 99), (101, 999))
    >>> [str(space.question(number, swap=False)) for number in (0, 898, 899, space.size - 1)]
    ['1112/11', '10990/11', '1113/11', '98999/99']
    """

    divisor: tuple[int, int]
    quotient: tuple[int, int]

    @property
    def size(self) -> int:
        """One question for each divisor, remainder and quotient."""
        low, high = self.divisor
        return (_below(high + 1) - _below(low)) * _count(self.quotient)

    def question(self, number: int, swap: bool) -> Expression:
        """Counted by the divisor, then by the remainder, then by the quotient."""
        pair, quotient = divmod(number, _count(self.quotient))
        pair += _below(self.divisor[0])
        divisor = (isqrt(8 * pair + 1) - 1) // 2 + 2
        remainder = pair - _below(divisor) + 1
        return Expression(divisor * (self.quotient[0] + quotient) + remainder, "/", divisor)

    @property
    def bounds(self) -> Bounds:
        greatest = self.divisor[1] * (self.quotient[1] + 1) - 1
        return Bounds("/", (self.divisor[0] * self.quotient[0], greatest), self.divisor)

    def __contains__(self, key: SemanticKey) -> bool:
        operator, dividend, divisor = key
        if operator != "/" or not _within(divisor, self.divisor):
            return False
        quotient, remainder = divmod(dividend, divisor)
        return remainder > 0 and _within(quotient, self.quotient)


def _below(divisor: int) -> int:
    """How many pairs of a divisor below this one and a remainder that it can leave, zero apart.

    >>> _below(2), _below(4), _below(11)
    (0, 3, 45)
    """
    return (divisor - 1) * (divisor - 2) // 2


def _count(bounds: tuple[int, int]) -> int:
    return bounds[1] - bounds[0] + 1


def _within(value: int, bounds: tuple[int, int]) -> bool:
    return bounds[0] <= value <= bounds[1]


@dataclass(frozen=True, slots=True)
class QuestionType:
    """A code such as ``5dm``, its operator, what its operands are, its space of questions and how they are worded."""

    code: str
    operator: str
    operands: str
    space: Space
    wording: str = "What is {}?"

    @property
    def operation(self) -> str:
        """The operation's name."""
        return OPERATIONS[self.operator]

    def ask(self, question: Expression) -> str:
        """The question in words.

        >>> question_type("divr").ask(Expression(5897, "/", 15))
        'What is the whole quotient of 5897 / 15, without the remainder?'
        """
        return self.wording.format(f"{question.left} {question.operator} {question.right}")


def _digits(count: int) -> tuple[int, int]:
    return 10 ** (count - 1), 10**count - 1


def _pairs(code: str, operator: str) -> QuestionType:
    digits = int(code[0])
    return QuestionType(code, operator, f"{digits}-digit, {digits}-digit", Pairs(operator, *_digits(digits)))


# The published dividends run from 1,111 = 11 * 101 to 98,901 = 99 * 999, so neither 10 nor 100 is a factor drawn.
_DIVISOR, _QUOTIENT = (11, 99), (101, 999)

TYPES = {
    kind.code: kind
    for kind in (
        _pairs("2da", "+"),
        _pairs("2ds", "-"),
        _pairs("2dm", "*"),
        _pairs("3da", "+"),
        _pairs("3ds", "-"),
        _pairs("3dm", "*"),
        _pairs("4da", "+"),
        _pairs("5da", "+"),
        _pairs("5ds", "-"),
        _pairs("4dm", "*"),
        _pairs("5dm", "*"),
        QuestionType("34m", "*", "3-digit, 4-digit", Products(_digits(3), _digits(4))),
        QuestionType("div", "/", "2-digit divisor, 3-digit quotient", Quotients(_DIVISOR, _QUOTIENT)),
        _pairs("6da", "+"),
        _pairs("6ds", "-"),
        QuestionType("35m", "*", "3-digit, 5-digit", Products(_digits(3), _digits(5))),
        QuestionType(
            "divr",
            "/",
            "2-digit divisor, 3-digit quotient, a remainder",
            Remainders(_DIVISOR, _QUOTIENT),
            "What is the whole quotient of {}, without the remainder?",
        ),
    )
}
DEFAULT_TYPES = ("3ds", "4da", "5da", "5ds", "4dm", "5dm", "34m", "div")
# Beyond the published eight. Only divr is asked in other words: a bare "5897 / 15" has a fraction for an answer.
EXTENDED_TYPES = ("6da", "6ds", "35m", "divr")
LEGACY_TYPES = ("2da", "2ds", "2dm", "3da", "3ds", "4da", "5da")


def question_type(code: str) -> QuestionType:
    """The type of a code; ``InputError`` lists the known ones."""
    if code not in TYPES:
        raise InputError(f"unknown question type {code!r}: choose from {', '.join(TYPES)}")
    return TYPES[code]
