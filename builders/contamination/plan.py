"""A scan as a list of independent units of work and a last step that joins their results."""

import json
import lzma
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa

from ...generators.errors import InputError
from ..files import write_json
from .account import passed_over_summary
from .cutting import Piece, cut_sources, hash_name
from .index import ROW_BITS, write_index
from .policy import SCANNER_VERSION, describe_policy
from .runs import Coverage, OutputError, PieceResult, Totals, merge_files, read_result, scan_piece, writing
from .scanner import release_memory
from .sources import Failure, Found, PassedOver, Source, has_changed, hash_source
from .text_columns import is_selected

LOCK = "lock"  # in the folder of partial results, held by the process that scans
# What reading a broken file raises; anything else is a fault of ours and is not swallowed. Not so with remote files:
# every file system has network errors of its own.
READ_ERRORS: tuple[type[BaseException], ...] = (
    *(InputError, OSError, EOFError, UnicodeError, lzma.LZMAError, pa.ArrowException),
    *(pl.exceptions.PolarsError, pl.exceptions.PanicException),
)


@dataclass(frozen=True, slots=True)
class Plan:
    """What a scan will do: its sources and pieces in order, the columns asked for, the folder of partial results; and
    what it will not read: files passed over and folders that cannot be opened.
    """

    sources: tuple[Source, ...]
    pieces: tuple[Piece, ...]
    columns: tuple[str, ...]
    folder: Path
    passed_over: tuple[PassedOver, ...] = ()
    unopened: tuple[Failure, ...] = ()

    @classmethod
    def make(cls, found: Found, columns: Sequence[str], folder: Path) -> "Plan":
        """Cut the sources into pieces."""
        pieces = tuple(cut_sources(found.sources))
        return cls(
            tuple(found.sources), pieces, tuple(columns), folder, tuple(found.passed_over), tuple(found.unopened)
        )

    def size(self, units: Iterable[Piece | Source]) -> int:
        """The bytes to scan in these units; to hash a source adds none."""
        return sum(unit.size for unit in units if isinstance(unit, Piece))

    def units(self) -> Iterator[Piece | Source]:
        """Every unit of work, done or not: the pieces to scan, and the sources to hash."""
        yield from self.pieces
        yield from self.sources

    def is_done(self, unit: Piece | Source) -> bool:
        """Whether the result of a unit is kept already."""
        return (self.folder / _unit_file(unit, self.columns)).is_file()

    def note_failure(self, unit: Piece | Source, failure: Failure | None) -> None:
        """Keep a failure beside the results, for the process that finishes the scan; none removes an earlier one."""
        path = self.folder / f"{_unit_file(unit, self.columns)}.failed"
        if failure is None:
            path.unlink(missing_ok=True)
        else:
            write_json(path, asdict(failure))


def _unit_file(unit: Piece | Source, columns: Sequence[str]) -> str:
    return f"{unit.name(columns)}.json" if isinstance(unit, Piece) else f"{hash_name(unit)}.sha256"


def read_failures(plan: Plan) -> list[Failure]:
    """The failures that other processes noted."""
    paths = (plan.folder / f"{_unit_file(unit, plan.columns)}.failed" for unit in plan.units())
    return [Failure(**json.loads(path.read_text(encoding="utf-8"))) for path in paths if path.is_file()]


def run_unit(plan: Plan, unit: Piece | Source, on_block: Callable[[int, int], None]) -> Failure | None:
    """Do one unit and keep its result; a source that cannot be read is returned as a failure."""
    source = unit.source if isinstance(unit, Piece) else unit
    expected: tuple[type[BaseException], ...] = READ_ERRORS if source.is_local else (*READ_ERRORS, Exception)
    try:
        if isinstance(unit, Piece):
            scan_piece(unit, plan.columns, plan.folder, on_block)
        else:
            digest = hash_source(unit)
            with writing(plan.folder):
                write_json(plan.folder / _unit_file(unit, plan.columns), digest)
        if has_changed(source):
            (plan.folder / _unit_file(unit, plan.columns)).unlink()
            raise InputError("changed while it was scanned", file=source.name)
    except OutputError:
        raise
    except expected as error:
        reason = str(error).removeprefix(f"{source.name}: ").removeprefix(f"{source.name}, ").strip()
        return Failure(source.name, reason.splitlines()[0] if reason else type(error).__name__)
    return None


@dataclass(slots=True)
class _Collected:
    """The results of all pieces of the sources that could be read; ``repeated`` are those with the bytes of another."""

    totals: Totals = field(default_factory=Totals)
    sources: list[dict[str, Any]] = field(default_factory=list)
    files: list[tuple[Path, int]] = field(default_factory=list)
    repeated: list[dict[str, str]] = field(default_factory=list)

    def add(self, facts: dict[str, Any], results: Sequence[PieceResult], folder: Path) -> None:
        """Add a source with the results of its pieces, in order."""
        order, rows, coverage = len(self.sources), 0, Coverage()
        for result in results:
            self.files += [(folder / run, (order << ROW_BITS) + rows) for run in result.runs]
            rows += result.totals.rows
            coverage.add(result.coverage)
            self.totals.add(result.totals)
        coverage.settle()
        self.sources.append({**facts, "rows": rows, **coverage.as_entry()})


def _read_digest(plan: Plan, source: Source) -> str:
    path = plan.folder / _unit_file(source, plan.columns)
    return str(json.loads(path.read_text(encoding="utf-8")))


def _collect(plan: Plan, skipped: set[str]) -> _Collected:
    results: dict[str, list[PieceResult]] = {}
    for piece in plan.pieces:
        if piece.source.name not in skipped:
            result = read_result(plan.folder, piece.name(plan.columns))
            if result is None:
                raise InputError("was not scanned", file=piece.source.name)
            results.setdefault(piece.source.name, []).append(result)
    collected, met = _Collected(), dict[str, str]()
    for source in plan.sources:
        if source.name in skipped:
            continue
        digest = _read_digest(plan, source)
        same = met.setdefault(digest, source.name)
        if same != source.name and source.size:
            collected.repeated.append({"source": source.name, "same_as": same})
        else:
            facts = {"name": source.name, "size": source.size, "sha256": digest}
            collected.add(facts, results[source.name], plan.folder)
    return collected


def _check_columns(plan: Plan, collected: _Collected) -> None:
    names = [*(name for source in collected.sources for name in source["columns"])]
    names += [name for source in collected.sources for label in source["operations"] for name in label.split(", ")]
    for name in plan.columns:
        if not any(is_selected(column, [name]) for column in names):
            there = dict.fromkeys([*names, *(path for source in collected.sources for path in source["unread"])])
            raise InputError(f"no source has a text column {name!r}; there are: {' '.join(sorted(there))}")


def make_account(
    sources: list[dict[str, Any]],
    totals: Totals,
    columns: Sequence[str],
    skipped: list[dict[str, Any]],
    passed_over: dict[str, Any],
    repeated: list[dict[str, str]],
) -> dict[str, Any]:
    """The footer of an index, without what only the merge knows."""
    return {
        "scanner": SCANNER_VERSION,
        "columns": list(columns),
        "sources": sources,
        "skipped": skipped,
        "passed_over": passed_over,
        "repeated": repeated,
        "totals": asdict(totals),
        "policy": describe_policy(),
    }


def finish(plan: Plan, out: Path, failures: Sequence[Failure], skip_bad: bool) -> None:
    """Merge the results of all units into the index ``out`` and remove the folder of partial results.

    ``InputError`` with the list of sources that could not be read, unless ``skip_bad``: then the index names them.
    """
    by_source = {failure.source: failure for failure in (*plan.unopened, *failures)}
    if by_source and not skip_bad:
        listed = "; ".join(f"{failure.source} ({failure.reason})" for failure in by_source.values())
        everything = len(plan.sources) + len(plan.unopened)
        raise InputError(
            f"{len(by_source)} of {everything} sources cannot be read: {listed}. What was scanned is kept in "
            f"{plan.folder}: mend these files and start again, or leave them out with --skip-bad"
        )
    if failures and all(source.name in by_source for source in plan.sources):
        raise InputError(f"no source can be read; the first: {failures[0].source} ({failures[0].reason})")
    release_memory()
    collected = _collect(plan, set(by_source))
    _check_columns(plan, collected)
    account = make_account(
        collected.sources,
        collected.totals,
        plan.columns,
        [asdict(failure) for failure in by_source.values()],
        passed_over_summary((entry.name, entry.reason) for entry in plan.passed_over),
        collected.repeated,
    )
    names = [source["name"] for source in collected.sources]
    with writing(out):
        write_index(out, merge_files(collected.files, plan.folder), names, account)
    remove_folder(plan.folder)


def remove_folder(folder: Path) -> None:
    """Remove a folder of partial results: the files a scan makes, then the folder if nothing else is in it."""
    for pattern in ("*.arrow", "*.json", "*.sha256", "*.failed", "*.tmp", LOCK):
        for path in folder.glob(pattern):
            path.unlink(missing_ok=True)
    try:
        os.rmdir(folder)  # noqa: PTH106
    except OSError:
        return
