"""Scan a corpus on one machine, and merge indexes."""

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import polars as pl
import pyarrow.parquet as pq
from filelock import FileLock, Timeout

from ...generators.errors import InputError
from ...generators.expression import OPERATORS
from .account import merge_passed_over
from .cutting import Piece
from .index import ROW_BITS, read_account, surface_mask, write_index
from .kernel.alphabet import OPERATOR_SHIFT
from .plan import LOCK, Plan, finish, make_account, remove_folder, run_unit
from .policy import SCANNER_VERSION
from .runs import Totals, merge_runs, writing
from .scanner import warm_up
from .sources import Failure, Source, find_sources

_PATIENCE = 0.2  # seconds between two looks at the workers


class Reporter(Protocol):
    """Hears how a scan goes; does nothing itself. ``on_block`` is called from the worker threads."""

    def on_plan(self, plan: Plan, waiting: Sequence[Piece | Source]) -> None:
        """The work is known; ``waiting`` are the units that no earlier run has done."""

    def on_block(self, rows: int, size: int) -> None:
        """So many more rows and bytes of the files are scanned."""

    def on_merge(self) -> None:
        """Everything is scanned; the index is being written."""


class _Silence:
    """Tells nobody."""

    def on_plan(self, plan: Plan, waiting: Sequence[Piece | Source]) -> None:
        return None

    def on_block(self, rows: int, size: int) -> None:
        return None

    def on_merge(self) -> None:
        return None


class _Stopped(BaseException):
    """Raised in a worker to end its unit when the scan is given up; no error of the source, so not an ``Exception``."""


def partial_folder(out: Path) -> Path:
    """Where a scan keeps partial results until its index is written."""
    return out.with_name(f"{out.name}.parts")


def _has_failed(future: Future[Any]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is not None


@contextmanager
def claim(out: Path) -> Iterator[Path]:
    """The folder of partial results of the index ``out``, for one scan at a time.

    ``InputError`` when another process writes that index.
    """
    folder = partial_folder(out)
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    lock = FileLock(folder / LOCK, blocking=False)
    try:
        lock.acquire()
    except Timeout:
        raise InputError("another scan is writing this index: wait for it, or choose another --out", file=out) from None
    try:
        yield folder
    finally:
        lock.release()


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
            # A wait without an end would not hear Ctrl-C where a library has set the signal to restart system calls.
            while wait(futures, _PATIENCE, FIRST_EXCEPTION).not_done and not any(map(_has_failed, futures)):
                pass
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
    reporter = reporter or _Silence()
    found = find_sources(arguments, out)
    with claim(out) as folder:
        plan = Plan.make(found, columns, folder)
        waiting = [unit for unit in plan.units() if not plan.is_done(unit)]
        reporter.on_plan(plan, waiting)
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
        names = table["surface"].unique(maintain_order=True).to_list()
        masks = np.array([surface_mask(name) for name in names], dtype=np.int64)
        surfaces = masks[code("surface", names)]
        yield np.stack([key, table["right"].to_numpy(), first, table["count"].to_numpy(), surfaces])


def _check_mergeable(paths: Sequence[Path], accounts: Sequence[dict[str, Any]]) -> None:
    seen: dict[str, tuple[Path, str]] = {}
    for path, account in zip(paths, accounts, strict=True):
        if account["scanner"] != SCANNER_VERSION or account["policy"] != accounts[0]["policy"]:
            raise InputError("made by another version of the scanner or under another policy: scan again", file=path)
        for source in account["sources"]:
            if source["sha256"] in seen and source["size"]:
                place, name = seen[source["sha256"]]
                there = f"{place} too" if name == source["name"] else f"{place}, where it is called {name}"
                raise InputError(f"{source['name']} is in {there}, so its rows would count twice", file=path)
            seen[source["sha256"]] = path, source["name"]


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
        totals.add(Totals(**{name: account["totals"][name] for name in Totals.__dataclass_fields__}))
        own = [source["name"] for source in account["sources"]]
        runs.append(_read_index_run(path, own, len(names)))
        names += own
    sources = [source for account in accounts for source in account["sources"]]
    columns = list(dict.fromkeys(column for account in accounts for column in account["columns"]))
    skipped, repeated = ([entry for account in accounts for entry in account[name]] for name in ("skipped", "repeated"))
    passed_over = merge_passed_over(account["passed_over"] for account in accounts)
    with claim(out) as folder:
        account = make_account(sources, totals, columns, skipped, passed_over, repeated)
        with writing(out):
            write_index(out, merge_runs(runs), names, account)
        remove_folder(folder)
    return read_account(out)
