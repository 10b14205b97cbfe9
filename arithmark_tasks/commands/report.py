"""``arithmark report``: leaderboard, plots and one page from result files."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..console import plain_console

if TYPE_CHECKING:
    from ..report.sections import Report


def report(
    results: Annotated[
        list[Path], typer.Argument(help="Result files of arithmark eval, one per model.", show_default=False)
    ],
    out: Annotated[
        Path, typer.Option(help="Folder to write; must be free, empty or an earlier report.", show_default=False)
    ],
) -> None:
    """Place models among the published rows and show where and how they fail.

    Writes leaderboard.md, leaderboard.json, plots/ (PNG and SVG) and index.html, one page that needs no network.
    Everything is computed again from the items of the result files; with two files or more, models are compared item
    by item.

    Example: [bold]arithmark report smollm2.json qwen3.json --out report[/bold]
    """
    from rich.text import Text

    with plain_console(stderr=True).status("reading the results") as status:
        from ..report.entries import read_entries
        from ..report.writing import check_target, write_report

        check_target(out)
        made = write_report(read_entries(results), out, notify=lambda stage: status.update(Text(stage)))
    _print_rows(made)
    typer.echo(str(out / "index.html"))


def _print_rows(made: "Report") -> None:
    from ..report.leaderboard import placement

    console = plain_console(soft_wrap=True)
    for row in made.rows:
        if row.verdict is not None:
            line = f"{row.model}: {row.verdict['text']}; {placement(made.rows, row)}"
            console.print(line)
