"""Which questions of a set are in a seen-index, with the evidence."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ...generators.expression import Expression, SemanticKey
from .account import describe
from .index import Hit, find_hits, read_account
from .question_files import Question, read_questions


@dataclass(frozen=True, slots=True)
class Flag:
    """One operation of a question that was seen in a corpus, with the index that says so."""

    question: Question
    key: SemanticKey
    index: str
    hit: Hit

    def as_row(self) -> dict[str, Any]:
        """The flag as a row of the JSON report."""
        operator, left, right = self.key
        return {
            "id": self.question.name,
            "line": self.question.line,
            "type": self.question.kind,
            "expression": str(Expression(left, operator, right)),
            "index": self.index,
            **asdict(self.hit),
        }


@dataclass(slots=True)
class Tally:
    """How many of a group were looked up, how many of them seen, and how many could not be looked up, or not wholly."""

    checked: int = 0
    seen: int = 0
    not_checked: int = 0


@dataclass(frozen=True, slots=True)
class Report:
    """The result of a check. ``by_type`` counts questions, ``by_size`` distinct operations (``4-digit x 5-digit``).

    ``unchecked`` are the questions of which a part at least no operation could be read from, and none was seen.
    """

    questions: list[Question]
    flags: list[Flag]
    by_type: dict[str, Tally]
    by_size: dict[str, Tally]
    accounts: dict[str, dict[str, Any]]
    unchecked: list[Question]

    @property
    def seen(self) -> int:
        """The number of questions of which an operation was seen."""
        return len({flag.question.line for flag in self.flags})

    def as_json(self, file: str) -> dict[str, Any]:
        """The report as it is written to a file."""
        return {
            "questions": file,
            "indexes": [{"file": name, **describe(account)} for name, account in self.accounts.items()],
            "items": len(self.questions),
            "flagged": self.seen,
            "not_checked": [{"id": one.name, "line": one.line, "unread": list(one.unread)} for one in self.unchecked],
            "by_type": {name: asdict(tally) for name, tally in self.by_type.items()},
            "by_operand_size": {name: asdict(tally) for name, tally in self.by_size.items()},
            "hits": [flag.as_row() for flag in self.flags],
        }


def operand_size(key: SemanticKey) -> str:
    """The size of an operation, smaller operand first where they may swap.

    >>> operand_size(("*", 125, 4567))
    '3-digit * 4-digit'
    """
    operator, left, right = key
    sizes = [f"{len(str(abs(operand)))}-digit" for operand in (left, right)]
    return f" {operator} ".join(sizes)


def _count(groups: Iterable[tuple[str, bool, bool]]) -> dict[str, Tally]:
    """Tallies of ``(group, seen, not checked)``."""
    tallies: dict[str, Tally] = {}
    for name, is_seen, is_unchecked in groups:
        tally = tallies.setdefault(name, Tally())
        tally.checked += not is_unchecked
        tally.seen += is_seen
        tally.not_checked += is_unchecked
    return dict(sorted(tallies.items()))


def check_questions(path: str | Path, indexes: Sequence[str | Path]) -> Report:
    """Look up every operation of a file of questions in the indexes; evidence comes from the first that has it."""
    accounts = {str(index): read_account(index) for index in indexes}
    questions = read_questions(path)
    keys = {key for question in questions for key in question.keys}
    found: dict[SemanticKey, tuple[str, Hit]] = {}
    for index in indexes:
        for key, hit in find_hits(index, keys).items():
            found.setdefault(key, (str(index), hit))
    flags = [Flag(question, key, *found[key]) for question in questions for key in question.keys if key in found]
    seen = [any(key in found for key in question.keys) for question in questions]
    left = [bool(one.unread or not one.keys) and not hit for one, hit in zip(questions, seen, strict=True)]
    by_type = _count((one.kind, hit, out) for one, hit, out in zip(questions, seen, left, strict=True))
    by_size = _count((operand_size(key), key in found, False) for key in sorted(keys))
    unchecked = [question for question, out in zip(questions, left, strict=True) if out]
    return Report(questions, flags, by_type, by_size, accounts, unchecked)
