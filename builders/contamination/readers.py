"""Read one piece of a corpus as blocks of texts, whatever kind of file it lies in."""

import io
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from ...generators.errors import InputError
from .cutting import Piece
from .line_blocks import after_line, after_paragraph, blocks_of_lines, check_encoding, lines_before, open_stream
from .scanner import Texts
from .sources import Source, open_bytes
from .text_columns import is_selected, python_texts, read_path, select_paths

LINE_COLUMN = "line"
_ROWS = 1 << 14  # rows of a table in memory at a time
_JSON_BLOCK = 1 << 24  # bytes of JSON lines parsed at a time
_TEXT_BLOCK = 1 << 20  # bytes of plain text scanned at a time


@dataclass(frozen=True, slots=True)
class Block:
    """Some rows of a piece: their texts by column path, how many rows, and how many bytes of the file they used up."""

    texts: list[tuple[str, Texts]]
    rows: int
    size: int


def _frame_texts(frame: pl.DataFrame, wanted: Sequence[str], first_row: int) -> list[tuple[str, Texts]]:
    texts = []
    for path in select_paths(frame.schema, wanted):
        column, rows = read_path(frame[path.column], path)
        texts.append((str(path), Texts.from_series(column, rows + first_row)))
    return texts


def _object_texts(values: Sequence[Any], wanted: Sequence[str], first_row: int) -> list[tuple[str, Texts]]:
    """The texts of JSON values that share no schema."""
    found: dict[str, tuple[list[str], list[int]]] = {}
    for row, value in enumerate(values, start=first_row):
        for path, text in python_texts(value):
            if is_selected(path, wanted):
                texts, rows = found.setdefault(path, ([], []))
                texts.append(text.encode("utf-8", "replace").decode())  # a lone surrogate is no text
                rows.append(row)
    return [
        (path, Texts.from_series(pl.Series(texts, dtype=pl.String), np.array(rows, np.int64)))
        for path, (texts, rows) in found.items()
    ]


def _scan_table(source: Source) -> pl.LazyFrame:
    """A Parquet, CSV or TSV file through Polars' own lazy scanning: local paths and ``hf://`` alike."""
    if source.kind == "parquet":
        return pl.scan_parquet(source.uri, glob=False)
    separator = "\t" if source.kind == "tsv" else ","
    return pl.scan_csv(source.uri, glob=False, separator=separator, infer_schema=False, encoding="utf8-lossy")


def _read_table(piece: Piece, wanted: Sequence[str]) -> Iterator[Block]:
    source, table = piece.source, _scan_table(piece.source)
    if source.kind != "parquet" and piece.start == 0:
        with open_bytes(source) as raw, open_stream(raw, source) as stream:
            check_encoding(stream.read(2), source)
    try:
        schema = table.collect_schema()
    except pl.exceptions.NoDataError:  # a CSV file of no bytes
        return
    columns = list(dict.fromkeys(path.column for path in select_paths(schema, wanted)))
    rows = 0
    if piece.stop is not None:
        table = table.slice(piece.start, piece.stop - piece.start)
    if not columns:
        yield Block([], int(table.select(pl.len()).collect().item()), 0)
        return
    for frame in table.select(columns).collect_batches(chunk_size=_ROWS, maintain_order=True):
        known = piece.stop is not None
        size = source.size * len(frame) // piece.total if known else int(frame.estimated_size())
        yield Block(_frame_texts(frame, wanted, rows), len(frame), size)
        rows += len(frame)


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
    """A block of JSON lines as a table; ``None`` where Polars cannot, or where it flattened a wanted column to text."""
    try:
        frame = pl.read_ndjson(io.BytesIO(block), infer_schema_length=None)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException):
        return None
    roots = (re.split(r"[.\[]", name)[0] for name in wanted if name not in frame.columns)
    return None if any(frame.schema.get(root) == pl.String for root in roots) else frame


def _read_json_lines(piece: Piece, wanted: Sequence[str]) -> Iterator[Block]:
    row, line, before = 0, 1, None
    for block, size in blocks_of_lines(piece, _JSON_BLOCK, after_line):
        if block.strip():
            frame = _parse_frame(block, wanted)
            if frame is None:
                before = lines_before(piece) if before is None else before
                values = _parse_lines(block, piece.source, before + line)
                texts, rows = _object_texts(values, wanted, row), len(values)
            else:
                texts, rows = _frame_texts(frame, wanted, row), len(frame)
            yield Block(texts, rows, size)
            row += rows
        line += block.count(b"\n")


def _load_json(source: Source) -> list[Any]:
    """The rows of a file that is one JSON value: an array, an object that holds one such array, or a single row."""
    with open_bytes(source) as raw, open_stream(raw, source) as stream:
        text = stream.read()
    try:
        value = json.loads(check_encoding(text, source))
    except (ValueError, RecursionError) as error:
        raise InputError(f"not JSON: {error}", file=source.name) from error
    if isinstance(value, dict):
        arrays = [item for item in value.values() if isinstance(item, list)]
        return arrays[0] if len(arrays) == 1 else [value]
    return value if isinstance(value, list) else [value]


def _read_json(piece: Piece, wanted: Sequence[str]) -> Iterator[Block]:
    values = _load_json(piece.source)
    yield Block(_object_texts(values, wanted, 0), len(values), piece.source.size)


def _read_text(piece: Piece, wanted: Sequence[str]) -> Iterator[Block]:
    """A text file: each line is a row, and an expression may be wrapped from one line to the next."""
    if not is_selected(LINE_COLUMN, wanted):
        raise InputError(f"a text file has the one column {LINE_COLUMN!r}", file=piece.source.name)
    row = 0
    for block, size in blocks_of_lines(piece, _TEXT_BLOCK, after_paragraph):
        rows = block.count(b"\n") + (not block.endswith(b"\n"))
        yield Block([(LINE_COLUMN, Texts.from_lines(block, row))], rows, size)
        row += rows


_READERS: dict[str, Callable[[Piece, Sequence[str]], Iterator[Block]]] = {
    "parquet": _read_table,
    "csv": _read_table,
    "tsv": _read_table,
    "jsonl": _read_json_lines,
    "json": _read_json,
    "text": _read_text,
}


def read_piece(piece: Piece, wanted: Sequence[str]) -> Iterator[Block]:
    """The blocks of a piece; rows are numbered from 0 within the piece. Errors are those of the reading library."""
    return _READERS[piece.source.kind](piece, wanted)


def read_records(source: Source) -> Iterator[tuple[int, Any]]:
    """The rows of a small file as Python values, each with its line (in files of lines) or row number from 1."""
    piece = Piece(source, 0, 0)
    if source.kind in ("parquet", "csv", "tsv"):
        yield from enumerate(_scan_table(source).collect().iter_rows(named=True), start=1)
    elif source.kind == "json":
        yield from enumerate(_load_json(source), start=1)
    else:
        line = 1
        for block, _ in blocks_of_lines(piece, _JSON_BLOCK, after_line):
            for number, text in enumerate(block.splitlines(), start=line):
                if text.strip():
                    yield number, _parse_line(text, source, number) if source.kind == "jsonl" else text.decode()
            line += block.count(b"\n")
