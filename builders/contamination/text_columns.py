"""Which texts of a table to read: string columns at any depth, named by paths such as ``messages[].content``."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

_TEXT = (pl.String, pl.Categorical, pl.Enum)
INTO_LIST = "[]"


@dataclass(frozen=True, slots=True)
class TextPath:
    """One string leaf of a table: its top-level column, and the steps down (``INTO_LIST`` or a field's name)."""

    column: str
    steps: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.column + "".join(step if step == INTO_LIST else f".{step}" for step in self.steps)


def text_paths(path: TextPath, kind: Any) -> Iterator[TextPath]:
    """All string leaves at or below a path whose Polars type is ``kind``.

    >>> kind = pl.List(pl.Struct({"role": pl.String, "content": pl.String, "n": pl.Int64}))
    >>> [str(path) for path in text_paths(TextPath("messages"), kind)]
    ['messages[].role', 'messages[].content']
    """
    if isinstance(kind, _TEXT) or kind in _TEXT:
        yield path
    elif isinstance(kind, pl.List | pl.Array):
        yield from text_paths(TextPath(path.column, (*path.steps, INTO_LIST)), kind.inner)
    elif isinstance(kind, pl.Struct):
        for field in kind.fields:
            yield from text_paths(TextPath(path.column, (*path.steps, field.name)), field.dtype)


def is_selected(path: str, wanted: Sequence[str]) -> bool:
    """Whether a path was asked for, by its own name or by that of a column above it; with nothing asked, all are.

    >>> is_selected("messages[].content", ["messages"]), is_selected("question", ["quest"])
    (True, False)
    """
    return not wanted or any(path == name or path.startswith((f"{name}[", f"{name}.")) for name in wanted)


def select_paths(schema: pl.Schema, wanted: Sequence[str]) -> list[TextPath]:
    """The selected text paths of a table, in its order."""
    paths = (path for name, kind in schema.items() for path in text_paths(TextPath(name), kind))
    return [path for path in paths if is_selected(str(path), wanted)]


def read_path(column: pl.Series, path: TextPath) -> tuple[pl.Series, np.ndarray]:
    """All strings at a path of its column, and the number of the row that each is in.

    >>> column = pl.Series("m", [[{"c": "1+2"}, {"c": "3+4"}], [], [{"c": "5+6"}]])
    >>> texts, rows = read_path(column, TextPath("m", ("[]", "c")))
    >>> texts.drop_nulls().to_list(), rows.tolist()
    (['1+2', '3+4', '5+6'], [0, 0, 1, 2])
    """
    rows = np.arange(len(column), dtype=np.int64)
    if path.steps:
        frame = pl.DataFrame({"row": rows, "text": column})
        for step in path.steps:
            if step == INTO_LIST:
                frame = frame.explode("text")
            else:
                frame = frame.with_columns(pl.col("text").struct.field(step).alias("text"))
        column, rows = frame["text"], frame["row"].to_numpy()
    return (column if column.dtype == pl.String else column.cast(pl.String)), rows


def python_texts(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """The strings in a JSON value with their paths, in document order: the reading that needs no fixed schema.

    >>> list(python_texts({"q": "1+2", "m": [{"c": "3+4"}, 5]}))
    [('q', '1+2'), ('m[].c', '3+4')]
    """
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, list):
        for item in value:
            yield from python_texts(item, path + INTO_LIST)
    elif isinstance(value, dict):
        for name, item in value.items():
            yield from python_texts(item, f"{path}.{name}" if path else name)
