"""Cut the files of a corpus into pieces of work that can be scanned and kept one by one."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from .encodings import is_plain
from .kernel.jit import kernel_digest
from .policy import SCANNER_VERSION
from .sources import Source

_PIECE_BYTES = 1 << 27  # of text before compression


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a source: rows ``start`` to ``stop`` of a Parquet file, bytes of a file of lines, else (``stop`` is
    ``None``) the whole. ``total`` is the number of rows or bytes of the file; ``order`` and ``part`` say where the
    source stands in the corpus and the piece in the source.
    """

    source: Source
    order: int
    part: int
    start: int = 0
    stop: int | None = None
    total: int = 0

    @property
    def size(self) -> int:
        """The piece's share of its file, in bytes."""
        return self.source.size * (self.stop - self.start) // self.total if self.stop is not None else self.source.size

    def name(self, columns: Sequence[str]) -> str:
        """A file name that changes with everything the result depends on: file, cut, columns, scanner."""
        source = self.source
        facts: list[Any] = [source.name, source.kind, source.compression, source.size, source.stamp]
        facts += [self.start, self.stop, sorted(columns), SCANNER_VERSION, kernel_digest()]
        digest = hashlib.sha256(json.dumps(facts).encode()).hexdigest()
        return f"{self.order:06d}-{self.part:05d}-{digest[:16]}"


def _parquet_cuts(path: str) -> list[int]:
    """Row numbers between row groups at which to cut a local Parquet file; the last is its number of rows."""
    import pyarrow.parquet

    try:
        metadata = pyarrow.parquet.read_metadata(path)
    except Exception:  # whatever is wrong with it, the scan of the piece will say so
        return []
    cuts, row, size = [0], 0, 0
    for number in range(metadata.num_row_groups):
        group = metadata.row_group(number)
        if size and size + group.total_byte_size > _PIECE_BYTES:
            cuts.append(row)
            size = 0
        row, size = row + group.num_rows, size + group.total_byte_size
    return [*cuts, row] if row else []


def _cuts(source: Source) -> list[int]:
    if not source.is_local or source.compression:
        return []
    if source.kind == "parquet":
        return _parquet_cuts(source.uri)
    if source.kind in ("jsonl", "text") and source.size > _PIECE_BYTES and is_plain(source):
        return [*range(0, source.size, _PIECE_BYTES), source.size]
    return []


def cut_sources(sources: Sequence[Source]) -> Iterator[Piece]:
    """All pieces of a corpus, in order."""
    for order, source in enumerate(sources):
        cuts = _cuts(source)
        if not cuts:
            yield Piece(source, order, 0)
        for part, (start, stop) in enumerate(pairwise(cuts)):
            yield Piece(source, order, part, start, stop, cuts[-1])


def hash_name(source: Source) -> str:
    """The file name under which a source's sha256 is kept while a scan runs."""
    digest = hashlib.sha256(json.dumps([source.name, source.size, source.stamp]).encode()).hexdigest()
    return f"{Path(source.name).name[:40]}-{digest[:16]}"
