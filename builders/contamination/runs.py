"""Partial results: what is kept of each scanned piece until the index is written.

A piece leaves sorted runs of counted keys as Arrow files, and last a small JSON file with its totals and what was read
of it. The piece is done when the JSON file is there, so a scan that is killed loses only the pieces it was working on.
The runs are merged a block of each at a time: memory grows with their number, not their length.
"""

import json
import queue
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa

from ...generators.errors import InputError
from ..files import whole_file, write_json
from .cutting import Piece
from .index import to_arrow, to_numpy
from .kernel.alphabet import LEFT_OUT, SURFACES
from .kernel.table import fold_rows
from .kernel.two_numbers import count_numbers, count_numbers_by_line
from .readers import Block, read_piece
from .scanner import Scanner, Texts

RUN_SCHEMA = pa.schema([(name, pa.int64()) for name in ("key", "right", "first", "count", "surfaces")])
_BYTES_PER_KEY = 32  # of a dense Parquet file: a table of about the right size from the start is not copied as it grows
RUN_BLOCK = 1 << 13  # rows of a run in memory at a time when runs are merged
_FAN_IN = 200  # runs merged at a time: some systems allow a process 256 open files
_STEP = 1 << 18  # rows held to cut from, 10 MB
T = TypeVar("T")


@dataclass(slots=True)
class Coverage:
    """What was read of a part of a source.

    ``columns`` are its text columns, ``operations`` the columns that state operations, as ``a, op, b``, and ``used``
    all columns among them; ``unread`` is every other column with its type. ``two_numbers`` counts the rows that hold
    two numbers or yielded a key, ``with_key`` those that did; ``repaired`` bytes that were no UTF-8, ``no_text``
    binary values that are no text.
    """

    columns: list[str] = field(default_factory=list)
    operations: list[str] = field(default_factory=list)
    used: list[str] = field(default_factory=list)
    unread: dict[str, str] = field(default_factory=dict)
    two_numbers: int = 0
    with_key: int = 0
    repaired: int = 0
    no_text: int = 0

    def add(self, other: "Coverage") -> None:
        """Add what was read of another part."""
        self.columns += [name for name in other.columns if name not in self.columns]
        self.operations += [name for name in other.operations if name not in self.operations]
        self.used += [name for name in other.used if name not in self.used]
        for name, kind in other.unread.items():
            known = self.unread.setdefault(name, kind)
            if kind not in known.split(" or "):
                self.unread[name] = f"{known} or {kind}"
        self.two_numbers += other.two_numbers
        self.with_key += other.with_key
        self.repaired += other.repaired
        self.no_text += other.no_text

    def settle(self) -> None:
        """Columns whose numbers were read somewhere as operands are not unread."""
        self.unread = {name: kind for name, kind in self.unread.items() if name not in self.used}

    def as_entry(self) -> dict[str, Any]:
        """What an index's footer says of a source."""
        entry = asdict(self)
        del entry["used"]
        return entry


class RowCounter:
    """Which rows of a block hold two numbers, and which yielded a key."""

    def __init__(self, first: int, rows: int) -> None:
        self._first = first
        self._numbers = np.zeros(rows, np.uint8)
        self._keyed = np.zeros(rows, bool)

    def add_keys(self, rows: np.ndarray) -> None:
        """These rows yielded a key."""
        self._keyed[rows - self._first] = True

    def add_two_numbers(self, rows: np.ndarray) -> None:
        """These rows hold two numbers."""
        self._numbers[rows - self._first] = 2

    def add_texts(self, texts: Texts) -> None:
        """Count the numbers of texts, in rows without a key; all texts of the block were scanned before."""
        self._numbers[self._keyed] = 2
        if texts.by_line:
            for address, length, row in zip(texts.addresses, texts.lengths, texts.rows, strict=True):
                count_numbers_by_line(address, length, row - self._first, self._numbers)
        else:
            count_numbers(texts.addresses, texts.lengths, texts.rows - self._first, self._numbers)

    def totals(self) -> tuple[int, int]:
        """How many rows hold two numbers or yielded a key, and how many yielded one."""
        return int(((self._numbers >= 2) | self._keyed).sum()), int(self._keyed.sum())


@dataclass(slots=True)
class Totals:
    """What a scan counts besides its keys: rows, those of them that hold two numbers and those that yielded a key, text
    bytes, occurrences by surface form, pairs left out by reason.
    """

    rows: int = 0
    two_numbers: int = 0
    with_key: int = 0
    text_bytes: int = 0
    surfaces: dict[str, int] = field(default_factory=dict)
    left_out: dict[str, int] = field(default_factory=dict)

    def add(self, other: "Totals") -> None:
        """Add the counts of another part of the corpus."""
        self.rows += other.rows
        self.two_numbers += other.two_numbers
        self.with_key += other.with_key
        self.text_bytes += other.text_bytes
        for mine, theirs in ((self.surfaces, other.surfaces), (self.left_out, other.left_out)):
            for name, count in theirs.items():
                mine[name] = mine.get(name, 0) + count


@dataclass(frozen=True, slots=True)
class PieceResult:
    """The totals of a scanned piece, what was read of it and the names of its run files."""

    totals: Totals
    coverage: Coverage
    runs: list[str]


class OutputError(InputError):
    """What a scan found cannot be written, such as to a full disk: no fault of the source."""


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Errors of the operating system within the block become ``OutputError``s that name the file."""
    try:
        yield
    except OSError as error:
        raise OutputError(f"cannot be written: {error.strerror or error}", file=path) from error


def write_run(path: Path, blocks: Iterable[np.ndarray]) -> None:
    """Write one sorted run, given as blocks ``int64[5, n]``, as an Arrow file, under a temporary name at first."""
    options = pa.ipc.IpcWriteOptions(compression="lz4")
    with (
        writing(path),
        whole_file(path) as temporary,
        pa.OSFile(str(temporary), "wb") as file,
        pa.ipc.new_file(file, RUN_SCHEMA, options=options) as writer,
    ):
        for block in blocks:
            table = pa.Table.from_arrays([to_arrow(column) for column in block], schema=RUN_SCHEMA)
            writer.write_table(table, max_chunksize=RUN_BLOCK)


def read_run(path: Path, offset: int = 0) -> Iterator[np.ndarray]:
    """The blocks of a run, with ``offset`` added to every first position."""
    with pa.OSFile(str(path)) as file, pa.ipc.open_file(file) as reader:
        for number in range(reader.num_record_batches):
            block = np.stack([to_numpy(column) for column in reader.get_batch(number).columns])
            block[2] += offset
            yield block


def read_result(folder: Path, name: str) -> PieceResult | None:
    """The result kept under a name, ``None`` when that piece is not done."""
    try:
        value = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    return PieceResult(Totals(**value["totals"]), Coverage(**value["coverage"]), value["runs"])


def scan_piece(
    piece: Piece,
    wanted: Sequence[str],
    folder: Path,
    on_block: Callable[[int, int], None] = lambda rows, size: None,
) -> PieceResult:
    """Scan one piece and keep its result in ``folder``; ``on_block`` hears of every block's rows and bytes.

    ``InputError`` when it has rows but none of the wanted columns, ``OutputError`` when the result cannot be kept,
    errors of the reading library otherwise.
    """
    name = piece.name(wanted)
    runs: list[str] = []

    def spill(run: np.ndarray) -> None:
        runs.append(f"{name}-{len(runs):04d}.arrow")
        write_run(folder / runs[-1], [run])

    scanner = Scanner(spill, expected_keys=piece.size // _BYTES_PER_KEY)
    totals, coverage = Totals(left_out=dict.fromkeys(LEFT_OUT, 0)), Coverage()
    for block in read_piece(piece, wanted):
        coverage.add(_scan_block(block, scanner, totals))
        on_block(block.rows, block.size)
    scanner.close()
    totals.surfaces.update(zip(SURFACES, scanner.surfaces.tolist(), strict=True))
    for reason, count in zip(LEFT_OUT, scanner.left_out.tolist(), strict=True):
        totals.left_out[reason] += count
    if wanted and totals.rows and not coverage.columns and not coverage.used:
        raise InputError(f"none of the columns {' '.join(wanted)} holds text", file=piece.source.name)
    result = PieceResult(totals, coverage, runs)
    with writing(folder):
        write_json(folder / f"{name}.json", asdict(result))
    return result


def _scan_block(block: Block, scanner: Scanner, totals: Totals) -> Coverage:
    """Count a block's expressions and operations; what was read of it."""
    rows = RowCounter(block.first, block.rows)
    for _, texts in block.texts:
        totals.text_bytes += int(texts.lengths.sum())
        rows.add_keys(scanner.feed(texts))
    for stated in block.operations:
        scanner.count_operations(*stated.semantic_keys(), stated.rows)
        rows.add_keys(stated.rows)
        rows.add_two_numbers(stated.two_numbers)
        for reason, count in stated.left_out.items():
            totals.left_out[reason] += count
    for _, texts in block.texts:
        rows.add_texts(texts)
    totals.rows += block.rows
    two_numbers, with_key = rows.totals()
    totals.two_numbers += two_numbers
    totals.with_key += with_key
    return Coverage(
        columns=[path for path, _ in block.texts],
        operations=list(dict.fromkeys(name for stated in block.operations for name in stated.columns)),
        used=list(dict.fromkeys(name for stated in block.operations for name in stated.used)),
        unread=dict(block.unread),
        two_numbers=two_numbers,
        with_key=with_key,
        repaired=block.repaired,
        no_text=block.no_text,
    )


def _rows_up_to(block: np.ndarray, key: int, right: int) -> int:
    """How many rows of a sorted block are not greater than a key."""
    low = int(np.searchsorted(block[0], key, side="left"))
    high = int(np.searchsorted(block[0], key, side="right"))
    return low + int(np.searchsorted(block[1, low:high], right, side="right"))


class _Run:
    """A run that is read a piece at a time; ``held`` are its next rows, ``None`` at its end."""

    def __init__(self, blocks: Iterator[np.ndarray]) -> None:
        self._blocks = blocks
        self.held: np.ndarray | None = None

    def fill(self, rows: int) -> bool:
        """Read until ``rows`` rows are held, or all that are left; whether there are any."""
        parts = [] if self.held is None else [self.held]
        count = sum(part.shape[1] for part in parts)
        while count < rows and (block := next(self._blocks, None)) is not None:
            parts.append(block)
            count += block.shape[1]
        self.held = np.concatenate(parts, axis=1) if len(parts) > 1 else parts[0] if parts else None
        return self.held is not None and count > 0

    def take(self, count: int) -> np.ndarray:
        """The next ``count`` rows."""
        if self.held is None:
            raise ValueError("a run that was not filled")
        taken, self.held = self.held[:, :count], self.held[:, count:]
        return taken


def cut_runs(runs: Sequence[Iterator[np.ndarray]]) -> Iterator[np.ndarray]:
    """The rows of several runs in ranges of keys: each block holds all rows of one range, run after run."""
    waiting = [_Run(run) for run in runs]
    rows = max(1, _STEP // max(1, len(waiting)))
    # All runs are filled again before each cut. They then begin at the same key and reach about equally far, so that
    # a cut takes most of what is held; without that it would take one block, however many runs there are.
    while waiting := [run for run in waiting if run.fill(rows)]:
        held = [run.held for run in waiting if run.held is not None]
        key, right = min((int(block[0, -1]), int(block[1, -1])) for block in held)
        counts = [_rows_up_to(block, key, right) for block in held]
        # A copy: views of what each run holds would keep all of it in memory until they are folded.
        yield np.concatenate([run.take(count) for run, count in zip(waiting, counts, strict=True)], axis=1)


def merge_runs(runs: Sequence[Iterator[np.ndarray]], threads: int = 2) -> Iterator[np.ndarray]:
    """Blocks of the merged run; rows of one key are folded into one.

    The runs are read and cut in one thread, ranges of keys folded in ``threads`` others, while the caller works on
    those before.
    """
    if len(runs) == 1:
        yield from runs[0]
        return
    with ThreadPoolExecutor(threads) as pool:
        folding: deque[Future[np.ndarray]] = deque()
        for block in read_ahead(cut_runs(runs)):
            folding.append(pool.submit(fold_rows, block))
            if len(folding) > threads:
                yield folding.popleft().result()
        for future in folding:
            yield future.result()


def merge_files(files: Sequence[tuple[Path, int]], folder: Path) -> Iterator[np.ndarray]:
    """The merged blocks of run files, each with the offset of its positions.

    Many runs are first merged by groups into longer runs in ``folder``.
    """
    level = 0
    while len(files) > _FAN_IN:
        longer = []
        for start in range(0, len(files), _FAN_IN):
            path = folder / f"merged-{level:02d}-{start:06d}.arrow"
            write_run(path, merge_runs([read_run(*file) for file in files[start : start + _FAN_IN]]))
            longer.append((path, 0))
        files, level = longer, level + 1
    yield from merge_runs([read_run(*file) for file in files])


def read_ahead(items: Iterable[T], depth: int = 2) -> Iterator[T]:
    """The same items, made in another thread while the caller works on those before."""
    waiting: queue.Queue[T | BaseException | None] = queue.Queue(depth)
    stopped = threading.Event()

    def produce() -> None:
        try:
            for item in items:
                waiting.put(item)
                if stopped.is_set():
                    return
            waiting.put(None)
        except BaseException as error:  # handed to the caller, who raises it
            waiting.put(error)

    threading.Thread(target=produce, daemon=True).start()
    try:
        while (item := waiting.get()) is not None:
            if isinstance(item, BaseException):
                raise item
            yield item
    finally:
        stopped.set()
        while not waiting.empty():  # lets a thread that waits for room go on to see that it is stopped
            waiting.get_nowait()
