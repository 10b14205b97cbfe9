"""Read the questions of a set and say which of them are in a seen-index, with the evidence."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from ...generators.errors import InputError
from ...generators.expression import OPERATORS, Expression, SemanticKey
from .account import describe
from .index import Hit, find_hits, read_account
from .kernel.alphabet import MAX_DIGITS
from .operations import cells_frame, names_operator, read_operations
from .readers import read_records
from .scanner import Scanner, Texts
from .sources import find_sources

OPERATIONS = {"+": "addition", "-": "subtraction", "*": "multiplication", "/": "division"}
# Columns that state a question, first those that state nothing else. The first that yields an operation is taken.
_TEXTS = (
    *("expression", "equation", "question", "task", "problem", "query", "prompt", "instruction_and_input", "input"),
    *("instruction", "text", "ctx", "context", "messages", "conversations", "conversation", "q", "body"),
)
_MESSAGES = ("messages", "conversations", "conversation")
_SPEAKERS = ("user", "human", "prompter", None)
_NAMES = ("id", "source_id", "ID")
_FOLDER_FORMAT = "arithmark-folder"


@dataclass(frozen=True, slots=True)
class Question:
    """One question: its place in the file, its name and type, and the keys of the operations it takes.

    ``unread`` says what of it no operation could be read from; a question with anything there is not wholly checked.
    """

    line: int
    name: str
    kind: str
    keys: tuple[SemanticKey, ...]
    unread: tuple[str, ...] = ()


def _message_texts(value: Any) -> list[str]:
    """What the asking side says in a conversation."""
    said: list[str] = []
    for message in value if isinstance(value, list) else []:
        if isinstance(message, dict) and message.get("role", message.get("from")) in _SPEAKERS:
            content = message.get("content", message.get("value"))
            parts = content if isinstance(content, list) else [content]
            parts = [part.get("text") if isinstance(part, dict) else part for part in parts]
            said += [part for part in parts if isinstance(part, str)]
    return said


def _steps(row: Mapping[str, Any]) -> list[str]:
    metadata = row.get("metadata")
    steps = metadata.get("solution_steps") if isinstance(metadata, dict) else None
    return [str(step) for step in steps] if isinstance(steps, list) else []


def _texts(row: Mapping[str, Any]) -> list[list[str]]:
    """The texts that may state a question's operation, first the likeliest, each as one or several."""
    lowered = {name.lower(): value for name, value in row.items() if isinstance(name, str)}
    if isinstance(lowered.get("instruction"), str) and isinstance(lowered.get("input"), str):
        lowered["instruction_and_input"] = f"{lowered['instruction']}\n{lowered['input']}"
    found = []
    for name in _TEXTS:
        value = lowered.get(name)
        if name in _MESSAGES or (name == "prompt" and isinstance(value, list)):
            found.append(_message_texts(value))
        elif isinstance(value, str):
            found.append([value])
    return [texts for texts in found if texts]


def _kind(row: Mapping[str, Any], keys: Sequence[SemanticKey]) -> str:
    metadata = row.get("metadata")
    stated = [row.get("type"), *(metadata.get(name) for name in ("template", "topic") if isinstance(metadata, dict))]
    found = next((str(kind) for kind in stated if kind), None)
    return found or (OPERATIONS[keys[0][0]] if len(keys) == 1 else "question")


def _tasks(value: Mapping[str, Any], path: str) -> list[Any] | None:
    """The tasks of a CalcGPT roster or of a built folder's manifest that holds one, ``None`` for another object."""
    roster = value.get("holdout", value)
    if isinstance(roster, dict) and isinstance(roster.get("tasks"), list):
        return list(roster["tasks"])
    if value.get("format") == _FOLDER_FORMAT:
        message = "the manifest of a built folder, which holds no questions: name one of the folder's data files"
        raise InputError(message, file=path)
    return None


def _rows(path: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The rows of a file with their line (or row) number from 1; a line of a text file is its ``question``."""
    sources = find_sources([path]).sources
    if len(sources) > 1:
        raise InputError("one file of questions at a time", file=path)
    try:
        records = list(read_records(sources[0]))
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        raise InputError(f"cannot be read: {str(error).splitlines()[0]}", file=path) from error
    for line, value in records:
        if isinstance(value, str):
            value = {"question": value}
        if not isinstance(value, dict):
            raise InputError(f"not a question: {value!r:.60}", file=path, line=line)
        tasks = _tasks(value, path) if len(records) == 1 else None
        yield from enumerate(tasks, start=1) if tasks is not None else [(line, value)]


def read_questions(path: str | Path) -> list[Question]:
    """The questions of a file: rows of numbers, DeepArithmark items, rows with a text that asks, or a roster.

    A roster is a text file of lines ``a op b = c`` or a CalcGPT manifest. Operations in columns of their own are found
    by the recogniser, and those in text by the scanner, that also read corpora. ``InputError`` names a row that holds
    nothing that could be a question, and a file without rows.
    """
    rows = list(_rows(str(path)))
    if not rows:
        raise InputError("holds no question", file=path)
    values = [row for _, row in rows]
    stated = _operations(values, by_type=False)
    steps = [[] if keys else _steps(row) for keys, row in zip(stated, values, strict=True)]
    texts = [[] if keys or own else _texts(row) for keys, own, row in zip(stated, steps, values, strict=True)]
    bare = [not (keys or own or asked) for keys, own, asked in zip(stated, steps, texts, strict=True)]
    typed = _operations([row if alone else {} for row, alone in zip(values, bare, strict=True)], by_type=True)
    read = _scan_texts(
        [own + [text for said in asked for text in said] for own, asked in zip(steps, texts, strict=True)]
    )
    questions = []
    for place, (line, row) in enumerate(rows):
        keys, unread = stated[place] or typed[place], list[str]()
        if not keys and steps[place]:
            keys, unread = _of_steps(steps[place], read[place])
        elif not keys:
            keys = _first_that_asks(texts[place], read[place])
            unread = [] if keys else _unreadable(row, texts[place], path, line)
        unread += [_text(key) for key in keys if not _fits_an_index(key)]
        keys = [key for key in keys if _fits_an_index(key)]
        name = next((str(row[field]) for field in _NAMES if row.get(field) is not None), f"line {line}")
        questions.append(Question(line, name, _kind(row, keys), tuple(dict.fromkeys(keys)), tuple(unread)))
    return questions


def _of_steps(steps: Sequence[str], found: Sequence[list[SemanticKey]]) -> tuple[list[SemanticKey], list[str]]:
    unread = [step for step, keys in zip(steps, found, strict=True) if not keys]
    return [key for keys in found for key in keys], unread


def _first_that_asks(texts: Sequence[Sequence[str]], found: Sequence[list[SemanticKey]]) -> list[SemanticKey]:
    place = 0
    for said in texts:
        keys = [key for own in found[place : place + len(said)] for key in own]
        if keys:
            return keys
        place += len(said)
    return []


def _unreadable(row: Mapping[str, Any], texts: Sequence[Sequence[str]], path: str | Path, line: int) -> list[str]:
    """What is said of a question without an operation; ``InputError`` where nothing in the row could be one."""
    if texts:
        return [texts[0][0][:80]]
    columns = sum(isinstance(value, int | float) and not isinstance(value, bool) for value in row.values())
    if columns < 2 and not any(names_operator(str(name)) for name in row):
        known = "a, operator, b; metadata.solution_steps; question; task; messages ..."
        raise InputError(f"no operation to check (looked for {known}) in {sorted(map(str, row))}", file=path, line=line)
    return [json.dumps({str(name): value for name, value in row.items()}, ensure_ascii=False, default=str)[:80]]


def _text(key: SemanticKey) -> str:
    return f"{key[1]}{key[0]}{key[2]}"[:80]


def _fits_an_index(key: SemanticKey) -> bool:
    return all(0 <= operand < 10**MAX_DIGITS for operand in key[1:])


def _operations(rows: Sequence[Mapping[str, Any]], *, by_type: bool) -> list[list[SemanticKey]]:
    """The operations that each row states in columns of its own."""
    found: list[list[SemanticKey]] = [[] for _ in rows]
    stated = read_operations(cells_frame(rows), by_type=by_type)
    if stated is not None:
        operators, lefts, rights = (column.tolist() for column in stated.semantic_keys())
        for row, operator, left, right in zip(stated.rows.tolist(), operators, lefts, rights, strict=True):
            found[row].append((OPERATORS[operator], left, right))
    return found


def _scan_texts(texts: Sequence[Sequence[str]]) -> list[list[list[SemanticKey]]]:
    """The operations in each of the texts of each row."""
    flat = [text for own in texts for text in own]
    found: list[list[SemanticKey]] = [[] for _ in flat]
    series = pl.Series([text.encode("utf-8", "replace").decode() for text in flat], dtype=pl.String)
    for place, key in Scanner(lambda run: None).list_keys(
        Texts.from_series(series, np.arange(len(flat), dtype=np.int64))
    ):
        found[place].append(key)
    ends = np.cumsum([len(own) for own in texts]).tolist()
    return [found[end - len(own) : end] for own, end in zip(texts, ends, strict=True)]


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
