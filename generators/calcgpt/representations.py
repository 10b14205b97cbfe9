"""Four ways to write one task as text. The task is the same in all of them; only the characters differ.

``padded`` writes operands at the declared width and answers at width + 1; ``reversed`` writes the answer's digits from
the units up. Operands are never reversed. Source: CalcGPT's planned representation ablation.
"""

import re
from dataclasses import dataclass

from ..errors import InputError
from ..expression import Expression, evaluate

DEFAULT = "plain"
CHARACTERS = "0123456789+-="
MAX_WIDTH = 18

_EQUATION = re.compile(r"([0-9]+)([-+])([0-9]+)=([0-9]+)", re.ASCII)
_DIGITS = re.compile(r"[0-9]+", re.ASCII)


def check_width(width: int) -> None:
    """``ValueError`` unless ``width`` (digits per operand) lies in 1 to 18."""
    if not 1 <= width <= MAX_WIDTH:
        raise InputError(f"operand width must be 1 to {MAX_WIDTH} digits, not {width}")


def check_task(expression: Expression, width: int) -> None:
    """``ValueError`` unless this is a task: ``+`` or ``-``, operands of at most ``width`` digits, result >= 0."""
    if expression.operator not in "+-":
        raise InputError(f"CalcGPT has + and - only, not {expression}")
    for operand in (expression.left, expression.right):
        if operand < 0 or operand >= 10**width:
            raise InputError(f"operand {operand} of {expression} does not fit in {width} digits")
    if expression.operator == "-" and expression.left < expression.right:
        raise InputError(f"subtraction must not be negative: {expression}")


@dataclass(frozen=True, slots=True)
class Representation:
    """How a task is written.

    >>> REPRESENTATIONS["padded-reversed"].text(Expression(12, "+", 34), width=3)
    '012+034=6400'
    """

    name: str
    padded: bool
    reversed: bool

    def prompt(self, expression: Expression, width: int) -> str:
        """The question up to and including ``=``; ``ValueError`` for a task that does not fit the width."""
        check_task(expression, width)
        size = width if self.padded else 0
        return f"{expression.left:0{size}d}{expression.operator}{expression.right:0{size}d}="

    def answer(self, expression: Expression, width: int) -> str:
        """The answer's characters: width + 1 digits when padded, units first when reversed."""
        digits = f"{evaluate(expression):0{width + 1 if self.padded else 0}d}"
        return digits[::-1] if self.reversed else digits

    def text(self, expression: Expression, width: int) -> str:
        """The whole equation."""
        return self.prompt(expression, width) + self.answer(expression, width)

    def read_answer(self, text: str, width: int) -> int:
        """The value of an answer in exactly this form. ``ValueError`` for any other characters, width or zeros.

        >>> REPRESENTATIONS["reversed"].read_answer("64", width=3)
        46
        """
        if _DIGITS.fullmatch(text) is None:
            raise InputError(f"answer is not digits only: {text[:80]!r}")
        digits = text[::-1] if self.reversed else text
        if self.padded and len(digits) != width + 1:
            raise InputError(f"{self.name} answers of width {width} have {width + 1} digits: {text[:80]!r}")
        if not self.padded and len(digits) > 1 and digits[0] == "0":
            raise InputError(f"{self.name} answers have no padding zeros: {text[:80]!r}")
        if len(digits) > width + 1:
            raise InputError(f"no answer of width {width} has {len(digits)} digits: {text[:80]!r}")
        return int(digits)

    def parse(self, text: str, width: int, line: int | None = None) -> Expression:
        """Read an equation in exactly this form back into its task.

        ``ValueError`` that names ``line`` for other characters, a wrong width, stray zeros or a wrong answer.

        >>> REPRESENTATIONS["padded"].parse("012+034=0046", width=3)
        Expression(left=12, operator='+', right=34)
        """
        try:
            return self._parse(text, width)
        except ValueError as error:
            raise InputError(str(error), line=line) from None

    def _parse(self, text: str, width: int) -> Expression:
        match = _EQUATION.fullmatch(text)
        if match is None:
            raise InputError(f"not an equation of the form a+b=c or a-b=c: {text[:80]!r}")
        left, operator, right, answer = match.groups()
        for operand in (left, right):
            if self.padded and len(operand) != width:
                raise InputError(f"operand {operand[:80]} is not {width} digits wide: {text[:80]!r}")
            if not self.padded and (len(operand) > width or (len(operand) > 1 and operand[0] == "0")):
                raise InputError(f"operand {operand[:80]} is not a plain number of up to {width} digits: {text[:80]!r}")
        expression = Expression(int(left), operator, int(right))
        check_task(expression, width)
        if self.read_answer(answer, width) != evaluate(expression):
            raise InputError(f"wrong answer: {text!r} should end in {self.answer(expression, width)!r}")
        return expression


REPRESENTATIONS = {
    representation.name: representation
    for representation in (
        Representation("plain", padded=False, reversed=False),
        Representation("reversed", padded=False, reversed=True),
        Representation("padded", padded=True, reversed=False),
        Representation("padded-reversed", padded=True, reversed=True),
    )
}


def get(name: str) -> Representation:
    """The representation of that name; ``ValueError`` lists the known ones."""
    try:
        return REPRESENTATIONS[name]
    except KeyError:
        raise InputError(f"unknown representation {name!r}: choose from {', '.join(REPRESENTATIONS)}") from None
