"""Read characters that are written with others: HTML entities, LaTeX macros and other backslash escapes."""

import numpy as np

from . import alphabet as a
from .characters import CHARACTERS, MACROS, bare_entities, entities, escape_table
from .jit import inner
from .names import make_hashed_finder

_AMPERSAND, _BACKSLASH, _SEMICOLON, _HASH, _U, _SPACE = b"&\\;#u "
_LONGEST_NAME = 32  # bytes; HTML5's longest entity name has 31
_OTHER, _BREAK, _WIDE_DIGIT, _HTML, _THIN = a.OTHER, a.BREAK, a.WIDE_DIGIT, a.HTML, a.THIN
_DASH_HTML, _EM_DASH, _EM_DASH_HTML = a.DASH_HTML, a.EM_DASH, a.EM_DASH_HTML
_OPERATORS, _HYPHEN_KIND, _KINDS = a.OPERATORS, a.HYPHEN_KIND, a.KINDS
_CHARACTERS, _ESCAPES = CHARACTERS, escape_table()
_find_entity, _find_bare_entity = make_hashed_finder(entities()), make_hashed_finder(bare_entities())
_find_macro = make_hashed_finder(MACROS)


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
    return np.uint8(_OTHER if name - slash == 1 else _BREAK), name
