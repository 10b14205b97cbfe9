"""Which texts of a table to read: strings at any depth, named by paths as ``messages[].content``; what is no text.

A path of names of JSON keys ends in ``{}``: a key that holds two numbers is read as a text.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from .encodings import repair

_TEXT = (pl.String, pl.Categorical, pl.Enum)
INTO_LIST, KEYS = "[]", "{}"
_MAP: Any = getattr(pl, "Map", None)  # since Polars 2
_TWO_NUMBERS = re.compile(r"\d\D+\d")


@dataclass(frozen=True, slots=True)
class TextPath:
    """One leaf of a table: its top-level column, and the steps down (``INTO_LIST`` or a field's name)."""

    column: str
    steps: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.column + "".join(step if step == INTO_LIST else f".{step}" for step in self.steps)


def _plain(kind: Any) -> Any:
    """A Polars type with maps as what they are in a file: lists of keys with values."""
    if _MAP is not None and isinstance(kind, _MAP):
        return pl.List(pl.Struct({"key": _plain(kind.key), "value": _plain(kind.value)}))
    if isinstance(kind, pl.List | pl.Array):
        return pl.List(_plain(kind.inner))
    if isinstance(kind, pl.Struct):
        return pl.Struct({field.name: _plain(field.dtype) for field in kind.fields})
    return kind


def plain_schema(schema: Mapping[str, Any]) -> pl.Schema:
    """The types of a table once ``plain_frame`` has read it."""
    return pl.Schema({name: _plain(kind) for name, kind in schema.items()})


def plain_frame(frame: pl.DataFrame) -> pl.DataFrame:
    """A table with its maps as lists of keys with values, and its arrays as lists."""
    wanted = plain_schema(frame.schema)
    return frame.cast({name: kind for name, kind in wanted.items() if kind != frame.schema[name]})


def _leaves(path: TextPath, kind: Any) -> Iterator[tuple[TextPath, Any]]:
    """All leaves at or below a path whose Polars type is ``kind``, with their types."""
    if isinstance(kind, pl.List):
        yield from _leaves(TextPath(path.column, (*path.steps, INTO_LIST)), kind.inner)
    elif isinstance(kind, pl.Struct):
        for field in kind.fields:
            yield from _leaves(TextPath(path.column, (*path.steps, field.name)), field.dtype)
    else:
        yield path, kind


def _is_text(kind: Any) -> bool:
    return isinstance(kind, _TEXT) or kind in _TEXT or kind == pl.Binary


def is_selected(path: str, wanted: Sequence[str]) -> bool:
    """Whether a path was asked for, by its own name or by that of a column above it; with nothing asked, all are.

    >>> is_selected("messages[].content", ["messages"]), is_selected("question", ["quest"])
    (True, False)
    """
    below = ((name, (f"{name}[", f"{name}.", f"{name}{KEYS}")) for name in wanted)
    return not wanted or any(path == name or path.startswith(starts) for name, starts in below)


def root(path: str) -> str:
    """The top-level column of a path, where no dot or bracket is part of its name.

    >>> root("messages[].content")
    'messages'
    """
    return re.split(r"[.\[{]", path)[0]


def has_selected(column: str, wanted: Sequence[str]) -> bool:
    """Whether a path in a top-level column was asked for."""
    return is_selected(column, wanted) or any(name.startswith((f"{column}[", f"{column}.")) for name in wanted)


def select_paths(schema: pl.Schema, wanted: Sequence[str]) -> tuple[list[TextPath], dict[str, str]]:
    """The selected text paths of a table, in its order, and every other leaf with its type.

    >>> kind = pl.List(pl.Struct({"role": pl.String, "content": pl.String, "n": pl.Int64}))
    >>> paths, unread = select_paths(pl.Schema({"messages": kind}), [])
    >>> [str(path) for path in paths], unread
    (['messages[].role', 'messages[].content'], {'messages[].n': 'Int64'})
    """
    paths, unread = [], dict[str, str]()
    for name, kind in schema.items():
        for path, leaf in _leaves(TextPath(name), kind):
            if not is_selected(str(path), wanted):
                unread[str(path)] = f"{leaf}, not asked for"
            elif _is_text(leaf):
                paths.append(path)
            elif leaf != pl.Null:
                unread[str(path)] = str(leaf)
    return paths, unread


def has_numbered_names(kind: Any) -> bool:
    """Whether a name within a Polars type or schema holds two numbers, as a JSON key ``"12+34"`` does."""
    if isinstance(kind, pl.List):
        return has_numbered_names(kind.inner)
    fields = [(field.name, field.dtype) for field in kind.fields] if isinstance(kind, pl.Struct) else []
    fields = list(kind.items()) if isinstance(kind, pl.Schema) else fields
    return any(_TWO_NUMBERS.search(name) or has_numbered_names(inner) for name, inner in fields)


def read_path(column: pl.Series, path: TextPath) -> tuple[pl.Series, np.ndarray]:
    """All values at a path of its column, and the number of the row that each is in.

    >>> column = pl.Series("m", [[{"c": "1+2"}, {"c": "3+4"}], [{"c": "5+6"}]])
    >>> texts, rows = read_path(column, TextPath("m", ("[]", "c")))
    >>> texts.to_list(), rows.tolist()
    (['1+2', '3+4', '5+6'], [0, 0, 1])
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
    return column, rows


def decode(values: pl.Series) -> tuple[pl.Series, int, int]:
    r"""Values as strings, how many bytes of them were read as Windows-1252, and how many values are no text.

    >>> decode(pl.Series([b"1+2", b"3 \xd7 4", b"\xff\x00"]))[0].to_list()
    ['1+2', '3 × 4', None]
    """
    if values.dtype != pl.Binary:
        return (values if values.dtype == pl.String else values.cast(pl.String)), 0, 0
    try:
        return values.cast(pl.String), 0, 0
    except pl.exceptions.PolarsError:
        mended = [None if value is None or b"\0" in value else repair(value) for value in values]
    texts = pl.Series([None if text is None else text[0].decode() for text in mended], dtype=pl.String)
    return texts, sum(text[1] for text in mended if text), texts.null_count() - values.null_count()


def python_leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """The values in a JSON value with their paths, in document order: the reading that needs no fixed schema.

    >>> list(python_leaves({"q": "1+2", "m": [{"c": "3+4"}, 5], "6+7": None}))
    [('q', '1+2'), ('m[].c', '3+4'), ('m[]', 5), ('{}', '6+7'), ('6+7', None)]
    """
    if isinstance(value, list):
        for item in value:
            yield from python_leaves(item, path + INTO_LIST)
    elif isinstance(value, dict):
        for name, item in value.items():
            if _TWO_NUMBERS.search(name):
                yield path + KEYS, name
            yield from python_leaves(item, f"{path}.{name}" if path else name)
    else:
        yield path, value
