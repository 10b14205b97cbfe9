"""Write a text in the matcher's alphabet: one symbol for each character, entity, escape or macro."""

import numpy as np

from . import alphabet as a
from .jit import inner

_AMPERSAND, _BACKSLASH, _SEMICOLON, _HASH, _U, _OPEN, _CLOSE, _SPACE, _COMMA = b"&\\;#u{} ,"
_LONGEST_NAME = 32  # bytes; HTML5's longest entity name has 31
_DROPPED, _OTHER, _BREAK, _WIDE_DIGIT, _HTML = a.DROPPED, a.OTHER, a.BREAK, a.WIDE_DIGIT, a.HTML
_DASH, _DASH_WIDE, _DASH_HTML, _EM_DASH, _EM_DASH_HTML = a.DASH, a.DASH_WIDE, a.DASH_HTML, a.EM_DASH, a.EM_DASH_HTML
_OPERATORS, _HYPHEN_KIND, _KINDS = a.OPERATORS, a.HYPHEN_KIND, a.KINDS
_DIGIT_KIND, _FRACTION, _THIN = a.DIGIT_KIND, a.FRACTION, a.THIN


@inner
def is_special(text, stop):  # type: ignore[no-untyped-def]
    """Whether ``text[:stop]`` holds a byte that only ``write_symbols`` understands."""
    special = False
    for position in range(stop):  # no early exit: this form is vectorised
        byte = text[position]
        special |= (byte >= 128) | (byte == _AMPERSAND) | (byte == _BACKSLASH)
    return special


@inner
def _find_name(text, start, stop, names):  # type: ignore[no-untyped-def]
    """The value of the name ``text[start:stop]`` in a sorted names table, -1 when it is not there."""
    blob, ends, values = names
    low, high = 0, values.size
    while low < high:
        middle = (low + high) // 2
        left, right = ends[middle], ends[middle + 1]
        order = 0
        for offset in range(min(stop - start, right - left)):
            order = np.int64(text[start + offset]) - np.int64(blob[left + offset])
            if order != 0:
                break
        if order == 0:
            order = (stop - start) - (right - left)
        if order == 0:
            return values[middle]
        if order < 0:
            high = middle
        else:
            low = middle + 1
    return -1


@inner
def _is_letter(byte):  # type: ignore[no-untyped-def]
    return 97 <= (byte | 32) <= 122


@inner
def _hexadecimal(byte):  # type: ignore[no-untyped-def]
    """The value of a hexadecimal digit, -1 for any other byte."""
    if 48 <= byte <= 57:
        return np.int64(byte) - 48
    lower = byte | 32
    return np.int64(lower) - 87 if 97 <= lower <= 102 else np.int64(-1)


@inner
def _numeric_entity(text, start, stop):  # type: ignore[no-untyped-def]
    """``&#215;`` or ``&#xD7;``, read after the ``#``: its code point (-1 for none) and its end."""
    base, position = 10, start
    if position < stop and (text[position] | 32) == 120:
        base, position = 16, position + 1
    first, code = position, np.int64(0)
    while position < stop and position - first < 8:
        digit = _hexadecimal(text[position])
        if digit < 0 or digit >= base:
            break
        code = code * base + digit
        position += 1
    if position > first and position < stop and text[position] == _SEMICOLON:
        return code, position + 1
    return np.int64(-1), start


@inner
def _read_entity(text, start, stop, tables):  # type: ignore[no-untyped-def]
    """The entity at ``text[start] == '&'``, also escaped twice (``&amp;times;``): code point (-1 for none), end."""
    _, entities, _, _, bare_entities = tables
    body = start + 1
    while body + 4 < stop and text[body] == 97 and text[body + 1] == 109 and text[body + 2] == 112:
        if text[body + 3] != _SEMICOLON:
            break
        body += 4
    if body < stop and text[body] == _HASH:
        code, end = _numeric_entity(text, body + 1, stop)
        if code >= 0:
            return code, end
    end = body
    while end < stop and end - body < _LONGEST_NAME and (_is_letter(text[end]) or 48 <= text[end] <= 57):
        end += 1
    if end < stop and text[end] == _SEMICOLON:
        code = _find_name(text, body, end, entities)
        if code >= 0:
            return code, end + 1
    end = body
    while end < stop and end - body < _LONGEST_NAME and _is_letter(text[end]):
        end += 1
    code = _find_name(text, body, end, bare_entities)
    if code >= 0:
        return code, end
    return (np.int64(_AMPERSAND), body) if body > start + 1 else (np.int64(-1), start)


@inner
def _escaped_symbol(code, characters):  # type: ignore[no-untyped-def]
    """The symbol of a character that was written as an escape; operators and digits are marked as such."""
    if code >= characters.size:
        return np.uint8(_OTHER)
    symbol = characters[code]
    if symbol == _EM_DASH:
        return np.uint8(_EM_DASH_HTML)
    if _KINDS[symbol] & _HYPHEN_KIND:
        return np.uint8(_DASH_HTML)
    if _OPERATORS[symbol]:
        return np.uint8(_HTML + _OPERATORS[symbol] - 1)
    if 48 <= symbol <= 57:
        return np.uint8(_WIDE_DIGIT + symbol - 48)
    return np.uint8(_OTHER) if symbol in (_AMPERSAND, _BACKSLASH) else symbol


@inner
def _read_name(text, slash, name, stop, tables):  # type: ignore[no-untyped-def]
    """A backslash escape whose name, a letter run, begins at ``name``: its symbol and its end."""
    characters, _, macros, _, _ = tables
    if text[name] == _U and name + 5 <= stop:
        code = np.int64(0)
        for position in range(name + 1, name + 5):
            digit = _hexadecimal(text[position])
            code = -1 if digit < 0 or code < 0 else code * 16 + digit
        if code >= 0:
            return _escaped_symbol(code, characters), name + 5
    end = name
    while end < stop and _is_letter(text[end]):
        end += 1
    symbol = _find_name(text, name, end, macros)
    if symbol == _THIN and end < stop and text[end] == _SPACE:
        end += 1  # TeX drops the space behind a macro's name: 1\\thinspace 200
    if symbol >= 0:
        return np.uint8(symbol), end
    first = text[name]
    if (first == 110 or first == 114 or first == 116) and 65 <= text[name + 1] <= 90:
        return np.uint8(_BREAK), name + 1  # "\nSo": an escaped line break and a capital
    if name - slash > 1:
        return np.uint8(_BREAK), name  # "\\The": a LaTeX line break and a word
    return np.uint8(_OTHER), end


@inner
def _read_backslash(text, slash, stop, tables):  # type: ignore[no-untyped-def]
    """The escape at ``text[slash] == '\\\\'``, doubled backslashes included: its symbol and its end."""
    escapes = tables[3]
    name = slash + 1
    while name < stop and text[name] == _BACKSLASH:
        name += 1
    if name < stop and _is_letter(text[name]):
        return _read_name(text, slash, name, stop, tables)
    if name < stop and text[name] < 128 and escapes[text[name]] != _OTHER:
        return escapes[text[name]], name + 1
    return np.uint8(_OTHER if name - slash == 1 else _BREAK), name


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
            code, entity_end = _read_entity(text, position, stop, tables)
            if code >= 0:
                symbol, end = _escaped_symbol(code, characters), entity_end
        elif byte == _BACKSLASH:
            symbol, end = _read_backslash(text, position, stop, tables)
            if symbol == _FRACTION:
                count, end = _write_fraction(text, end, stop, out, count)
                symbol = np.uint8(_DROPPED)
        elif byte == _OPEN and end < stop and text[end] == _CLOSE:
            symbol, end = np.uint8(_DROPPED), end + 1  # LaTeX: \cdot{}
        if symbol != _DROPPED:
            out[count] = symbol
            count += 1
        position = end
    return count
