"""Read tasks from other people's files, and find those that training holds in another order or another form.

A task is ``a op b = c`` in text, JSONL, JSON or CSV, however the numbers are written. Source of the search for leaks:
the CalcGPT audit that found two swapped twins in a 300-task benchmark whose exact-overlap check had passed.
"""

import csv
import gzip
import json
import re
import unicodedata
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..expression import Expression, SemanticKey, evaluate, semantic_key

# below Python's own limit of 4300 digits for int()
_NUMBER = r"(?:[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])|[0-9]{1,4000})"
_EQUATION = re.compile(
    rf"\$?\s*(-?{_NUMBER})\s*([-+*/])\s*({_NUMBER})\s*"
    rf"(?:(?:=|->|\t|:)\s*(-?{_NUMBER}|[0-9]{{1,4000}}-)?\s*)?[.;]?\s*(?:<\|endoftext\|>|</s>)?\s*\$?",
    re.ASCII,
)
_SIGNS = str.maketrans("−–∗×·÷", "--***/")
_WORDS = {"plus": "+", "minus": "-", "times": "*", "divided by": "/"}
_QUESTION = re.compile(
    r"(?:q(?:uestion)?\s*:)?\s*(?:what is|calculate|compute)?\s*(.*?)\s*\??\s*(?:a(?:nswer)?\s*:)?", re.I | re.S
)
_WHOLE_FIELDS = ("text", "equation", "expression", "task")
_PROMPT_FIELDS = ("prompt", "question", "input", "problem", "context", "instruction")
_ANSWER_FIELDS = ("expected", "answer", "completion", "target", "output", "result", "response")


@dataclass(frozen=True, slots=True)
class WrittenTask:
    """A task as it stood in a file: ``text`` is the line's equation, ``answer`` its digits or an empty string."""

    line: int
    text: str
    expression: Expression
    answer: str = ""

    @property
    def answer_is_right(self) -> bool:
        """Whether the answer, read forwards or backwards, is the task's value; an absent answer is not wrong."""
        return self.answer_reads_right(backwards=False) or self.answer_reads_right(backwards=True)

    def answer_reads_right(self, *, backwards: bool) -> bool:
        """Whether the answer is the task's value when its digits are read in this direction; absent is not wrong."""
        if not self.answer:
            return True
        try:
            value = evaluate(self.expression)
        except ValueError:
            return False
        return value == _integer(self.answer[::-1] if backwards else self.answer)

    def with_operands_reversed(self) -> "WrittenTask":
        """The task whose operands were written units first: ``43+21`` is 34 + 12."""
        left, right = (int(str(operand)[::-1]) for operand in (self.expression.left, self.expression.right))
        return WrittenTask(self.line, self.text, Expression(left, self.expression.operator, right), self.answer)


@dataclass(frozen=True, slots=True)
class TaskFile:
    """The tasks of a file in order, and the lines that hold none: (line, what is wrong)."""

    tasks: list[WrittenTask]
    unread: list[tuple[int, str]]


def parse_task(text: str, line: int = 0) -> WrittenTask:
    """Read one equation, or the question of one. ``ValueError`` for anything else.

    >>> parse_task("$128+367=594$").expression
    Expression(left=128, operator='+', right=367)
    >>> parse_task("Q: What is 98 plus 45? A:").expression
    Expression(left=98, operator='+', right=45)
    """
    match = _EQUATION.fullmatch(_plain(text))
    if match is None:
        raise InputError(f"not of the form a op b = c: {text[:80]!r}")
    left, operator, right, answer = match.groups()
    return WrittenTask(
        line, text.strip(), Expression(_ungrouped(left), operator, _ungrouped(right)), (answer or "").replace(",", "")
    )


def parse_digits(text: str, digits: int, line: int = 0) -> WrittenTask:
    """Read one row of minGPT's adder: ``digits`` digits of each operand, then the sum units first, no sign between.

    >>> parse_digits("8550531", 2).expression, parse_digits("8550531", 2).answer_is_right
    (Expression(left=85, operator='+', right=50), True)
    """
    plain = text.strip()
    if not re.fullmatch(rf"[0-9]{{{3 * digits + 1}}}", plain):
        raise InputError(f"not {3 * digits + 1} digits, two operands of {digits} and their sum: {text[:80]!r}")
    left, right, total = plain[:digits], plain[digits : 2 * digits], plain[2 * digits :]
    return WrittenTask(line, plain, Expression(int(left), "+", int(right)), total)


def read_tasks(path: Path | str) -> list[WrittenTask]:
    """Every task of a text, JSON, JSONL or CSV file (also ``.gz``), in order; blank lines are skipped.

    ``InputError`` names the file and line of anything else, and a file without a single task.
    """
    return read_file(path).tasks


def read_file(
    path: Path | str,
    *,
    skip_unread: bool = False,
    read: Callable[[str, int], WrittenTask] = parse_task,
) -> TaskFile:
    """The tasks of a file; ``read`` reads the text of one. With ``skip_unread`` other lines are listed, not refused.

    ``InputError`` names the file and line, and a file without a single task.
    """
    tasks: list[WrittenTask] = []
    unread: list[tuple[int, str]] = []
    for number, row in _rows(Path(path)):
        found = _task(row, number, read)
        if isinstance(found, WrittenTask):
            tasks.append(found)
        elif skip_unread:
            unread.append((number, found))
        else:
            raise InputError(found, file=path, line=number)
    if not tasks:
        raise InputError("no tasks in the file", file=path)
    return TaskFile(tasks, unread)


def _rows(path: Path) -> Iterator[tuple[int, Any]]:
    """The rows of a file with their numbers: texts, or records of fields."""
    text = _text(path)
    if path.name.removesuffix(".gz").endswith(".json") and (listed := _array(text)) is not None:
        yield from enumerate(listed, start=1)
        return
    # U+2028 and U+0085 end no line: they may stand inside a JSON string
    lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    header = _header(lines[0][1]) if lines else None
    for number, line in lines[1:] if header else lines:
        if header:
            yield (
                number,
                dict(zip(header, next(csv.reader([line], delimiter="\t" if "\t" in line else ",")), strict=False)),
            )
        else:
            yield number, _json(line) if line.lstrip()[0] in '{["' else line


def _text(path: Path) -> str:
    try:
        content = path.read_bytes()
        return (gzip.decompress(content) if path.suffix == ".gz" else content).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 text ({error.reason})", file=path) from None
    except (EOFError, OSError, zlib.error) as error:
        raise InputError(getattr(error, "strerror", None) or str(error), file=path) from None


def _array(text: str) -> list[Any] | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None  # lines of JSON under the name of a whole document
    return value if isinstance(value, list) else [value]


def _header(line: str) -> list[str] | None:
    """The column names, where the first line names the operands or a field that we know."""
    names = [name.strip().strip('"').lower() for name in line.split("\t" if "\t" in line else ",")]
    known = {*_WHOLE_FIELDS, *_PROMPT_FIELDS}
    return names if {"left", "operator", "right"} <= {*names} or known & {*names} else None


def _json(line: str) -> Any:
    try:
        return json.loads(line)
    except (json.JSONDecodeError, RecursionError):
        return {"": f"not a JSON record: {line[:80]!r}"}


def _task(row: Any, number: int, read: Callable[[str, int], WrittenTask]) -> WrittenTask | str:
    """The task of a row, or why there is none."""
    try:
        return read(row, number) if isinstance(row, str) else _from_record(row, number, read)
    except ValueError as error:
        return str(error)


def _from_record(record: Any, number: int, read: Callable[[str, int], WrittenTask]) -> WrittenTask:
    if not isinstance(record, Mapping):
        raise InputError(f"not a JSON object or string: {str(record)[:80]!r}")
    if "" in record:
        raise InputError(str(record[""]))
    record = _turns(record)
    texts = [record[name] for name in (*_WHOLE_FIELDS, *_PROMPT_FIELDS) if isinstance(record.get(name), str)]
    if {"left", "operator", "right"} <= record.keys():
        texts.append("{left}{operator}{right}".format_map(record))
    answer = next((str(record[name]) for name in _ANSWER_FIELDS if record.get(name) is not None), "").strip()
    for found in (_task(text, number, read) for text in texts):
        if not isinstance(found, WrittenTask):
            continue
        if found.answer or not answer:
            return found
        # the answer of another field is the last number that it states
        stated = re.findall(rf"-?{_NUMBER}", answer.translate(_SIGNS))
        answer = stated[-1].replace(",", "") if stated else answer
        return WrittenTask(number, f"{found.text.rstrip('= ')}={answer}", found.expression, answer)
    if texts:
        raise InputError(f"not of the form a op b = c: {texts[0][:80]!r}")
    raise InputError(f"no field holds an equation: {', '.join(map(str, record))[:80]}")


def _turns(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """A chat as prompt and answer: what the user said last and what was answered."""
    turns = record.get("messages")
    if not isinstance(turns, list):
        return record
    said = {turn.get("role"): turn.get("content") for turn in turns if isinstance(turn, Mapping)}
    return {**record, "prompt": said.get("user"), "answer": said.get("assistant")}


def _plain(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text.replace("→", "->")).translate(_SIGNS).strip()
    asked = _QUESTION.fullmatch(plain)
    plain = asked[1] if asked else plain
    for word, sign in _WORDS.items():
        plain = re.sub(rf"(?<=\d)\s+{word}\s+(?=\d)", sign, plain, flags=re.I)
    return plain


def _ungrouped(digits: str) -> int:
    return int(digits.replace(",", ""))


def _integer(digits: str) -> int | None:
    try:
        return int(digits)
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class Overlap:
    """One test task and the training task that it repeats."""

    kind: str
    test: WrittenTask
    train: WrittenTask

    def __str__(self) -> str:
        return f"test line {self.test.line} {self.test.text} = train line {self.train.line} {self.train.text}"


@dataclass(frozen=True, slots=True)
class LeakAudit:
    """Every test task that training covers, once, by the closest kind: ``exact``, ``reformatted``, ``twin``.

    ``exact``: the same string. ``reformatted``: the same operands in the same order, written differently. ``twin``:
    only the operand-swapped form is in training. Together they are the semantic overlap.
    """

    train_tasks: int
    test_tasks: int
    overlaps: tuple[Overlap, ...]
    repeated: tuple[Overlap, ...]
    wrong: tuple[tuple[str, WrittenTask], ...]

    def of_kind(self, kind: str) -> list[Overlap]:
        """The overlaps of one kind, in test order."""
        return [overlap for overlap in self.overlaps if overlap.kind == kind]

    def as_dict(self) -> dict[str, object]:
        """For JSON: the counts, then every offending pair."""
        kinds = {kind: self.of_kind(kind) for kind in ("exact", "reformatted", "twin")}
        return {
            "train_tasks": self.train_tasks,
            "test_tasks": self.test_tasks,
            "exact_overlap": len(kinds["exact"]),
            "semantic_overlap": len(self.overlaps),
            "twins": len(kinds["twin"]),
            "repeated_in_test": len(self.repeated),
            "wrong_answers": len(self.wrong),
            "overlaps": [_pair(overlap) for overlap in self.overlaps],
            "repeats": [_pair(overlap) for overlap in self.repeated],
            "wrong": [{"file": side, "line": task.line, "text": task.text} for side, task in self.wrong],
        }


def audit(train: Iterable[WrittenTask], test: Iterable[WrittenTask]) -> LeakAudit:
    """Compare two files of tasks under ``semantic_key``.

    >>> from .reading import parse_task
    >>> result = audit([parse_task("34+12=46")], [parse_task("12+34=46")])
    >>> [overlap.kind for overlap in result.overlaps]
    ['twin']
    """
    train, test = list(train), list(test)
    by_text = {task.text: task for task in reversed(train)}
    by_task = {task.expression: task for task in reversed(train)}
    by_key: dict[SemanticKey, WrittenTask] = {semantic_key(task.expression): task for task in reversed(train)}
    overlaps = []
    for task in test:
        if task.text in by_text:
            overlaps.append(Overlap("exact", task, by_text[task.text]))
        elif task.expression in by_task:
            overlaps.append(Overlap("reformatted", task, by_task[task.expression]))
        elif semantic_key(task.expression) in by_key:
            overlaps.append(Overlap("twin", task, by_key[semantic_key(task.expression)]))
    wrong = [(side, task) for side, tasks in (("train", train), ("test", test)) for task in tasks]
    return LeakAudit(
        train_tasks=len(train),
        test_tasks=len(test),
        overlaps=tuple(overlaps),
        repeated=tuple(_repeats(test)),
        wrong=tuple((side, task) for side, task in wrong if not task.answer_is_right),
    )


def _repeats(tasks: list[WrittenTask]) -> Iterator[Overlap]:
    first: dict[SemanticKey, WrittenTask] = {}
    for task in tasks:
        earlier = first.setdefault(semantic_key(task.expression), task)
        if earlier is not task:
            yield Overlap("repeated", task, earlier)


def _pair(overlap: Overlap) -> dict[str, object]:
    return {
        "kind": overlap.kind,
        "test_line": overlap.test.line,
        "test": overlap.test.text,
        "train_line": overlap.train.line,
        "train": overlap.train.text,
    }
