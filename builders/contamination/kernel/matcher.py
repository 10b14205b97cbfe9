"""Find every ``a op b`` in a column of texts."""

import numpy as np

from . import alphabet as a
from .context import judge_left, judge_right
from .gaps import is_mark, meets_percent, skip_gap, skip_gap_back, skip_marks
from .jit import compiled, inlined, inner, pointer_at
from .joins import read_join
from .normalise import AS_IT_IS, NO_DIGIT, survey, write_symbols
from .numbers import (
    date_end,
    digits_apart_end,
    digits_end,
    meets_equals,
    next_digit,
    read_digits_apart,
    read_number,
)
from .operands import close_right, may_be_wrapped, open_right, unwrap
from .operators import may_continue, read_operator
from .phrases import find_call

_KINDS, _DIGIT_KIND, _CURRENCY_KIND, _OPEN_BRACE = a.KINDS, a.DIGIT_KIND, a.CURRENCY_KIND, ord("{")
_PLUS, _TIMES, _DIVIDE, _MAX_DIGITS, _SHIFT = a.PLUS, a.TIMES, a.DIVIDE, a.MAX_DIGITS, a.OPERATOR_SHIFT
_ACCEPTED, _CHAINED_VERDICT, _LARGER = a.ACCEPTED, a.ACCEPTED_CHAINED, a.LARGER_FIRST
_TOO_WIDE, _DECIMAL, _VERSION, _IDENTIFIER, _TIME, _NEGATIVE, _DATE = (
    *(a.TOO_WIDE, a.DECIMAL, a.VERSION, a.IDENTIFIER),
    *(a.TIME, a.NEGATIVE, a.DATE),
)
_MARKED, _CHAINED, _LETTER_X, _LATEX_FORM, _FRACTION = a.MARKED, a.CHAINED, a.LETTER_X, a.LATEX_FORM, a.FRACTION
_FULLWIDTH, _GROUPED, _ZERO_FRACTION = a.FULLWIDTH, a.GROUPED, a.ZERO_FRACTION
_UNIT, _PHRASE, _CALL, _SPACED, _DEGREE = a.UNIT, a.PHRASE, a.CALL, a.SPACED_DIGITS, a.DEGREE
_PERCENT, _ZERO, _TWO = b"%02"

# What a scan carries from one call to the next: the row, where in its text to go on, the digit that begins the right
# operand of the last pair, the digit from which a number is to be read as written though digits apart follow, the
# length of the row's symbols or one of the two marks below, lines passed, where they were counted to.
ROW, POSITION, EXPECTED, LITERAL, LENGTH, LINES, COUNTED = range(7)
STATE_SIZE = 7
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
def _order(code, left, right):  # type: ignore[no-untyped-def]
    """Operator, left and right operand of an operation as read (see ``alphabet.LARGER_FIRST``)."""
    if code >= _LARGER:
        code -= _LARGER
        if left < right:
            left, right = right, left
    elif code < 0:
        code, left, right = -code, right, left
    return code, left, right


@inner
def _no_pair(verdict, end):  # type: ignore[no-untyped-def]
    return verdict, end, -1, np.int64(0), np.int64(0), 0, False


@inner
def _read_sign(symbols, outer_left, outer_right, stop):  # type: ignore[no-untyped-def]
    """The sign or word behind a left number, and what belongs to it.

    ``(operation, form, end, where marks end, percent, where brackets begin)``; a fraction begins with its macro.
    """
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
    return code, form, after, outer_right, percent, outer_left


@inner
def _read_right(symbols, start, stop, apart):  # type: ignore[no-untyped-def]
    """The right operand that begins at ``start``: ``(end, value, width, points, flags, is apart)``."""
    end = digits_apart_end(symbols, start, stop) if apart else 0
    if end:
        end, value, width, points, flags = read_digits_apart(symbols, start, end)
        return end, value, width, points, flags, True
    end, value, width, points, flags = read_number(symbols, start, digits_end(symbols, start, stop), stop)
    return end, value, width, points, flags, False


@inner
def _read_pair(symbols, digit, run_end, stop, expected, literal):  # type: ignore[no-untyped-def]
    """The pair whose left operand begins with the digit run ``symbols[digit:run_end]``.

    ``(verdict, left end, right digit, packed, right, surface, is apart)``; right digit -1 when there is no pair, and
    then the verdict is ``NEGATIVE`` for one with a negative right operand. Digits apart are read as one number unless
    ``literal``; left end is then the last of them, from which the same text is read once more as it is written.
    """
    apart = run_end == digit + 1 and not literal
    apart_end = digits_apart_end(symbols, digit, stop) if apart else 0
    if apart_end:
        left_end, left, left_width, left_points, flags = read_digits_apart(symbols, digit, apart_end)
    else:
        left_end, left, left_width, left_points, flags = read_number(symbols, digit, run_end, stop)
    outer_left, outer_right = digit, left_end
    if may_be_wrapped(symbols, left_end, stop):
        outer_left, outer_right = unwrap(symbols, digit, left_end, stop)
    code, form, after, marks_end, percent, wider_left = _read_sign(symbols, outer_left, outer_right, stop)
    right_digit, parens, braces, negative = open_right(symbols, after, stop) if code else (-1, 0, 0, False)
    if right_digit < 0 and not negative and wider_left == outer_left:
        call_end = left_end
        if flags >> _GROUPED & 1 and left_points == 0 and find_call(symbols, digit):
            outer_left, outer_right, call_end = digit, run_end, run_end  # multiply(12,345) has two arguments
            wider_left = digit
        joined, form, after, wider_left = read_join(symbols, run_end, outer_left, outer_right, stop)
        if joined:
            if call_end < left_end:
                left_end, left, left_width, left_points, flags = read_digits_apart(symbols, digit, run_end)
            code, marks_end, percent = joined, outer_right, False
            right_digit, parens, braces, negative = open_right(symbols, after, stop)
    outer_left, outer_right = wider_left, marks_end
    if right_digit < 0:
        return _no_pair(_NEGATIVE if negative else _ACCEPTED, run_end if apart_end else left_end)
    right_end, right, right_width, right_points, more, right_apart = _read_right(symbols, right_digit, stop, apart)
    if apart_end and not right_apart and right_end > right_digit + 1:
        return _no_pair(_ACCEPTED, run_end)  # 1 2 + 34: only one of them is apart
    has_unit = form in (_UNIT, _PHRASE)
    closed = close_right(symbols, right_end, stop, parens, braces, has_unit)
    if closed < 0 or (percent and not meets_percent(symbols, closed, stop)):
        return _no_pair(_ACCEPTED, run_end if apart_end else left_end)
    verdict = _judge_values(left_width, left_points, right_width, right_points)
    if form == _LETTER_X and left_end == digit + 1 and left == 0 and right_digit == digit + 2:
        return _no_pair(_IDENTIFIER, left_end)  # hexadecimal: 0x10
    chained = digit == expected
    scales = abs(code) % _LARGER in (_TIMES, _DIVIDE)
    if verdict == _ACCEPTED and not chained and form != _PHRASE and form != _CALL:
        while outer_left > 0 and _KINDS[symbols[outer_left - 1]] & _CURRENCY_KIND:
            outer_left -= 1
        verdict = judge_left(symbols, digit, outer_left, stop, scales)
        if verdict == _TIME and (scales or meets_equals(symbols, closed, stop)):
            verdict = _ACCEPTED  # "Day 2:56/2": a label, for nobody divides a clock time
        chained = verdict == _CHAINED_VERDICT
    if verdict < 0:
        verdict = judge_right(symbols, right, right_end, closed, stop, has_unit or scales)
    code, left, right = _order(code, left, right)
    packed, right = pack_key(code, left, right)
    marked = outer_right > left_end or closed > right_end
    is_apart = apart_end > 0 or right_apart
    if is_apart:
        form = np.int64(_SPACED)
    elif form == 0 and (symbols[left_end] == _DEGREE or (right_end < stop and symbols[right_end] == _DEGREE)):
        form = np.int64(_UNIT)
    left_end = apart_end - 1 if apart_end else digit if right_apart else left_end
    return verdict, left_end, right_digit, packed, right, _surface(form, flags | more, marked, chained), is_apart


@inlined
def match_symbols(symbols, stop, row, state, out, surfaces, left_out, count):  # type: ignore[no-untyped-def]
    """Append the pairs of ``symbols[:stop]`` to ``out`` until its end or until ``out`` is full; the new count.

    ``state`` says where to go on; its ``POSITION`` is ``stop`` when the text is done.
    """
    packed_out, right_out, row_out, surface_out = out
    position, expected, literal = state[POSITION], state[EXPECTED], state[LITERAL]
    while position < stop and count < packed_out.size:
        if _KINDS[symbols[position]] & _DIGIT_KIND == 0:
            position = next_digit(symbols, position + 1, stop)
            continue
        run_end = digits_end(symbols, position, stop)
        if not may_continue(symbols, position, run_end, stop):
            position = run_end
            continue
        if position > 0 and symbols[position - 1] == _PERCENT and run_end >= position + 2:
            is_space = symbols[position] == _TWO and symbols[position + 1] == _ZERO
            if is_space:  # in percent code: %2012
                position += 2
                continue
        end = date_end(symbols, position, run_end, stop)
        if end:
            left_out[_DATE] += 1
            position, expected = end, -1
            continue
        verdict, end, right_digit, packed, right, surface, is_apart = _read_pair(
            symbols, position, run_end, stop, expected, position == literal
        )
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
        if is_apart:
            literal = expected = end
    state[POSITION], state[EXPECTED], state[LITERAL] = position, expected, literal
    return count


@compiled
def match_rows(addresses, lengths, rows, by_line, characters, scratch, state, out, surfaces, left_out):  # type: ignore[no-untyped-def]
    """Scan the texts from ``state[ROW]`` on; the number of pairs written to ``out``.

    Text ``i`` is the ``lengths[i]`` bytes at ``addresses[i]``; ``rows[i]`` is the row its pairs are reported under,
    plus the newlines before the pair when ``by_line``. Stops when ``out`` is full; ``state[ROW]`` is ``lengths.size``
    when all texts are done. ``characters`` is the address of ``character_table``, ``scratch`` that of room for the
    symbols of the longest text.
    """
    count = np.int64(0)  # a literal would compile the matcher twice
    while state[ROW] < lengths.size:
        row = state[ROW]
        text, stop = pointer_at(addresses[row]), lengths[row]
        if state[LENGTH] == NOT_BEGUN:
            needs = survey(text, stop)
            if needs == NO_DIGIT:
                state[ROW] += 1
                continue
            plain = needs == AS_IT_IS
            state[LENGTH] = (
                AS_WRITTEN if plain else write_symbols(text, stop, pointer_at(characters), pointer_at(scratch))
            )
            state[POSITION], state[EXPECTED], state[LITERAL], state[LINES] = 0, -1, -1, 0
            state[COUNTED] = 0 if by_line else stop
        if state[LENGTH] != AS_WRITTEN:
            text, stop = pointer_at(scratch), state[LENGTH]
        count = match_symbols(text, stop, rows[row], state, out, surfaces, left_out, count)
        if state[POSITION] < stop:
            break
        state[ROW] += 1
        state[LENGTH] = NOT_BEGUN
    return count
