"""Judge from its surroundings whether a pair of operands is an expression, part of a chain, or something else."""

from . import alphabet as a
from .gaps import emphasis_end, skip_gap, skip_gap_back
from .jit import inner
from .numbers import digits_end, is_digit
from .operands import has_kind, open_right
from .operators import read_operator
from .units import is_attached_unit

_KINDS, _OPERATORS = a.KINDS, a.OPERATORS
_DIGIT_KIND, _SPACE_KIND, _NEWLINE_KIND, _LETTER_KIND = a.DIGIT_KIND, a.SPACE_KIND, a.NEWLINE_KIND, a.LETTER_KIND
_HYPHEN_KIND, _ATTACHED_KIND = a.HYPHEN_KIND, a.ATTACHED_KIND
_WORD_KIND = a.LETTER_KIND | a.DIGIT_KIND
_TERM_KIND = a.LETTER_KIND | a.DIGIT_KIND | a.CLOSING_KIND
_VALUE_KIND = a.DIGIT_KIND | a.CLOSING_KIND
_EM_DASH, _EM_DASH_HTML, _OTHER, _MINUS = a.EM_DASH, a.EM_DASH_HTML, a.OTHER, a.MINUS
_ACCEPTED, _CHAINED = a.ACCEPTED, a.ACCEPTED_CHAINED
_DECIMAL, _VERSION, _IDENTIFIER, _POWER, _TIME, _NEGATIVE = (
    *(a.DECIMAL, a.VERSION, a.IDENTIFIER),
    *(a.POWER, a.TIME, a.NEGATIVE),
)
_STAR, _UNDERSCORE, _POINT, _COLON, _OPEN, _OPEN_BRACE, _CARET, _E, _SPACE, _HYPHEN, _PERCENT = b"*_.:({^e -%"
_LAST_HOUR = 24


@inner
def _is_clock_part(symbols, digit, stop):  # type: ignore[no-untyped-def]
    """Whether the two digits at ``digit`` are minutes, behind a colon and an hour up to 24, or seconds."""
    if not (has_kind(symbols, digit - 2, _DIGIT_KIND) and symbols[digit - 1] == _COLON):
        return False
    if digits_end(symbols, digit, stop) != digit + 2 or symbols[digit] & 15 > 5:
        return False
    tens = digit - 3
    if not has_kind(symbols, tens, _DIGIT_KIND):
        return True
    if has_kind(symbols, tens - 1, _DIGIT_KIND):
        return False
    hour = (symbols[tens] & 15) * 10 + (symbols[digit - 2] & 15)
    return hour <= _LAST_HOUR or (tens > 0 and symbols[tens - 1] == _COLON)


@inner
def _judge_attached(symbols, digit, stop):  # type: ignore[no-untyped-def]
    """What the symbol directly before a left operand makes of it: a reason, or ``ACCEPTED``."""
    if digit == 0:
        return _ACCEPTED
    symbol = symbols[digit - 1]
    if _KINDS[symbol] & _LETTER_KIND:
        coded = digit >= 3 and symbols[digit - 3] == _PERCENT and has_kind(symbols, digit - 2, _DIGIT_KIND)
        return _ACCEPTED if coded else _IDENTIFIER  # %3D12
    if symbol == _UNDERSCORE:
        return _IDENTIFIER if has_kind(symbols, digit - 2, _WORD_KIND) else _ACCEPTED
    if _KINDS[symbol] & _ATTACHED_KIND:
        return _POWER
    if symbol == _POINT:
        # ".5" is a decimal; "end.5" and "...5" begin a number after a full stop.
        follows_text = has_kind(symbols, digit - 2, _TERM_KIND) or (
            digit - 2 >= 0 and (symbols[digit - 2] == _POINT or symbols[digit - 2] == _OTHER)
        )
        return _ACCEPTED if follows_text else _DECIMAL
    if symbol == _COLON and digit >= 2 and symbols[digit - 2] == _COLON:
        return _VERSION  # the end of an IPv6 address
    return _TIME if _is_clock_part(symbols, digit, stop) else _ACCEPTED


@inner
def _judge_wrapped(symbols, left):  # type: ignore[no-untyped-def]
    """What stands before the bracket that opens at ``left``: a function's name, a power sign, or nothing of note."""
    if symbols[left] != _OPEN and symbols[left] != _OPEN_BRACE:
        return _ACCEPTED
    if has_kind(symbols, left - 1, _LETTER_KIND):
        return _IDENTIFIER
    if left > 0 and symbols[left - 1] == _UNDERSCORE:
        return _IDENTIFIER
    return _POWER if has_kind(symbols, left - 1, _ATTACHED_KIND) else _ACCEPTED


@inner
def _judge_minus(symbols, left, minus):  # type: ignore[no-untyped-def]
    """What a minus sign at ``minus`` makes of the operand at ``left``: negative, the next of a chain, a list item."""
    sign = symbols[minus]
    attached = minus == left - 1
    doubled = minus > 0 and sign == _HYPHEN and symbols[minus - 1] == sign
    while minus > 0 and doubled and symbols[minus - 1] == sign:
        minus -= 1
    joins_word = doubled and has_kind(symbols, minus - 1, _LETTER_KIND)
    is_dash = sign in (_EM_DASH, _EM_DASH_HTML) or (doubled and not attached) or joins_word
    term = skip_gap_back(symbols, minus) - 1
    at_line_start = term < 0 or _KINDS[symbols[term]] & _NEWLINE_KIND != 0
    if not at_line_start and _KINDS[symbols[term]] & _VALUE_KIND:
        return _CHAINED
    if is_dash:
        return _ACCEPTED
    if not at_line_start and _KINDS[symbols[term]] & _LETTER_KIND:
        if attached:
            return _IDENTIFIER if term == minus - 1 else _NEGATIVE
        return _CHAINED
    if at_line_start and not attached and _KINDS[sign] & _HYPHEN_KIND:
        return _ACCEPTED
    return _NEGATIVE


@inner
def _is_exponent_mark(symbols, position):  # type: ignore[no-untyped-def]
    """Whether the e of a number such as 1e+5 stands at ``position``."""
    return position >= 1 and symbols[position] | 32 == _E and _KINDS[symbols[position - 1]] & _DIGIT_KIND != 0


@inner
def _judge_scaled(symbols, minus):  # type: ignore[no-untyped-def]
    """What a minus sign makes of the left operand of a product or quotient: ``x-12*34`` computes 12*34 all the same."""
    term = skip_gap_back(symbols, minus) - 1
    if term >= 0 and symbols[term] == _CARET:
        return _POWER
    if term == minus - 1 and _is_exponent_mark(symbols, term):
        return _IDENTIFIER
    at_line_start = term < 0 or _KINDS[symbols[term]] & _NEWLINE_KIND != 0
    return _CHAINED if not at_line_start and _KINDS[symbols[term]] & _VALUE_KIND else _ACCEPTED


@inner
def _judge_star(symbols, left, star):  # type: ignore[no-untyped-def]
    """What an asterisk at ``star`` makes of the operand at ``left``: emphasis, an exponent or a factor."""
    first = star
    while first > 0 and symbols[first - 1] == _STAR:
        first -= 1
    term = skip_gap_back(symbols, first) - 1
    if not has_kind(symbols, term, _TERM_KIND) or (star == left - 1 and term < first - 1):
        return _ACCEPTED
    return _POWER if first < star else _CHAINED


@inner
def judge_left(symbols, digit, left, stop, scales):  # type: ignore[no-untyped-def]
    """``ACCEPTED``, ``ACCEPTED_CHAINED`` or the reason to leave out, from what stands before a left operand.

    ``digit`` is the operand's first digit, ``left`` where its brackets and marks begin; ``scales`` is whether it is
    multiplied or divided.
    """
    if left == digit and digit >= 2 and symbols[digit - 1] == _SPACE:
        symbol = symbols[digit - 2]
        if _OPERATORS[symbol] == 0 and symbol != _CARET and _KINDS[symbol] & _SPACE_KIND == 0:
            return _ACCEPTED  # the usual case: a space, and no sign before it
    verdict = _judge_attached(symbols, digit, stop)
    if verdict != _ACCEPTED:
        return verdict
    if left < digit:
        verdict = _judge_wrapped(symbols, left)
        if verdict != _ACCEPTED:
            return verdict
    before = skip_gap_back(symbols, left) - 1
    if before < 0 or _KINDS[symbols[before]] & _NEWLINE_KIND:
        return _ACCEPTED
    operator = _OPERATORS[symbols[before]]
    if operator == _MINUS:
        return _judge_scaled(symbols, before) if scales else _judge_minus(symbols, left, before)
    if symbols[before] == _STAR:
        return _judge_star(symbols, left, before)
    if symbols[before] == _CARET:
        return _POWER
    if operator:
        if before == left - 1 and _is_exponent_mark(symbols, before - 1):
            return _IDENTIFIER
        term = skip_gap_back(symbols, before) - 1
        return _CHAINED if has_kind(symbols, term, _TERM_KIND) else _ACCEPTED
    return _ACCEPTED


@inner
def _is_power(symbols, position, stop):  # type: ignore[no-untyped-def]
    """Whether what follows an operand raises it: a caret, a superscript, or ``**`` and another operand."""
    if position < stop and _KINDS[symbols[position]] & _ATTACHED_KIND:
        return True
    spaced = skip_gap(symbols, position, stop)
    if spaced >= stop:
        return False
    if symbols[spaced] == _CARET:
        return True
    if symbols[spaced] != _STAR or emphasis_end(symbols, spaced, stop) != spaced + 2:
        return False
    base = spaced + 2
    if spaced > position:
        base = skip_gap(symbols, base, stop)
    return is_digit(symbols, base, stop)


@inner
def judge_right(symbols, value, end, closed, stop, with_unit):  # type: ignore[no-untyped-def]
    """``ACCEPTED`` or the reason to leave out, from what follows a right operand.

    ``end`` is where its digits end, ``closed`` where its brackets do; ``with_unit`` is whether it may have a unit: the
    left one has, or it is a factor.
    """
    if end >= stop:
        return _ACCEPTED
    if _is_power(symbols, end, stop) or (closed > end and _is_power(symbols, closed, stop)):
        return _POWER
    symbol = symbols[end]
    if _KINDS[symbol] & _LETTER_KIND:
        if with_unit and is_attached_unit(symbols, end, stop):
            return _ACCEPTED
        code, _, after = read_operator(symbols, end, stop)
        follows = code != 0 and open_right(symbols, after, stop)[0] >= 0
        return _ACCEPTED if follows else _IDENTIFIER
    if symbol == _UNDERSCORE and end + 1 < stop and _KINDS[symbols[end + 1]] & _WORD_KIND:
        return _IDENTIFIER
    if symbol == _COLON and digits_end(symbols, end + 1, stop) == end + 3:
        return _TIME if value <= _LAST_HOUR and symbols[end + 1] & 15 <= 5 else _ACCEPTED
    return _ACCEPTED
