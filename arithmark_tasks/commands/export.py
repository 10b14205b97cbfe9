"""``arithmark export``: the items of result files as one table."""

from pathlib import Path
from typing import Annotated

import typer

from ..builders.files import check_writable
from ..console import plain_console
from ..generators.errors import InputError


def export(
    results: Annotated[list[Path], typer.Argument(help="Result files of arithmark eval.", show_default=False)],
    csv: Annotated[bool, typer.Option("--csv", help="Comma-separated text; lists as JSON.")] = False,
    jsonl: Annotated[bool, typer.Option("--jsonl", help="One JSON object to a line.")] = False,
    parquet: Annotated[bool, typer.Option("--parquet", help="Parquet, with lists as lists.")] = False,
    out: Annotated[
        Path | None,
        typer.Option(help="The file to write; without it the (first) result's name with the new ending."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file.")] = False,
) -> None:
    """Write a table with one row for each item: what was asked, what the model gave, and every metric.

    Example: [bold]arithmark export smollm2.json --csv[/bold]

    Example: [bold]arithmark export smollm2.json qwen3.json --parquet --out both.parquet[/bold]
    """
    wanted = [name for name, given in (("csv", csv), ("jsonl", jsonl), ("parquet", parquet)) if given]
    if len(wanted) != 1:
        raise InputError("give one of --csv, --jsonl and --parquet")
    (form,) = wanted
    out = out or results[0].with_suffix(f".{form}")
    check_writable(out, force=force)
    from ..item_table import item_table, write_table
    from ..results import read_result

    table = item_table([read_result(path) for path in results])
    write_table(table, out, form)
    plain_console(soft_wrap=True).print(f"{out}: {table.height:,} rows, {table.width} columns")
