"""Files of JSON lines: one object to a line, written, hashed and read in one way."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from .errors import InputError


def to_line(row: Mapping[str, Any], default: Callable[[Any], Any] | None = None) -> str:
    """The canonical JSON line of a row, without its newline: the text whose bytes are hashed and published.

    ``default`` is what ``json.dumps`` asks for values that JSON does not know.
    """
    return json.dumps(row, ensure_ascii=False, default=default)


def hash_rows(rows: Iterable[Mapping[str, Any]], default: Callable[[Any], Any] | None = None) -> str:
    """The SHA-256 of rows as canonical JSONL: UTF-8, LF, keys in the order of each row.

    >>> hash_rows([{"answer": "7"}]) == sha256(b'{"answer": "7"}\\n').hexdigest()
    True
    """
    digest = sha256()
    for row in rows:
        digest.update(f"{to_line(row, default)}\n".encode())
    return digest.hexdigest()


def parse_object(line: bytes, **hooks: Any) -> dict[str, Any]:
    """The object on one line; ``ValueError`` says what is wrong with it. ``hooks`` are those of ``json.loads``.

    >>> parse_object(b'{"answer": 7}')
    {'answer': 7}
    """
    try:
        found = json.loads(line.decode("utf-8-sig"), **hooks)
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8 at byte {error.start} of the line") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON ({error.msg} at character {error.pos}): {line[:60]!r}") from None
    except RecursionError:
        raise ValueError("not JSON that can be read: nested too deeply") from None
    except ValueError as error:  # of a hook, or an integer of thousands of digits
        raise ValueError(f"not JSON that can be read: {error}") from None
    if not isinstance(found, dict):
        raise ValueError(f"not a JSON object: {line[:60]!r}")
    return found


def read_objects(
    path: str | Path, notify: Callable[[int], None] = lambda count: None
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Line number and object of every line of anybody's file, one line in memory at a time.

    A byte order mark, CRLF and blank lines are passed over; ``notify`` is told the bytes read. ``InputError`` names the
    line that holds anything else.
    """
    number = 0
    try:
        with Path(path).open("rb") as stream:
            for number, line in enumerate(stream, start=1):
                notify(len(line))
                if line.strip(b" \t\r\n\xef\xbb\xbf"):
                    yield number, parse_object(line)
    except OSError as error:
        raise InputError(error.strerror or str(error), file=path) from None
    except ValueError as error:
        raise InputError(str(error), file=path, line=number) from None


def read_items(path: str | Path) -> list[tuple[int, dict[str, Any]]]:
    """``read_objects`` as a list; ``InputError`` for a file without any."""
    items = list(read_objects(path))
    if not items:
        raise InputError("no items", file=path)
    return items
