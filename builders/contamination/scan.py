"""Scan a corpus on one machine, and merge indexes."""

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow.parquet as pq

from ...generators.errors import InputError
from ...generators.expression import OPERATORS
from .cutting import Piece
from .index import ROW_BITS, SURFACE_SETS, read_account, write_index
from .kernel.alphabet import OPERATOR_SHIFT
from .merge import merge_runs
from .plan import Failure, Plan, finish, make_account, run_unit
from .policy import SCANNER_VERSION
from .runs import Totals
from .scanner import warm_up
from .sources import Source, find_sources


class Reporter:
    """Hears how a scan goes; does nothing itself. ``on_block`` is called from the worker threads."""

    def on_plan(self, plan: Plan, waiting: Sequence[Piece | Source], passed_over: Sequence[str]) -> None:
        """The work is known; ``waiting`` are the units that no earlier run has done."""

    def on_block(self, rows: int, size: int) -> None:
        """So many more rows and bytes of the files are scanned."""

    def on_merge(self) -> None:
        """Everything is scanned; the index is being written."""


class _Stopped(BaseException):
    """Raised in a worker to end its unit when the scan is given up; no error of the source, so not an ``Exception``."""


def partial_folder(out: Path) -> Path:
    """Where a scan keeps partial results until its index is written."""
    return out.with_name(f"{out.name}.parts")


def _run_units(plan: Plan, waiting: Sequence[Piece | Source], workers: int, reporter: Reporter) -> list[Failure]:
    """Do the units in ``workers`` threads; the failures, in the order of the units."""
    stop = threading.Event()

    def run(unit: Piece | Source) -> Failure | None:
        left = unit.size if isinstance(unit, Piece) else 0

        def on_block(rows: int, size: int) -> None:
            nonlocal left
            if stop.is_set():
                raise _Stopped
            size = min(size, left)  # sizes of blocks are estimates: a unit never counts for more than its file
            left -= size
            reporter.on_block(rows, size)

        if stop.is_set():
            return None
        failure = run_unit(plan, unit, on_block)
        reporter.on_block(0, left)
        return failure

    with ThreadPoolExecutor(workers) as pool:
        futures = [pool.submit(run, unit) for unit in waiting]
        try:
            wait(futures, return_when=FIRST_EXCEPTION)
        finally:
            if any(not future.done() for future in futures):
                stop.set()
                pool.shutdown(wait=False, cancel_futures=True)
        return [failure for future in futures if (failure := future.result()) is not None]


def scan(
    arguments: Sequence[str],
    out: Path,
    *,
    columns: Sequence[str] = (),
    workers: int = 1,
    skip_bad: bool = False,
    reporter: Reporter | None = None,
) -> dict[str, Any]:
    """Scan files, folders, patterns and Hub datasets into the seen-index ``out``; the account in its footer.

    Work that an earlier, killed run of the same scan finished is taken over. ``InputError`` when a source cannot be
    read (with the list of them, after all others are done) unless ``skip_bad``.
    """
    reporter = reporter or Reporter()
    sources, passed_over = find_sources(arguments, out)
    folder = partial_folder(out)
    folder.mkdir(parents=True, exist_ok=True)
    plan = Plan.make(sources, columns, folder)
    waiting = [unit for unit in plan.units() if not plan.is_done(unit)]
    reporter.on_plan(plan, waiting, passed_over)
    warm_up()
    failures = _run_units(plan, waiting, workers, reporter)
    reporter.on_merge()
    finish(plan, out, failures, skip_bad)
    return read_account(out)


def _read_index_run(path: Path, sources: list[str], order: int) -> Iterator[np.ndarray]:
    """The rows of an index as blocks of a run, its sources numbered from ``order`` on."""
    file = pq.ParquetFile(path)
    for number in range(file.num_row_groups):
        table = pl.DataFrame(pl.from_arrow(file.read_row_group(number)))

        def code(column: str, names: Sequence[str], table: pl.DataFrame = table) -> np.ndarray:
            return table[column].cast(pl.Enum(names)).to_physical().to_numpy().astype(np.int64)

        key = (code("operator", OPERATORS) << OPERATOR_SHIFT) | table["left"].to_numpy()
        first = (code("first_source", sources) + order << ROW_BITS) | table["first_row"].to_numpy()
        surfaces = code("surface", SURFACE_SETS)
        yield np.stack([key, table["right"].to_numpy(), first, table["count"].to_numpy(), surfaces])


def _check_mergeable(paths: Sequence[Path], accounts: Sequence[dict[str, Any]]) -> None:
    seen: dict[tuple[str, str], Path] = {}
    for path, account in zip(paths, accounts, strict=True):
        if account["scanner"] != SCANNER_VERSION or account["policy"] != accounts[0]["policy"]:
            raise InputError("made by another version of the scanner or under another policy: scan again", file=path)
        for source in account["sources"]:
            other = seen.setdefault((source["name"], source["sha256"]), path)
            if other != path or sum(source == entry for entry in account["sources"]) > 1:
                raise InputError(f"{source['name']} is in {other} too, so its rows would count twice", file=path)


def merge_indexes(paths: Sequence[Path], out: Path) -> dict[str, Any]:
    """Merge indexes into ``out``, equal to the index of their joined corpora in the order given; its account.

    ``InputError`` for files that are no index, that another scanner made, or that share a source.
    """
    accounts = [read_account(path) for path in paths]
    if not accounts:
        raise InputError("no index to merge")
    _check_mergeable(paths, accounts)
    warm_up()
    totals, names, runs = Totals(), list[str](), []
    for path, account in zip(paths, accounts, strict=True):
        counted = account["totals"]
        totals.add(Totals(counted["rows"], counted["text_bytes"], counted["surfaces"], counted["left_out"]))
        own = [source["name"] for source in account["sources"]]
        runs.append(_read_index_run(path, own, len(names)))
        names += own
    sources = [source for account in accounts for source in account["sources"]]
    columns = list(dict.fromkeys(column for account in accounts for column in account["columns"]))
    skipped = [entry for account in accounts for entry in account["skipped"]]
    write_index(out, merge_runs(runs), names, make_account(sources, totals, columns, skipped))
    return read_account(out)
