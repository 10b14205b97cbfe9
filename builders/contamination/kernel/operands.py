"""Find the brackets and marks around an operand that stands alone in them."""

from . import alphabet as a
from .gaps import emphasis_end, skip_gap, skip_gap_back, tag_end
from .jit import inner
from .numbers import is_digit
from .units import MOST_WORDS, unit_word_end

_KINDS, _OPERATORS, _SPACE_KIND, _CURRENCY_KIND = a.KINDS, a.OPERATORS, a.SPACE_KIND, a.CURRENCY_KIND
_WORD_KIND = a.LETTER_KIND | a.DIGIT_KIND
_VALUE_KIND = a.DIGIT_KIND | a.CLOSING_KIND
_MINUS = a.MINUS
_OPEN, _CLOSE, _OPEN_BRACE, _CLOSE_BRACE, _POINT, _BAR, _LESS, _QUOTE, _APOSTROPHE, _AMPERSAND, _PLUS_SIGN = (
    b"(){}.|<\"'&+"
)
_DEGREE, _LETTER_KIND = a.DEGREE, a.LETTER_KIND


@inner
def has_kind(symbols, position, kind):  # type: ignore[no-untyped-def]
    """Whether the symbol at ``position`` exists (is not before the text) and can play one of the roles ``kind``."""
    return position >= 0 and _KINDS[symbols[position]] & kind != 0


@inner
def may_be_wrapped(symbols, right, stop):  # type: ignore[no-untyped-def]
    """Whether what follows a number can close something around it: the quick test before ``unwrap``."""
    if right >= stop:
        return False
    symbol = symbols[right]
    if _KINDS[symbol] & _SPACE_KIND:
        right = skip_gap(symbols, right, stop)
        return right < stop and (symbols[right] == _CLOSE or symbols[right] == _CLOSE_BRACE)
    return _KINDS[symbol] & _WORD_KIND == 0 and _OPERATORS[symbol] != _MINUS and symbol != _POINT


@inner
def unwrap(symbols, left, right, stop):  # type: ignore[no-untyped-def]
    """Widen ``[left, right)`` over the pairs of brackets or marks that hold this number alone, and a currency sign."""
    for _ in range(4):
        before, after = skip_gap_back(symbols, left) - 1, skip_gap(symbols, right, stop)
        if before > 0 and before == left - 1 and symbols[before] == _PLUS_SIGN and symbols[before - 1] == _OPEN:
            before -= 1  # (+12)
        if before >= 0 and after < stop:
            opening, closing = symbols[before], symbols[after]
            if (opening == _OPEN and closing == _CLOSE) or (opening == _OPEN_BRACE and closing == _CLOSE_BRACE):
                left, right = before, after + 1
                continue
            around = opening in (_BAR, _QUOTE, _APOSTROPHE)
            if around and opening == closing and before == left - 1 and after == right:
                left, right = before, after + 1
                continue
        end = emphasis_end(symbols, right, stop)
        width = end - right
        if width and left - width >= 0 and symbols[left - width] == symbols[right]:
            opening = left - width
            alone = emphasis_end(symbols, opening, stop) == left
            if alone and not has_kind(symbols, opening - 1, _VALUE_KIND):
                left, right = opening, end
                continue
        wider_left = left - 1 if has_kind(symbols, left - 1, _CURRENCY_KIND) else left
        marked = right < stop and (_KINDS[symbols[right]] & _CURRENCY_KIND or symbols[right] == _DEGREE)
        wider_right = right + 1 if marked else right
        if wider_left == left and wider_right == right:
            break
        left, right = wider_left, wider_right
    return left, right


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
    for _ in range(8):
        if position >= stop:
            return -1, parens, braces, False
        symbol = symbols[position]
        if is_digit(symbols, position, stop):
            return position, parens, braces, False
        if symbol in (_OPEN, _OPEN_BRACE):
            parens += symbol == _OPEN
            braces += symbol == _OPEN_BRACE
            position = skip_gap(symbols, position + 1, stop)
        elif _KINDS[symbol] & _CURRENCY_KIND or symbol == _AMPERSAND:
            position = skip_gap(symbols, position + 1, stop)
        elif symbol in (_QUOTE, _APOSTROPHE) and is_digit(symbols, position + 1, stop):
            position += 1
        elif symbol == _PLUS_SIGN and is_digit(symbols, position + 1, stop):
            if has_kind(symbols, skip_gap_back(symbols, position) - 1, _LETTER_KIND):
                return -1, parens, braces, False  # 2x+3
            position += 1
        elif symbol == _LESS:
            end = tag_end(symbols, position, stop, False)
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
def _skip_unit(symbols, position, stop):  # type: ignore[no-untyped-def]
    """The end of the words at ``position``."""
    for word in range(MOST_WORDS):
        at = skip_gap(symbols, position, stop)
        end = unit_word_end(symbols, at, stop, at == position, word == 0)
        if end == at:
            break
        position = end
    return position


@inner
def close_right(symbols, end, stop, parens, braces, with_unit):  # type: ignore[no-untyped-def]
    """The end of the brackets that must close behind a right operand, -1 when they do not: it is not alone in them.

    ``with_unit`` is whether a unit may be in them too.
    """
    position = _skip_unit(symbols, end, stop) if with_unit and (parens or braces) else end
    while parens or braces:
        position = skip_gap(symbols, emphasis_end(symbols, position, stop), stop)
        if position >= stop:
            return -1
        if symbols[position] == _CLOSE and parens:
            parens -= 1
        elif symbols[position] == _CLOSE_BRACE and braces:
            braces -= 1
        elif _KINDS[symbols[position]] & _CURRENCY_KIND == 0 and symbols[position] != _DEGREE:
            return -1
        position += 1
    return position
