"""Read what stands between two operands: the gap, the operator in any form, the brackets around the right operand."""

import numpy as np

from . import alphabet as a
from .jit import inner
from .numbers import is_digit

_KINDS, _OPERATORS, _FORMS = a.KINDS, a.OPERATORS, a.FORMS
_SPACE_KIND, _NEWLINE_KIND, _CURRENCY_KIND = a.SPACE_KIND, a.NEWLINE_KIND, a.CURRENCY_KIND
_FOLLOWERS, _GOES_ON, _IF_DIGIT, _IF_SPACED, _THIN = a.FOLLOWERS, a.GOES_ON, a.IF_DIGIT, a.IF_SPACED, a.THIN
_MINUS, _TIMES, _LETTER_X, _WORD = a.MINUS, a.TIMES, a.LETTER_X, a.WORD
_STAR, _SLASH, _OPEN, _CLOSE, _OPEN_BRACE, _CLOSE_BRACE, _TICK, _UNDERSCORE = b"*/(){}`_"

# Word operators; a space stands for any gap. The second value is the operator, negative when the operands are swapped.
WORDS = {
    "added to": a.PLUS,
    "divide by": a.DIVIDE,
    "divided by": a.DIVIDE,
    "minus": a.MINUS,
    "multiplied by": a.TIMES,
    "multiply by": a.TIMES,
    "over": a.DIVIDE,
    "plus": a.PLUS,
    "subtracted from": -a.MINUS,
    "take away": a.MINUS,
    "times": a.TIMES,
}
_WORD_BYTES = np.frombuffer("".join(WORDS).encode(), dtype=np.uint8)
_WORD_ENDS = np.cumsum([0, *map(len, WORDS)])
_WORD_CODES = np.array(list(WORDS.values()), dtype=np.int64)


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
def may_continue(symbols, end, stop):  # type: ignore[no-untyped-def]
    """Whether an operator can follow the digit run that ends at ``end``; false only where certainly none does."""
    if end >= stop:
        return False
    follower = _FOLLOWERS[symbols[end]]
    if (follower == _IF_DIGIT or symbols[end] == _THIN) and is_digit(symbols, end + 1, stop):
        return True
    if follower == _IF_SPACED:
        spaced = skip_gap(symbols, end, stop)
        return spaced < stop and _FOLLOWERS[symbols[spaced]] == _GOES_ON
    return follower == _GOES_ON


@inner
def _read_word(symbols, start, stop):  # type: ignore[no-untyped-def]
    """The word operator at ``start``: its code (0 for none) and its end."""
    for word in range(_WORD_CODES.size):
        position, offset = start, _WORD_ENDS[word]
        while offset < _WORD_ENDS[word + 1] and position < stop:
            wanted = _WORD_BYTES[offset]
            if wanted == 32:
                end = skip_gap(symbols, position, stop)
                if end == position:
                    break
                position = end
            elif symbols[position] | 32 == wanted:
                position += 1
            else:
                break
            offset += 1
        if offset == _WORD_ENDS[word + 1]:
            return _WORD_CODES[word], position
    return np.int64(0), start


@inner
def read_operator(symbols, left_end, stop):  # type: ignore[no-untyped-def]
    """The operator behind a left operand: ``(code, form, end)``; code 0 for none, negative for swapped operands."""
    start = skip_gap(symbols, left_end, stop)
    if start >= stop:
        return np.int64(0), 0, start
    symbol = symbols[start]
    if symbol == _OPEN_BRACE and start + 2 < stop and symbols[start + 2] == _CLOSE_BRACE:
        operator = symbols[start + 1]  # LaTeX: 12{+}34
        return np.int64(_OPERATORS[operator]), np.int64(_FORMS[operator]), start + 3
    code = np.int64(_OPERATORS[symbol])
    if code:
        end = start + 1
        doubled = end < stop and symbols[end] == symbol and symbol < 128
        if doubled and symbol == _SLASH:
            return code, 0, end + 1
        return (np.int64(0) if doubled else code), np.int64(_FORMS[symbol]), end
    lower = symbol | 32
    if symbol >= 128 or not 97 <= lower <= 122:
        return np.int64(0), 0, start
    if lower == 120:
        return np.int64(_TIMES), _LETTER_X, start + 1
    code, end = _read_word(symbols, start, stop)
    return code, _WORD, end


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
def open_right(symbols, start, stop):  # type: ignore[no-untyped-def]
    """Skip the gap and the opening marks before a right operand: ``(digit position, parens, braces, negative)``.

    The position is -1 when no digit follows.
    """
    position, parens, braces = skip_gap(symbols, start, stop), 0, 0
    for _ in range(6):
        if position >= stop:
            return -1, parens, braces, False
        symbol = symbols[position]
        if is_digit(symbols, position, stop):
            return position, parens, braces, False
        if symbol in (_OPEN, _OPEN_BRACE):
            parens += symbol == _OPEN
            braces += symbol == _OPEN_BRACE
            position = skip_gap(symbols, position + 1, stop)
        elif _KINDS[symbol] & _CURRENCY_KIND:
            position += 1
        elif emphasis_end(symbols, position, stop) > position:
            position = emphasis_end(symbols, position, stop)
            if not is_digit(symbols, position, stop):
                return -1, parens, braces, False
        elif _OPERATORS[symbol] == _MINUS:
            after = skip_gap(symbols, position + 1, stop)
            if after < stop and _KINDS[symbols[after]] & _CURRENCY_KIND:
                after += 1
            return -1, parens, braces, is_digit(symbols, after, stop)
        else:
            return -1, parens, braces, False
    return -1, parens, braces, False


@inner
def close_right(symbols, end, stop, parens, braces):  # type: ignore[no-untyped-def]
    """The end of the brackets that must close behind a right operand, -1 when they do not: it is not alone in them."""
    position = end
    while parens or braces:
        position = skip_gap(symbols, emphasis_end(symbols, position, stop), stop)
        if position >= stop:
            return -1
        if symbols[position] == _CLOSE and parens:
            parens -= 1
        elif symbols[position] == _CLOSE_BRACE and braces:
            braces -= 1
        elif _KINDS[symbols[position]] & _CURRENCY_KIND == 0:
            return -1
        position += 1
    return position
