"""``arithmark scan``: every ``a op b`` of a corpus as one seen-index file."""

from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..builders.files import write_json
from ..builders.machine import processors
from ..console import plain_console, progress_bar, stages

if TYPE_CHECKING:
    from rich.progress import Progress

    from arithmark_tasks.builders.contamination.cutting import Piece
    from arithmark_tasks.builders.contamination.distributed import Cluster
    from arithmark_tasks.builders.contamination.plan import Plan
    from arithmark_tasks.builders.contamination.selfcheck import Recall
    from arithmark_tasks.builders.contamination.sources import Source

CLUSTER = "On a cluster"


class Executor(str, Enum):
    """Where the tasks of a distributed scan run."""

    LOCAL = "local"
    SLURM = "slurm"
    RAY = "ray"


def scan(
    sources: Annotated[
        list[str] | None,
        typer.Argument(
            help="Parquet, JSONL, JSON, CSV, TSV, HTML and text files (all but Parquet also .gz, .zst, .xz, .bz2), "
            "folders, patterns, hf://datasets/ORG/NAME/...; with --merge: indexes.",
            show_default=False,
        ),
    ] = None,
    out: Annotated[Path, typer.Option(help="The seen-index to write.")] = Path("seen.parquet"),
    column: Annotated[
        list[str] | None,
        typer.Option(help="Text column to read, nested ones as messages[].content; repeatable. Default: all text."),
    ] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="Threads; default: one for each processor.")] = None,
    skip_bad: Annotated[bool, typer.Option("--skip-bad", help="Leave out what cannot be read or opened.")] = False,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write what was read and what was not to this file as well.")
    ] = None,
    merge: Annotated[bool, typer.Option("--merge", help="Merge the given indexes instead of scanning.")] = False,
    selfcheck: Annotated[
        bool,
        typer.Option("--selfcheck", help="Plant known expressions in text (of the sources, if any) and find each."),
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Also print what each surface form and reason is.")
    ] = False,
    tasks: Annotated[
        int | None, typer.Option(min=1, help="Run as a datatrove pipeline of this many tasks.", rich_help_panel=CLUSTER)
    ] = None,
    executor: Annotated[Executor, typer.Option(help="Where tasks run.", rich_help_panel=CLUSTER)] = Executor.LOCAL,
    partition: Annotated[str, typer.Option(help="Slurm partition.", rich_help_panel=CLUSTER)] = "cpu",
    time: Annotated[str, typer.Option(help="Slurm time limit of a task.", rich_help_panel=CLUSTER)] = "04:00:00",
    memory: Annotated[int, typer.Option(help="GB of memory per task.", rich_help_panel=CLUSTER)] = 4,
    logs: Annotated[Path | None, typer.Option(help="Folder of task logs.", rich_help_panel=CLUSTER)] = None,
) -> None:
    """Find every written-out operation in a corpus.

    The index holds each distinct expression with its count, its first source and row, and the surface forms it was
    seen in; the footer says what was scanned, what was not read, and what was left out. A scan that was stopped goes on
    where it was.

    Example: [bold]arithmark scan data/*.jsonl.gz hf://datasets/ORG/NAME/data/*.parquet --out seen.parquet[/bold]
    """
    threads = workers or processors()
    if selfcheck:
        _selfcheck(sources or [], column or [], threads)
        return
    if not sources:
        raise typer.BadParameter("give at least one source, or --selfcheck", param_hint="SOURCES")
    if merge:
        _merge(sources, out, json_file, verbose)
    elif tasks is not None or executor is not Executor.LOCAL:
        from arithmark_tasks.builders.contamination.distributed import Cluster

        cluster = Cluster(executor.value, tasks or 1, threads, partition, time, memory, logs)
        _distribute(sources, out, column or [], skip_bad, cluster, json_file, verbose)
    else:
        account, seconds = _scan(sources, out, column or [], threads, skip_bad)
        _report(account, out, json_file, verbose, seconds)


def _scan(
    sources: Sequence[str], out: Path, columns: Sequence[str], workers: int, skip_bad: bool
) -> tuple[dict[str, Any], float]:
    from arithmark_tasks.builders.contamination.scan import scan as scan_sources

    _tell_of_compilation()
    begun = perf_counter()
    with progress_bar(of_bytes=True) as progress:
        reporter = ScanProgress(progress)
        account = scan_sources(sources, out, columns=columns, workers=workers, skip_bad=skip_bad, reporter=reporter)
    return account, perf_counter() - begun


def _merge(sources: Sequence[str], out: Path, json_file: Path | None, verbose: bool) -> None:
    from arithmark_tasks.builders.contamination.scan import merge_indexes

    with stages() as notify:
        notify("merging")
        account = merge_indexes([Path(source) for source in sources], out)
    _report(account, out, json_file, verbose)


def _distribute(
    sources: Sequence[str],
    out: Path,
    columns: Sequence[str],
    skip_bad: bool,
    cluster: "Cluster",
    json_file: Path | None,
    verbose: bool,
) -> None:
    from arithmark_tasks.builders.contamination.distributed import run_pipeline
    from arithmark_tasks.builders.contamination.index import read_account

    run_pipeline(sources, out, columns=columns, skip_bad=skip_bad, cluster=cluster)
    if cluster.executor == Executor.SLURM.value:
        plain_console(soft_wrap=True).print(f"Submitted; the last task writes {out}.")
    else:
        _report(read_account(out), out, json_file, verbose)


def _report(
    account: dict[str, Any], out: Path, json_file: Path | None, verbose: bool, seconds: float | None = None
) -> None:
    if json_file is not None:
        from arithmark_tasks.builders.contamination.account import describe

        write_json(json_file, describe(account), indent=2)
    print_account(account, out, verbose, seconds)


def _selfcheck(sources: Sequence[str], columns: Sequence[str], workers: int) -> None:
    from arithmark_tasks.builders.contamination.selfcheck import check_recall, read_carriers

    _tell_of_compilation()
    with stages() as notify:
        notify("planting and scanning")
        results = check_recall(read_carriers(sources, columns), workers=workers)
    _print_recall(results)
    if not all(result.is_right for result in results):
        raise typer.Exit(1)


class ScanProgress:
    """Shows a scan's progress: how many of the bytes, rows per second, time left."""

    def __init__(self, progress: "Progress") -> None:
        self._progress = progress
        self._rows, self._begun = 0, perf_counter()

    def on_plan(self, plan: "Plan", waiting: "Sequence[Piece | Source]") -> None:
        """The bar begins behind what an earlier run has scanned."""
        self._files, size = f"{len(plan.sources):,} files", plan.size(plan.pieces)
        self._task = self._progress.add_task(self._files, total=size, completed=size - plan.size(waiting))

    def on_block(self, rows: int, size: int) -> None:
        """So many more rows and bytes are scanned."""
        self._rows += rows
        rate = self._rows / max(perf_counter() - self._begun, 1e-9)
        self._progress.update(self._task, advance=size, description=f"{self._files}, {rate:,.0f} rows/s")

    def on_merge(self) -> None:
        """The index is being written."""
        self._progress.update(self._task, description="merging", total=None)


def _tell_of_compilation() -> None:
    """numba compiles the scanner when it is first called, in silence."""
    from arithmark_tasks.builders.contamination.kernel.jit import cache_folder

    folder = cache_folder()
    if folder is None or not any(Path(folder).rglob("*.nbc")):
        often = "each time: no folder can keep it" if folder is None else "once"
        plain_console(stderr=True, soft_wrap=True).print(f"compiling the scanner ({often})")


def print_account(account: dict[str, Any], out: Path, verbose: bool = False, seconds: float | None = None) -> None:
    """Print what an index's footer says: totals, what was read and what was not, counts by form, what was left out."""
    from rich.box import SIMPLE
    from rich.table import Table

    from arithmark_tasks.builders.contamination.account import not_read, rate, remarks, warnings

    console, totals = plain_console(soft_wrap=True), account["totals"]
    pace = f" in {seconds:,.1f} s ({totals['rows'] / seconds:,.0f} rows/s)" if seconds else ""
    console.print(
        f"{out}: {totals['distinct']:,} distinct expressions, {totals['occurrences']:,} occurrences in "
        f"{totals['rows']:,} rows of {len(account['sources']):,} sources{pace}"
    )
    console.print(f"{rate(account)}.")
    for warning in warnings(account):
        console.print(f"warning: {warning}", style="yellow")
    for title, counts, meanings in (
        ("surface form", totals["surfaces"], account["policy"]["surfaces"]),
        ("left out", totals["left_out"], account["policy"]["left_out"]),
    ):
        if not verbose:
            found = ", ".join(f"{name} {count:,}" for name, count in counts.items() if count)
            console.print(f"{title}: {found or 'none'}")
            continue
        table = Table(box=SIMPLE)
        table.add_column(title, no_wrap=True)
        table.add_column("count", justify="right", no_wrap=True)
        table.add_column("what it is", overflow="fold")
        for name, count in counts.items():
            table.add_row(name, f"{count:,}", meanings[name])
        console.print(table)
    if not verbose:
        console.print("-v says what each is, and lists those that did not occur.", style="dim")
    for remark in remarks(account):
        console.print(f"note: {remark}")
    console.print("Not read:", style="bold")
    for line in not_read(account):
        console.print(f"- {line}", style="yellow")
    console.print(f"- in any file: {'; '.join(account['policy']['not_read'])}")


def _print_recall(results: "Sequence[Recall]") -> None:
    from rich.box import SIMPLE
    from rich.table import Table

    from arithmark_tasks.builders.contamination.selfcheck import NOT_AN_EXPRESSION

    table = Table(title="Expressions planted among real text", title_justify="left", box=SIMPLE)
    for heading in ("form", "planted", "found", "for example"):
        table.add_column(heading, justify="right" if heading in ("planted", "found") else "left", overflow="fold")
    for result in results:
        shown = result.examples[:1] if result.is_right else result.examples
        style = None if result.is_right else "red"
        table.add_row(result.surface, f"{result.planted:,}", f"{result.found:,}", "\n".join(shown), style=style)
    console = plain_console()
    console.print(table)
    unread = sum(result.planted for result in results if not result.is_wanted and result.surface != NOT_AN_EXPRESSION)
    if all(result.is_right for result in results):
        console.print("Every expression was found, and nothing else.")
        console.print(
            f"In forms that are not read {unread:,} were planted and none was found: no index excludes those."
        )
    else:
        console.print("The scanner is at fault: see above.")
