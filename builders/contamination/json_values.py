"""The rows of a JSON file as blocks of JSON lines, read as a stream: memory grows with a row, not with the file.

Rows are the elements of the file's array, or of each array of objects that its one object holds; what else the object
holds is one row more. Values one after the other are rows too, whatever the file is called.
"""

import io
import json
from collections.abc import Iterator
from typing import Any

from ...generators.errors import InputError
from .encodings import repair

_READ = 1 << 20
_LONGEST_TOKEN = 16  # characters: an error nearer to the end of what is held may be the cut
_WHOLE = 1 << 24  # characters of an object that are held to see whether others follow it
_DECODER = json.JSONDecoder()
_SPACE = " \t\r\n"


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
