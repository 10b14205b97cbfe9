"""Read a file of questions, whatever set they come from, as the operations that each asks for."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from ...generators.errors import InputError
from ...generators.expression import Expression, SemanticKey, semantic_key
from .readers import read_records
from .scanner import Scanner, Texts
from .sources import find_sources

OPERATIONS = {"+": "addition", "-": "subtraction", "*": "multiplication", "/": "division"}
_OPERANDS = (("a", "operator", "b"), ("left", "operator", "right"))
_TEXTS = ("question", "task", "prompt", "text")


@dataclass(frozen=True, slots=True)
class Question:
    """One question: its place in the file, its name and type, and the keys of the operations it takes."""

    line: int
    name: str
    kind: str
    keys: tuple[SemanticKey, ...]


def _operands(row: Mapping[str, Any], line: int, file: str) -> SemanticKey | None:
    for left, operator, right in _OPERANDS:
        if {left, operator, right} <= row.keys():
            try:
                return semantic_key(Expression(int(row[left]), row[operator], int(row[right])))
            except (TypeError, ValueError) as error:
                raise InputError(
                    f"{left}, {operator}, {right} are no operation: {error}", file=file, line=line
                ) from None
    return None


def _texts(row: Mapping[str, Any]) -> list[str]:
    """The texts that state a question's operations: its solution steps, else the question itself."""
    metadata = row.get("metadata")
    steps = metadata.get("solution_steps") if isinstance(metadata, dict) else None
    if isinstance(steps, list) and steps:
        return [str(step) for step in steps]
    return next(([row[name]] for name in _TEXTS if isinstance(row.get(name), str)), [])


def _kind(row: Mapping[str, Any], keys: Sequence[SemanticKey]) -> str:
    metadata = row.get("metadata")
    stated = [row.get("type"), *(metadata.get(name) for name in ("template", "topic") if isinstance(metadata, dict))]
    found = next((str(kind) for kind in stated if kind), None)
    return found or (OPERATIONS[keys[0][0]] if len(keys) == 1 else "question")


def _rows(path: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The rows of a file with their line (or row) number from 1; a line of a text file is its ``question``."""
    sources, _ = find_sources([path])
    if len(sources) > 1:
        raise InputError("one file of questions at a time", file=path)
    for line, value in read_records(sources[0]):
        if isinstance(value, str):
            value = {"question": value}
        if not isinstance(value, dict):
            raise InputError(f"not a question: {value!r:.60}", file=path, line=line)
        roster = value.get("holdout", value)
        if isinstance(roster, dict) and isinstance(roster.get("tasks"), list):
            yield from enumerate(roster["tasks"], start=1)
        else:
            yield line, value


def read_questions(path: str | Path) -> list[Question]:
    """The questions of a file: rows with operands, DeepArithmark items, rows with ``question``, or a roster.

    A roster is a text file of lines ``a op b = c`` or a CalcGPT manifest. Operations in text are read by the scanner
    that also reads corpora. ``InputError`` names a row that is none of these.
    """
    rows = list(_rows(str(path)))
    given: list[SemanticKey | None] = [_operands(row, line, str(path)) for line, row in rows]
    texts = [[] if key else _texts(row) for key, (_, row) in zip(given, rows, strict=True)]
    for (line, row), key, own in zip(rows, given, texts, strict=True):
        if key is None and not own:
            names = "a, operator, b; metadata.solution_steps; question; task"
            raise InputError(f"no operation to check (looked for {names}) in {sorted(row)}", file=path, line=line)
    read = _scan_texts(texts)
    questions = []
    for (line, row), key, found in zip(rows, given, read, strict=True):
        keys = [key] if key else list(dict.fromkeys(found))
        name = next((str(row[field]) for field in ("id", "source_id", "ID") if field in row), f"line {line}")
        questions.append(Question(line, name, _kind(row, keys), tuple(keys)))
    return questions


def _scan_texts(texts: Sequence[Sequence[str]]) -> list[list[SemanticKey]]:
    flat = [text for own in texts for text in own]
    rows = np.repeat(np.arange(len(texts), dtype=np.int64), [len(own) for own in texts])
    found: list[list[SemanticKey]] = [[] for _ in texts]
    ignore: Callable[[np.ndarray], None] = lambda run: None  # noqa: E731
    for row, key in Scanner(ignore).list_keys(Texts.from_series(pl.Series(flat, dtype=pl.String), rows)):
        found[row].append(key)
    return found
