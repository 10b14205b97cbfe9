"""Read one piece of a corpus as blocks of rows, whatever kind of file it lies in: texts, operations, what is unread."""

import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl

from ...generators.errors import InputError
from .cutting import Lines, Piece, blocks_of_lines, blocks_with_context, lines_before
from .encodings import repair, utf8_stream
from .formats import JsonStream, blocks_of_values, html_text, read_csv
from .operations import (
    LISTS,
    Stated,
    cells_frame,
    columns_of_operations,
    lists_operands,
    read_operations,
    tables_within,
)
from .scanner import Texts
from .sources import Source, open_bytes, utf8_uri
from .text_columns import (
    decode,
    has_numbered_names,
    has_selected,
    is_selected,
    plain_frame,
    plain_schema,
    python_leaves,
    read_path,
    root,
    select_paths,
)

LINE_COLUMN = "line"
_ROWS = 1 << 14  # rows of a table in memory at a time
_JSON_BLOCK = 1 << 24  # bytes of JSON lines parsed at a time
_TEXT_BLOCK = 1 << 20  # bytes of plain text scanned at a time
_PYTHON_TYPES = {bool: "Boolean", int: "number", float: "number"}


@dataclass(slots=True)
class Block:
    """Some rows of a piece, from ``first`` on.

    ``texts`` by column path; ``operations`` that columns of their own state; ``unread`` columns with their types;
    ``size`` bytes of the file used up; ``repaired`` bytes that were no UTF-8; ``no_text`` binary values without text.
    """

    first: int
    rows: int
    size: int
    texts: list[tuple[str, Texts]] = field(default_factory=list)
    operations: list[Stated] = field(default_factory=list)
    unread: dict[str, str] = field(default_factory=dict)
    repaired: int = 0
    no_text: int = 0


def _add_frame(block: Block, frame: pl.DataFrame, wanted: Sequence[str]) -> Block:
    """Put the columns of a table with the block's rows into it."""
    frame = plain_frame(frame)
    paths, block.unread = select_paths(frame.schema, wanted)
    for path in paths:
        values, rows = read_path(frame[path.column], path)
        values, repaired, no_text = decode(values)
        block.repaired += repaired
        block.no_text += no_text
        block.texts.append((str(path), Texts.from_series(values, rows + block.first)))
    for prefix, table, rows in tables_within(frame):
        asked = [name for name in table.columns if is_selected(f"{prefix}{name}", wanted)]
        _add_operations(block, read_operations(table.select(asked), prefix), rows)
    return block


def _add_operations(block: Block, stated: Stated | None, rows: np.ndarray) -> None:
    if stated is not None:
        block.operations.append(stated.in_rows(rows + block.first))
        block.unread = {path: kind for path, kind in block.unread.items() if path not in stated.used}


def _add_objects(block: Block, values: Sequence[Any], wanted: Sequence[str]) -> Block:
    """Put JSON values that share no schema into a block, each as a row."""
    found: dict[str, tuple[list[str], list[int]]] = {}
    for row, value in enumerate(values, start=block.first):
        for path, leaf in python_leaves(value):
            if not is_selected(path, wanted):
                block.unread.setdefault(path, "not asked for")
            elif isinstance(leaf, str):
                texts, rows = found.setdefault(path, ([], []))
                texts.append(leaf.encode("utf-8", "replace").decode())  # a lone surrogate is no text
                rows.append(row)
            elif leaf is not None:
                block.unread[path] = _PYTHON_TYPES[type(leaf)]
    for path, (texts, rows) in found.items():
        block.texts.append((path, Texts.from_series(pl.Series(texts, dtype=pl.String), np.array(rows, np.int64))))
    tables: dict[str, tuple[list[Mapping[str, Any]], list[int]]] = {}
    for row, value in enumerate(values):
        for path, mapping in _mappings(value):
            mappings, rows = tables.setdefault(path, ([], []))
            mappings.append({name: cell for name, cell in mapping.items() if is_selected(f"{path}{name}", wanted)})
            rows.append(row)
    for path, (mappings, rows) in tables.items():
        _add_operations(block, read_operations(cells_frame(mappings), path), np.array(rows, np.int64))
    return block


def _mappings(value: Any, path: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
    """All objects within a JSON value, with the path before the names in them; lists of one length as several."""
    if isinstance(value, list):
        for item in value:
            yield from _mappings(item, f"{path.removesuffix('.')}[].")
    elif isinstance(value, dict):
        yield path, value
        yield from _rows_of_lists(value, path)
        for name, item in value.items():
            yield from _mappings(item, f"{path}{name}.")


def _rows_of_lists(value: Mapping[str, Any], path: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The rows that lists in an object make: of one length as columns, or of operands as pairs."""
    lists = {name: item for name, item in value.items() if isinstance(item, list) and not _holds_more(item)}
    scalars = {name: item for name, item in value.items() if not isinstance(item, list | dict)}
    for length in dict.fromkeys(len(item) for item in lists.values()):
        alike = {name: item for name, item in lists.items() if len(item) == length}
        for cells in zip(*alike.values(), strict=True) if len(alike) > 1 else ():
            yield f"{path}{LISTS}", scalars | dict(zip(alike, cells, strict=True))
    for name, item in lists.items():
        for left, right in pairwise(item) if lists_operands(name) else ():
            yield f"{path}{name}[].", scalars | {"left": left, "right": right}


def _holds_more(items: Sequence[Any]) -> bool:
    return any(isinstance(item, list | dict) for item in items)


def _read_parquet(piece: Piece, wanted: Sequence[str]) -> Iterator[Block]:
    """A Parquet file through Polars' own lazy scanning: local paths and ``hf://`` alike."""
    with utf8_uri(piece.source) as uri:
        yield from _read_row_groups(piece, pl.scan_parquet(uri, glob=False), wanted)


def _read_row_groups(piece: Piece, table: pl.LazyFrame, wanted: Sequence[str]) -> Iterator[Block]:
    source = piece.source
    schema = plain_schema(table.collect_schema())
    needed = {path.column for path in select_paths(schema, wanted)[0]} | set(columns_of_operations(schema))
    columns = [name for name in schema if name in needed and has_selected(name, wanted)]
    _, unread = select_paths(pl.Schema({name: kind for name, kind in schema.items() if name not in columns}), wanted)
    if piece.stop is not None:
        table = table.slice(piece.start, piece.stop - piece.start)
    if not columns:
        yield Block(0, int(table.select(pl.len()).collect().item()), 0, unread=unread)
        return
    first = 0
    for frame in table.select(columns).collect_batches(chunk_size=_ROWS, maintain_order=True):
        known = piece.stop is not None
        size = source.size * len(frame) // piece.total if known else int(frame.estimated_size())
        block = _add_frame(Block(first, len(frame), size), frame, wanted)
        if first == 0:
            block.unread |= unread
        yield block
        first += len(frame)


def _read_csv(piece: Piece, wanted: Sequence[str]) -> Iterator[Block]:
    first = 0
    for table in read_csv(piece):
        for start in range(0, len(table.frame), _ROWS):
            frame = table.frame.slice(start, _ROWS)
            share = table.size * len(frame) // len(table.frame)
            block = Block(first, len(frame), share, repaired=table.repaired if start == 0 else 0)
            yield _add_frame(block, frame, wanted)
            first += len(frame)


def _parse_lines(block: bytes, source: Source, first_line: int) -> list[Any]:
    """One JSON value per line, read without a schema; ``InputError`` names the first line that is none."""
    lines = enumerate(block.split(b"\n"), start=first_line)
    return [_parse_line(line, source, number) for number, line in lines if line.strip()]


def _parse_line(line: bytes, source: Source, number: int) -> Any:
    try:
        return json.loads(line.decode("utf-8", "replace"))
    except json.JSONDecodeError as error:
        raise InputError(f"not JSON: {error.msg} in column {error.colno}", file=source.name, line=number) from error
    except RecursionError as error:
        raise InputError("JSON nested too deeply", file=source.name, line=number) from error


def _parse_frame(block: bytes, wanted: Sequence[str]) -> pl.DataFrame | None:
    """A block of JSON lines as a table; ``None`` where Polars cannot, or may have flattened objects to text."""
    try:
        frame = pl.read_ndjson(io.BytesIO(block), infer_schema_length=None)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException):
        return None
    flat = any(frame.schema.get(root(name)) == pl.String for name in wanted if name not in frame.columns)
    return None if flat or has_numbered_names(frame.schema) or _holds_objects(frame) else frame


def _holds_objects(frame: pl.DataFrame) -> bool:
    """Whether a text looks like JSON: an object that Polars wrote as text, where other rows hold a text."""
    texts = (read_path(frame[path.column], path)[0] for path in select_paths(frame.schema, ())[0])
    return any((text.str.starts_with("{") | text.str.starts_with("[")).any() for text in texts)


def _read_json_lines(piece: Piece, wanted: Sequence[str]) -> Iterator[Block]:
    first, line, before = 0, 1, None
    for data, size in blocks_of_lines(piece, _JSON_BLOCK):
        data, repaired = repair(data)
        if data.strip():
            frame = _parse_frame(data, wanted)
            if frame is None:
                before = lines_before(piece) if before is None else before
                values = _parse_lines(data, piece.source, before + line)
                block = _add_objects(Block(first, len(values), size, repaired=repaired), values, wanted)
            else:
                block = _add_frame(Block(first, len(frame), size, repaired=repaired), frame, wanted)
            yield block
            first += block.rows
        line += data.count(b"\n")


def _read_json(piece: Piece, wanted: Sequence[str]) -> Iterator[Block]:
    first = repaired = told = 0
    with open_bytes(piece.source) as raw:
        stream = JsonStream(utf8_stream(raw, piece.source), piece.source.name)
        for data in blocks_of_values(stream, _JSON_BLOCK):
            frame = _parse_frame(data, wanted)
            rows = len(frame) if frame is not None else data.count(b"\n") + 1
            block = Block(first, rows, raw.tell() - told, repaired=stream.repaired - repaired)
            if frame is not None:
                yield _add_frame(block, frame, wanted)
            else:
                yield _add_objects(block, _parse_lines(data, piece.source, 1), wanted)
            first, told, repaired = first + rows, raw.tell(), stream.repaired


def _read_text(piece: Piece, wanted: Sequence[str]) -> Iterator[Block]:
    """A text file: each line is a row, and an expression may be wrapped from one line to the next."""
    first = 0
    for lines in blocks_with_context(piece, _TEXT_BLOCK):
        yield _text_block(lines, first, piece, wanted)
        first += lines.rows


def _read_html(piece: Piece, wanted: Sequence[str]) -> Iterator[Block]:
    """A page: each line of its text is a row."""
    with open_bytes(piece.source) as raw:
        stream = utf8_stream(raw, piece.source)
        data, repaired = repair(b"".join(iter(lambda: stream.read(_JSON_BLOCK), b"")))
    text = html_text(data)
    if text:
        block = _text_block(Lines(b"", text.encode("utf-8", "replace"), b"", piece.source.size), 0, piece, wanted)
        block.repaired = repaired
        yield block


def _text_block(lines: Lines, first: int, piece: Piece, wanted: Sequence[str]) -> Block:
    if not is_selected(LINE_COLUMN, wanted):
        raise InputError(f"a text file has the one column {LINE_COLUMN!r}", file=piece.source.name)
    parts = [repair(part) for part in (lines.before, lines.data, lines.after)]
    kept = (first, first + lines.rows)
    start = first - lines.before.count(b"\n")
    texts = Texts.from_lines(b"".join(part for part, _ in parts), start, kept)
    return Block(first, lines.rows, lines.size, [(LINE_COLUMN, texts)], repaired=parts[1][1])


_READERS: dict[str, Callable[[Piece, Sequence[str]], Iterator[Block]]] = {
    "parquet": _read_parquet,
    "csv": _read_csv,
    "tsv": _read_csv,
    "jsonl": _read_json_lines,
    "json": _read_json,
    "text": _read_text,
    "html": _read_html,
}


def read_piece(piece: Piece, wanted: Sequence[str]) -> Iterator[Block]:
    """The blocks of a piece; rows are numbered from 0 within the piece. Errors are those of the reading library."""
    return _READERS[piece.source.kind](piece, wanted)


def read_records(source: Source) -> Iterator[tuple[int, Any]]:
    """The rows of a file as Python values, each with its line (in files of lines) or row number from 1."""
    piece = Piece(source, 0, 0)
    if source.kind == "parquet":
        with utf8_uri(source) as uri:
            yield from enumerate(pl.read_parquet(uri, glob=False).iter_rows(named=True), start=1)
    elif source.kind in ("csv", "tsv"):
        rows = (row for table in read_csv(piece) for row in table.frame.iter_rows(named=True))
        yield from enumerate(rows, start=1)
    elif source.kind == "json":
        yield from enumerate(_json_records(source), start=1)
    elif source.kind == "jsonl":
        line = 1
        for data, _ in blocks_of_lines(piece, _JSON_BLOCK):
            for number, text in enumerate(repair(data)[0].split(b"\n"), start=line):
                if text.strip():
                    yield number, _parse_line(text, source, number)
            line += data.count(b"\n")
    else:
        yield from _text_lines(piece)


def _json_records(source: Source) -> list[Any]:
    """The values of a JSON file: the elements of its array, its one object, or values one after the other."""
    with open_bytes(source) as raw:
        stream = JsonStream(utf8_stream(raw, source), source.name)
        if stream.peek() == "[":
            return [value for data in blocks_of_values(stream, _JSON_BLOCK) for value in _parse_lines(data, source, 1)]
        values = []
        while stream.peek():
            values.append(stream.value()[0])
        return values


def _text_lines(piece: Piece) -> Iterator[tuple[int, str]]:
    line = 1
    for block in read_piece(piece, ()):
        for _, texts in block.texts:
            for number, text in enumerate(texts.to_strings(block.rows), start=line):
                if text.strip():
                    yield number, text
        line += block.rows
