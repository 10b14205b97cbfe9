"""Partial results: what is kept of each scanned piece until the index is written.

A piece leaves sorted runs of counted keys as Arrow files, and last a small JSON file with its totals. The piece is done
when the JSON file is there, so a scan that is killed loses only the pieces it was working on.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa

from ...generators.errors import InputError
from ..files import write_json
from .arrow import to_arrow, to_numpy
from .cutting import Piece
from .kernel.alphabet import LEFT_OUT, SURFACES
from .readers import read_piece
from .scanner import Scanner

RUN_SCHEMA = pa.schema([(name, pa.int64()) for name in ("key", "right", "first", "count", "surfaces")])
_BYTES_PER_KEY = 32  # of a dense Parquet file: a table of about the right size from the start is not copied as it grows
RUN_BLOCK = 1 << 13  # rows of a run in memory at a time when runs are merged


@dataclass(slots=True)
class Totals:
    """What a scan counts besides its keys: rows, text bytes, occurrences by surface form, pairs left out by reason."""

    rows: int = 0
    text_bytes: int = 0
    surfaces: dict[str, int] = field(default_factory=dict)
    left_out: dict[str, int] = field(default_factory=dict)

    def add(self, other: "Totals") -> None:
        """Add the counts of another part of the corpus."""
        self.rows += other.rows
        self.text_bytes += other.text_bytes
        for mine, theirs in ((self.surfaces, other.surfaces), (self.left_out, other.left_out)):
            for name, count in theirs.items():
                mine[name] = mine.get(name, 0) + count


@dataclass(frozen=True, slots=True)
class PieceResult:
    """The totals of a scanned piece, the columns it read and the names of its run files."""

    totals: Totals
    columns: list[str]
    runs: list[str]


def write_run(path: Path, blocks: Iterable[np.ndarray]) -> None:
    """Write one sorted run, given as blocks ``int64[5, n]``, as an Arrow file."""
    options = pa.ipc.IpcWriteOptions(compression="lz4")
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, RUN_SCHEMA, options=options) as writer:
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
    return PieceResult(Totals(**value["totals"]), value["columns"], value["runs"])


def scan_piece(
    piece: Piece,
    wanted: Sequence[str],
    folder: Path,
    on_block: Callable[[int, int], None] = lambda rows, size: None,
) -> PieceResult:
    """Scan one piece and keep its result in ``folder``; ``on_block`` hears of every block's rows and bytes.

    ``InputError`` when it has rows but none of the wanted text columns; errors of the reading library otherwise.
    """
    name = piece.name(wanted)
    runs: list[str] = []

    def spill(run: np.ndarray) -> None:
        runs.append(f"{name}-{len(runs):04d}.arrow")
        write_run(folder / runs[-1], [run])

    scanner = Scanner(spill, expected_keys=piece.size // _BYTES_PER_KEY)
    totals, columns = Totals(), dict[str, None]()
    for block in read_piece(piece, wanted):
        for path, texts in block.texts:
            columns[path] = None
            totals.text_bytes += int(texts.lengths.sum())
            scanner.feed(texts)
        totals.rows += block.rows
        on_block(block.rows, block.size)
    if totals.rows and not columns:
        what = f"none of the columns {' '.join(wanted)} holds text" if wanted else "no text column"
        raise InputError(what, file=piece.source.name)
    scanner.close()
    totals.surfaces.update(zip(SURFACES, scanner.surfaces.tolist(), strict=True))
    totals.left_out.update(zip(LEFT_OUT, scanner.left_out.tolist(), strict=True))
    result = PieceResult(totals, list(columns), runs)
    write_json(folder / f"{name}.json", asdict(result))
    return result
