"""The schema of a four-way item, one JSON object per line, and how its text carries numbers.

Source: the worked item of DeepArithmark-1; ``metadata.template`` is added, because per-template reports need it.
"""

import json
import re
from pathlib import Path
from typing import Any

from ..errors import InputError
from .clock import CLOCK, clock_minutes, clock_text

CLOCK_UNIT = "clock"

ITEM_KEYS = ("ind", "activity_label", "ctx", "endings", "label", "source_id", "split", "split_type", "metadata")
METADATA_KEYS = (
    "answer",
    "unit",
    "topic",
    "template",
    "depth",
    "option_values",
    "option_sources",
    "answer_rank",
    "solution_steps",
)
_NUMBER = re.compile(CLOCK.pattern + r"|([0-9]+)")


def to_line(item: dict[str, Any]) -> str:
    """The canonical JSON line of an item, without its newline: the bytes that are hashed and published."""
    return json.dumps(item, ensure_ascii=False)


def read_items(path: str | Path, *, canonical: bool = True) -> list[tuple[int, dict[str, Any]]]:
    """All items of a JSONL file with their line numbers; ``InputError`` names a line that is not an object.

    With ``canonical=False``, for other people's files, a byte order mark and blank lines are passed over, and a file
    without an item is refused as such.
    """
    try:
        # Only "\n" ends a line: JSON strings may hold other separators that str.splitlines would break at.
        lines = Path(path).read_bytes().decode("utf-8").removesuffix("\n").split("\n")
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 at byte {error.start}", file=path) from None
    if not canonical:
        lines[0] = lines[0].removeprefix("\ufeff")
    items = []
    for number, line in enumerate(lines, start=1):
        if not canonical and not line.strip():
            continue
        try:
            item = json.loads(line)
        except json.JSONDecodeError as error:
            raise InputError(f"not JSON ({error.msg}): {line[:60]!r}", file=path, line=number) from None
        except (RecursionError, ValueError):  # brackets without end, or an integer of thousands of digits
            raise InputError(f"not JSON that can be read: {line[:60]!r}", file=path, line=number) from None
        if not isinstance(item, dict):
            raise InputError(f"not a JSON object: {line[:60]!r}", file=path, line=number)
        items.append((number, item))
    if not items:
        raise InputError("no items", file=path)
    return items


def numbers_in(text: str) -> tuple[int, ...]:
    """Every number of a text in reading order; a clock time is one number, its minutes after midnight.

    >>> numbers_in("The 9:30 p.m. film ran 95 minutes")
    (1290, 95)
    """
    return tuple(
        int(match[4]) if match[4] else clock_minutes(match[1], match[2], match[3]) for match in _NUMBER.finditer(text)
    )


def ending_text(value: int, unit: str) -> str:
    """The ending that offers ``value``, leading space included.

    >>> ending_text(26, "crates"), ending_text(13 * 60 + 5, "clock")
    (' 26 crates.', ' 1:05 p.m.')
    """
    return f" {clock_text(value)}" if unit == CLOCK_UNIT else f" {value} {unit}."


def answer_text(value: int, unit: str) -> str:
    """``metadata.answer``: the number alone, or the clock time."""
    return clock_text(value) if unit == CLOCK_UNIT else str(value)
