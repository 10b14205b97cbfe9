"""Write a text in the matcher's alphabet: one symbol for each character, entity, escape or macro."""

import numpy as np

from . import alphabet as a
from .characters import CHARACTERS, MACROS, bare_entities, entities, escape_table
from .jit import inner
from .names import make_hashed_finder

_SEMICOLON, _HASH, _U = b";#u"
_LONGEST_NAME = 32  # bytes; HTML5's longest entity name has 31
_WIDE_DIGIT, _HTML, _THIN = a.WIDE_DIGIT, a.HTML, a.THIN
_DASH_HTML, _EM_DASH, _EM_DASH_HTML = a.DASH_HTML, a.EM_DASH, a.EM_DASH_HTML
_OPERATORS, _HYPHEN_KIND, _KINDS = a.OPERATORS, a.HYPHEN_KIND, a.KINDS
_ESCAPES = escape_table()
_find_entity, _find_bare_entity = make_hashed_finder(entities()), make_hashed_finder(bare_entities())
_find_macro = make_hashed_finder(MACROS)
_AMPERSAND, _BACKSLASH, _OPEN, _CLOSE, _SPACE, _COMMA, _CARET, _NEWLINE, _RETURN = b"&\\{} ,^\n\r"
_DROPPED, _OTHER, _FRACTION, _DEGREE, _BREAK = a.DROPPED, a.OTHER, a.FRACTION, a.DEGREE, a.BREAK
_CHARACTERS = CHARACTERS
_CIRCLE = np.frombuffer(b"circ", dtype=np.uint8)
NO_DIGIT, AS_IT_IS, SPECIAL = range(3)
_BLOCK = 32


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
def read_entity(text, start, stop):  # type: ignore[no-untyped-def]
    """The entity at ``text[start] == '&'``, also escaped twice (``&amp;times;``): code point (-1 for none), end."""
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
        code = _find_entity(text, body, end)
        if code >= 0:
            return code, end + 1
    end = body
    while end < stop and end - body < _LONGEST_NAME and _is_letter(text[end]):
        end += 1
    code = _find_bare_entity(text, body, end)
    if code >= 0:
        return code, end
    return (np.int64(_AMPERSAND), body) if body > start + 1 else (np.int64(-1), start)


@inner
def escaped_symbol(code, characters):  # type: ignore[no-untyped-def]
    """The symbol of a character that was written as an escape; operators and digits are marked as such."""
    if code >= _CHARACTERS:
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
def _read_name(text, slash, name, stop, characters):  # type: ignore[no-untyped-def]
    """A backslash escape whose name, a letter run, begins at ``name``: its symbol and its end."""
    if text[name] == _U and name + 5 <= stop:
        code = np.int64(0)
        for position in range(name + 1, name + 5):
            digit = _hexadecimal(text[position])
            code = -1 if digit < 0 or code < 0 else code * 16 + digit
        if code >= 0:
            return escaped_symbol(code, characters), name + 5
    end = name
    while end < stop and _is_letter(text[end]):
        end += 1
    symbol = _find_macro(text, name, end)
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
def read_backslash(text, slash, stop, characters):  # type: ignore[no-untyped-def]
    """The escape at ``text[slash] == '\\\\'``, doubled backslashes included: its symbol and its end."""
    name = slash + 1
    while name < stop and text[name] == _BACKSLASH:
        name += 1
    if name < stop and _is_letter(text[name]):
        return _read_name(text, slash, name, stop, characters)
    if name < stop and text[name] < 128 and _ESCAPES[text[name]] != _OTHER:
        return _ESCAPES[text[name]], name + 1
    if name - slash == 1 and name < stop and (text[name] == _NEWLINE or text[name] == _RETURN):
        return np.uint8(_DROPPED), name  # a line of code that goes on in the next
    return np.uint8(_OTHER if name - slash == 1 else _BREAK), name


@inner
def survey(text, stop):  # type: ignore[no-untyped-def]
    """What a text takes: ``NO_DIGIT`` is in it, it is read ``AS_IT_IS``, or it is ``SPECIAL``: ``write_symbols`` first.

    The loops have no early exit and their findings are joined in one number: this form is vectorised.
    """
    digit, high, escape = False, False, False
    for position in range(stop):
        byte = text[position]
        digit |= (byte >= 48) & (byte <= 57)
        high |= byte >= 128
        escape |= (byte == _AMPERSAND) | (byte == _BACKSLASH)
    found = digit + 2 * high + 4 * escape
    if found & 5 == 5:
        return SPECIAL
    if found & 2 == 0:
        return AS_IT_IS if found & 1 else NO_DIGIT
    return _survey_high(text, stop, found & 1 == 1)


@inner
def _survey_high(text, stop, digit):  # type: ignore[no-untyped-def]
    """``survey`` of a text with bytes that are not ASCII; ``digit`` is whether it holds a digit that is.

    Curly quotes (E2 80 98, 99, 9C and 9D) are not special unless something stands against them that they could belong
    to.
    """
    wide, special = False, False
    for position in range(stop - 1):
        byte, after = text[position], text[position + 1]
        wide |= (byte >= 0xEA) | ((byte >= 0xD9) & (byte < 0xE2))
        quote = (byte == 0x98) | (byte == 0x99) | (byte == 0x9C) | (byte == 0x9D)
        quote |= ((byte == 0xE2) & (after == 0x80)) | ((byte == 0x80) & (after != 0x80))
        joins = (after >= 42) & (after <= 61) & (after != 44) & (after != 59)  # a digit, or one of * + - . / : < =
        special |= (byte >= 128) & (joins | ~quote)
        special |= (byte >= 46) & (byte <= 57) & (after >= 128)
    last = text[stop - 1]
    special |= last >= 128 and last not in (0x98, 0x99, 0x9C, 0x9D)
    if not digit and not wide:
        return NO_DIGIT
    return SPECIAL if special or wide else AS_IT_IS


@inner
def _copy_clean(text, position, stop, out, count):  # type: ignore[no-untyped-def]
    """Copy whole blocks that hold nothing to be rewritten; how many bytes."""
    start = position
    while position + _BLOCK <= stop:
        dirty = False
        for offset in range(_BLOCK):
            byte = text[position + offset]
            dirty |= (byte >= 128) | (byte == _AMPERSAND) | (byte == _BACKSLASH) | (byte == _CARET) | (byte == _OPEN)
        if dirty:
            break
        for offset in range(_BLOCK):
            out[count + offset] = text[position + offset]
        position += _BLOCK
        count += _BLOCK
    return position - start


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
def write_symbols(text, stop, characters, out):  # type: ignore[no-untyped-def]
    """Write ``text[:stop]`` as symbols into ``out`` (room for ``stop`` bytes); their number.

    ``characters`` points to ``character_table``.
    """
    count, position = np.int64(0), np.int64(0)  # literals would compile what is called twice
    checked = np.int64(0)  # up to here blocks were tried
    while position < stop:
        if position >= checked:
            copied = _copy_clean(text, position, stop, out, count)
            position += copied
            count += copied
            checked = position + _BLOCK
            if position >= stop:
                break
        byte = text[position]
        symbol, end = byte, position + 1
        if byte >= 128:
            code, end = _read_character(text, position, stop)
            symbol = characters[code] if 0 <= code < _CHARACTERS else np.uint8(_OTHER)
        elif byte == _AMPERSAND:
            code, entity_end = read_entity(text, position, stop)
            if code >= 0:
                symbol, end = escaped_symbol(code, characters), entity_end
        elif byte == _BACKSLASH:
            symbol, end = read_backslash(text, position, stop, characters)
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
