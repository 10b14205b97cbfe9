"""Cut the files of a corpus into pieces of work that can be kept one by one, and pieces into blocks of whole lines."""

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from .encodings import is_plain, mark_length, utf8_stream
from .kernel.jit import kernel_digest
from .policy import SCANNER_VERSION
from .sources import Source, open_bytes

_PIECE_BYTES = 1 << 27  # of text before compression
_COUNT_BLOCK = 1 << 24
_CONTEXT_LINES, _CONTEXT_BYTES = 2, 1 << 12  # of the text around a block: an expression may be wrapped
_MOST_PENDING = 1 << 28  # bytes without a place to cut: a quotation mark that nothing closes
Cut = Callable[[bytes], int]


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


def after_line(data: bytes) -> int:
    """The position behind the last line break, 0 without any."""
    return data.rfind(b"\n") + 1


class AfterRecord:
    r"""Finds the end of the last whole record of a CSV file: a line break outside quotation marks.

    >>> cut = AfterRecord()
    >>> cut(b'1,"a\nb"\n2,"c\n'), cut(b'd"\n3')
    (8, 3)
    """

    def __init__(self) -> None:
        self._open = False

    def __call__(self, data: bytes) -> int:
        """The position behind the last record that ends in these bytes, which follow those asked about before."""
        end = len(data)
        inside = self._open ^ bool(data.count(b'"') & 1)
        self._open = inside
        while (place := data.rfind(b"\n", 0, end)) >= 0:
            inside ^= bool(data.count(b'"', place, end) & 1)
            if not inside:
                return place + 1
            end = place
        return 0


def _line_start(stream: Any, offset: int) -> int:
    """The first position from ``offset`` on at which a line of an uncompressed file begins."""
    if offset == 0:
        return 0
    stream.seek(offset - 1)
    stream.readline()
    return int(stream.tell())


def _limits(stream: Any, piece: Piece) -> tuple[int, int]:
    """Where the lines of a piece begin and end in its uncompressed file."""
    stop = piece.stop if piece.stop is not None else piece.source.size
    end = _line_start(stream, stop) if stop < piece.source.size else stop
    return _line_start(stream, piece.start), end


def blocks_of_lines(piece: Piece, size: int, cut: Cut = after_line) -> Iterator[tuple[bytes, int]]:
    """The piece's bytes in blocks of about ``size`` that end where ``cut`` says, so that no line is split.

    ``cut`` is shown each part of the file once. With each block goes the number of bytes of the file it took, before
    decompression.
    """
    with open_bytes(piece.source) as raw:
        if piece.stop is None:
            stream, left = utf8_stream(raw, piece.source), None
        else:
            start, end = _limits(raw, piece)
            start = start or mark_length(raw)
            raw.seek(start)
            stream, left = raw, end - start
        told = piece.start
        pending: list[bytes] = []
        while left is None or left > 0:
            data = stream.read(size if left is None else min(size, left))
            if not data:
                break
            left = None if left is None else left - len(data)
            place = cut(data)
            if not place and sum(map(len, pending)) > _MOST_PENDING:
                place = after_line(data)
            if place:
                yield b"".join([*pending, data[:place]]), max(0, raw.tell() - told)
                pending, told = [data[place:]], raw.tell()
            else:
                pending.append(data)
        if any(pending):
            yield b"".join(pending), max(0, raw.tell() - told)


@dataclass(frozen=True, slots=True)
class Lines:
    """A block of whole lines with the end of the text before it and the beginning of the text behind it."""

    before: bytes
    data: bytes
    after: bytes
    size: int

    @property
    def rows(self) -> int:
        """The number of lines."""
        return self.data.count(b"\n") + (not self.data.endswith(b"\n"))


def _last_lines(data: bytes) -> bytes:
    data = data[-_CONTEXT_BYTES:]
    place = len(data)
    for _ in range(_CONTEXT_LINES + 1):
        place = data.rfind(b"\n", 0, place)
        if place < 0:
            return data
    return data[place + 1 :]


def _first_lines(data: bytes) -> bytes:
    place = 0
    for _ in range(_CONTEXT_LINES):
        place = data.find(b"\n", place, _CONTEXT_BYTES) + 1
        if not place:
            return data[:_CONTEXT_BYTES]
    return data[:place]


def _around(piece: Piece) -> tuple[bytes, bytes]:
    """The text before and behind a piece of an uncompressed file."""
    if piece.stop is None:
        return b"", b""
    with open_bytes(piece.source) as stream:
        start, end = _limits(stream, piece)
        stream.seek(max(0, start - _CONTEXT_BYTES))
        before = stream.read(min(start, _CONTEXT_BYTES))
        stream.seek(end)
        return before, stream.read(_CONTEXT_BYTES)


def blocks_with_context(piece: Piece, size: int) -> Iterator[Lines]:
    """The piece's lines in blocks of about ``size``, each with two lines of text on both sides."""
    before, behind = _around(piece)
    held: tuple[bytes, int] | None = None
    for block in blocks_of_lines(piece, size):
        if held:
            yield Lines(_last_lines(before), held[0], _first_lines(block[0]), held[1])
            before = held[0]
        held = block
    if held:
        yield Lines(_last_lines(before), held[0], _first_lines(behind), held[1])


def lines_before(piece: Piece) -> int:
    """The number of lines before a piece of an uncompressed file."""
    lines, left = 0, piece.start
    with open_bytes(piece.source) as stream:
        while left and (data := stream.read(min(left, _COUNT_BLOCK))):
            lines, left = lines + data.count(b"\n"), left - len(data)
    return lines
