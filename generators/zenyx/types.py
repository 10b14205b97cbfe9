"""The question types of the bench. Source: the table of Zenyx Arithmetic Bench (Arko007/arithmetic-bench)."""

from dataclasses import dataclass

from ..errors import InputError
from .spaces import Pairs, Products, Quotients, Space

OPERATIONS = {"+": "addition", "-": "subtraction", "*": "multiplication", "/": "division"}


@dataclass(frozen=True, slots=True)
class QuestionType:
    """A code such as ``5dm``, its operator, what its operands are, and the space of its questions."""

    code: str
    operator: str
    operands: str
    space: Space

    @property
    def operation(self) -> str:
        """The operation's name."""
        return OPERATIONS[self.operator]


def _digits(count: int) -> tuple[int, int]:
    return 10 ** (count - 1), 10**count - 1


def _pairs(code: str, operator: str) -> QuestionType:
    digits = int(code[0])
    return QuestionType(code, operator, f"{digits}-digit, {digits}-digit", Pairs(operator, *_digits(digits)))


# The published dividends run from 1,111 = 11 * 101 to 98,901 = 99 * 999, so neither 10 nor 100 is a factor drawn.
_DIVISION = Quotients((11, 99), (101, 999))

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
        QuestionType("div", "/", "2-digit divisor, 3-digit quotient", _DIVISION),
    )
}
DEFAULT_TYPES = ("3ds", "4da", "5da", "5ds", "4dm", "5dm", "34m", "div")
LEGACY_TYPES = ("2da", "2ds", "2dm", "3da", "3ds", "4da", "5da")


def question_type(code: str) -> QuestionType:
    """The type of a code; ``InputError`` lists the known ones."""
    if code not in TYPES:
        raise InputError(f"unknown question type {code!r}: choose from {', '.join(TYPES)}")
    return TYPES[code]
