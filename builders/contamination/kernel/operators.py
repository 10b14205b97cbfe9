"""Read what stands between two operands: the gap, the operator in any form, the brackets around the right operand."""

import numpy as np

from . import alphabet as a
from .jit import inner
from .numbers import is_digit

_KINDS, _OPERATORS, _FORMS = a.KINDS, a.OPERATORS, a.FORMS
_SPACE_KIND, _NEWLINE_KIND, _CURRENCY_KIND, _DIGIT_KIND = (
    *(a.SPACE_KIND, a.NEWLINE_KIND),
    *(a.CURRENCY_KIND, a.DIGIT_KIND),
)
_FOLLOWERS, _GOES_ON, _IF_DIGIT, _IF_SPACED, _THIN = a.FOLLOWERS, a.GOES_ON, a.IF_DIGIT, a.IF_SPACED, a.THIN
_MINUS, _TIMES, _DIVIDE, _LETTER_X, _WORD = a.MINUS, a.TIMES, a.DIVIDE, a.LETTER_X, a.WORD
_STAR, _SLASH, _OPEN, _CLOSE, _OPEN_BRACE, _CLOSE_BRACE, _TICK, _UNDERSCORE = b"*/(){}`_"
_HYPHEN, _PERCENT, _LESS, _GREATER, _BAR, _TILDE, _S, _U, _P, _B, _X = b"-%<>|~supbx"
_LONGEST_TAG, _MOST_MARKS = 64, 4
_MARKS = (_KINDS & _CURRENCY_KIND) != 0
_MARKS[[_PERCENT, _LESS]] = True

# Word operators; a space stands for any gap. The second value is the operator, negative when the operands are swapped
# (of "divided into", which is said both ways, when the first is the smaller).
WORDS = {
    "added to": a.PLUS,
    "divide by": a.DIVIDE,
    "divided by": a.DIVIDE,
    "divided evenly by": a.DIVIDE,
    "divided into": -a.DIVIDE,
    "minus": a.MINUS,
    "multiplied by": a.TIMES,
    "multiplied with": a.TIMES,
    "multiply by": a.TIMES,
    "over": a.DIVIDE,
    "plus": a.PLUS,
    "subtracted from": -a.MINUS,
    "take away": a.MINUS,
    "take-away": a.MINUS,
    "takeaway": a.MINUS,
    "times": a.TIMES,
}
_WORD_BYTES = np.frombuffer("".join(WORDS).encode(), dtype=np.uint8)
_WORD_ENDS = np.cumsum([0, *map(len, WORDS)])
_WORD_CODES = np.array(list(WORDS.values()), dtype=np.int64)
# The words that begin with a letter stand together: they are those from one number to another.
_FIRST_WORDS, _LAST_WORDS = (
    np.searchsorted([ord(word[0]) for word in WORDS], np.arange(256), side=side) for side in ("left", "right")
)


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
    if (follower == _IF_DIGIT or symbols[end] == _THIN or symbols[end] == _TILDE) and is_digit(symbols, end + 1, stop):
        return True
    if symbols[end] == _PERCENT:
        end = skip_gap(symbols, end + 1, stop)
        return end < stop and _FOLLOWERS[symbols[end]] == _GOES_ON
    if follower == _IF_SPACED:
        spaced = skip_gap(symbols, end, stop)
        return spaced < stop and (_FOLLOWERS[symbols[spaced]] == _GOES_ON or symbols[spaced] == _PERCENT)
    return follower == _GOES_ON


@inner
def _read_word(symbols, start, stop):  # type: ignore[no-untyped-def]
    """The word operator at ``start``: its code (0 for none) and its end."""
    lower = symbols[start] | 32
    for word in range(_FIRST_WORDS[lower], _LAST_WORDS[lower]):
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
def _tag_end(symbols, start, stop, is_behind):  # type: ignore[no-untyped-def]
    """The end of the HTML tag at ``start``, behind a left or before a right operand; ``start`` when there is none.

    A tag that raises or lowers that operand is none: ``x<sup>2</sup>+3``.
    """
    position = start + 1
    closing = position < stop and symbols[position] == _SLASH
    position += closing
    if position + 2 >= stop or not 97 <= symbols[position] | 32 <= 122:
        return start
    last = symbols[position + 2] | 32
    raises = symbols[position] | 32 == _S and symbols[position + 1] | 32 == _U and last in (_P, _B)
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

    That is a ``$`` that opens or closes mathematics, a currency or percent sign, and HTML tags.
    """
    percent = False
    for _ in range(_MOST_MARKS):
        start = skip_gap(symbols, position, stop)
        if start >= stop:
            break
        symbol, end = symbols[start], start
        if _KINDS[symbol] & _CURRENCY_KIND or (symbol == _PERCENT and not percent):
            percent |= symbol == _PERCENT
            end = start + 1
        elif symbol == _LESS:
            end = _tag_end(symbols, start, stop, True)
        if end == start:
            break
        position = end
    return position, percent


@inner
def meets_percent(symbols, position, stop):  # type: ignore[no-untyped-def]
    """Whether a percent sign follows, spaces aside."""
    position = skip_gap(symbols, position, stop)
    return position < stop and symbols[position] == _PERCENT


@inner
def _read_doubled(symbols, start, stop):  # type: ignore[no-untyped-def]
    """``read_operator`` for a sign written twice: ``//``, and the dashes of TeX (``--``, ``---``) between spaces."""
    sign, end = symbols[start], start + 2
    if sign == _SLASH:
        return np.int64(_DIVIDE), 0, end
    if sign == _HYPHEN and _KINDS[symbols[start - 1]] & _SPACE_KIND:
        end += end < stop and symbols[end] == sign
        if end < stop and _KINDS[symbols[end]] & _SPACE_KIND:
            return np.int64(_MINUS), 0, end
    return np.int64(0), 0, start


@inner
def _read_letters(symbols, start, stop):  # type: ignore[no-untyped-def]
    """``read_operator`` for an x or a word at ``start``."""
    lower = symbols[start] | 32
    if lower == _X:
        return np.int64(_TIMES), _LETTER_X, start + 1
    code, end = _read_word(symbols, start, stop)
    return code, _WORD, end


@inner
def _read_bare(symbols, start, stop):  # type: ignore[no-untyped-def]
    """``read_operator`` for a sign, an x or a word at ``start`` itself."""
    symbol = symbols[start]
    code = np.int64(_OPERATORS[symbol])
    if code:
        if symbol < 128 and start + 1 < stop and symbols[start + 1] == symbol:
            return _read_doubled(symbols, start, stop)
        return code, np.int64(_FORMS[symbol]), start + 1
    if symbol >= 128 or not 97 <= symbol | 32 <= 122:
        return np.int64(0), 0, start
    return _read_letters(symbols, start, stop)


@inner
def _read_wrapped(symbols, start, is_spaced, stop):  # type: ignore[no-untyped-def]
    """``read_operator`` for one in braces (``{+}``, ``\\text{ times }``) or emphasis (``**+**``)."""
    opening, inside = symbols[start], emphasis_end(symbols, start, stop)
    width = inside - start
    if width == 0:
        inside = skip_gap(symbols, start + 1, stop)
    if inside >= stop or (width and not is_spaced and symbols[inside] | 32 == _X):  # 12*x*34 is algebra
        return np.int64(0), 0, start
    code, form, end = _read_bare(symbols, inside, stop)
    if width == 0:
        end = skip_gap(symbols, end, stop)
        closed = end + 1 if end < stop and symbols[end] == _CLOSE_BRACE else end
    else:
        closed = emphasis_end(symbols, end, stop)
    if closed == end or (width and (closed - end != width or symbols[end] != opening)):
        return np.int64(0), 0, start
    return code, form, closed


@inner
def read_operator(symbols, left_end, stop):  # type: ignore[no-untyped-def]
    """The operator behind a left operand: ``(code, form, end)``; negative for swapped operands.

    Code 0 is for none, and ``end`` is then where it would begin.
    """
    start = skip_gap(symbols, left_end, stop)
    if start >= stop:
        return np.int64(0), 0, start
    symbol = symbols[start]
    wrapped = symbol in (_OPEN_BRACE, _UNDERSCORE, _TICK)
    if symbol == _STAR and start + 1 < stop:  # nearly always a sign
        wrapped = _KINDS[symbols[start + 1]] & (_DIGIT_KIND | _SPACE_KIND) == 0
    if wrapped:
        code, form, end = _read_wrapped(symbols, start, start > left_end, stop)
        if code or symbol != _STAR:
            return code, form, end
    return _read_bare(symbols, start, stop)


@inner
def _is_between_bars(symbols, start, stop):  # type: ignore[no-untyped-def]
    """Whether the bar at ``start`` opens an absolute value of digits: ``|34|``."""
    end = start + 1
    while is_digit(symbols, end, stop):
        end += 1
    return end > start + 1 and end < stop and symbols[end] == _BAR


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
            position = skip_gap(symbols, position + 1, stop)
        elif symbol == _LESS:
            end = _tag_end(symbols, position, stop, False)
            if end == position:
                return -1, parens, braces, False
            position = skip_gap(symbols, end, stop)
        elif symbol == _BAR and _is_between_bars(symbols, position, stop):
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
