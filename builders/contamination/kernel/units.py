"""Words between a number and what follows it: the unit of ``30 snakes * 3 birds/snake``."""

import numpy as np

from . import alphabet as a
from .gaps import skip_gap
from .jit import inner
from .names import make_finder, word_end

_KINDS, _OPERATORS, _DEGREE, _RAISED = a.KINDS, a.OPERATORS, a.DEGREE, a.RAISED
_SPACE_KIND, _LETTER_KIND, _DIGIT_KIND, _NEWLINE_KIND = a.SPACE_KIND, a.LETTER_KIND, a.DIGIT_KIND, a.NEWLINE_KIND
_SLASH, _HYPHEN, _POINT, _OPEN_BRACE, _CLOSE_BRACE, _CARET, _APOSTROPHE, _AMPERSAND, _A = b"/-.{}^'&a"
MOST_WORDS, _LONGEST = 5, 60

# Units that are written against their number. Other letters there make a number an identifier or a term of algebra.
ATTACHED_UNITS = (
    *("mm", "cm", "dm", "km", "mg", "kg", "ml", "dl", "cl", "lb", "lbs", "oz", "ft", "yd", "yds", "mi", "hr", "hrs"),
    *("min", "mins", "sec", "secs", "mph", "kmh", "kph", "gal", "qt", "pt", "kwh", "kw", "hz", "khz", "mb", "gb", "kb"),
    *("tb", "usd", "eur", "gbp", "cents", "hours", "minutes", "seconds", "days", "weeks", "months", "years", "miles"),
    *("feet", "inches", "meters", "metres", "grams", "pounds", "dollars", "liters", "litres", "points", "pts", "pcs"),
)
_SINGLE_LETTERS = b"mglhsMGLHSCFKVWNJ"
_IS_SINGLE = np.zeros(256, dtype=np.bool_)
_IS_SINGLE[list(_SINGLE_LETTERS)] = True
_STOPPERS = (
    "and",
    "or",
    "but",
    "is",
    "are",
    "was",
    "were",
    "to",
    "than",
    "equals",
    "so",
    "then",
    "if",
    "from",
    "with",
    "by",
)
_DATED = (
    *("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november"),
    *("december", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec", "am", "pm"),
    *("bc", "ad", "bce", "ce"),
)
# What words can lead to besides letters and spaces, if an operand or a sign is to follow.
LEADS = np.zeros(256, dtype=np.bool_)
LEADS[[*b'0123456789+-*/$({}<|_`^)"%&']] = True
_find_attached, _find_stopper = make_finder(ATTACHED_UNITS), make_finder(_STOPPERS)
_find_dated = make_finder(_DATED)


@inner
def is_attached_unit(symbols, start, stop):  # type: ignore[no-untyped-def]
    """Whether the letters at ``start``, directly behind a number, are one of ``ATTACHED_UNITS``."""
    return _find_attached(symbols, start, word_end(symbols, start, stop)) >= 0


@inner
def is_dated(symbols, start, stop):  # type: ignore[no-untyped-def]
    """Whether the word at ``start`` makes the number before it a date or a time of day: the hyphen is "until" then."""
    return _find_dated(symbols, start, word_end(symbols, start, stop)) >= 0


@inner
def _suffix_end(symbols, position, stop):  # type: ignore[no-untyped-def]
    """The end of what may follow the letters of a unit: ``/hour``, ``-legged``, ``^2``, a raised digit, ``'s``."""
    for _ in range(3):
        if position + 1 >= stop:
            break
        symbol, letters = symbols[position], _KINDS[symbols[position + 1]] & _LETTER_KIND
        if (symbol in (_SLASH, _HYPHEN, _AMPERSAND)) and letters:
            position = word_end(symbols, position + 1, stop)
        elif symbol == _RAISED:
            position += 1
        elif symbol == _CARET and _KINDS[symbols[position + 1]] & _DIGIT_KIND:
            position += 2
        elif symbol == _CARET and symbols[position + 1] == _OPEN_BRACE:
            if position + 3 >= stop or symbols[position + 3] != _CLOSE_BRACE:
                break
            position += 4
        else:
            break
    return position


@inner
def unit_word_end(symbols, start, stop, attached, is_first):  # type: ignore[no-untyped-def]
    """The end of one word of a unit at ``start``, with what belongs to it; ``start`` when it is none.

    ``attached`` is whether it stands against the number, ``is_first`` whether it is the first word behind it.
    """
    first = start
    if start < stop and symbols[start] == _SLASH:  # "$12/hour", "3 /day"
        first, attached = start + 1, False
        if first < stop and _KINDS[symbols[first]] & _SPACE_KIND:
            return start
    end = word_end(symbols, first, stop)
    if end == first or _find_stopper(symbols, first, end) >= 0:
        return start
    if attached:
        degrees = first > 0 and symbols[first - 1] == _DEGREE and end == first + 1
        if not degrees and _find_attached(symbols, first, end) < 0:
            return start
    elif end == first + 1 and first == start and not _IS_SINGLE[symbols[first]]:
        is_article = symbols[first] | 32 == _A and not is_first  # "3 hours in a day"
        if not is_article:
            return start
    return _suffix_end(symbols, end, stop)


@inner
def words_lead_on(symbols, start, stop):  # type: ignore[no-untyped-def]
    """Whether the words at ``start`` lead to something other than the end of a phrase: the quick test for units."""
    position = start
    last = min(stop, start + _LONGEST)
    while position < last:
        kind = _KINDS[symbols[position]]
        if kind & (_LETTER_KIND | _SPACE_KIND) == 0:
            symbol = symbols[position]
            if symbol in (_POINT, _APOSTROPHE):
                after = skip_gap(symbols, position + 1, stop)
                return after < stop and (_OPERATORS[symbols[after]] != 0 or (symbol == _APOSTROPHE))
            if symbol >= 128 or symbol in (_SLASH, _HYPHEN):
                return kind != 0 or _OPERATORS[symbol] != 0 or symbol == _DEGREE
            return LEADS[symbol]
        position += 1
    return False
