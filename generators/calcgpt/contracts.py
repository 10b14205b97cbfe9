"""What ``held out`` may mean: named key functions. Two tasks with one key are the same to the contract.

Each contract says in words what an accuracy on its holdout may claim, and no more. ``operand_pair`` is the relation of
the CalcGPT document; the others are the ones it names as needing a contract of their own.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ..errors import InputError
from ..expression import Expression, evaluate, semantic_key

Key = tuple[str, int, int] | tuple[str, int]


def result_key(expression: Expression) -> Key:
    """Tasks with one result are one group, whatever the operation.

    >>> result_key(Expression(1, "+", 4)) == result_key(Expression(7, "-", 2))
    True
    """
    try:
        return ("=", evaluate(expression))
    except ValueError:
        return ("no integer result", 0)


def carry_key(expression: Expression) -> Key:
    """The operator and the columns that carry (or borrow), as a bit mask: bit 0 is the units column.

    >>> carry_key(Expression(58, "+", 67))  # both columns carry
    ('+', 3)
    >>> carry_key(Expression(42, "-", 17))  # the units borrow
    ('-', 1)
    """
    if expression.operator not in "+-" or min(expression.left, expression.right) < 0:
        return (f"{expression.operator} has no carries", 0)
    left, right, carried, mask, column = expression.left, expression.right, 0, 0, 0
    sign = 1 if expression.operator == "+" else -1
    while left or right:
        value = left % 10 + sign * (right % 10 + carried) if sign < 0 else left % 10 + right % 10 + carried
        carried = int(not 0 <= value <= 9)
        mask |= carried << column
        left, right, column = left // 10, right // 10, column + 1
    return (expression.operator, mask)


def width_key(expression: Expression) -> Key:
    """The number of digits of the wider operand.

    >>> width_key(Expression(7, "+", 345))
    ('width', 3)
    """
    return ("width", len(str(max(abs(expression.left), abs(expression.right)))))


def fact_family_key(expression: Expression) -> Key:
    """The two addends of the fact that an addition or subtraction states: ``5+7``, ``7+5``, ``12-7`` and ``12-5``.

    >>> fact_family_key(Expression(12, "-", 7)) == fact_family_key(Expression(7, "+", 5))
    True
    """
    if expression.operator == "+":
        return ("+", *sorted((expression.left, expression.right)))  # type: ignore[return-value]
    if expression.operator == "-":
        return ("+", *sorted((expression.right, expression.left - expression.right)))  # type: ignore[return-value]
    return semantic_key(expression)


@dataclass(frozen=True, slots=True)
class Contract:
    """A named equivalence relation with the sentence that an accuracy under it supports.

    ``ordered`` contracts hold out the largest keys and exclude every key up to the largest one in training.
    """

    name: str
    key: Callable[[Expression], Key]
    relation: str
    claim: str
    representations: str = "The same claim in every representation: the relation looks at operands, not at text."
    ordered: bool = False

    def conflicts(self, evaluated: Expression, training_keys: set[Key]) -> bool:
        """Whether training already covers this task under the relation."""
        key = self.key(evaluated)
        if self.ordered:
            return any(other[1] >= key[1] for other in training_keys)
        return key in training_keys

    def keys(self, tasks: Iterable[Expression]) -> set[Key]:
        """The keys of these tasks, without repeats."""
        return {self.key(task) for task in tasks}


CONTRACTS = {
    contract.name: contract
    for contract in (
        Contract(
            "operand_pair",
            semantic_key,
            "same operation on the same operands; + takes them in either order",
            "accuracy on operand pairs absent from training: no addition repeats a training pair in either order, no "
            "subtraction repeats the same ordered operands. Results, carry patterns and widths may all be familiar.",
        ),
        Contract(
            "fact_family",
            fact_family_key,
            "same addition fact: a + b = c in either order, c - a and c - b",
            "accuracy on tasks whose addition fact training states in no form: neither the sum in either order nor one "
            "of its two differences. Results, carry patterns and widths may all be familiar.",
        ),
        Contract(
            "result",
            result_key,
            "same result, whatever the operation",
            "accuracy on tasks whose result is the result of no training task. Carry patterns and operands may be "
            "familiar.",
        ),
        Contract(
            "carry",
            carry_key,
            "same operation with carries (or borrows) in the same columns",
            "accuracy on tasks whose set of carrying (or borrowing) columns occurs in no training task of the same "
            "operation. Each single carry, and every result, may be familiar.",
        ),
        Contract(
            "width",
            width_key,
            "the wider operand has at most as many digits as the widest in training",
            "accuracy on tasks with an operand wider than any in training: extrapolation in length, at the widths "
            "listed and no others.",
            representations="The claim of longer operands holds in the plain and reversed forms. A padded form writes "
            "operands of every width with the same number of characters: there the new thing is a digit other than "
            "zero in a place that held zeros in all of training.",
            ordered=True,
        ),
    )
}
DEFAULT = "operand_pair"


def get(name: str) -> Contract:
    """The contract of that name; ``ValueError`` lists the known ones."""
    try:
        return CONTRACTS[name]
    except KeyError:
        raise InputError(f"unknown contract {name!r}: choose from {', '.join(CONTRACTS)}") from None
