"""How two numbers are joined other than by a sign between them: units, phrases, calls, cells, factors, percent codes.

Each reader here takes a left number and says the operation, the surface form it counts under, where the right operand
begins and where the left one does, brackets included; operation 0 where the text is of another form.
"""

import numpy as np

from . import alphabet as a
from .gaps import read_quote, skip_gap, skip_gap_back, skip_marks
from .jit import inner
from .names import word_end
from .numbers import digits_end, is_digit, meets_equals
from .operands import open_right
from .operators import read_bare
from .phrases import find_call, find_head, find_prefix, read_connective, skip_label
from .units import MOST_WORDS, is_dated, unit_word_end

_KINDS, _OPERATORS, _SPACE_KIND, _LETTER_KIND = a.KINDS, a.OPERATORS, a.SPACE_KIND, a.LETTER_KIND
_DIGIT_KIND, _CURRENCY_KIND, _HYPHEN_KIND, _NEWLINE_KIND = a.DIGIT_KIND, a.CURRENCY_KIND, a.HYPHEN_KIND, a.NEWLINE_KIND
_MINUS, _TIMES, _DIVIDE, _LARGER = a.MINUS, a.TIMES, a.DIVIDE, a.LARGER_FIRST
_UNIT, _PHRASE, _CALL, _CELLS, _FACTORS, _LATEX_FORM, _HTML_FORM = (
    *(a.UNIT, a.PHRASE, a.CALL, a.CELLS),
    *(a.FACTORS, a.LATEX_FORM, a.HTML_FORM),
)
_THIN, _WORD, _LETTER_X, _FRACTION = a.THIN, a.WORD, a.LETTER_X, a.FRACTION
_OPEN, _CLOSE, _OPEN_BRACE, _CLOSE_BRACE, _COMMA, _SEMICOLON, _BAR, _AMPERSAND = b"(){},;|&"
_QUOTE, _APOSTROPHE, _PERCENT, _EQUALS, _LESS, _GREATER, _POINT, _STAR, _SLASH, _CLOSE_SQUARE = b"\"'%=<>.*/]"
_PLUS_SIGN, _COLON, _O = b"+:o"
_LONGEST_TAG = 64
_NO_OPERATION = np.int64(0)


@inner
def _none(position):  # type: ignore[no-untyped-def]
    return np.int64(0), np.int64(0), position, position


@inner
def _code_at(symbols, position, stop):  # type: ignore[no-untyped-def]
    """The byte written as ``%2B`` at ``position``, -1 for anything else."""
    if position + 3 > stop or symbols[position] != _PERCENT:
        return -1
    value = 0
    for offset in range(1, 3):
        symbol = symbols[position + offset]
        lower = symbol | 32
        if 48 <= symbol <= 57:
            value = value * 16 + np.int64(symbol) - 48
        elif 97 <= lower <= 102:
            value = value * 16 + np.int64(lower) - 87
        else:
            return -1
    return value


@inner
def skip_coded_spaces(symbols, position, stop):  # type: ignore[no-untyped-def]
    """The end of the spaces of a percent-encoded text at ``position``: ``%20``, and ``+`` before another code."""
    while position < stop:
        if _code_at(symbols, position, stop) == 32:
            position += 3
        elif symbols[position] == _PLUS_SIGN and _code_at(symbols, position + 1, stop) > 0:
            position += 1
        else:
            break
    return position


@inner
def _coded_operator(symbols, start, stop):  # type: ignore[no-untyped-def]
    """The operator written in percent codes at ``start``, and its end; 0 for none."""
    one = _code_at(symbols, start, stop)
    if one < 128:
        code = _OPERATORS[one] if one > 32 else 0
        return np.int64(code), start + 3
    two = _code_at(symbols, start + 3, stop)
    if one == 0xC3 and (two == 0x97 or two == 0xB7):
        return np.int64(_TIMES if two == 0x97 else _DIVIDE), start + 6
    three = _code_at(symbols, start + 6, stop)
    if one == 0xE2 and two == 0x88 and three == 0x92:
        return np.int64(_MINUS), start + 9
    return np.int64(0), start


@inner
def _read_percent(symbols, right_end, outer_left, stop):  # type: ignore[no-untyped-def]
    """``12%2B34``, ``12%20%2B%2034``, ``12%20-%2034``."""
    start = skip_coded_spaces(symbols, right_end, stop)
    code, end = _coded_operator(symbols, start, stop)
    if code == 0 and start > right_end and start < stop:
        code, _, end = read_bare(symbols, start, stop)
    if code == 0:
        return _none(outer_left)
    after = skip_coded_spaces(symbols, end, stop)
    if after == end and end < stop and symbols[end] == _PLUS_SIGN:
        after += 1
    return code, np.int64(_HTML_FORM), after, outer_left


@inner
def _read_cells(symbols, at, outer_left, stop):  # type: ignore[no-untyped-def]
    """``| 12 | + | 34 |``, ``12,+,34``, ``"12", "+", "34"``; ``12 &+ 34``, where one ampersand is enough."""
    separator = symbols[at]
    start = skip_gap(symbols, at + 1, stop)
    start = skip_label(symbols, start, stop)
    quote, start = read_quote(symbols, start, stop)
    inner_quote, start = read_quote(symbols, start, stop)  # the mark of a CSV cell around one of the text
    if start >= stop:
        return _none(outer_left)
    code, form, end = read_bare(symbols, start, stop)
    if code == 0 or (form == _WORD and word_end(symbols, start, stop) < end):
        return _none(outer_left)  # a cell holds one word
    if inner_quote:
        closing, end = read_quote(symbols, end, stop)
        if closing != inner_quote:
            return _none(outer_left)
    if quote:
        closing, end = read_quote(symbols, end, stop)
        if closing != quote:
            return _none(outer_left)
    end = skip_gap(symbols, end, stop)
    if end < stop and symbols[end] == separator:
        after = skip_gap(symbols, end + 1, stop)
        surface = _LATEX_FORM if separator == _AMPERSAND else _CELLS
        return code, np.int64(surface), skip_label(symbols, after, stop), outer_left
    if separator == _AMPERSAND:
        return code, np.int64(_LATEX_FORM), end, outer_left
    return _none(outer_left)


@inner
def _ends_call(symbols, start, stop):  # type: ignore[no-untyped-def]
    """Whether the number at ``start`` is an argument: a comma or a closing bracket follows."""
    end = skip_gap(symbols, digits_end(symbols, start, stop), stop)
    while end + 1 < stop and symbols[end] == _COMMA and is_digit(symbols, end + 1, stop):
        end = digits_end(symbols, end + 1, stop)
    end += end < stop and (symbols[end] == _QUOTE or symbols[end] == _APOSTROPHE)
    return end < stop and (symbols[end] in (_COMMA, _CLOSE, _CLOSE_SQUARE, _CLOSE_BRACE, _POINT))


@inner
def _read_listed(symbols, at, outer_left, stop):  # type: ignore[no-untyped-def]
    """``add(12, 34)``, ``["+", 12, 34]``, ``the sum of 12, 34``."""
    after = skip_label(symbols, skip_gap(symbols, at + 1, stop), stop)
    if open_right(symbols, after, stop)[0] >= 0:
        code = find_call(symbols, outer_left)
        if code == 0:
            code = find_prefix(symbols, outer_left)
        if code:
            return code, np.int64(_CALL), after, outer_left
    column, after = read_connective(symbols, at, stop)
    if open_right(symbols, after, stop)[0] >= 0:
        return find_head(symbols, outer_left, column), np.int64(_PHRASE), after, outer_left
    return _none(outer_left)


@inner
def _read_factors(symbols, outer_left, outer_right, stop):  # type: ignore[no-untyped-def]
    """``(12)(34)``; with an equals sign behind it also ``12(34)`` and ``(12)34``."""
    after = outer_right
    while after < stop and symbols[after] == _THIN:
        after += 1
    in_brackets = symbols[outer_left] == _OPEN and symbols[outer_right - 1] == _CLOSE
    opens = after < stop and symbols[after] == _OPEN
    if not opens and not (in_brackets and is_digit(symbols, after, stop)):
        return _none(outer_left)
    if not (in_brackets and opens):
        end = digits_end(symbols, after + opens, stop)
        if opens and not (end < stop and symbols[end] == _CLOSE):
            return _none(outer_left)
        if not meets_equals(symbols, end + opens, stop):
            return _none(outer_left)
    return np.int64(_TIMES), np.int64(_FACTORS), after, outer_left


@inner
def _is_in_fraction(symbols, left):  # type: ignore[no-untyped-def]
    """Whether the MathML tags before ``left`` open the first argument of ``<mfrac>``."""
    position = left
    for _ in range(6):
        end = skip_gap_back(symbols, position)
        if end == 0 or symbols[end - 1] != _GREATER:
            return False
        start = end - 1
        while start > 0 and end - start < _LONGEST_TAG and symbols[start] != _LESS:
            start -= 1
        if symbols[start] != _LESS or symbols[start + 1] == _SLASH:
            return False
        name = start + 1
        for place in range(name, end):
            if symbols[place] == _COLON:  # a prefix: <m:mfrac>
                name = place + 1
                break
            if _KINDS[symbols[place]] & _LETTER_KIND == 0:
                break
        if end - name >= 5 and symbols[name] | 32 == 109 and symbols[name + 1] | 32 == 102:  # m, f: only mfrac
            return True
        position = start
    return False


@inner
def _skip_bracket(symbols, end, outer_left, stop):  # type: ignore[no-untyped-def]
    """Over the bracket behind a unit that opens directly before the number: ``(30 snakes)``."""
    close = skip_gap(symbols, end, stop)
    before = skip_gap_back(symbols, outer_left) - 1
    while before >= 0 and _KINDS[symbols[before]] & _CURRENCY_KIND:
        before -= 1
    if close < stop and before >= 0 and symbols[close] == _CLOSE and symbols[before] == _OPEN:
        return close + 1, before
    return end, outer_left


@inner
def _joins_units(symbols, end, sign, code, stop):  # type: ignore[no-untyped-def]
    """Whether the sign at ``sign`` is one between quantities, ``end`` being where the words before it end.

    A hyphen or star at the start of a line is a bullet, a hyphen against a word joins it to another.
    """
    symbol = symbols[sign]
    if _KINDS[symbol] & _HYPHEN_KIND or symbol == _STAR:
        if sign == end and _KINDS[symbol] & _HYPHEN_KIND:
            return False
        for position in range(end, sign):
            if _KINDS[symbols[position]] & _NEWLINE_KIND:
                return False
    return True


@inner
def _read_words(symbols, start, digit_end, outer_left, stop):  # type: ignore[no-untyped-def]
    """``30 snakes * 3``, ``sum of 12 and 34``, ``subtract 5 apples from 12``: words, then a sign or a connective."""
    position, dated = start, False
    numerator = skip_gap_back(symbols, outer_left) - 1
    divides = numerator > 0 and symbols[numerator] == _OPEN_BRACE
    fraction = skip_gap_back(symbols, numerator) - 1 if divides else -1
    divides = fraction >= 0 and symbols[fraction] == _FRACTION  # \\frac{48\\text{ miles}}{4}
    for word in range(MOST_WORDS + 1):
        at = skip_gap(symbols, position, stop)
        while at < stop and (symbols[at] == _OPEN_BRACE or symbols[at] == _CLOSE_BRACE):  # \\text{ cm}
            at = skip_gap(symbols, at + 1, stop)
        if at >= stop:
            break
        if divides and word and is_digit(symbols, at, stop):
            return np.int64(_DIVIDE), np.int64(_LATEX_FORM), at, fraction
        if word:
            if symbols[at] == _POINT and at == position:  # an abbreviation
                after = skip_gap(symbols, at + 1, stop)
                at = after if after < stop and _OPERATORS[symbols[after]] else at
            bracketed, wider = _skip_bracket(symbols, at, outer_left, stop)
            sign = skip_gap(symbols, bracketed, stop)
            if sign >= stop:
                break
            code, form, after = read_bare(symbols, sign, stop)
            is_word = form in (_WORD, _LETTER_X)
            if code and is_word and (sign == position or symbols[sign] | 32 == _O):  # against a word, or "over"
                code = _NO_OPERATION
            if code:
                if open_right(symbols, after, stop)[0] >= 0:
                    if not _joins_units(symbols, position, sign, code, stop) or (
                        dated and abs(code) % _LARGER in (_MINUS, _DIVIDE)
                    ):
                        break
                    return code, np.int64(_UNIT), after, wider
                if form == _WORD or symbols[sign] != _SLASH:
                    break
        if at > digit_end and _KINDS[symbols[at]] & _LETTER_KIND and at > position:
            column, after = read_connective(symbols, at, stop)
            if column >= 0 and open_right(symbols, after, stop)[0] >= 0:
                code = find_head(symbols, outer_left, column)
                if code:
                    return code, np.int64(_PHRASE), after, outer_left
                break
        end = unit_word_end(symbols, at, stop, at == digit_end, word == 0)
        if end == at:
            break
        dated |= is_dated(symbols, at, stop)
        position = end
    return _none(outer_left)


@inner
def read_join(symbols, digits_stop, outer_left, outer_right, stop):  # type: ignore[no-untyped-def]
    """``(operation, form, start of the right operand, start of the left one)`` of a left number.

    ``[outer_left, outer_right)`` is the number with the brackets around it, ``digits_stop`` where its digits end.
    """
    position, percent = skip_marks(symbols, outer_right, stop)
    at = skip_gap(symbols, position, stop)
    first = skip_gap(symbols, outer_right, stop)
    if first >= stop:
        return _none(outer_left)
    symbol = symbols[first]
    if symbol in (_PERCENT, _PLUS_SIGN):
        code, form, after, left = _read_percent(symbols, outer_right, outer_left, stop)
        if code:
            return code, form, after, left
    if percent or at >= stop:
        return _none(outer_left)
    symbol = symbols[at]
    if symbol in (_COMMA, _BAR, _SEMICOLON, _AMPERSAND):
        code, form, after, left = _read_cells(symbols, at, outer_left, stop)
        if code or symbol != _COMMA:
            return code, form, after, left
        return _read_listed(symbols, at, outer_left, stop)
    if _KINDS[symbol] & _DIGIT_KIND:
        if position > outer_right and symbols[position - 1] == _GREATER and _is_in_fraction(symbols, outer_left):
            return np.int64(_DIVIDE), np.int64(_LATEX_FORM), at, outer_left
        if at > outer_right and position == outer_right:
            code = find_prefix(symbols, outer_left)
            if code:
                return code, np.int64(_CALL), at, outer_left
    if symbol == _OPEN or (symbols[outer_left] == _OPEN and position == outer_right):
        code, form, after, left = _read_factors(symbols, outer_left, outer_right, stop)
        if code:
            return code, form, after, left
    if _KINDS[symbol] & _LETTER_KIND or symbol in (_OPEN_BRACE, _SLASH):
        return _read_words(symbols, position, outer_right, outer_left, stop)
    return _none(outer_left)
