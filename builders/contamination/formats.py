"""Formats that are parsed before their texts are scanned: CSV and TSV tables, rows of JSON, text of HTML pages.

Tables and JSON are read as a stream: memory grows with a record, not with the file. The rows of a JSON file are the
elements of its array, or of each array of objects that its one object holds; what else the object holds is one row
more. Values one after the other are rows too, whatever the file is called. Of a page, blocks are lines, table cells
stand between bars and mathematics keeps its tags.
"""

import csv
import io
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from lxml import etree

from ...generators.errors import InputError
from .cutting import AfterRecord, Piece, blocks_of_lines
from .encodings import repair
from .operations import read_integers, read_operator
from .scanner import Scanner, Texts

_BLOCK = 1 << 24
_SEPARATORS = ",;\t|"
_READ = 1 << 20
_LONGEST_TOKEN = 16  # characters: an error nearer to the end of what is held may be the cut
_WHOLE = 1 << 24  # characters of an object that are held to see whether others follow it
_DECODER = json.JSONDecoder()
_SPACE = " \t\r\n"
# fmt: off
_BREAKS = frozenset((
    "address", "article", "aside", "blockquote", "body", "br", "caption", "dd", "div", "dl", "dt", "fieldset",
    "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hr", "html", "li",
    "main", "nav", "ol", "option", "p", "pre", "section", "select", "table", "tbody", "tfoot", "thead", "title", "tr",
    "ul",
))
_KEPT = frozenset((
    "sup", "sub", "math", "mfrac", "mn", "mo", "mi", "mrow", "msup", "msub", "msqrt", "mroot", "mtable", "mtr", "mtd",
    "mtext", "mstyle", "mfenced", "munder", "mover",
))
# fmt: on
_CELLS = frozenset(("td", "th"))
_SHOWN = ("alt", "title", "alttext", "value", "placeholder", "aria-label", "content", "data-latex", "data-math")
_SPACES = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class CsvTable:
    """Some records of a file, the bytes of it that they took, and how many of those were no UTF-8."""

    frame: pl.DataFrame
    size: int
    repaired: int


def _first_record(block: bytes, separator: str) -> list[str]:
    reader = csv.reader(io.StringIO(block[: 1 << 20].decode("utf-8", "ignore"), newline=""), delimiter=separator)
    try:
        return next(reader, [])
    except csv.Error:
        return []


def _find_separator(block: bytes, kind: str) -> str:
    """The separator that a first line has most of; by default that of the file's name."""
    usual = "\t" if kind == "tsv" else ","
    line = block.split(b"\n", 1)[0].decode("utf-8", "ignore")
    counts = {separator: len(_first_record(line.encode(), separator)) for separator in _SEPARATORS}
    most = max(counts.values())
    return usual if counts[usual] == most or counts[usual] > 1 else max(counts, key=lambda one: counts[one])


def is_header(cells: Sequence[str]) -> bool:
    """Whether the cells of a first record are names of columns: none is a number, a sign or holds an expression.

    >>> is_header(["a", "op", "num2"]), is_header(["12", "+", "34"]), is_header(["What is 1+2?", "three"])
    (True, False, False)
    """
    series = pl.Series(list(cells), dtype=pl.String)
    signs = (cell for cell in cells if len(cell.strip()) == 1 and not cell.strip().isalpha())
    if read_integers(series)[1].any() or any(map(read_operator, signs)):
        return False
    texts = Texts.from_series(series, np.zeros(len(cells), np.int64))
    return next(Scanner(lambda run: None).list_keys(texts), None) is None


def column_names(cells: Sequence[str]) -> list[str]:
    """Names of columns, each once: a name that comes again gets a number.

    >>> column_names(["a", "", "a"])
    ['a', 'column_2', 'a_2']
    """
    names = dict[str, None]()
    for place, cell in enumerate(cells, start=1):
        name = base = cell.strip() or f"column_{place}"
        again = 1
        while name in names:
            again += 1
            name = f"{base}_{again}"
        names[name] = None
    return list(names)


def read_csv(piece: Piece) -> Iterator[CsvTable]:
    """The records of a file. A first record that names no columns is one of them; the columns are then numbered.

    ``InputError`` for a record of more fields than the first.
    """
    names: list[str] | None = None
    for block, size in blocks_of_lines(piece, _BLOCK, AfterRecord()):
        block, repaired = repair(block)
        header = False
        if names is None:
            block = block.lstrip(b"\r\n")
            if not block:
                continue
            separator = _find_separator(block, piece.source.kind)
            cells = _first_record(block, separator)
            header = is_header(cells)
            names = column_names(cells if header else [""] * len(cells))
        yield CsvTable(_parse(block, names, separator, header, piece.source.name), size, repaired)


def _parse(block: bytes, names: Sequence[str], separator: str, header: bool, file: str) -> pl.DataFrame:
    try:
        return pl.read_csv(
            io.BytesIO(block),
            has_header=False,
            skip_rows=1 if header else 0,
            schema=dict.fromkeys(names, pl.String),
            separator=separator,
        )
    except pl.exceptions.NoDataError:  # nothing but the names of the columns
        return pl.DataFrame(schema=dict.fromkeys(names, pl.String))
    except pl.exceptions.PanicException as error:
        raise InputError(f"not CSV: {str(error).splitlines()[0]}", file=file) from error


class JsonStream:
    """A cursor over JSON text that comes in pieces; ``repaired`` counts bytes that were no UTF-8."""

    def __init__(self, stream: Any, file: str) -> None:
        self._stream, self.file = stream, file
        self._text, self._place, self._ended = "", 0, False
        self._left = b""
        self.repaired = 0

    def _more(self) -> bool:
        """Read on, as much again as is held; whether there was anything."""
        if self._ended:
            return False
        data = self._stream.read(max(_READ, len(self._text) - self._place))
        self._ended = not data
        data = self._left + data
        end = len(data) if self._ended else _whole_characters(data)
        self._left = data[end:]
        block, count = repair(data[:end])
        self.repaired += count
        self._text = self._text[self._place :] + block.decode("utf-8")
        self._place = 0
        return not self._ended or bool(block)

    def peek(self) -> str:
        """The next character that is no space, the empty string at the end."""
        while True:
            while self._place < len(self._text) and self._text[self._place] in _SPACE:
                self._place += 1
            if self._place < len(self._text):
                return self._text[self._place]
            if not self._more():
                return ""

    def skip(self, character: str) -> bool:
        """Pass the next character if it is this one."""
        if self.peek() != character:
            return False
        self._place += 1
        return True

    def expect(self, character: str) -> None:
        """Pass the next character. ``InputError`` when it is another."""
        if not self.skip(character):
            raise InputError(f"not JSON: {self.peek() or 'the end'!r} where {character!r} belongs", file=self.file)

    def value(self) -> tuple[Any, str]:
        """The next value, and its text."""
        self.peek()
        found = self._value_end()
        while found is None:
            found = self._value_end()
        value, end = found
        text = self._text[self._place : end]
        self._place = end
        return value, text

    def _value_end(self) -> tuple[Any, int] | None:
        """The next value and where it ends; ``None`` when more had to be read to tell."""
        try:
            value, end = _DECODER.raw_decode(self._text, self._place)
        except json.JSONDecodeError as error:
            cut = error.msg.startswith("Unterminated string") or error.pos >= len(self._text) - _LONGEST_TOKEN
            if not cut or not self._more():
                raise InputError(f"not JSON: {error.msg}", file=self.file) from error
            return None
        except RecursionError as error:
            raise InputError("JSON nested too deeply", file=self.file) from error
        # A number at the end of what is held may go on.
        return (value, end) if end < len(self._text) or not self._more() else None

    def whole_value(self) -> str | None:
        """The text of the next value; ``None``, and nothing passed, for one that is long."""
        while len(self._text) - self._place < _WHOLE and self._more():
            pass
        try:
            end = _DECODER.raw_decode(self._text, self._place)[1]
        except (json.JSONDecodeError, RecursionError):
            return None if len(self._text) - self._place >= _WHOLE else self.value()[1]
        text = self._text[self._place : end]
        self._place = end
        return text


def _whole_characters(data: bytes) -> int:
    """The length without an unfinished UTF-8 character at the end."""
    for back in range(1, min(4, len(data)) + 1):
        byte = data[-back]
        if byte >= 0xC0:
            return len(data) - back if back < (2 if byte < 0xE0 else 3 if byte < 0xF0 else 4) else len(data)
        if byte < 0x80:
            break
    return len(data)


def _elements(stream: JsonStream) -> Iterator[str]:
    """The texts of the elements of an array whose bracket is passed."""
    if stream.skip("]"):
        return
    while True:
        yield stream.value()[1]
        if stream.skip("]"):
            return
        stream.expect(",")


def _members(stream: JsonStream) -> Iterator[str]:
    """The rows of the object that comes next: elements of its arrays of objects or arrays, then all else as one row."""
    stream.expect("{")
    rest: list[str] = []
    while not stream.skip("}"):
        name, text = stream.value()
        if not isinstance(name, str):
            raise InputError(f"not JSON: {text[:20]!r} where a name belongs", file=stream.file)
        stream.expect(":")
        if stream.skip("["):
            if stream.peek() in ("{", "["):
                yield from _elements(stream)
            else:
                rest.append(f"{text}:[{','.join(_elements(stream))}]")
        else:
            rest.append(f"{text}:{stream.value()[1]}")
        if stream.peek() != "}":
            stream.expect(",")
    if rest:
        yield "{" + ",".join(rest) + "}"


def read_rows(stream: JsonStream) -> Iterator[str]:
    """The text of each row of a JSON file, in order."""
    if stream.skip("["):
        yield from _elements(stream)
    elif stream.peek() == "{":
        whole = stream.whole_value()
        if whole is None:
            yield from _members(stream)
        elif stream.peek():
            yield whole
        else:
            yield from _members(JsonStream(io.BytesIO(whole.encode("utf-8")), stream.file))
    while stream.peek():
        yield stream.value()[1]


def blocks_of_values(stream: JsonStream, size: int) -> Iterator[bytes]:
    """The rows of a JSON file as blocks of JSON lines of about ``size`` characters."""
    texts: list[str] = []
    held = 0
    for text in read_rows(stream):
        # Line breaks between the parts of a value mean nothing, and inside its strings there are none.
        texts.append(text.replace("\n", " ").replace("\r", " "))
        held += len(text)
        if held >= size:
            yield "\n".join(texts).encode("utf-8")
            texts, held = [], 0
    if texts:
        yield "\n".join(texts).encode("utf-8")


def _is_unread(element: Any) -> bool:
    """Whether an element's contents are no text: styles, and scripts that hold neither mathematics nor data."""
    kind = element.get("type", "")
    return element.tag == "style" or (element.tag == "script" and not ("math" in kind or "json" in kind))


def _opening(element: Any) -> str:
    tag = element.tag
    return "\n" if tag in _BREAKS else "| " if tag in _CELLS else f"<{tag}>" if tag in _KEPT else ""


def _closing(element: Any) -> str:
    tag = element.tag
    return "\n" if tag in _BREAKS else " " if tag in _CELLS else f"</{tag}>" if tag in _KEPT else ""


def _parts(root: Any) -> Iterator[str]:
    verbatim = skipped = 0
    for event, element in etree.iterwalk(root, events=("start", "end", "comment", "pi")):
        if event in ("start", "end") and _is_unread(element):
            skipped += 1 if event == "start" else -1
        verbatim += {"start": 1, "end": -1}.get(event, 0) * (element.tag in ("pre", "code", "script", "textarea"))
        if event == "start" and not skipped:
            yield from (f"\n{element.get(name)}\n" for name in _SHOWN if element.get(name))
            yield _opening(element)
            yield _text(element.text, verbatim > 0)
        elif event != "start":
            yield _closing(element) if event == "end" and not skipped else ""
            yield _text(element.tail, verbatim > 0) if not skipped else ""


def _text(text: str | None, verbatim: bool) -> str:
    return (text or "") if verbatim else _SPACES.sub(" ", text or "")


def html_text(page: bytes) -> str:
    """The text of a page in UTF-8.

    >>> html_text(b"<p>What is <b>12</b> +\\n34?</p><table><tr><td>1<td>+<td>2</table><style>3+4</style>").split("\\n")
    ['What is 12 + 34?', '| 1 | + | 2']
    """
    if not page.strip():
        return ""
    root = etree.fromstring(page, etree.HTMLParser(encoding="utf-8", huge_tree=True, recover=True))
    if root is None:
        return ""
    lines = (line.strip() for line in "".join(_parts(root)).split("\n"))
    return "\n".join(line for line in lines if line)
