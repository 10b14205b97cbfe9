"""Files of lines as blocks of bytes in which no line is split."""

import codecs
from collections.abc import Callable, Iterator
from typing import Any

import pyarrow as pa

from ...generators.errors import InputError
from .cutting import Piece
from .sources import Source, open_bytes

_COUNT_BLOCK = 1 << 24


def open_stream(raw: Any, source: Source) -> Any:
    """The file's contents, decompressed, from its raw bytes."""
    return pa.CompressedInputStream(pa.PythonFile(raw), source.compression) if source.compression else raw


def check_encoding(start: bytes, source: Source) -> bytes:
    """The first bytes of a file without the byte order mark of UTF-8.

    ``InputError`` for a UTF-16 file: read as UTF-8 it would hold no expression at all.
    """
    if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise InputError("the file is UTF-16, and text is read as UTF-8: convert it first", file=source.name)
    return start.removeprefix(codecs.BOM_UTF8)


def _line_start(stream: Any, offset: int) -> int:
    """The first position from ``offset`` on at which a line of an uncompressed file begins."""
    if offset == 0:
        return 0
    stream.seek(offset - 1)
    stream.readline()
    return int(stream.tell())


def after_paragraph(data: bytes) -> int:
    """The position behind the last blank line, else behind the last line break; 0 without any."""
    blank = max(data.rfind(b"\n\n") + 2, data.rfind(b"\n\r\n") + 3)
    return blank if blank > 2 else data.rfind(b"\n") + 1


def after_line(data: bytes) -> int:
    """The position behind the last line break, 0 without any."""
    return data.rfind(b"\n") + 1


def blocks_of_lines(piece: Piece, size: int, cut: Callable[[bytes], int]) -> Iterator[tuple[bytes, int]]:
    """The piece's bytes in blocks of about ``size`` that end where ``cut`` says, so that no line is split.

    With each goes the number of bytes of the file it took, before decompression.
    """
    with open_bytes(piece.source) as raw, open_stream(raw, piece.source) as stream:
        left: int | None = None
        if piece.stop is not None:
            end = _line_start(stream, piece.stop) if piece.stop < piece.source.size else piece.stop
            start = _line_start(stream, piece.start)
            stream.seek(start)
            left = end - start
        kept, told, checked = b"", raw.tell(), piece.start > 0
        while left is None or left > 0:
            data = stream.read(size if left is None else min(size, left))
            if not data:
                break
            left = None if left is None else left - len(data)
            kept += data if checked else check_encoding(data, piece.source)
            checked = True
            place = cut(kept)
            if place:
                yield kept[:place], raw.tell() - told
                kept, told = kept[place:], raw.tell()
        if kept:
            yield kept, raw.tell() - told


def lines_before(piece: Piece) -> int:
    """The number of lines before a piece of an uncompressed file."""
    lines, left = 0, piece.start
    with open_bytes(piece.source) as stream:
        while left and (data := stream.read(min(left, _COUNT_BLOCK))):
            lines, left = lines + data.count(b"\n"), left - len(data)
    return lines
