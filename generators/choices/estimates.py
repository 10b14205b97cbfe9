"""What half of the work gains: the steps of an item done roughly, one of them skipped, the last one undone.

These are no shortcuts around the arithmetic but parts of it, so their rows are reported and not judged. A step is read
from its text; an operand that is an earlier result, not used since, stands for that result.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import floor, gcd, log10

from .audit import Question, Row, judge
from .quantities import Number, first_number
from .shortcuts import share

ROUGH = {digits: f"rough arithmetic: every step to {digits} significant digit{'s' * (digits > 1)}" for digits in (1, 2)}
SKIPPED = "one step skipped, the nearest ending"
LAST_DIGIT = "the right last digit, drawn among those that have it"
UNDONE = "last step undone: divided by most prompt numbers"
CAST_OUT = {9: "casting out nines", 11: "casting out elevens"}

_STEP = re.compile(r"(?P<left>.+?) (?P<operator>[-+*/]) (?P<right>.+?)(?P<part> / 100)? = (?P<result>.+)")
_OPERATIONS: dict[str, Callable[[float, float], float]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": lambda left, right: left / right if right else left,
}


@dataclass(frozen=True, slots=True)
class Step:
    """One operation; a source is the place of the earlier step whose result an operand is, or None."""

    operator: str
    left: Number
    right: Number
    sources: tuple[int | None, int | None]
    hundredth: bool


def read_steps(lines: Sequence[str]) -> list[Step] | None:
    """The steps of ``metadata.solution_steps``, or None where one is no operation on two numbers.

    >>> read_steps(["cut: 240 * 20 / 100 = 48", "price: 240 - 48 = 192"])[1].sources
    (None, 0)
    """
    steps: list[Step] = []
    unused: dict[Number, int] = {}
    for place, line in enumerate(lines):
        match = _STEP.fullmatch(line.partition(": ")[2])
        numbers = [first_number(match[name]) for name in ("left", "right", "result")] if match else [None]
        if match is None or None in numbers:
            return None
        left, right, result = (number for number in numbers if number is not None)
        sources = (unused.pop(left, None), unused.pop(right, None))
        steps.append(Step(match["operator"], left, right, sources, match["part"] is not None))
        unused[result] = place
    return steps


def redone(steps: Sequence[Step], change: Callable[[int, float], float], operand: Callable[[Number], float]) -> float:
    """The last result when each result is passed through ``change`` (with its place), each number through ``operand``.

    >>> redone(read_steps(["cut: 240 * 20 / 100 = 48", "price: 240 - 48 = 192"]), lambda place, value: value, float)
    192.0
    """
    results: list[float] = []
    for place, step in enumerate(steps):
        left, right = (
            operand(number) if source is None else results[source]
            for number, source in zip((step.left, step.right), step.sources, strict=True)
        )
        value = _OPERATIONS[step.operator](left, right)
        results.append(change(place, value / 100 if step.hundredth else value))
    return results[-1]


def significant(value: float, digits: int) -> float:
    """``value`` rounded to so many significant digits, halves upwards.

    >>> significant(1250, 2), significant(64, 1), significant(0, 1)
    (1300.0, 60.0, 0.0)
    """
    if not value:
        return 0.0
    scale = 10.0 ** (floor(log10(abs(value))) - digits + 1)
    return floor(value / scale + 0.5) * scale


def rough(steps: Sequence[Step], digits: int) -> float:
    """The result with every number and every step rounded to so many significant digits."""
    return redone(steps, lambda place, value: significant(value, digits), lambda number: significant(number, digits))


def skipped(steps: Sequence[Step], place: int) -> list[float]:
    """The results without one step: as if it left its first operand as it was, its second, or gave nothing."""
    step = steps[place]
    found = []
    for stand_in in (step.left, step.right, 0):

        def change(here: int, value: float, stand_in: Number = stand_in) -> float:
            return stand_in if here == place else value

        found.append(redone(steps, change, float))
    return found


def undone(steps: Sequence[Step], values: Sequence[Number], numbers: Sequence[Number]) -> list[int] | None:
    """For each option, how many numbers of the prompt divide what stood before the last step, had it led there.

    A percentage counts as what it leaves of a hundred. None where the last step has two results as operands.

    >>> undone(read_steps(["price: 240 * 80 / 100 = 192", "paid: 192 + 9 = 201"]), [201, 249, 183, 231], (240, 20, 9))
    [1, 3, 0, 0]
    """
    last = steps[-1]
    known = [number for number, source in zip((last.left, last.right), last.sources, strict=True) if source is None]
    if len(known) != 1:
        return None
    other = known[0]
    parts = {int(number) for number in numbers if number > 1}
    parts |= {int(100 - number) // gcd(100, int(number)) for number in numbers if 1 < number < 100}
    before = []
    for value in values:
        if last.operator == "+":
            before.append(value - other)
        elif last.operator == "-":
            before.append(value + other if last.sources[0] is not None else other - value)
        elif last.operator == "*":
            before.append(value / other)
        else:
            before.append(value * other)
    return [sum(value % part == 0 for part in parts if part > 1 and part != other) for value in before]


def nearest(values: Sequence[Number], target: float) -> list[float]:
    """A score per option: the nearer to ``target``, the higher."""
    return [-abs(value - target) for value in values]


def estimate_rows(questions: Sequence[Question]) -> list[Row]:
    """All rows of this module; those that no item gives anything to go by are not applicable.

    Rough, skipped and undone steps are of items whose answer is an amount.
    """
    usable = [asked for asked in questions if asked.values is not None]
    read = [(asked, read_steps(asked.steps)) for asked in usable if ":" not in asked.texts[asked.label]]
    solved = [(asked, steps) for asked, steps in read if steps]
    rows = [
        _row(name, [(asked, _near(asked, rough(steps, digits))) for asked, steps in solved])
        for digits, name in ROUGH.items()
    ]
    rows.append(_row(SKIPPED, _skipping(solved)))
    amounts = [asked for asked, _ in read]
    rows.append(_row(LAST_DIGIT, [(asked, _alike(asked, 10)) for asked in amounts]))
    before = [(asked, undone(steps, asked.values or (), asked.numbers)) for asked, steps in solved]
    rows.append(_row(UNDONE, [(asked, share(counts)[asked.label]) for asked, counts in before if counts]))
    direct = [asked for asked in usable if asked.direct]
    return rows + [_row(name, [(asked, _alike(asked, base)) for asked in direct]) for base, name in CAST_OUT.items()]


def _row(name: str, gained: Sequence[tuple[Question, float]]) -> Row:
    return judge(name, "reported", [credit for _, credit in gained], [1 / len(asked.texts) for asked, _ in gained])


def _near(question: Question, target: float) -> float:
    return share(nearest(question.values or (), target))[question.label]


def _alike(question: Question, modulus: int) -> float:
    """The credit of someone who knows the answer's remainder and draws among the options that have it."""
    values = question.values or ()
    return 1 / sum((value - values[question.label]) % modulus == 0 for value in values)


def skip_table(solved: Sequence[tuple[Question, list[Step]]]) -> dict[tuple[str, int, int], list[float]]:
    """For each template, step and stand-in of ``skipped``, the credit of the nearest ending on each item."""
    table: dict[tuple[str, int, int], list[float]] = {}
    for asked, steps in solved:
        for place in range(len(steps) - 1):
            for kind, target in enumerate(skipped(steps, place)):
                table.setdefault((asked.template, place, kind), []).append(_near(asked, target))
    return table


def _skipping(solved: Sequence[tuple[Question, list[Step]]]) -> list[tuple[Question, float]]:
    """Per template the step is skipped whose skipping gains most on the other half of the items."""
    halves = [solved[::2], solved[1::2]]
    gained = []
    for learned, tried in (halves, halves[::-1]):
        best: dict[str, tuple[float, int, int]] = {}
        for (template, place, kind), credits in skip_table(learned).items():
            score = sum(credits) / len(credits)
            best[template] = max(best.get(template, (0.0, 0, 0)), (score, place, kind))
        for asked, steps in tried:
            if asked.template in best:
                _, place, kind = best[asked.template]
                if place < len(steps):
                    gained.append((asked, _near(asked, skipped(steps, place)[kind])))
    return gained
