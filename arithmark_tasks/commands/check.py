"""``arithmark check``: which questions of a file a seen-index holds."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..builders.files import write_json
from ..console import plain_console

if TYPE_CHECKING:
    from rich.console import Console

    from arithmark_tasks.builders.contamination.check import Report, Tally

_EXAMPLES, _UNCHECKED = 20, 5


def check(
    questions: Annotated[
        Path,
        typer.Argument(
            help="Rows with a, operator, b (or num1, num2, op ...); DeepArithmark items; rows with question, problem, "
            "input, messages ...; or a CalcGPT roster. JSONL, JSON, Parquet, CSV or text.",
            show_default=False,
        ),
    ],
    seen: Annotated[list[Path], typer.Option(help="Seen-index to look in; repeatable.", show_default=False)],
    json_file: Annotated[Path | None, typer.Option("--json", help="Write the report to this file as well.")] = None,
) -> None:
    """Look up every operation of a question file in a seen-index.

    Prints the flagged questions with source and row, and how many of each type and operand size were seen. A question
    of which a part could not be read counts as not checked. Being seen is a finding, not a failure: exit status 0.

    Example: [bold]arithmark check out/zenyx/data/default-test.jsonl --seen seen.parquet --json hits.json[/bold]
    """
    from arithmark_tasks.builders.contamination.check import check_questions

    with plain_console(stderr=True).status("looking up the questions"):
        report = check_questions(questions, seen)
    if json_file is not None:
        write_json(json_file, report.as_json(os.fspath(questions)), indent=2)
    _print_report(report, questions)


def _print_report(report: "Report", questions: Path) -> None:
    from rich.box import SIMPLE
    from rich.table import Table

    from arithmark_tasks.builders.contamination.account import not_read, rate, warnings

    console = plain_console(soft_wrap=True)
    rows = sum(account["totals"]["rows"] for account in report.accounts.values())
    sources = sum(len(account["sources"]) for account in report.accounts.values())
    console.print(
        f"{questions}: {report.seen:,} of {len(report.questions):,} questions were seen "
        f"in {rows:,} rows of {sources:,} sources; {len(report.unchecked):,} could not be checked"
    )
    for name, account in report.accounts.items():
        console.print(f"{name}: {rate(account)}.")
        for warning in warnings(account):
            console.print(f"warning: {warning}", style="yellow")
        unread = [*not_read(account), *account["policy"]["not_read"]]
        console.print(f"Not read, so nothing is known of it: {'; '.join(unread)}.")
    _print_tallies(console, "type", "questions", report.by_type)
    _print_tallies(console, "operand size", "operations", report.by_size)
    for question in report.unchecked[:_UNCHECKED]:
        parts = "; ".join(question.unread)
        console.print(f"not checked: {question.name} (line {question.line}): {parts}", style="yellow")
    if len(report.unchecked) > _UNCHECKED:
        console.print(f"... and {len(report.unchecked) - _UNCHECKED:,} more not checked; --json lists all")
    if report.flags:
        table = Table(box=SIMPLE, title="Seen", title_justify="left")
        for heading in ("question", "line", "operation", "count", "surface", "source", "row"):
            right = heading in ("line", "count", "row")
            table.add_column(heading, justify="right" if right else "left", overflow="fold")
        for flag in report.flags[:_EXAMPLES]:
            row = flag.as_row()
            table.add_row(
                *(str(row[name]) for name in ("id", "line", "expression", "count", "surface", "source", "row"))
            )
        console.print(table)
        if len(report.flags) > _EXAMPLES:
            console.print(f"... and {len(report.flags) - _EXAMPLES:,} more; --json lists all")


def _print_tallies(console: "Console", group: str, unit: str, tallies: "dict[str, Tally]") -> None:
    from rich.box import SIMPLE
    from rich.table import Table

    table = Table(box=SIMPLE)
    table.add_column(group, no_wrap=True)
    for heading in (f"{unit} checked", "seen", "share", "not checked"):
        table.add_column(heading, justify="right", no_wrap=True)
    for name, tally in tallies.items():
        share = f"{100 * tally.seen / tally.checked:.1f} %" if tally.checked else "-"
        table.add_row(name, f"{tally.checked:,}", f"{tally.seen:,}", share, f"{tally.not_checked:,}")
    console.print(table)
