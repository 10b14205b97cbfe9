"""How written arithmetic goes wrong: the named slips of one question, each of which leads to one exact value.

The result is worked out column by column, row by row or digit by digit as on paper, with the slips that were made. So
two slips of different stages combine into one well-defined value, and a slip that has nothing to act on (a dropped
carry where none arises) makes the combination unusable instead of silently vanishing.

No slip changes the last digit of the result: whoever works out only that learns nothing about which option is right.
Nor does one lead outside the bounds that a glance at the operands sets.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from ..choices.problem import Changes, Problem, Trace, UnusableError
from ..expression import Expression, evaluate
from ..streams import Stream
from .written import (
    DROPPED,
    FAR,
    LEFT_OUT,
    LOST,
    NEEDLESS,
    PLACES,
    TOO_HIGH,
    TOO_LEFT,
    TOO_LOW,
    TOO_RIGHT,
    TURNED,
    TWICE,
    ZEROED,
    added,
    divided,
    multiplied,
    subtracted,
    swapped,
)

# Many slips of one kind would crowd out the other kinds and make many thousand option sets.
_PER_KIND = 3

# Kind, stage (two slips of one stage exclude each other), name, change.
Slip = tuple[str, str, str, Changes]


def problem(question: Expression, stream: Stream) -> Problem:
    """The question with a few slips of every kind, drawn from ``stream``, ready for ``option_sets``."""
    kinds: dict[str, list[Slip]] = {}
    for slip in slips(question):
        kinds.setdefault(slip[0], []).append(slip)
    mistakes: dict[str, dict[str, Changes]] = {}
    for of_kind in kinds.values():
        for _, stage, name, change in stream.sample(of_kind, min(_PER_KIND, len(of_kind))):
            mistakes.setdefault(stage, {})[name] = change
    return Problem(str(question), "", {}, solver(question), mistakes, bounds(question))


def solver(question: Expression) -> Callable[..., int]:
    """``solve(trace, **slips)``: the result of the question with these slips."""
    return partial(_solve, question, evaluate(question) % 10)


def bounds(question: Expression) -> tuple[int, int]:
    """The least and the greatest result that a glance at the operands allows: by size for + and -, else by digits.

    >>> bounds(Expression(58, "+", 67)), bounds(Expression(706, "-", 434)), bounds(Expression(5895, "/", 15))
    ((68, 134), (0, 705), (10, 999))
    """
    left, right = question.left, question.right
    digits = len(str(left)), len(str(right))
    if question.operator == "+":
        return max(left, right) + 1, 2 * max(left, right)
    if question.operator == "-":
        return 0, left - 1
    least = sum(digits) - 2 if question.operator == "*" else digits[0] - digits[1] - 1
    return 10**least, 10 ** (least + 2) - 1


def slips(question: Expression) -> Iterator[Slip]:
    """Every slip that can be tried on the question, those that turn out unusable included.

    >>> [name for kind, _, name, _ in slips(Expression(58, "+", 67)) if kind == "carry lost"]
    ['dropped the carry into the tens', 'dropped the carry into the hundreds']
    """
    for stage, number in (("first number", question.left), ("second number", question.right)):
        yield from _swaps(stage, number)
    yield from _swaps("answer", evaluate(question))
    yield from _SLIPS[question.operator](question.left, question.right)


def _swaps(stage: str, number: int) -> Iterator[Slip]:
    for place in range(1, len(str(number)) - 1):
        name = f"swapped the {PLACES[place + 1]} and {PLACES[place]} digits of the {stage}"
        yield f"swap {stage}", stage, name, {stage: place}


def _carry_slips(left: int, right: int) -> Iterator[Slip]:
    for place in range(1, len(str(max(left, right))) + 1):
        here, further, stage = PLACES[place], PLACES[place + 1], f"carry {place}"
        yield "carry lost", stage, f"dropped the carry into the {here}", {stage: LOST}
        yield "carry needless", stage, f"carried 1 into the {here} without need", {stage: NEEDLESS}
        name = f"carry off by a power of ten: into the {further}, not the {here}"
        yield "carry far", stage, name, {stage: FAR}


def _borrow_slips(left: int, right: int) -> Iterator[Slip]:
    for place in range(1, len(str(left))):
        here, further, stage = PLACES[place], PLACES[place + 1], f"borrow {place}"
        yield "borrow lost", stage, f"borrow from the {here} not taken", {stage: LOST}
        yield "borrow needless", stage, f"borrowed from the {here} without need", {stage: NEEDLESS}
        name = f"borrow not taken in the {here}: smaller digit from the larger"
        yield "borrow turned", stage, name, {stage: TURNED}
        name = f"borrow off by a power of ten: from the {further}, not the {here}"
        yield "borrow far", stage, name, {stage: FAR}


def _product_slips(left: int, right: int) -> Iterator[Slip]:
    for row in range(len(str(right))):
        stage, of_row = f"row {row}", f"partial product of the {PLACES[row]}"
        yield "row left out", stage, f"left out the {of_row}", {stage: LEFT_OUT}
        yield "row twice", stage, f"added the {of_row} twice", {stage: TWICE}
        yield "row far", stage, f"{of_row} off by a power of ten: too far left", {stage: TOO_LEFT}
        yield "row far", stage, f"{of_row} off by a power of ten: too far right", {stage: TOO_RIGHT}
        for place in range(1, len(str(left)) + 1):
            carry, into = f"carry {row}", f"carry into the {PLACES[place]} of the {of_row}"
            yield "row carry lost", stage, f"dropped the {into}", {carry: place}
            yield "row carry twice", stage, f"added the {into} twice", {carry: -place}


def _quotient_slips(left: int, right: int) -> Iterator[Slip]:
    for place in range(len(str(left // right))):
        stage, digit = f"digit {place}", f"{PLACES[place]} digit of the quotient"
        yield "digit dropped", stage, f"dropped the {digit}", {stage: DROPPED}
        yield "digit zeroed", stage, f"dropped the {digit}, a 0 in its place", {stage: ZEROED}
        yield "digit low", stage, f"{digit} one too low", {stage: TOO_LOW}
        yield "digit high", stage, f"{digit} one too high", {stage: TOO_HIGH}


def _solve(question: Expression, last_digit: int, trace: Trace, **slips: int) -> int:
    left = swapped(question.left, slips["first number"]) if "first number" in slips else question.left
    right = swapped(question.right, slips["second number"]) if "second number" in slips else question.right
    value = _RESULTS[question.operator](left, right, slips)
    if "answer" in slips:
        value = swapped(value, slips["answer"])
    if value % 10 != last_digit:
        raise UnusableError(f"{value} has another last digit")
    low, high = bounds(question)
    if not low <= value <= high:
        raise UnusableError(f"{value} cannot be {question} at a glance")
    return value


_SLIPS: Mapping[str, Callable[[int, int], Iterator[Slip]]] = {
    "+": _carry_slips,
    "-": _borrow_slips,
    "*": _product_slips,
    "/": _quotient_slips,
}
_RESULTS: Mapping[str, Callable[[int, int, Mapping[str, int]], int]] = {
    "+": added,
    "-": subtracted,
    "*": multiplied,
    "/": divided,
}
