"""Write a text in the matcher's alphabet: one symbol for each character, entity, escape or macro."""

import numpy as np

from . import alphabet as a
from .escapes import escaped_symbol, read_backslash, read_entity
from .jit import inner

_AMPERSAND, _BACKSLASH, _OPEN, _CLOSE, _SPACE, _COMMA, _CARET, _NEWLINE, _RETURN = b"&\\{} ,^\n\r"
_DROPPED, _OTHER, _FRACTION, _DEGREE, _BREAK = a.DROPPED, a.OTHER, a.FRACTION, a.DEGREE, a.BREAK
_CIRCLE = np.frombuffer(b"circ", dtype=np.uint8)


@inner
def is_special(text, stop):  # type: ignore[no-untyped-def]
    """Whether ``text[:stop]`` holds a byte that only ``write_symbols`` understands."""
    special = False
    for position in range(stop):  # no early exit: this form is vectorised
        byte = text[position]
        special |= (byte >= 128) | (byte == _AMPERSAND) | (byte == _BACKSLASH)
    return special


@inner
def _fraction_argument(text, start, stop):  # type: ignore[no-untyped-def]
    """An argument of ``\\frac`` that is a number: ``(start, stop, end, bare)``, start -1 for any other.

    TeX takes one digit where there are no braces: ``\\frac12`` is one half.
    """
    while start < stop and text[start] == _SPACE:
        start += 1
    if start < stop and 48 <= text[start] <= 57:
        return start, start + 1, start + 1, True
    end = start + 1
    if start < stop and text[start] == _OPEN:
        while end < stop and (48 <= text[end] <= 57 or text[end] == _COMMA or text[end] == _SPACE):
            end += 1
        if end < stop and text[end] == _CLOSE and end > start + 1:
            return start + 1, end, end + 1, False
    return np.int64(-1), start, start, False


@inner
def _write_argument(text, start, stop, out, count):  # type: ignore[no-untyped-def]
    """Write ``text[start:stop]`` in braces; the new count."""
    out[count] = _OPEN
    for position in range(start, stop):
        count += 1
        out[count] = text[position]
    out[count + 1] = _CLOSE
    return count + 2


@inner
def _write_fraction(text, end, stop, out, count):  # type: ignore[no-untyped-def]
    """Write a ``\\frac`` whose name ends at ``end``, and braces around numbers that lack them: the new count, the end.

    The name has five bytes and is one symbol, so there is room for the braces.
    """
    out[count] = _FRACTION
    count += 1
    start, first_stop, first_end, bare = _fraction_argument(text, end, stop)
    if start < 0:
        return count, end
    second, second_stop, second_end, second_bare = _fraction_argument(text, first_end, stop)
    if second < 0 or not (bare or second_bare):
        return count, end
    count = _write_argument(text, start, first_stop, out, count)
    return _write_argument(text, second, second_stop, out, count), second_end


@inner
def _read_character(text, start, stop):  # type: ignore[no-untyped-def]
    """The UTF-8 sequence at a byte of 128 or more: code point (-1 when it is not one), end."""
    first = np.int64(text[start])
    width = 2 if 0xC2 <= first < 0xE0 else 3 if 0xE0 <= first < 0xF0 else 4 if 0xF0 <= first < 0xF5 else 0
    if width == 0 or start + width > stop:
        return np.int64(-1), start + 1
    code = first & (0x7F >> width)
    for position in range(start + 1, start + width):
        byte = np.int64(text[position])
        if byte & 0xC0 != 0x80:
            return np.int64(-1), start + 1
        code = code << 6 | (byte & 0x3F)
    return code, start + width


@inner
def _degree_end(text, start, stop):  # type: ignore[no-untyped-def]
    """The end of a degree sign whose caret ends at ``start``: ``^\\circ``, ``^{\\circ}``, ``^\u00b0``; 0 for none."""
    braced = start < stop and text[start] == _OPEN
    position = start + braced
    while position < stop and text[position] == _BACKSLASH:
        position += 1
    if position == start + braced or position + 4 > stop:
        return np.int64(0)
    for offset in range(4):
        if text[position + offset] != _CIRCLE[offset]:
            return np.int64(0)
    position += 4
    if braced:
        return position + 1 if position < stop and text[position] == _CLOSE else np.int64(0)
    return position


@inner
def _break_symbol(text, end, stop):  # type: ignore[no-untyped-def]
    """The symbol of a line break of TeX that ends at ``end``: nothing where the source breaks the line there too."""
    while end < stop and (text[end] == _SPACE or text[end] == _RETURN):
        end += 1
    return np.uint8(_DROPPED) if end < stop and text[end] == _NEWLINE else np.uint8(_BREAK)


@inner
def write_symbols(text, stop, tables, out):  # type: ignore[no-untyped-def]
    """Write ``text[:stop]`` as symbols into ``out`` (room for ``stop`` bytes); their number.

    ``tables`` is ``(characters, entities, macros, escapes, bare entities)`` of ``characters.py``.
    """
    characters = tables[0]
    count, position = np.int64(0), np.int64(0)  # literals would compile what is called twice
    while position < stop:
        byte = text[position]
        symbol, end = byte, position + 1
        if byte >= 128:
            code, end = _read_character(text, position, stop)
            symbol = characters[code] if 0 <= code < characters.size else np.uint8(_OTHER)
        elif byte == _AMPERSAND:
            code, entity_end = read_entity(text, position, stop, tables)
            if code >= 0:
                symbol, end = escaped_symbol(code, characters), entity_end
        elif byte == _BACKSLASH:
            symbol, end = read_backslash(text, position, stop, tables)
            if symbol == _FRACTION:
                count, end = _write_fraction(text, end, stop, out, count)
                symbol = np.uint8(_DROPPED)
            elif symbol == _BREAK:
                symbol = _break_symbol(text, end, stop)
        elif byte == _CARET:
            degree_end = _degree_end(text, end, stop)
            if degree_end:
                symbol, end = np.uint8(_DEGREE), degree_end
        elif byte == _OPEN and end < stop and text[end] == _CLOSE:
            symbol, end = np.uint8(_DROPPED), end + 1  # LaTeX: \cdot{}
        if symbol != _DROPPED:
            out[count] = symbol
            count += 1
        position = end
    return count
