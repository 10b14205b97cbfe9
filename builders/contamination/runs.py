"""Partial results: what is kept of each scanned piece until the index is written.

A piece leaves sorted runs of counted keys as Arrow files, and last a small JSON file with its totals. The piece is done
when the JSON file is there, so a scan that is killed loses only the pieces it was working on.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa

from ...generators.errors import InputError
from ..files import whole_file, write_json
from .arrow import to_arrow, to_numpy
from .coverage import Coverage, RowCounter
from .cutting import Piece
from .kernel.alphabet import LEFT_OUT, SURFACES
from .readers import Block, read_piece
from .scanner import Scanner

RUN_SCHEMA = pa.schema([(name, pa.int64()) for name in ("key", "right", "first", "count", "surfaces")])
_BYTES_PER_KEY = 32  # of a dense Parquet file: a table of about the right size from the start is not copied as it grows
RUN_BLOCK = 1 << 13  # rows of a run in memory at a time when runs are merged


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
