"""Claims on the solution steps: their arithmetic, their number, how they build on each other, and where they end."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ...choices.claims import clock_value, prompt_numbers
from ...claims import Item
from .closed_forms.clock_stages import DAY
from .expected import SIDE_BY_SIDE

_TIME = r"(\d{1,2}):(\d\d) ([ap])\.m\."
_SHIFT = re.compile(rf"{_TIME} ([-+]) (\d{{1,18}}) min = {_TIME}", re.ASCII)
_SUM = re.compile(r"(\d{1,18}(?: [-+*/] \d{1,18})+) = (\d{1,18})(?: \(remainder (\d{1,18})\))?", re.ASCII)
# Numbers that a step may use though no prompt gives them: a per cent, minutes in an hour, centimetres in a metre.
_CONSTANTS = (60, 100)
# "Ada and 3 friends" are four.
_AND_FRIENDS = re.compile(r"[A-Z][a-z]+ and (\d{1,3}) ", re.ASCII)


class StepError(ValueError):
    """The text of a step is not of a known form, or its arithmetic is wrong."""


@dataclass(frozen=True, slots=True)
class Step:
    """What a step's text says: the numbers it works on (clock times in minutes) and its result."""

    operands: tuple[int, ...]
    result: int


def read_step(text: str) -> Step:
    """Read a step and evaluate it again; ``StepError`` says what is wrong.

    >>> read_step("full crates: 430 / 16 = 26 (remainder 14)")
    Step(operands=(430, 16), result=26)
    >>> read_step("end: 11:45 p.m. + 50 min = 12:35 a.m.")
    Step(operands=(1425, 50), result=35)
    """
    label, colon, sum_text = text.partition(": ")
    if not colon or not label:
        raise StepError(f"step without a label: {text!r}")
    shift = _SHIFT.fullmatch(sum_text)
    if shift:
        return _read_shift(text, shift)
    plain = _SUM.fullmatch(sum_text)
    if not plain:
        raise StepError(f"step of no known form: {text!r}")
    tokens = plain[1].split(" ")
    value, result = _evaluate(tokens), int(plain[2])
    divided = tokens[-2] == "/" and plain[3] is not None
    remainder = (value - value // 1) * int(tokens[-1]) if divided else 0
    if (value // 1 if divided else value) != result or remainder != int(plain[3] or 0):
        raise StepError(f"wrong arithmetic: {text!r}; {plain[1]} is {_shown(value, tokens)}")
    return Step(tuple(map(int, tokens[::2])), result)


def _read_shift(text: str, shift: re.Match[str]) -> Step:
    start, minutes, end = clock_value(*shift.group(1, 2, 3)), int(shift[5]), clock_value(*shift.group(6, 7, 8))
    moved = start + minutes if shift[4] == "+" else start - minutes
    if moved % DAY != end:
        raise StepError(f"wrong arithmetic: {text!r}; the clock shows {moved % DAY // 60}:{moved % 60:02d} (24 h)")
    return Step((start, minutes), end)


def _evaluate(tokens: list[str]) -> Fraction:
    """Products and quotients first, then sums and differences, each from left to right."""
    terms = [Fraction(tokens[0])]
    for operator, operand in zip(tokens[1::2], map(Fraction, tokens[2::2]), strict=True):
        if operator == "/" and not operand:
            raise StepError("division by zero")
        if operator in "+-":
            terms.append(operand if operator == "+" else -operand)
        else:
            terms[-1] = terms[-1] * operand if operator == "*" else terms[-1] / operand
    return sum(terms, Fraction(0))


def _shown(value: Fraction, tokens: list[str]) -> str:
    if value.denominator == 1:
        return str(value)
    whole = value // 1
    return f"{whole} remainder {(value - whole) * int(tokens[-1])}" if tokens[-2] == "/" else f"{float(value):.3f}"


def _problem(text: str) -> str | None:
    try:
        read_step(text)
    except ValueError as error:
        return str(error)
    return None


def _readable(item: Item) -> list[Step] | None:
    texts = item["metadata"]["solution_steps"]
    return None if any(map(_problem, texts)) else [read_step(text) for text in texts]


def arithmetic(item: Item) -> Iterator[str]:
    """Every step's text, evaluated again, gives the result that it states."""
    yield from filter(None, map(_problem, item["metadata"]["solution_steps"]))


def count(item: Item) -> Iterator[str]:
    """As many steps as the depth."""
    steps, depth = len(item["metadata"]["solution_steps"]), item["metadata"]["depth"]
    if steps != depth:
        yield f"{steps} solution steps at depth {depth}"


def dependence(item: Item) -> Iterator[str]:
    """Every step but the last gives a result that a later one uses; the other operands come from the prompt."""
    steps = _readable(item)
    if steps is None:
        return
    try:
        given = prompt_numbers(item["ctx"])
    except ValueError as error:
        yield str(error)
        return
    known = {*given, *_CONSTANTS}
    percentages = [int(number) for number in re.findall(r"(\d{1,3})%", item["ctx"], re.ASCII)]
    known |= {100 - number for number in percentages} | {100 + number for number in percentages}
    known |= {number + 1 for number in map(int, _AND_FRIENDS.findall(item["ctx"]))}
    texts = item["metadata"]["solution_steps"]
    for index, (text, step) in enumerate(zip(texts, steps, strict=True)):
        later = {operand for following in steps[index + 1 :] for operand in following.operands}
        if index < len(steps) - 1 and step.result not in later:
            yield f"no later step uses the result of {text!r}"
        for operand in step.operands:
            if operand not in known:
                yield f"{operand} in {text!r} is neither in the prompt nor an earlier result"
        for number in map(int, re.findall(r"\d{1,18}", text.partition(": ")[0], re.ASCII)):
            if number not in given:
                yield f"{number} in the name of the step {text!r} is not in the prompt"
        known.add(step.result)


def ends_in_answer(item: Item) -> Iterator[str]:
    """The last step's result is the answer, which is the value of the option that the label points at."""
    steps = _readable(item)
    if not steps:
        return
    metadata = item["metadata"]
    try:
        answer = prompt_numbers(metadata["answer"])
    except ValueError:
        answer = []
    if answer != [steps[-1].result]:
        yield f"the answer is {metadata['answer']!r}, but the last step is {metadata['solution_steps'][-1]!r}"


def follow_each_other(item: Item) -> Iterator[str]:
    """All steps follow each other; all but one in the templates of the published design that have two products."""
    if _readable(item) is None:
        return
    metadata = item["metadata"]
    wanted = metadata["depth"] - (metadata["template"] in SIDE_BY_SIDE)
    longest = chain(metadata["solution_steps"])
    # By chance an operand can equal the result of a step beside it.
    if longest < wanted:
        yield f"{longest} of the steps follow each other, not {wanted}"


def chain(texts: Sequence[str]) -> int:
    """How many of the steps must follow each other: the longest way on which each takes the result of an earlier one.

    >>> chain(["first part: 4 * 12 = 48", "second part: 3 * 15 = 45", "in total: 48 + 45 = 93"])
    2
    """
    steps = [read_step(text) for text in texts]
    longest: list[int] = []
    for step in steps:
        before = [length for length, earlier in zip(longest, steps, strict=False) if earlier.result in step.operands]
        longest.append(1 + max(before, default=0))
    return max(longest, default=0)
