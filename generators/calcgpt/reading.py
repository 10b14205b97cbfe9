"""Read tasks from other people's files: ``a op b = c``, one per line or in JSONL, however the numbers are written."""

import json
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..errors import InputError
from ..expression import Expression, evaluate

# below Python's own limit of 4300 digits for int()
_NUMBER = r"[0-9]{1,4000}"
_EQUATION = re.compile(
    rf"\$?\s*(-?{_NUMBER})\s*([-+*/])\s*({_NUMBER})\s*(?:=\s*(-?{_NUMBER}|{_NUMBER}-)?\s*)?\$?", re.ASCII
)
_SIGNS = str.maketrans("−–∗×·÷", "--***/")
_WHOLE_FIELDS = ("text", "equation", "expression", "task")
_PROMPT_FIELDS = ("prompt", "question", "input", "problem")
_ANSWER_FIELDS = ("expected", "answer", "completion", "target", "output", "result")


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


def parse_task(text: str, line: int = 0) -> WrittenTask:
    """Read one equation. ``ValueError`` for anything else.

    >>> parse_task("$128+367=594$").expression
    Expression(left=128, operator='+', right=367)
    """
    match = _EQUATION.fullmatch(_plain(text))
    if match is None:
        raise InputError(f"not of the form a op b = c: {text[:80]!r}")
    left, operator, right, answer = match.groups()
    return WrittenTask(line, text.strip(), Expression(int(left), operator, int(right)), answer or "")


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).translate(_SIGNS).strip()


def read_tasks(path: Path | str) -> list[WrittenTask]:
    """Every task of a text or JSONL file, in order; blank lines are skipped.

    ``InputError`` names the file and line of anything else, and a file without a single task.
    """
    tasks = list(_read(Path(path)))
    if not tasks:
        raise InputError("no tasks in the file", file=path)
    return tasks


def _read(path: Path) -> Iterator[WrittenTask]:
    try:
        # U+2028 and U+0085 end no line: they may stand inside a JSON string
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 text ({error.reason})", file=path) from None
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            yield _from_json(line, number) if line.lstrip()[0] in '{["' else parse_task(line, number)
        except ValueError as error:
            raise InputError(str(error), file=path, line=number) from None


def _from_json(line: str, number: int) -> WrittenTask:
    try:
        record = json.loads(line)
    except (json.JSONDecodeError, RecursionError):
        raise InputError(f"not a JSON record: {line[:80]!r}") from None
    if isinstance(record, str):
        return parse_task(record, number)
    if not isinstance(record, dict):
        raise InputError(f"not a JSON object or string: {line[:80]!r}")
    texts = [record[name] for name in (*_WHOLE_FIELDS, *_PROMPT_FIELDS) if isinstance(record.get(name), str)]
    if {"left", "operator", "right"} <= record.keys():
        texts.append("{left}{operator}{right}".format_map(record))
    equations = [text for text in texts if _EQUATION.fullmatch(_plain(text))]
    if not equations:
        if texts:
            raise InputError(f"not of the form a op b = c: {texts[0][:80]!r}")
        raise InputError(f"no field holds an equation: {', '.join(map(str, record))[:80]}")
    # the row's text as it stands, with the answer that another field gives where the text has none
    found = parse_task(equations[0], number)
    answer = next((str(record[name]) for name in _ANSWER_FIELDS if record.get(name) is not None), "")
    return found if found.answer or not answer else parse_task(f"{equations[0].strip().rstrip('=')}={answer}", number)


def _integer(digits: str) -> int | None:
    try:
        return int(digits)
    except ValueError:
        return None
