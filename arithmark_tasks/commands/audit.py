"""``arithmark audit``: shortcut strategies and adversarial classifiers against chance."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..builders.files import write_json
from ..console import plain_console, progress_bar

if TYPE_CHECKING:
    from arithmark_tasks.generators.choices.audit import Question, Row

GOAL = "fixed strategies within 1 point of chance, every classifier's 99.9 % Wilson interval covers chance"


def audit(
    file: Annotated[Path, typer.Argument(help="JSONL with ctx, endings and label on each line.", show_default=False)],
    json_file: Annotated[Path | None, typer.Option("--json", help="Write the rows to this file as well.")] = None,
    model: Annotated[
        str | None,
        typer.Option(help="Also score the endings without the context: model folder, Hub id or GGUF file."),
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with status 1 when a row misses the goal.")] = False,
    classifiers: Annotated[bool, typer.Option(help="Train the adversarial classifiers too.")] = True,
) -> None:
    """Score every way of picking an answer without doing the arithmetic, and some of doing half of it.

    Works on DeepArithmark and on any multiple-choice JSONL of its kind; strategies that need what the file lacks are
    reported as not applicable.

    Example: [bold]arithmark audit out/deeparithmark/data/deeparithmark-1.jsonl --json audit.json[/bold]
    """
    from arithmark_tasks.generators.choices.audit import OK, question
    from arithmark_tasks.generators.errors import InputError
    from arithmark_tasks.generators.jsonl import read_items

    if json_file is not None and not json_file.absolute().parent.is_dir():
        raise InputError("no such folder for the JSON report", file=json_file.parent)
    questions = [question(item, line=line, file=file) for line, item in read_items(file)]
    rows = audit_rows(questions, model=model, classifiers=classifiers)
    _print_table(file, len(questions), rows)
    if json_file is not None:
        report = {"file": str(file), "items": len(questions), "interval": "Wilson, 95 %", "goal": GOAL}
        write_json(json_file, {**report, "rows": [asdict(row) for row in rows]}, indent=2)
    missed = [row for row in rows if row.kind != "reported" and row.score is not None and row.verdict != OK]
    if strict and missed:
        raise typer.Exit(1)


def audit_rows(questions: "Sequence[Question]", *, model: str | None = None, classifiers: bool = True) -> "list[Row]":
    """All rows of the audit, with a progress bar on stderr."""
    from arithmark_tasks.generators.choices.audit import audit_questions
    from arithmark_tasks.generators.choices.estimates import estimate_rows

    with progress_bar() as progress:
        progress.add_task("fixed strategies", total=None)
        rows = [*audit_questions(questions), *estimate_rows(questions)]
        if classifiers:
            from arithmark_tasks.builders.classifiers import boosted_rows, rank_rows, trigram_row

            task = progress.add_task("classifiers", total=3)
            rows.append(trigram_row(questions))
            progress.advance(task)
            for trained in (boosted_rows, rank_rows):
                rows += trained(questions)
                progress.advance(task)
        if model is not None:
            from arithmark_tasks.scoring.ending_prior import distinct_endings, ending_rows

            task = progress.add_task("endings alone", total=len(distinct_endings(questions)))
            rows += ending_rows(questions, model, lambda count: progress.advance(task, count))
    return rows


def _print_table(file: Path, items: int, rows: "list[Row]") -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    from arithmark_tasks.generators.choices.audit import LEAK, OFF

    title = f"Shortcut audit of {file} ({items:,} items)"
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, show_edge=False)
    table.add_column("strategy", overflow="fold")
    for heading in ("score %", "chance", "95 %\ninterval"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("verdict", overflow="fold", min_width=6)
    for row in rows:
        style = {LEAK: "red", OFF: "yellow"}.get(row.verdict)
        shown = "reported: " + row.verdict if row.kind == "reported" and row.score is not None else row.verdict
        table.add_row(row.strategy, *_figures(row), shown, style=style)
    console = plain_console()
    console.print(table)
    console.print(f"Goal: {GOAL}. Ties share the credit.")


def _figures(row: "Row") -> tuple[str, str, str]:
    if row.score is None or row.chance is None or row.low is None or row.high is None:
        return "", "", ""
    return f"{100 * row.score:.2f}", f"{100 * row.chance:.2f}", f"{100 * row.low:.1f}-{100 * row.high:.1f}"
