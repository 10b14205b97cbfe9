"""What may stand between an operand and an operator: spaces, emphasis, HTML tags, currency and percent signs."""

import numpy as np

from . import alphabet as a
from .jit import inner

_KINDS, _SPACE_KIND, _NEWLINE_KIND, _CURRENCY_KIND = a.KINDS, a.SPACE_KIND, a.NEWLINE_KIND, a.CURRENCY_KIND
_STAR, _UNDERSCORE, _TICK, _SLASH, _PERCENT, _LESS, _GREATER, _S, _U, _P, _B, _M = b"*_`/%<>supbm"
_QUOTE, _APOSTROPHE, _CURLY = ord('"'), ord("'"), a.CURLY
_LONGEST_TAG, _MOST_MARKS, _DEGREE = 64, 6, a.DEGREE
_MARKS = (_KINDS & _CURRENCY_KIND) != 0
_MARKS[[_PERCENT, _LESS, _DEGREE]] = True


@inner
def skip_gap(symbols, position, stop):  # type: ignore[no-untyped-def]
    """The end of the spaces at ``position``: any number of them, but at most one line break."""
    breaks = 0
    while position < stop and _KINDS[symbols[position]] & _SPACE_KIND:
        if _KINDS[symbols[position]] & _NEWLINE_KIND:
            breaks += 1
            if breaks > 1:
                break
        position += 1
    return position


@inner
def skip_gap_back(symbols, position):  # type: ignore[no-untyped-def]
    """``skip_gap`` to the left: the first position whose symbols up to ``position`` are all gap."""
    breaks = 0
    while position > 0 and _KINDS[symbols[position - 1]] & _SPACE_KIND:
        if _KINDS[symbols[position - 1]] & _NEWLINE_KIND:
            breaks += 1
            if breaks > 1:
                break
        position -= 1
    return position


@inner
def emphasis_end(symbols, position, stop):  # type: ignore[no-untyped-def]
    """The end of a Markdown emphasis run (up to three of one mark) at ``position``."""
    if position >= stop:
        return position
    mark = symbols[position]
    if mark != _STAR and mark != _UNDERSCORE and mark != _TICK:
        return position
    end = position + 1
    while end < stop and end - position < 3 and symbols[end] == mark:
        end += 1
    return end


@inner
def read_quote(symbols, position, stop):  # type: ignore[no-untyped-def]
    """The quotation mark at ``position`` as its ASCII form (0 for none), and its end.

    Curly ones are still the bytes of the source where a text is read as it is (see ``alphabet.LETTER``).
    """
    if position >= stop:
        return np.int64(0), position
    symbol = symbols[position]
    if symbol in (_QUOTE, _APOSTROPHE):
        return np.int64(symbol), position + 1
    if symbol == _CURLY and position + 3 <= stop and symbols[position + 1] == 0x80:
        last = symbols[position + 2]
        if last in (0x98, 0x99):
            return np.int64(_APOSTROPHE), position + 3
        if last in (0x9C, 0x9D):
            return np.int64(_QUOTE), position + 3
    return np.int64(0), position


@inner
def tag_end(symbols, start, stop, is_behind):  # type: ignore[no-untyped-def]
    """The end of the HTML tag at ``start``, behind a left or before a right operand; ``start`` when there is none.

    A tag that raises or lowers that operand is none: ``x<sup>2</sup>+3``.
    """
    position = start + 1
    closing = position < stop and symbols[position] == _SLASH
    position += closing
    if position + 2 >= stop or not 97 <= symbols[position] | 32 <= 122:
        return start
    name = position + (symbols[position] | 32 == _M and position + 3 < stop)  # <msup> of MathML
    last = symbols[name + 2] | 32
    raises = symbols[name] | 32 == _S and symbols[name + 1] | 32 == _U and last in (_P, _B)
    if raises and closing == is_behind:
        return start
    for end in range(position, min(stop, position + _LONGEST_TAG)):
        if symbols[end] == _GREATER:
            return end + 1
        if symbols[end] == _LESS:
            break
    return start


@inner
def is_mark(symbols, position, stop):  # type: ignore[no-untyped-def]
    """Whether what stands at ``position`` is something to ``skip_marks``."""
    return position < stop and _MARKS[symbols[position]]


@inner
def skip_marks(symbols, position, stop):  # type: ignore[no-untyped-def]
    """What may stand between a left operand and its operator besides spaces: its end, and whether a percent sign is in.

    That is a ``$`` that opens or closes mathematics, a currency, degree or percent sign, and HTML tags.
    """
    percent = False
    for _ in range(_MOST_MARKS):
        start = skip_gap(symbols, position, stop)
        if start >= stop:
            break
        symbol, end = symbols[start], start
        if _KINDS[symbol] & _CURRENCY_KIND or symbol == _DEGREE or (symbol == _PERCENT and not percent):
            percent |= symbol == _PERCENT
            end = start + 1
        elif symbol == _LESS:
            end = tag_end(symbols, start, stop, True)
        if end == start:
            break
        position = end
    return position, percent


@inner
def meets_percent(symbols, position, stop):  # type: ignore[no-untyped-def]
    """Whether a percent sign follows, spaces aside."""
    position = skip_gap(symbols, position, stop)
    return position < stop and symbols[position] == _PERCENT
