"""Read one number, or recognise a date, in a symbol string."""

import numpy as np

from . import alphabet as a
from .jit import inner

_KINDS, _OPERATORS = a.KINDS, a.OPERATORS
_DIGIT_KIND, _SPACE_KIND = a.DIGIT_KIND, a.SPACE_KIND
_MINUS, _DIVIDE, _THIN = a.MINUS, a.DIVIDE, a.THIN
_COMMA, _APOSTROPHE, _UNDERSCORE, _POINT, _OPEN, _CLOSE, _EQUALS, _ZERO, _TILDE = b",'_.{}=0~"
_OPEN_ROUND, _CLOSE_ROUND, _OPEN_SQUARE, _CLOSE_SQUARE, _SPACE = b"()[] "
FULLWIDTH_BIT, GROUPED_BIT, ZERO_FRACTION_BIT = 1 << a.FULLWIDTH, 1 << a.GROUPED, 1 << a.ZERO_FRACTION
_MOST_APART, _WIDE_DIGIT = a.MAX_DIGITS, a.WIDE_DIGIT
_NEAR, _BLOCK = 16, 32


@inner
def is_digit(symbols, position, stop):  # type: ignore[no-untyped-def]
    """Whether a digit stands at ``position``."""
    return position < stop and _KINDS[symbols[position]] & _DIGIT_KIND != 0


@inner
def next_digit(symbols, position, stop):  # type: ignore[no-untyped-def]
    """The first digit from ``position`` on, ``stop`` for none: a few symbols one by one, then block by block."""
    near = min(stop, position + _NEAR)
    while position < near and _KINDS[symbols[position]] & _DIGIT_KIND == 0:
        position += 1
    if position < near:
        return position
    while position + _BLOCK <= stop:
        found = False
        for offset in range(_BLOCK):  # no early exit: this form is vectorised
            symbol = symbols[position + offset]
            found |= ((symbol >= 48) & (symbol <= 57)) | ((symbol >= _WIDE_DIGIT) & (symbol <= _WIDE_DIGIT + 9))
        if found:
            break
        position += _BLOCK
    while position < stop and _KINDS[symbols[position]] & _DIGIT_KIND == 0:
        position += 1
    return position


@inner
def digits_end(symbols, position, stop):  # type: ignore[no-untyped-def]
    """The end of the digit run that starts at ``position``."""
    while position < stop and _KINDS[symbols[position]] & _DIGIT_KIND:
        position += 1
    return position


@inner
def _separator_end(symbols, position, stop):  # type: ignore[no-untyped-def]
    """The end of a thousands separator with three digits behind it, 0 when there is none."""
    if position >= stop:
        return 0
    symbol = symbols[position]
    end = position + 1
    if symbol == _OPEN and position + 2 < stop and symbols[end + 1] == _CLOSE:
        if symbols[end] != _COMMA and symbols[end] != _THIN:
            return 0
        end = position + 3
    elif symbol not in (_COMMA, _APOSTROPHE, _UNDERSCORE, _THIN, _TILDE):
        return 0
    return end if digits_end(symbols, end, min(stop, end + 4)) == end + 3 else 0


@inner
def _value(symbols, start, end):  # type: ignore[no-untyped-def]
    """Value, number of significant digits and flags of a number without a fraction, its separators included."""
    while start < end - 1 and (symbols[start] == _ZERO or _KINDS[symbols[start]] & _DIGIT_KIND == 0):
        start += 1
    value, width, flags = np.int64(0), 0, 0
    for position in range(start, end):
        symbol = symbols[position]
        if _KINDS[symbol] & _DIGIT_KIND == 0:
            continue
        if symbol >= 128:
            flags = FULLWIDTH_BIT
        width += 1 if width or symbol & 15 else 0
        value = value * 10 + np.int64(symbol & 15)  # past MAX_DIGITS it wraps, and is not used
    return value, width, flags


@inner
def _is_apart(symbols, position, stop):  # type: ignore[no-untyped-def]
    """Whether a single digit stands at ``position`` with one space before it."""
    if not is_digit(symbols, position, stop) or digits_end(symbols, position, min(stop, position + 2)) > position + 1:
        return False
    return position > 0 and (symbols[position - 1] == _SPACE or symbols[position - 1] == _THIN)


@inner
def digits_apart_end(symbols, start, stop):  # type: ignore[no-untyped-def]
    """The end of the number whose digits are written apart from ``start`` on (``1 2 3``), 0 for none."""
    if _is_apart(symbols, start, stop) and start >= 2 and is_digit(symbols, start - 2, stop):
        return 0
    end = start + 1
    while end - start < 2 * _MOST_APART and _is_apart(symbols, end + 1, stop):
        end += 2
    joined = end + 1 < stop and symbols[end] == _SPACE and is_digit(symbols, end + 1, stop)
    return 0 if joined or end == start + 1 else end


@inner
def read_digits_apart(symbols, start, end):  # type: ignore[no-untyped-def]
    """``read_number`` for the digits apart ``symbols[start:end]``."""
    value, width, flags = _value(symbols, start, end)
    return end, value, width, 0, flags


@inner
def _lakh_end(symbols, end, stop):  # type: ignore[no-untyped-def]
    """The end of Indian grouping behind the first digits of a number (``1,00,000``), 0 when it is not there."""
    position = end
    while (
        position + 2 < stop and symbols[position] == _COMMA and digits_end(symbols, position + 1, stop) == position + 3
    ):
        position += 3
    group = _separator_end(symbols, position, stop) if position > end and symbols[position] == _COMMA else 0
    return group + 3 if group else 0


@inner
def read_number(symbols, start, end, stop):  # type: ignore[no-untyped-def]
    """The number that begins with the digit run ``symbols[start:end]``: ``(end, value, width, points, flags)``.

    ``width`` counts significant digits; past ``MAX_DIGITS`` the value is not exact. ``points`` is 0 for an integer
    (also one with an all-zero fraction, such as 76.0), 1 for a decimal, more for a version or an address.
    """
    grouped = False
    if end - start <= 3 and end < stop:
        separator = symbols[end]
        group = _separator_end(symbols, end, stop)
        while group and symbols[end] == separator:
            end, grouped = group + 3, True
            group = _separator_end(symbols, end, stop)
        lakhs = _lakh_end(symbols, end, stop) if end - start <= 2 and separator == _COMMA else 0
        if lakhs:
            end, grouped = lakhs, True
    value, width, flags = _value(symbols, start, end)
    if grouped:
        flags |= GROUPED_BIT
    points, fraction = 0, 0
    while end < stop and symbols[end] == _POINT and is_digit(symbols, end + 1, stop):
        first = end + 1
        end = digits_end(symbols, first, stop)
        points += 1
        for position in range(first, end):
            fraction |= symbols[position] & 15
    if points == 1 and fraction == 0:
        points = 0
        flags |= ZERO_FRACTION_BIT
    return end, value, width, points, flags


@inner
def _joins_date(symbols, position, stop):  # type: ignore[no-untyped-def]
    """The kind of date separator between two digits at ``position``: ``MINUS``, ``DIVIDE`` or 0."""
    if position >= stop or not is_digit(symbols, position + 1, stop):
        return 0
    operator = _OPERATORS[symbols[position]]
    return operator if operator in (_MINUS, _DIVIDE) else 0


@inner
def _is_day_and_month(one, other):  # type: ignore[no-untyped-def]
    return (1 <= one <= 12 and 1 <= other <= 31) or (1 <= one <= 31 and 1 <= other <= 12)


@inner
def _read_part(symbols, start, stop):  # type: ignore[no-untyped-def]
    """A digit run of at most four as one part of a date: ``(width, value, end)``; width 0 for any other."""
    end = digits_end(symbols, start, min(stop, start + 5))
    value, _, _ = _value(symbols, start, end)
    return (end - start if end - start <= 4 else 0), value, end


@inner
def _is_padded(width, value):  # type: ignore[no-untyped-def]
    """Whether one of the parts of a date is a number under ten with a zero before it."""
    padded = False
    for part in range(3):
        padded |= width[part] == 2 and value[part] < 10
    return padded


@inner
def _is_term(symbols, start, end, stop):  # type: ignore[no-untyped-def]
    """Whether ``symbols[start:end]`` stands alone in brackets, or behind an equals sign: 6/2/10 is computed there."""
    if start > 0 and end < stop:
        opening, closing = symbols[start - 1], symbols[end]
        if opening == _OPEN_ROUND and closing == _CLOSE_ROUND:
            return True
        if opening == _OPEN_SQUARE and closing == _CLOSE_SQUARE:
            return True
    while start > 0 and _KINDS[symbols[start - 1]] & _SPACE_KIND:
        start -= 1
    return start > 0 and symbols[start - 1] == _EQUALS


@inner
def _is_date(width, value, separator):  # type: ignore[no-untyped-def]
    """Whether three parts, given as tuples of widths and values, can be a date (see ``date_end``)."""
    padded = _is_padded(width, value)
    if width[0] == 4 and width[1] <= 2 and width[2] <= 2:
        return 1 <= value[1] <= 12 and 1 <= value[2] <= 31 and (padded or 1900 <= value[0] <= 2099)
    if width[0] > 2 or width[1] > 2 or not _is_day_and_month(value[0], value[1]):
        return False
    if width[2] == 4:
        return padded or 1000 <= value[2] <= 2999
    return width[2] == 2 and (padded or separator == _DIVIDE)


@inner
def _month_end(symbols, start, stop):  # type: ignore[no-untyped-def]
    """The end of a zero-padded month (01 to 09) with no digit and no further part behind it, 0 for anything else."""
    width, value, end = _read_part(symbols, start, stop)
    return end if width == 2 and 1 <= value <= 9 and _joins_date(symbols, end, stop) == 0 else 0


@inner
def meets_equals(symbols, position, stop):  # type: ignore[no-untyped-def]
    """Whether an equals sign follows, spaces aside: what looks like a date is then the side of an equation."""
    while position < stop and _KINDS[symbols[position]] & _SPACE_KIND:
        position += 1
    return position < stop and symbols[position] == _EQUALS


@inner
def date_end(symbols, start, first_end, stop):  # type: ignore[no-untyped-def]
    """The end of the date whose first digit run is ``symbols[start:first_end]``, 0 when it is none.

    Dates are year-month-day, day and month in any order and a year, or a year and a zero-padded month, without spaces,
    with hyphens or slashes. Where
    the digits could as well be a chain (``1500-10-20``, ``30-12-10``), only a zero-padded part or a year from 1900 to
    2099 makes a date, and an equals sign behind it unmakes it.
    """
    separator = _joins_date(symbols, first_end, stop)
    if separator == 0:
        return 0
    width, value, end = _read_part(symbols, start, stop)
    month = _month_end(symbols, end + 1, stop)
    if (
        width == 4
        and separator == _MINUS
        and month
        and 1000 <= value <= 2999
        and not meets_equals(symbols, month, stop)
    ):
        return month
    width_2, value_2, end_2 = _read_part(symbols, end + 1, stop)
    if width == 0 or width == 3 or width_2 == 0 or _joins_date(symbols, end_2, stop) != separator:
        return 0
    width_3, value_3, end_3 = _read_part(symbols, end_2 + 1, stop)
    if width_3 == 0 or _joins_date(symbols, end_3, stop) == separator:
        return 0
    if not _is_date((width, width_2, width_3), (value, value_2, value_3), separator):
        return 0
    is_short = width_3 == 2 and width <= 2 and not _is_padded((width, width_2, width_3), (value, value_2, value_3))
    if is_short and _is_term(symbols, start, end_3, stop):
        return 0
    return 0 if meets_equals(symbols, end_3, stop) else end_3
