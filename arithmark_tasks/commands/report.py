"""``arithmark report``: leaderboard, plots and one page from result files."""

from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..console import plain_console

if TYPE_CHECKING:
    from ..report.sections import Report


class Pairs(str, Enum):
    """Which models are compared with each other."""

    NEIGHBOURS = "neighbours"
    ALL = "all"


def report(
    results: Annotated[
        list[Path],
        typer.Argument(
            help="Results of arithmark eval, and folders that lm_eval run --log_samples wrote.", show_default=False
        ),
    ],
    out: Annotated[
        Path, typer.Option(help="Folder to write; must be free, empty or an earlier report.", show_default=False)
    ],
    pairs: Annotated[
        Pairs, typer.Option(help="Compare models with their neighbours in rank, or every two that were scored alike.")
    ] = Pairs.NEIGHBOURS,
) -> None:
    """Place models among the published rows and show where and how they fail.

    Writes leaderboard.md and .json, the tables behind them, plots/ (PNG and SVG) and index.html, one page that needs no
    network. Everything is computed again from the items. Results of the same weights are one model; only models that
    were scored alike stand in one table, and each is compared item by item with its neighbours in rank.

    Example: [bold]arithmark report smollm2.json qwen3.json --out report[/bold]
    """
    from rich.text import Text

    with plain_console(stderr=True).status("reading the results") as status:
        from ..report.entries import read_entries
        from ..report.writing import check_target, write_report

        check_target(out)
        made = write_report(
            read_entries(results),
            out,
            notify=lambda stage: status.update(Text(stage)),
            every_pair=pairs is Pairs.ALL,
        )
    _print_rows(made)
    typer.echo(str(out / "index.html"))


def _print_rows(made: "Report") -> None:
    from ..report.leaderboard import placement

    console = plain_console(soft_wrap=True)
    for number, board in enumerate(made.boards, start=1):
        if board.cohort.apart:
            console.print(f"leaderboard {number}, apart: {'; '.join(board.cohort.apart)}")
        for row in board.own:
            if row.verdict:
                console.print(f"{row.model}: {row.verdict['text']}; {placement(board, row)}")
