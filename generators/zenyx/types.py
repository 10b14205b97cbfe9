"""The question types of the bench.

Source: the table of Zenyx Arithmetic Bench (Arko007/arithmetic-bench); the extended types are additions to it.
"""

from dataclasses import dataclass

from ..errors import InputError
from ..expression import Expression
from .spaces import Pairs, Products, Quotients, Remainders, Space

OPERATIONS = {"+": "addition", "-": "subtraction", "*": "multiplication", "/": "division"}


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
