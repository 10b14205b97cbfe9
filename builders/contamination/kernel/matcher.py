"""Find every ``a op b`` in a column of texts."""

import numpy as np

from . import alphabet as a
from .context import judge_left, judge_right
from .gaps import is_mark, meets_percent, skip_gap, skip_gap_back, skip_marks
from .jit import compiled, inlined, inner, pointer_at
from .normalise import is_special, write_symbols
from .numbers import date_end, digits_end, meets_equals, read_number
from .operands import close_right, may_be_wrapped, open_right, unwrap
from .operators import may_continue, read_operator

_KINDS, _DIGIT_KIND, _CURRENCY_KIND, _OPEN_BRACE = a.KINDS, a.DIGIT_KIND, a.CURRENCY_KIND, ord("{")
_PLUS, _TIMES, _DIVIDE, _MAX_DIGITS, _SHIFT = a.PLUS, a.TIMES, a.DIVIDE, a.MAX_DIGITS, a.OPERATOR_SHIFT
_ACCEPTED, _CHAINED_VERDICT = a.ACCEPTED, a.ACCEPTED_CHAINED
_TOO_WIDE, _DECIMAL, _VERSION, _IDENTIFIER, _TIME, _NEGATIVE, _DATE = (
    *(a.TOO_WIDE, a.DECIMAL, a.VERSION, a.IDENTIFIER),
    *(a.TIME, a.NEGATIVE, a.DATE),
)
_MARKED, _CHAINED, _LETTER_X, _LATEX_FORM, _FRACTION = a.MARKED, a.CHAINED, a.LETTER_X, a.LATEX_FORM, a.FRACTION
_FULLWIDTH, _GROUPED, _ZERO_FRACTION = a.FULLWIDTH, a.GROUPED, a.ZERO_FRACTION

# What a scan carries from one call to the next: the row, where in its text to go on, the digit that begins the right
# operand of the last pair, the length of the row's symbols or one of the two marks below, lines passed, where they were
# counted to.
ROW, POSITION, EXPECTED, LENGTH, LINES, COUNTED = range(6)
STATE_SIZE = 6
NOT_BEGUN, AS_WRITTEN = -1, -2


@inner
def pack_key(code, left, right):  # type: ignore[no-untyped-def]
    """The semantic key as two integers: operator and left operand in one, right operand in the other."""
    if code in (_PLUS, _TIMES) and left > right:
        left, right = right, left
    return (np.int64(code - 1) << _SHIFT) | left, right


@inner
def _surface(form, flags, marked, chained):  # type: ignore[no-untyped-def]
    """The one surface form an occurrence is counted under: what sets it apart most from ``12+34``."""
    if chained:
        return _CHAINED
    if form > _FULLWIDTH:
        return form
    if form == _FULLWIDTH or flags >> _FULLWIDTH & 1:
        return _FULLWIDTH
    if flags >> _GROUPED & 1:
        return _GROUPED
    if flags >> _ZERO_FRACTION & 1:
        return _ZERO_FRACTION
    return _MARKED if marked else 0


@inner
def _judge_values(left_width, left_points, right_width, right_points):  # type: ignore[no-untyped-def]
    """What the numbers themselves rule out: more than one point, one point, too many digits."""
    if left_points > 1 or right_points > 1:
        return _VERSION
    if left_points or right_points:
        return _DECIMAL
    return _TOO_WIDE if left_width > _MAX_DIGITS or right_width > _MAX_DIGITS else _ACCEPTED


@inner
def _read_pair(symbols, digit, run_end, stop, expected):  # type: ignore[no-untyped-def]
    """The pair whose left operand begins with the digit run ``symbols[digit:run_end]``.

    ``(verdict, left end, right digit, packed, right, surface)``; right digit -1 when there is no pair, and then the
    verdict is ``NEGATIVE`` for one with a negative right operand.
    """
    left_end, left, left_width, left_points, flags = read_number(symbols, digit, run_end, stop)
    outer_left, outer_right = digit, left_end
    if may_be_wrapped(symbols, left_end, stop):
        outer_left, outer_right = unwrap(symbols, digit, left_end, stop)
    code, form, after = read_operator(symbols, outer_right, stop)
    percent = False
    if code == 0 and is_mark(symbols, after, stop):
        outer_right, percent = skip_marks(symbols, outer_right, stop)
        code, form, after = read_operator(symbols, outer_right, stop)
    fraction = skip_gap_back(symbols, outer_left) - 1 if symbols[outer_left] == _OPEN_BRACE else -1
    if fraction >= 0 and symbols[fraction] == _FRACTION:
        outer_left = fraction
        code, form, after = np.int64(_DIVIDE), np.int64(_LATEX_FORM), skip_gap(symbols, outer_right, stop)
        if after >= stop or symbols[after] != _OPEN_BRACE:
            code = np.int64(0)
    if code == 0:
        return _ACCEPTED, left_end, -1, np.int64(0), np.int64(0), 0
    right_digit, parens, braces, negative = open_right(symbols, after, stop)
    if right_digit < 0:
        return (_NEGATIVE if negative else _ACCEPTED), left_end, -1, np.int64(0), np.int64(0), 0
    right_end, right, right_width, right_points, more = read_number(
        symbols, right_digit, digits_end(symbols, right_digit, stop), stop
    )
    closed = close_right(symbols, right_end, stop, parens, braces)
    if closed < 0 or (percent and not meets_percent(symbols, closed, stop)):
        return _ACCEPTED, left_end, -1, np.int64(0), np.int64(0), 0
    verdict = _judge_values(left_width, left_points, right_width, right_points)
    if form == _LETTER_X and left_end == digit + 1 and left == 0 and right_digit == digit + 2:
        return _IDENTIFIER, left_end, -1, np.int64(0), np.int64(0), 0  # hexadecimal: 0x10
    chained = digit == expected
    if verdict == _ACCEPTED and not chained:
        while outer_left > 0 and _KINDS[symbols[outer_left - 1]] & _CURRENCY_KIND:
            outer_left -= 1
        verdict = judge_left(symbols, digit, outer_left, stop)
        if verdict == _TIME and (code in (_TIMES, _DIVIDE) or meets_equals(symbols, closed, stop)):
            verdict = _ACCEPTED  # "Day 2:56/2": a label, for nobody divides a clock time
        chained = verdict == _CHAINED_VERDICT
    if verdict < 0:
        verdict = judge_right(symbols, right_digit, right_end, closed, stop)
    if code < 0:
        code = -code
        if code != _DIVIDE or left < right:
            left, right = right, left
    packed, right = pack_key(code, left, right)
    marked = outer_right > left_end or closed > right_end
    return verdict, left_end, right_digit, packed, right, _surface(form, flags | more, marked, chained)


@inlined
def match_symbols(symbols, stop, row, state, out, surfaces, left_out, count):  # type: ignore[no-untyped-def]
    """Append the pairs of ``symbols[:stop]`` to ``out`` until its end or until ``out`` is full; the new count.

    ``state`` says where to go on; its ``POSITION`` is ``stop`` when the text is done.
    """
    packed_out, right_out, row_out, surface_out = out
    position, expected = state[POSITION], state[EXPECTED]
    while position < stop and count < packed_out.size:
        if _KINDS[symbols[position]] & _DIGIT_KIND == 0:
            position += 1
            continue
        run_end = digits_end(symbols, position, stop)
        if not may_continue(symbols, run_end, stop):
            position = run_end
            continue
        end = date_end(symbols, position, run_end, stop)
        if end:
            left_out[_DATE] += 1
            position, expected = end, -1
            continue
        verdict, end, right_digit, packed, right, surface = _read_pair(symbols, position, run_end, stop, expected)
        if right_digit >= 0:
            expected = right_digit
        if verdict >= 0:
            left_out[verdict] += 1
        elif right_digit >= 0:
            while state[COUNTED] < position:
                state[LINES] += symbols[state[COUNTED]] == 10
                state[COUNTED] += 1
            packed_out[count], right_out[count] = packed, right
            row_out[count], surface_out[count] = row + state[LINES], surface
            surfaces[surface] += 1
            count += 1
        position = end
    state[POSITION], state[EXPECTED] = position, expected
    return count


@compiled
def match_rows(addresses, lengths, rows, by_line, tables, scratch, state, out, surfaces, left_out):  # type: ignore[no-untyped-def]
    """Scan the texts from ``state[ROW]`` on; the number of pairs written to ``out``.

    Text ``i`` is the ``lengths[i]`` bytes at ``addresses[i]``; ``rows[i]`` is the row its pairs are reported under,
    plus the newlines before the pair when ``by_line``. Stops when ``out`` is full; ``state[ROW]`` is ``lengths.size``
    when all texts are done. ``scratch`` is the address of room for the symbols of the longest text.
    """
    count = np.int64(0)  # a literal would compile the matcher twice
    while state[ROW] < lengths.size:
        row = state[ROW]
        text, stop = pointer_at(addresses[row]), lengths[row]
        if state[LENGTH] == NOT_BEGUN:
            special = is_special(text, stop)
            state[LENGTH] = write_symbols(text, stop, tables, pointer_at(scratch)) if special else AS_WRITTEN
            state[POSITION], state[EXPECTED], state[LINES] = 0, -1, 0
            state[COUNTED] = 0 if by_line else stop
        if state[LENGTH] != AS_WRITTEN:
            text, stop = pointer_at(scratch), state[LENGTH]
        count = match_symbols(text, stop, rows[row], state, out, surfaces, left_out, count)
        if state[POSITION] < stop:
            break
        state[ROW] += 1
        state[LENGTH] = NOT_BEGUN
    return count
