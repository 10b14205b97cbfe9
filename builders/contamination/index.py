"""The seen-index: one Parquet file of every expression found in a corpus, with an account of the scan in its footer.

NumPy arrays become Arrow arrays and back without pyarrow's own conversions: those import pandas, for 0.3 seconds.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from ...generators.errors import InputError
from ...generators.expression import OPERATORS, Expression, SemanticKey
from ..files import whole_file
from .account import contradictions
from .kernel.alphabet import LEFT_MASK, MAX_DIGITS, OPERATOR_SHIFT, SURFACES

FORMAT = "arithmark-seen-index-2"
FOOTER_KEY = b"arithmark"
COLUMNS = ("left", "operator", "right", "count", "first_source", "first_row", "surface")
ROW_BITS = 40  # a position is the number of the source above the row within it
_ROW_GROUP = 1 << 17
_STRING = pa.dictionary(pa.int32(), pa.string())  # for writing; in the file they are plain strings
_TYPES = {name: _STRING if name in ("operator", "first_source", "surface") else pa.int64() for name in COLUMNS}
_SCHEMA = pa.schema(list(_TYPES.items()))
_TEXT, _NUMBERS = ([name for name in COLUMNS if (_TYPES[name] == _STRING) is text] for text in (True, False))
_OPTIONS: dict[str, Any] = {
    # Without the Arrow schema a reader sees strings, not dictionaries. Deltas of sorted integers are small as they are.
    "store_schema": False,
    "use_dictionary": _TEXT,
    "column_encoding": dict.fromkeys(_NUMBERS, "DELTA_BINARY_PACKED"),
    "compression": {**dict.fromkeys(_TEXT, "zstd"), **dict.fromkeys(_NUMBERS, "none")},
}


def to_arrow(values: np.ndarray) -> pa.Array:
    """An Arrow array of the same integers."""
    return pl.Series(values).to_arrow()


def to_numpy(array: pa.Array) -> np.ndarray:
    """A view of an Arrow array of ``int64`` without nulls."""
    return np.frombuffer(array.buffers()[1], dtype=np.int64)[array.offset : array.offset + len(array)]


def strings(values: Sequence[str]) -> pa.Array:
    """An Arrow array of strings."""
    return pl.Series(values, dtype=pl.String).to_arrow().cast(pa.string())


def coded_strings(codes: np.ndarray, values: pa.Array) -> pa.Array:
    """The strings ``values[code]`` as a dictionary array."""
    return pa.DictionaryArray.from_arrays(to_arrow(codes.astype(np.int32)), values)


def surface_names(mask: int) -> str:
    """The surface forms of a set of them, given as bits, as an index names them.

    >>> surface_names(0b101)
    'plain,zero_fraction'
    """
    return ",".join(name for bit, name in enumerate(SURFACES) if mask >> bit & 1)


def surface_mask(names: str) -> int:
    """The bits of ``surface_names``."""
    return sum(1 << SURFACES.index(name) for name in names.split(","))


@dataclass(frozen=True, slots=True)
class Hit:
    """Where an expression was first seen in a corpus, how often, and in which surface forms."""

    source: str
    row: int
    count: int
    surface: str


def _index_rows(columns: np.ndarray, sources: pa.Array) -> pa.Table:
    """Folded rows ``int64[5, n]`` as rows of an index."""
    key, right, first, count, surfaces = columns
    masks, surface_codes = np.unique(surfaces, return_inverse=True)
    return pa.Table.from_arrays(
        [
            to_arrow(key & LEFT_MASK),
            coded_strings(key >> OPERATOR_SHIFT, strings(OPERATORS)),
            to_arrow(right),
            to_arrow(count),
            coded_strings(first >> ROW_BITS, sources),
            to_arrow(first & ((1 << ROW_BITS) - 1)),
            coded_strings(surface_codes, strings([surface_names(int(mask)) for mask in masks])),
        ],
        schema=_SCHEMA,
    )


def write_index(path: Path, blocks: Iterable[np.ndarray], sources: list[str], account: dict[str, Any]) -> int:
    """Write an index from sorted blocks of folded rows; the number of distinct expressions.

    The same rows give the same bytes however they are cut into blocks. ``account`` becomes the footer, with the number
    of distinct expressions and of occurrences added to its totals.
    """
    distinct = occurrences = 0
    names = strings(sources)
    waiting: list[np.ndarray] = []
    with (
        whole_file(path) as temporary,
        pq.ParquetWriter(temporary, _SCHEMA, **_OPTIONS) as writer,
    ):
        for block in blocks:
            distinct, occurrences = distinct + block.shape[1], occurrences + int(block[3].sum())
            waiting.append(block)
            if sum(part.shape[1] for part in waiting) >= _ROW_GROUP:
                rows = np.concatenate(waiting, axis=1)
                whole = rows.shape[1] // _ROW_GROUP * _ROW_GROUP
                writer.write_table(_index_rows(rows[:, :whole], names), row_group_size=_ROW_GROUP)
                waiting = [rows[:, whole:]]
        if waiting and waiting[-1].shape[1]:
            writer.write_table(_index_rows(np.concatenate(waiting, axis=1), names), row_group_size=_ROW_GROUP)
        totals = {**account["totals"], "distinct": distinct, "occurrences": occurrences}
        footer = {"format": FORMAT, **account, "totals": totals}
        writer.add_key_value_metadata({FOOTER_KEY: json.dumps(footer, ensure_ascii=False)})
    return distinct


def read_account(path: str | Path) -> dict[str, Any]:
    """The account in an index's footer: sources, totals, policy. ``InputError`` for a file that is no index."""
    try:
        file = pq.read_metadata(path)
    except FileNotFoundError:
        raise InputError("no such file", file=path) from None
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"not a Parquet file: {str(error).splitlines()[0]}", file=path) from error
    try:
        account = json.loads((file.metadata or {})[FOOTER_KEY])
    except (KeyError, ValueError):
        raise InputError("not a seen-index: its footer holds no account of a scan", file=path) from None
    if account.get("format") != FORMAT:
        raise InputError(f"a seen-index of another format, {account.get('format')!r}: scan again", file=path)
    _check_account(path, account, file)
    return dict(account)


def _check_account(path: str | Path, account: dict[str, Any], file: pq.FileMetaData) -> None:
    """``InputError`` for an index whose footer contradicts itself or its rows."""
    try:
        faults = list(contradictions(account))
        if file.num_rows != account["totals"]["distinct"] or tuple(file.schema.names) != COLUMNS:
            faults.append(f"the file holds {file.num_rows:,} rows of {', '.join(file.schema.names)}")
    except (KeyError, TypeError, AttributeError):
        faults = ["it is not of the known form"]
    if faults:
        raise InputError(f"a seen-index whose footer cannot be true: {faults[0]}", file=path)


def find_hits(path: str | Path, keys: Iterable[SemanticKey]) -> dict[SemanticKey, Hit]:
    """The entries of an index for those keys that it holds.

    Keys with negative operands or operands of more than ``MAX_DIGITS`` digits are in no index. The index is read in a
    stream: memory grows with the keys asked for, not with the corpus.
    """
    read_account(path)
    limit = 10**MAX_DIGITS
    asked = sorted({key for key in keys if 0 <= key[1] < limit and 0 <= key[2] < limit})
    wanted = pl.DataFrame(asked, schema={"operator": pl.String, "left": pl.Int64, "right": pl.Int64}, orient="row")
    found = (
        pl.scan_parquet(path, glob=False)
        .join(wanted.lazy(), on=["operator", "left", "right"], how="inner")
        .collect(engine="streaming")
    )
    return {
        (row["operator"], row["left"], row["right"]): Hit(
            row["first_source"], row["first_row"], row["count"], row["surface"]
        )
        for row in found.iter_rows(named=True)
    }


def read_expressions(path: str | Path, operators: str) -> list[Expression]:
    """Every expression of an index with one of these operators."""
    read_account(path)
    found = pl.read_parquet(path, columns=["left", "operator", "right"], glob=False)
    kept = found.filter(pl.col("operator").is_in(list(operators)))
    return [Expression(*row) for row in kept.iter_rows()]
