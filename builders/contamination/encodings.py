"""File contents as UTF-8 bytes: decompressed, without byte order marks, other encodings rewritten."""

import codecs
import lzma
from typing import Any

import pyarrow as pa

from ...generators.errors import InputError
from .sources import Source, open_bytes

_SNIFFED = 1 << 12
_MAGICS = {
    b"\x1f\x8b": "gzip",
    b"\x28\xb5\x2f\xfd": "Zstandard",
    b"\xfd7zXZ\0": "xz",
    b"BZh": "bzip2",
    b"PAR1": "Parquet",
    b"PK\x03\x04": "a zip archive",
    b"%PDF-": "PDF",
}
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (codecs.BOM_UTF8, "utf-8"),
)
_OTHERWISE = "arithmark-windows-1252"


def _as_windows_1252(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("windows-1252", "replace"), error.end


codecs.register_error(_OTHERWISE, _as_windows_1252)


def find_encoding(start: bytes) -> tuple[str, int]:
    r"""The encoding that the first bytes of a file show, and the length of its mark.

    UTF-16 and UTF-32 are known by their mark, or by the zero bytes that ASCII text has in them.

    >>> find_encoding("1+2".encode("utf-16-le")), find_encoding(b"\xef\xbb\xbf1+2"), find_encoding(b"1+2")
    (('utf-16-le', 0), ('utf-8', 3), ('utf-8', 0))
    """
    for mark, encoding in _MARKS:
        if start.startswith(mark):
            return encoding, len(mark)
    shares = [start[place::4].count(0) / max(1, len(start[place::4])) for place in range(4)]
    zeros = [share > 0.3 for share in shares]
    for encoding, pattern in (
        ("utf-32-le", [False, True, True, True]),
        ("utf-32-be", [True, True, True, False]),
        ("utf-16-le", [False, True, False, True]),
        ("utf-16-be", [True, False, True, False]),
    ):
        if zeros == pattern:
            return encoding, 0
    return "utf-8", 0


def repair(block: bytes) -> tuple[bytes, int]:
    r"""A block as valid UTF-8, and how many of its bytes were none: those are read as Windows-1252.

    >>> repair("12 × 34 ÷ 2".encode("latin-1"))[0].decode(), repair(b"12")
    ('12 × 34 ÷ 2', (b'12', 0))
    """
    if block.isascii():
        return block, 0
    try:
        block.decode("utf-8")
    except UnicodeDecodeError:
        text = block.decode("utf-8", _OTHERWISE)
        return text.encode("utf-8"), len(block) - len(block.decode("utf-8", "ignore").encode("utf-8"))
    return block, 0


class _Rewritten:
    """A stream of bytes in another encoding, as UTF-8."""

    def __init__(self, stream: Any, encoding: str, start: bytes) -> None:
        self._stream, self._start = stream, start
        self._decoder = codecs.getincrementaldecoder(encoding)("replace")

    def read(self, size: int) -> bytes:
        """At least one byte, of about ``size``; none at the end."""
        while True:
            data = self._start or self._stream.read(size)
            self._start = b""
            text = self._decoder.decode(data, final=not data)
            if text or not data:
                return text.encode("utf-8", "replace")


class _Begun:
    """A stream whose first bytes were taken already."""

    def __init__(self, stream: Any, start: bytes) -> None:
        self._stream, self._start = stream, start

    def read(self, size: int) -> bytes:
        """The next bytes, none at the end."""
        if self._start:
            taken, self._start = self._start[:size], self._start[size:]
            return taken
        return bytes(self._stream.read(size))


def _decompressed(raw: Any, compression: str | None) -> Any:
    if compression == "xz":
        return lzma.open(raw)
    return pa.CompressedInputStream(pa.PythonFile(raw), compression) if compression else raw


def _read_start(stream: Any) -> bytes:
    start = b""
    while len(start) < _SNIFFED and (data := stream.read(_SNIFFED - len(start))):
        start += data
    return start


def utf8_stream(raw: Any, source: Source) -> Any:
    """The contents of a file from its raw bytes, as UTF-8 (``repair`` mends what is none), with ``read(size)`` only.

    ``InputError`` for contents that another program packs, whatever the file is called.
    """
    stream = _decompressed(raw, source.compression)
    start = _read_start(stream)
    for magic, what in _MAGICS.items():
        if start.startswith(magic):
            raise InputError(f"holds {what}, which its name does not say", file=source.name)
    encoding, mark = find_encoding(start)
    if encoding == "utf-8":
        return _Begun(stream, start[mark:])
    return _Rewritten(stream, encoding, start[mark:])


def mark_length(raw: Any) -> int:
    """The length of the byte order mark at the beginning of a raw stream."""
    raw.seek(0)
    return find_encoding(raw.read(_SNIFFED))[1]


def is_plain(source: Source) -> bool:
    """Whether the bytes of a file are those of its text, as far as its beginning shows: not packed, and UTF-8."""
    if source.compression:
        return False
    with open_bytes(source) as stream:
        start = _read_start(stream)
    return find_encoding(start)[0] == "utf-8" and not start.startswith(tuple(_MAGICS))
