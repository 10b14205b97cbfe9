"""Shortcut audit: what the fixed strategies of ``shortcuts.py`` score on a set of items, against chance.

Works on any four-way (or n-way) multiple-choice set with ``ctx``, ``endings`` and ``label``; whatever else a strategy
needs is read from the text, or the strategy is reported as not applicable.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import InputError
from ..intervals import Z999, wilson
from .quantities import Number, first_number, numbers_in
from .shortcuts import DIRECT_ARITHMETIC, PART_OF_THE_WORK, STRATEGIES, Credit, credits, share

TOLERANCE = 0.01
LARGE = 1000
_OPERATION = re.compile(r"(?<![\w.])[0-9]+ ?[-+*/×÷−] ?[0-9]+(?![\w])")
_PERCENTAGE = re.compile(r"(?<![\w.])(\d{1,2}) ?(?:%|per ?cent\b)", re.ASCII)
HALF = 50
POWERS = (-5, -4, -3, -2, -1, 1, 2, 3, 4, 5)
WHERE_LARGE = "smallest, where a percentage is 50 or more"
OK, OFF, LEAK, NOT_APPLICABLE = "ok", "off by over a point", "LEAK", "not applicable"


@dataclass(frozen=True, slots=True)
class Question:
    """What a solver sees of an item, and where the right option is.

    ``values`` is None when an ending holds no number; ``template`` is the group for cross-validation. ``direct`` marks
    a prompt that is one operation on its only two numbers (``What is 12 + 34?``): there ``DIRECT_ARITHMETIC`` is the
    task itself and no shortcut. ``steps`` are the lines of the solution, where the item has them.
    """

    prompt: str
    numbers: tuple[Number, ...]
    texts: tuple[str, ...]
    values: tuple[Number, ...] | None
    label: int
    first_step: Number | None
    template: str
    direct: bool = False
    steps: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the audit: a strategy's accuracy, chance and the 95 % Wilson interval, all as fractions.

    ``kind`` is ``fixed``, ``classifier`` or ``reported`` (shown, but no reason to fail); ``items`` counts those on
    which the strategy applies. Score and bounds are None where it applies to none.
    """

    strategy: str
    kind: str
    items: int
    score: float | None
    chance: float | None
    low: float | None
    high: float | None
    verdict: str


def judge(strategy: str, kind: str, gained: Sequence[float], chances: Sequence[float]) -> Row:
    """A row from the credit gained on each item and the chance of each item.

    The goal for a fixed strategy is a score within one point of chance. Beyond it the verdict is ``LEAK`` when the
    interval excludes chance, else ``off by over a point``; on sets under 1,000 items, where a point is far less than
    the sampling error, an interval that covers chance is ok. A classifier is ok unless its 99.9 % interval excludes
    chance: two are trained on every set, and by the 95 % one a clean set in ten would be called leaky by luck.
    """
    count = len(gained)
    if not count:
        return Row(strategy, kind, 0, None, None, None, None, NOT_APPLICABLE)
    score, chance = sum(gained) / count, sum(chances) / count
    low, high = wilson(sum(gained), count)
    widest = (low, high) if kind == "fixed" else wilson(sum(gained), count, Z999)
    goal_met = kind == "fixed" and abs(score - chance) <= TOLERANCE + 1e-9
    covered = widest[0] <= chance <= widest[1]
    met = goal_met or (covered and (kind != "fixed" or count < LARGE))
    verdict = OK if met else OFF if covered else LEAK
    return Row(strategy, kind, count, score, chance, low, high, verdict)


def _label(item: Mapping[str, Any], count: int, line: int | None, file: object) -> int:
    text = str(item["label"])
    if not re.fullmatch(r"\d{1,3}", text, re.ASCII):
        raise InputError(f"label is not an option number: {item['label']!r}", file=file, line=line)
    label = int(text)
    if not 0 <= label < count:
        raise InputError(f"label {label} with {count} endings", file=file, line=line)
    return label


def _steps(known: Mapping[str, Any]) -> tuple[str, ...]:
    steps = known.get("solution_steps")
    return tuple(map(str, steps)) if isinstance(steps, list) else ()


def _first_step(steps: Sequence[str]) -> Number | None:
    """The result of the first solution step: what stands after its last ``=``."""
    return first_number(steps[0].rsplit("=", 1)[1]) if steps and "=" in steps[0] else None


def question(item: Mapping[str, Any], *, line: int | None = None, file: object = None) -> Question:
    """Read one item; only ``ctx``, ``endings`` and ``label`` are needed. ``InputError`` says what is wrong.

    >>> question({"ctx": "2 and 3 make", "endings": [" 5.", " 6."], "label": "0"}).values
    (5, 6)
    """
    for key in ("ctx", "endings", "label"):
        if key not in item:
            raise InputError(f"no field {key!r}", file=file, line=line)
    endings = item["endings"]
    if not isinstance(endings, list) or len(endings) < 2:
        raise InputError(f"endings are not a list of at least two options: {endings!r}", file=file, line=line)
    texts = tuple(map(str, endings))
    read = [first_number(text) for text in texts]
    values = tuple(value for value in read if value is not None)
    metadata = item.get("metadata")
    known: Mapping[str, Any] = metadata if isinstance(metadata, Mapping) else {}
    prompt, steps = str(item["ctx"]), _steps(known)
    numbers = numbers_in(prompt)
    return Question(
        prompt=prompt,
        numbers=numbers,
        texts=texts,
        values=values if len(values) == len(texts) else None,
        label=_label(item, len(texts), line, file),
        first_step=_first_step(steps),
        template=str(known.get("template") or known.get("topic") or item.get("activity_label") or ""),
        direct=len(numbers) == 2 and _OPERATION.search(prompt) is not None,
        steps=steps,
    )


def strategy_credits(question: Question) -> list[Credit | None]:
    """The credits of one question in the order of ``STRATEGIES``, None where a strategy does not apply.

    Only slots and lengths apply where endings are words.
    """
    if question.values is not None:
        found = credits(question.numbers, question.values, question.texts, question.first_step)
        if not question.direct:
            return found
        return [None if name in DIRECT_ARITHMETIC else one for name, one in zip(STRATEGIES, found, strict=True)]
    count = len(question.texts)
    table: dict[str, Credit] = {f"slot {slot}": tuple(float(i == slot) for i in range(count)) for slot in range(count)}
    lengths = [len(text) for text in question.texts]
    table |= {"longest text": share(lengths), "shortest text": share([-length for length in lengths])}
    return [table.get(strategy) for strategy in STRATEGIES]


def audit_questions(questions: Sequence[Question]) -> list[Row]:
    """One row per fixed strategy, in the order of ``STRATEGIES``, then those of ``preferences``."""
    gained: list[list[float]] = [[] for _ in STRATEGIES]
    chances: list[list[float]] = [[] for _ in STRATEGIES]
    for asked in questions:
        for index, credit in enumerate(strategy_credits(asked)):
            if credit is not None:
                gained[index].append(credit[asked.label])
                chances[index].append(1 / len(credit))
    rows = [
        judge(name, "reported" if name in PART_OF_THE_WORK else "fixed", *pair)
        for name, *pair in zip(STRATEGIES, gained, chances, strict=True)
    ]
    return rows + preference_rows(questions)


def preference_rows(questions: Sequence[Question]) -> list[Row]:
    """Options drawn by a power of their size; the smallest one where a percentage is too large to take off twice."""
    usable = [asked for asked in questions if asked.values is not None]
    chances = [1 / len(asked.texts) for asked in usable]
    gained = [[_preferred(asked, power) for asked in usable] for power in POWERS]
    rows = [judge(power_name(power), "fixed", one, chances) for power, one in zip(POWERS, gained, strict=True)]
    large = [_where_large(asked) for asked in usable]
    return [*rows, judge(WHERE_LARGE, "fixed", large if any(map(_is_large, usable)) else [], chances)]


def power_name(power: int) -> str:
    """The row of options drawn in proportion to their value to a power.

    >>> power_name(-2)
    'drawn by value^-2'
    """
    return f"drawn by value^{power}"


def _preferred(question: Question, power: int) -> float:
    values = question.values or ()
    # In parts of the largest: a power of a long number has no float.
    top = max(max(map(abs, values)), 1)
    weights = [(max(abs(value), 1) / top) ** power for value in values]
    return weights[question.label] / sum(weights)


def _is_large(question: Question) -> bool:
    return any(int(number) >= HALF for number in _PERCENTAGE.findall(question.prompt))


def _where_large(question: Question) -> float:
    values = question.values or ()
    if not _is_large(question):
        return 1 / len(values)
    return share([-value for value in values])[question.label]


def audit_items(items: Iterable[Mapping[str, Any]]) -> list[Row]:
    """``audit_questions`` on raw items.

    >>> items = [{"ctx": "2 and 3 make", "endings": [" 5.", " 6."], "label": "0"}]
    >>> [row.score for row in audit_items(items) if row.strategy == "smallest"]
    [1.0]
    """
    return audit_questions([question(item) for item in items])
