"""What counts as the same task: the one answer that splits, scans and samplers share.

Source: CalcGPT's ``semantic_key``, extended from ``+ -`` to ``+ - * /``.
"""

import re
from dataclasses import dataclass

OPERATORS = ("+", "-", "*", "/")
COMMUTATIVE = frozenset("+*")
SemanticKey = tuple[str, int, int]

_PATTERN = re.compile(r"\s*(-?[0-9]+)\s*([-+*/])\s*(-?[0-9]+)\s*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Expression:
    """One operation on two integers.

    >>> str(Expression(12, "+", 34))
    '12+34'
    """

    left: int
    operator: str
    right: int

    def __post_init__(self) -> None:
        if self.operator not in OPERATORS:
            raise ValueError(f"operator must be one of {' '.join(OPERATORS)}, not {self.operator!r}")
        for operand in (self.left, self.right):
            if type(operand) is not int:
                raise ValueError(f"operands are integers, not {operand!r}")

    def __str__(self) -> str:
        return f"{self.left}{self.operator}{self.right}"


def semantic_key(expression: Expression) -> SemanticKey:
    """The identity of a task: operands unordered for ``+`` and ``*``, ordered for ``-`` and ``/``.

    >>> semantic_key(Expression(34, "+", 12)) == semantic_key(Expression(12, "+", 34))
    True
    >>> semantic_key(Expression(12, "-", 7)) == semantic_key(Expression(7, "-", 12))
    False
    """
    left, right = expression.left, expression.right
    if expression.operator in COMMUTATIVE and left > right:
        left, right = right, left
    return (expression.operator, left, right)


def evaluate(expression: Expression) -> int:
    """The exact integer value. ``ValueError`` for a division by zero or one that leaves a remainder.

    >>> evaluate(Expression(5895, "/", 15))
    393
    """
    left, right = expression.left, expression.right
    if expression.operator == "+":
        return left + right
    if expression.operator == "-":
        return left - right
    if expression.operator == "*":
        return left * right
    if right == 0:
        raise ValueError(f"division by zero: {expression}")
    quotient, remainder = divmod(left, right)
    if remainder:
        raise ValueError(f"not an exact division: {expression} leaves {remainder}")
    return quotient


def parse(text: str) -> Expression:
    """Read ``a op b`` and nothing else; leading zeros and spaces vanish. ``ValueError`` names the text.

    >>> parse("012 + 34")
    Expression(left=12, operator='+', right=34)
    """
    match = _PATTERN.fullmatch(text)
    if match is None:
        raise ValueError(f"not an expression of the form 'a op b': {text!r}")
    left, operator, right = match.groups()
    return Expression(int(left), operator, int(right))
