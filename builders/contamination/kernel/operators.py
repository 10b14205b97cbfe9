"""Read the operator between two operands, in signs or in words."""

import numpy as np

from . import alphabet as a
from .gaps import emphasis_end, read_quote, skip_gap, skip_gap_back
from .jit import inner
from .names import make_finder, word_end
from .numbers import is_digit
from .phrases import is_listing_word
from .units import LEADS, words_lead_on

# Word operators; a space stands for any gap. The second value is the operation as in ``alphabet.LARGER_FIRST``
# ("divided into" is said both ways).
WORDS = {
    "add": a.PLUS,
    "added to": a.PLUS,
    "added with": a.PLUS,
    "divide": a.DIVIDE,
    "divide by": a.DIVIDE,
    "divided by": a.DIVIDE,
    "divided evenly by": a.DIVIDE,
    "combined with": a.PLUS,
    "deducted from": -a.MINUS,
    "decreased by": a.MINUS,
    "diminished by": a.MINUS,
    "divided among": a.DIVIDE,
    "divided between": a.DIVIDE,
    "divided equally among": a.DIVIDE,
    "divided equally between": a.DIVIDE,
    "divided equally by": a.DIVIDE,
    "divided equally into": a.DIVIDE + a.LARGER_FIRST,
    "divided into groups of": a.DIVIDE,
    "divided into": a.DIVIDE + a.LARGER_FIRST,
    "fewer than": -a.MINUS,
    "go into": a.DIVIDE + a.LARGER_FIRST,
    "goes into": a.DIVIDE + a.LARGER_FIRST,
    "groups of": a.TIMES,
    "in addition to": a.PLUS,
    "in groups of": a.DIVIDE,
    "increased by": a.PLUS,
    "less": a.MINUS,
    "less than": -a.MINUS,
    "lots of": a.TIMES,
    "more than": a.PLUS,
    "minus": a.MINUS,
    "multiplied by": a.TIMES,
    "multiplied with": a.TIMES,
    "multiply": a.TIMES,
    "multiply by": a.TIMES,
    "over": a.DIVIDE,
    "plus": a.PLUS,
    "reduced by": a.MINUS,
    "shared among": a.DIVIDE,
    "shared between": a.DIVIDE,
    "shared equally among": a.DIVIDE,
    "shared equally between": a.DIVIDE,
    "split among": a.DIVIDE,
    "split between": a.DIVIDE,
    "split into groups of": a.DIVIDE,
    "subtract": a.MINUS,
    "subtracted from": -a.MINUS,
    "take away": a.MINUS,
    "take-away": a.MINUS,
    "taken away from": -a.MINUS,
    "taken from": -a.MINUS,
    "takeaway": a.MINUS,
    "together with": a.PLUS,
    "times": a.TIMES,
    "times by": a.TIMES,
}
# What may stand before a word operator that says what is or was done: "48 is divided by 4", "12 and then divided by".
AUXILIARIES = ("is", "are", "was", "were", "be", "and", "then")
PARTICIPLES = (
    *("added", "combined", "decreased", "deducted", "diminished", "divided", "increased", "multiplied", "reduced"),
    *("shared", "split", "subtracted", "taken"),
)
_MOST_AUXILIARIES = 2
# The words that begin with a letter stand together, the longest first: "less than" is not "less".
_ORDERED = sorted(WORDS, key=lambda word: (word[0], -len(word), word))
_WORD_BYTES = np.frombuffer("".join(_ORDERED).encode(), dtype=np.uint8)
_WORD_ENDS = np.cumsum([0, *map(len, _ORDERED)])
_WORD_CODES = np.array([WORDS[word] for word in _ORDERED], dtype=np.int64)
_FIRST_WORDS, _LAST_WORDS = (
    np.searchsorted([ord(word[0]) for word in _ORDERED], np.arange(256), side=side) for side in ("left", "right")
)
_SAYS_WHAT_IS_DONE = np.array([word.split()[0] in PARTICIPLES for word in _ORDERED])
_find_auxiliary = make_finder(AUXILIARIES)

_KINDS, _OPERATORS, _FORMS, _SPACE_KIND, _DIGIT_KIND = a.KINDS, a.OPERATORS, a.FORMS, a.SPACE_KIND, a.DIGIT_KIND
_FOLLOWERS, _GOES_ON, _IF_DIGIT, _IF_SPACED, _THIN = a.FOLLOWERS, a.GOES_ON, a.IF_DIGIT, a.IF_SPACED, a.THIN
_IF_LISTED, _IF_WORDS, _LETTER_KIND = a.IF_LISTED, a.IF_WORDS, a.LETTER_KIND
_MINUS, _TIMES, _DIVIDE, _LETTER_X, _WORD = a.MINUS, a.TIMES, a.DIVIDE, a.LETTER_X, a.WORD
_STAR, _SLASH, _OPEN_BRACE, _CLOSE_BRACE, _TICK, _UNDERSCORE, _HYPHEN, _TILDE, _X = b"*/{}`_-~x"
_QUOTE, _APOSTROPHE, _EQUALS, _COLON, _COMMA = b"\"'=:,"
_CURLY = a.CURLY


@inner
def _find_word(symbols, start, stop):  # type: ignore[no-untyped-def]
    """The place in the ordered words of the one at ``start`` (-1 for none) and its end."""
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
        if offset == _WORD_ENDS[word + 1] and not (position < stop and _KINDS[symbols[position]] & _LETTER_KIND):
            return word, position
    return -1, start


@inner
def read_word(symbols, start, stop):  # type: ignore[no-untyped-def]
    """The word operator at ``start``: its code (0 for none) and its end."""
    word, end = _find_word(symbols, start, stop)
    if word >= 0:
        return _WORD_CODES[word], end
    position = start
    for _ in range(_MOST_AUXILIARIES):
        after = word_end(symbols, position, stop)
        if _find_auxiliary(symbols, position, after) < 0:
            break
        position = skip_gap(symbols, after, stop)
        if position in (after, stop):
            break
        word, end = _find_word(symbols, position, stop)
        if word >= 0 and _SAYS_WHAT_IS_DONE[word]:
            return _WORD_CODES[word], end
    return np.int64(0), start


@inner
def _lists_on(symbols, comma, stop):  # type: ignore[no-untyped-def]
    """Whether what follows a comma can be the rest of a call, of cells or of a phrase."""
    if comma + 1 >= stop:
        return False
    position = skip_gap(symbols, comma + 1, stop)
    if position >= stop:
        return False
    symbol = symbols[position]
    if _KINDS[symbol] & _LETTER_KIND == 0:
        return symbol >= 128 or LEADS[symbol] or symbol == _APOSTROPHE
    if position == comma + 1:
        return True
    word = word_end(symbols, position, stop)
    if is_listing_word(symbols, position, word):
        return True
    end = skip_gap(symbols, word, stop)
    return end < stop and symbols[end] in (_EQUALS, _COLON, _COMMA)


@inner
def _spaces_on(symbols, start, end, spaced, stop):  # type: ignore[no-untyped-def]
    """Whether an operator can follow the digit run ``symbols[start:end]`` behind the gap that ends at ``spaced``."""
    if spaced >= stop:
        return False
    symbol = symbols[spaced]
    if is_digit(symbols, spaced, stop):  # digits written apart, or (+ 12 34)
        if end == start + 1:
            return True
        before = skip_gap_back(symbols, start) - 1
        if before < 0:
            return False
        quoted = symbols[before] == _QUOTE or symbols[before] == _APOSTROPHE or symbols[before] == _COMMA
        return quoted or _OPERATORS[symbols[before]] != 0 or _KINDS[symbols[before]] & _LETTER_KIND != 0
    follower = _FOLLOWERS[symbol]
    if follower == _IF_LISTED:
        return _lists_on(symbols, spaced, stop)
    return words_lead_on(symbols, spaced, stop) if follower == _IF_WORDS else follower == _GOES_ON


@inner
def may_continue(symbols, start, end, stop):  # type: ignore[no-untyped-def]
    """Whether the digit run ``symbols[start:end]`` can begin a pair; false only where it certainly does not."""
    if end >= stop:
        return False
    symbol = symbols[end]
    follower = _FOLLOWERS[symbol]
    if follower == _GOES_ON:
        return True
    if follower == _IF_WORDS:
        return words_lead_on(symbols, end, stop)
    if follower == _IF_LISTED:
        return _lists_on(symbols, end, stop)
    if (follower == _IF_DIGIT or symbol in (_THIN, _TILDE)) and is_digit(symbols, end + 1, stop):
        return True
    return follower == _IF_SPACED and _spaces_on(symbols, start, end, skip_gap(symbols, end, stop), stop)


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
    code, end = read_word(symbols, start, stop)
    return code, _WORD, end


@inner
def read_bare(symbols, start, stop):  # type: ignore[no-untyped-def]
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
    code, form, end = read_bare(symbols, inside, stop)
    if width == 0:
        end = skip_gap(symbols, end, stop)
        closed = end + 1 if end < stop and symbols[end] == _CLOSE_BRACE else end
    else:
        closed = emphasis_end(symbols, end, stop)
    if width == 0 and closed == end and form != _WORD and code:  # \\underline{+34}
        return code, form, end
    if closed == end or (width and (closed - end != width or symbols[end] != opening)):
        return np.int64(0), 0, start
    return code, form, closed


@inner
def _read_quoted(symbols, start, stop):  # type: ignore[no-untyped-def]
    """``read_operator`` for one in quotation marks: ``12 "plus" 34``."""
    opening, inside = read_quote(symbols, start, stop)
    if opening == 0 or inside >= stop:
        return np.int64(0), 0, start
    code, form, end = read_bare(symbols, inside, stop)
    closing, closed = read_quote(symbols, end, stop)
    return (code, form, closed) if closing == opening else (np.int64(0), 0, start)


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
    if symbol in (_QUOTE, _APOSTROPHE, _CURLY):
        return _read_quoted(symbols, start, stop)
    return read_bare(symbols, start, stop)
