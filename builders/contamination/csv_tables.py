"""A CSV or TSV file as tables of text columns, a block of records at a time."""

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from ...generators.errors import InputError
from .cutting import Piece
from .encodings import repair
from .line_blocks import AfterRecord, blocks_of_lines
from .operations import read_integers, read_operator
from .scanner import Scanner, Texts

_BLOCK = 1 << 24
_SEPARATORS = ",;\t|"


@dataclass(frozen=True, slots=True)
class CsvTable:
    """Some records of a file, the bytes of it that they took, and how many of those were no UTF-8."""

    frame: pl.DataFrame
    size: int
    repaired: int


def _first_record(block: bytes, separator: str) -> list[str]:
    reader = csv.reader(io.StringIO(block[: 1 << 20].decode("utf-8", "ignore"), newline=""), delimiter=separator)
    try:
        return next(reader, [])
    except csv.Error:
        return []


def _find_separator(block: bytes, kind: str) -> str:
    """The separator that a first line has most of; by default that of the file's name."""
    usual = "\t" if kind == "tsv" else ","
    line = block.split(b"\n", 1)[0].decode("utf-8", "ignore")
    counts = {separator: len(_first_record(line.encode(), separator)) for separator in _SEPARATORS}
    most = max(counts.values())
    return usual if counts[usual] == most or counts[usual] > 1 else max(counts, key=lambda one: counts[one])


def is_header(cells: Sequence[str]) -> bool:
    """Whether the cells of a first record are names of columns: none is a number, a sign or holds an expression.

    >>> is_header(["a", "op", "num2"]), is_header(["12", "+", "34"]), is_header(["What is 1+2?", "three"])
    (True, False, False)
    """
    series = pl.Series(list(cells), dtype=pl.String)
    signs = (cell for cell in cells if len(cell.strip()) == 1 and not cell.strip().isalpha())
    if read_integers(series)[1].any() or any(map(read_operator, signs)):
        return False
    texts = Texts.from_series(series, np.zeros(len(cells), np.int64))
    return next(Scanner(lambda run: None).list_keys(texts), None) is None


def column_names(cells: Sequence[str]) -> list[str]:
    """Names of columns, each once: a name that comes again gets a number.

    >>> column_names(["a", "", "a"])
    ['a', 'column_2', 'a_2']
    """
    names = dict[str, None]()
    for place, cell in enumerate(cells, start=1):
        name = base = cell.strip() or f"column_{place}"
        again = 1
        while name in names:
            again += 1
            name = f"{base}_{again}"
        names[name] = None
    return list(names)


def read_csv(piece: Piece) -> Iterator[CsvTable]:
    """The records of a file. A first record that names no columns is one of them; the columns are then numbered.

    ``InputError`` for a record of more fields than the first.
    """
    names: list[str] | None = None
    for block, size in blocks_of_lines(piece, _BLOCK, AfterRecord()):
        block, repaired = repair(block)
        header = False
        if names is None:
            block = block.lstrip(b"\r\n")
            if not block:
                continue
            separator = _find_separator(block, piece.source.kind)
            cells = _first_record(block, separator)
            header = is_header(cells)
            names = column_names(cells if header else [""] * len(cells))
        yield CsvTable(_parse(block, names, separator, header, piece.source.name), size, repaired)


def _parse(block: bytes, names: Sequence[str], separator: str, header: bool, file: str) -> pl.DataFrame:
    try:
        return pl.read_csv(
            io.BytesIO(block),
            has_header=False,
            skip_rows=1 if header else 0,
            schema=dict.fromkeys(names, pl.String),
            separator=separator,
        )
    except pl.exceptions.NoDataError:  # nothing but the names of the columns
        return pl.DataFrame(schema=dict.fromkeys(names, pl.String))
    except pl.exceptions.PanicException as error:
        raise InputError(f"not CSV: {str(error).splitlines()[0]}", file=file) from error
