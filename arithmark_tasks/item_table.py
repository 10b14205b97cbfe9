"""The items of result files as one table, a row for each item of each model.

Columns: ``model``, ``task``, ``group``, ``id``; the traits (``depth``, ``template``, ``type``); ``gold`` and ``chosen``
(the option that the headline metric takes, null where options tie); every metric; then what was measured on each option
as a list (``loglikelihoods``, ``greedy``, ``characters``, ``tokens``, ``bytes``, ``values``, ``sources``), ``cut`` and
``text``.
"""

import json
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import polars as pl

from .builders.files import whole_file
from .results import ItemScore, Result
from .statistics import chosen, credits_of, headline

_LEADING = ("model", "task", "group", "id")
_PLAIN = {"task", "group", "id", "traits", "metrics", "gold"}


def item_table(results: Sequence[Result]) -> pl.DataFrame:
    """The table of one or several results; a column that an item lacks is null there."""
    rows = [_row(result, item) for result in results for item in result.items]
    traits = _names(rows, "traits")
    metrics = _names(rows, "metrics")
    rest = [field.name for field in fields(ItemScore) if field.name not in _PLAIN]
    flat = [
        {name: row[name] for name in _LEADING}
        | {name: row["traits"].get(name) for name in traits}
        | {"gold": row["gold"], "chosen": row["chosen"]}
        | {name: row["metrics"].get(name) for name in metrics}
        | {name: row[name] for name in rest}
        for row in rows
    ]
    # Without a length limit on what polars looks at: an early null must not decide a column's type.
    return pl.DataFrame(flat, infer_schema_length=None)


def _row(result: Result, item: ItemScore) -> dict[str, Any]:
    row = {field.name: getattr(item, field.name) for field in fields(ItemScore)}
    row = {name: list(value) if isinstance(value, tuple) else value for name, value in row.items()}
    model = result.model.get("display_name") or result.model["name"]
    return {**row, "model": model, "metrics": {**item.metrics, **credits_of(item)}, "chosen": _chosen(item)}


def _chosen(item: ItemScore) -> int | None:
    if len(item.loglikelihoods) < 2:
        return None
    credit = chosen(item, headline([item]))
    return credit.index(1.0) if 1.0 in credit else None


def _names(rows: Sequence[dict[str, Any]], section: str) -> list[str]:
    return list(dict.fromkeys(name for row in rows for name in row[section]))


def write_table(table: pl.DataFrame, out: Path, form: str) -> None:
    """Write it as ``csv``, ``jsonl`` or ``parquet``, whole or not at all."""
    with whole_file(out) as temporary:
        if form == "parquet":
            table.write_parquet(temporary)
        elif form == "jsonl":
            table.write_ndjson(temporary)
        else:
            _lists_as_json(table).write_csv(temporary)


def _lists_as_json(table: pl.DataFrame) -> pl.DataFrame:
    lists = [name for name, kind in table.schema.items() if isinstance(kind, pl.List)]
    return table.with_columns(
        pl.Series(name, [None if cell is None else json.dumps(cell) for cell in table[name].to_list()], dtype=pl.String)
        for name in lists
    )
