"""Operations said with the operator first: ``the sum of 12 and 34``, ``multiply(12, 34)``, ``(+ 12 34)``.

Between the numbers stands a connective, before the first of them a head; both together name the operation. A new phrase
is a new entry of ``HEADS``.
"""

import numpy as np

from . import alphabet as a
from .gaps import skip_gap, skip_gap_back
from .jit import inner
from .names import make_finder, word_end, word_start

_PLUS, _MINUS, _TIMES, _DIVIDE, _LARGER = a.PLUS, a.MINUS, a.TIMES, a.DIVIDE, a.LARGER_FIRST
_KINDS, _OPERATORS, _SPACE_KIND, _LETTER_KIND = a.KINDS, a.OPERATORS, a.SPACE_KIND, a.LETTER_KIND
_WORD_KIND = a.LETTER_KIND | a.DIGIT_KIND
_CURRENCY_KIND, _DIGIT_KIND = a.CURRENCY_KIND, a.DIGIT_KIND
_COLON, _OPEN, _OPEN_SQUARE, _COMMA, _EQUALS, _QUOTE, _APOSTROPHE, _UNDERSCORE, _STAR = b":([,=\"'_*"

CONNECTIVES = ("and", "to", "from", "by", "with", "into", "among")  # the columns of ``HEAD_CODES``
_LISTED, _CALLED = len(CONNECTIVES), len(CONNECTIVES) + 1  # two more: a comma in a sentence, and in brackets
_OTHER_CONNECTIVES = {"between": "among", "amongst": "among"}
_ADVERBS = ("equally", "evenly", "then", "another")
_FILLERS = (
    *("the", "numbers", "number", "integers", "integer", "values", "value", "two", "following", "both", "up", "terms"),
    *("amounts", "quantities", "factors", "figures", "whole", "natural", "operands", "a", "b", "x", "y", "is"),
)
_PARTICLES = ("between", "of", "together", "away", "in")

_SUM = {"and": _PLUS, "to": _PLUS, "with": _PLUS, ",": _PLUS, "(": _PLUS}
_PRODUCT = {"and": _TIMES, "by": _TIMES, "with": _TIMES, ",": _TIMES, "(": _TIMES}
_REST = {"from": -_MINUS}
_GAP = {"and": _MINUS + _LARGER}
_QUOTIENT = {"and": _DIVIDE, "by": _DIVIDE, "(": _DIVIDE}
_SHARE = {"by": _DIVIDE, "into": _DIVIDE + _LARGER, "among": _DIVIDE}

HEADS: dict[str, dict[str, int]] = {
    **dict.fromkeys(("add", "adding", "adds", "added", "sum", "summing", "addition"), _SUM),
    **{key: {"and": _PLUS, "with": _PLUS} for key in ("total", "totals", "put", "putting", "combine", "combining")},
    **{key: {"by": _PLUS} for key in ("increase", "increasing", "raise", "raising")},
    **dict.fromkeys(("multiply", "multiplying", "multiplies", "multiplication", "product", "prod"), _PRODUCT),
    **{key: {**_REST, "(": _MINUS} for key in ("subtract", "subtracting", "subtracts", "subtraction")},
    **dict.fromkeys(("take", "taking", "deduct", "deducting", "remove", "removing", "withdraw"), _REST),
    **{
        key: {"by": _MINUS} for key in ("decrease", "decreasing", "reduce", "reducing", "diminish", "lower", "lowering")
    },
    "difference": {**_GAP, "(": _MINUS},
    "distance": _GAP,
    **{key: {**_QUOTIENT, **_SHARE} for key in ("divide", "dividing", "divides", "division")},
    **dict.fromkeys(("share", "sharing", "split", "splitting", "distribute", "distributing"), _SHARE),
    "quotient": _QUOTIENT,
    "ratio": {"and": _DIVIDE, "to": _DIVIDE},
    "plus": {"(": _PLUS},
    **{key: {"(": _MINUS} for key in ("sub", "minus")},
    **{key: {"(": _TIMES} for key in ("mul", "mult", "times")},
    **{key: {"(": _DIVIDE} for key in ("div", "truediv", "floordiv")},
}
_NEED_PARTICLE = ("total", "totals", "put", "putting", "difference", "distance", "ratio", "division", "addition")

_NAMES = (*HEADS, *_FILLERS, *_PARTICLES)
_FIRST_FILLER, _FIRST_PARTICLE = len(HEADS), len(HEADS) + len(_FILLERS)
_find_name = make_finder(_NAMES)
_NEEDS = np.array([name in _NEED_PARTICLE for name in HEADS])
_BETWEEN = np.array([name in ("difference", "distance") for name in HEADS])
_SPELLED = (*CONNECTIVES, *_OTHER_CONNECTIVES)
_find_connective, _find_adverb = make_finder(_SPELLED), make_finder(_ADVERBS)
_COLUMN = np.array([CONNECTIVES.index(_OTHER_CONNECTIVES.get(name, name)) for name in _SPELLED])
_COLUMNS = (*CONNECTIVES, ",", "(")
HEAD_CODES = np.array([[uses.get(column, 0) for column in _COLUMNS] for uses in HEADS.values()])


@inner
def is_listing_word(symbols, start, stop):  # type: ignore[no-untyped-def]
    """Whether the word ``symbols[start:stop]`` is the "and" of a list."""
    return _find_connective(symbols, start, stop) == 0


@inner
def read_connective(symbols, start, stop):  # type: ignore[no-untyped-def]
    """The connective at ``start``: its column (-1 for none) and its end, adverbs and articles behind it included."""
    column = -1
    if symbols[start] == _COMMA:
        column, end = _LISTED, start + 1
        spaced = skip_gap(symbols, end, stop)
        after = word_end(symbols, spaced, stop)
        if not is_listing_word(symbols, spaced, after):
            return column, end
        end = after
    else:
        end = word_end(symbols, start, stop)
        if _find_adverb(symbols, start, end) >= 0:
            start = skip_gap(symbols, end, stop)
            end = word_end(symbols, start, stop)
        found = _find_connective(symbols, start, end)
        if found < 0:
            return -1, start
        column = _COLUMN[found]
    for _ in range(3):  # "to the number 34"
        spaced = skip_gap(symbols, end, stop)
        after = word_end(symbols, spaced, stop)
        filler = _find_name(symbols, spaced, after)
        if not _FIRST_FILLER <= filler < _FIRST_PARTICLE:
            break
        end = after
    return column, end


@inner
def find_head(symbols, left, column):  # type: ignore[no-untyped-def]
    """The operation that the words before ``left`` make of two numbers with a connective between them, 0 for none."""
    position, particle, between = left, False, False
    while position > 0 and _KINDS[symbols[position - 1]] & _CURRENCY_KIND:
        position -= 1
    for _ in range(6):
        end = skip_gap_back(symbols, position)
        while end > 0 and (symbols[end - 1] == _COLON or symbols[end - 1] == _STAR):
            end = skip_gap_back(symbols, end - 1)
        start = word_start(symbols, end)
        if end in (start, left):
            return np.int64(0)
        name = _find_name(symbols, start, end)
        if name < 0:
            return np.int64(0)
        position = start
        if name < _FIRST_FILLER:
            if (_NEEDS[name] and not particle) or (between and not _BETWEEN[name]):
                return np.int64(0)
            return np.int64(HEAD_CODES[name, column])
        particle |= name >= _FIRST_PARTICLE
        between |= name == _FIRST_PARTICLE
    return np.int64(0)


@inner
def skip_label(symbols, start, stop):  # type: ignore[no-untyped-def]
    """The end of the name of an argument at ``start`` (``b=``, ``"right":``), ``start`` when there is none."""
    position = start
    quoted = position < stop and (symbols[position] == _QUOTE or symbols[position] == _APOSTROPHE)
    position += quoted
    first = position
    if position >= stop or _KINDS[symbols[position]] & _LETTER_KIND == 0:
        return start
    while position < stop and (_KINDS[symbols[position]] & _WORD_KIND or symbols[position] == _UNDERSCORE):
        position += 1
        if position - first > 16:
            return start
    if quoted:
        if position >= stop or symbols[position] != symbols[start]:
            return start
        position += 1
    position = skip_gap(symbols, position, stop)
    if position >= stop or (symbols[position] != _EQUALS and symbols[position] != _COLON):
        return start
    return skip_gap(symbols, position + 1, stop)


@inner
def _skip_label_back(symbols, position):  # type: ignore[no-untyped-def]
    """``skip_label`` to the left of ``position``."""
    end = skip_gap_back(symbols, position)
    if end == 0 or (symbols[end - 1] != _EQUALS and symbols[end - 1] != _COLON):
        return position
    end = skip_gap_back(symbols, end - 1)
    quoted = end > 0 and (symbols[end - 1] == _QUOTE or symbols[end - 1] == _APOSTROPHE)
    end -= quoted
    start = end
    while start > 0 and (_KINDS[symbols[start - 1]] & _WORD_KIND or symbols[start - 1] == _UNDERSCORE):
        start -= 1
        if end - start > 16:
            return position
    if start == end or (quoted and (start == 0 or symbols[start - 1] != symbols[end])):
        return position
    return start - quoted


@inner
def _find_named(symbols, end):  # type: ignore[no-untyped-def]
    """The operation of the function or sign that ends at ``end``, 0 for none; and where it begins."""
    if end > 0 and _OPERATORS[symbols[end - 1]]:
        return np.int64(_OPERATORS[symbols[end - 1]]), end - 1
    start = word_start(symbols, end)
    name = _find_name(symbols, start, end)
    if 0 <= name < _FIRST_FILLER and not (start > 0 and _KINDS[symbols[start - 1]] & _DIGIT_KIND):
        return np.int64(HEAD_CODES[name, _CALLED]), start
    return np.int64(0), end


@inner
def find_call(symbols, left):  # type: ignore[no-untyped-def]
    """The operation of a function whose first argument begins at ``left``, 0 for none: ``add(12``, ``sum([12``."""
    end = skip_gap_back(symbols, _skip_label_back(symbols, left))
    brackets = 0
    while end > 0 and brackets < 2 and (symbols[end - 1] == _OPEN or symbols[end - 1] == _OPEN_SQUARE):
        end, brackets = end - 1, brackets + 1
    if brackets == 0 or end == 0 or _KINDS[symbols[end - 1]] & _LETTER_KIND == 0:
        return np.int64(0)
    return _find_named(symbols, end)[0]


@inner
def find_prefix(symbols, left):  # type: ignore[no-untyped-def]
    """The operation of a list whose second element begins at ``left``, 0 for none: ``(+ 12``, ``["+", 12``."""
    end = skip_gap_back(symbols, left)
    listed = end > 0 and symbols[end - 1] == _COMMA
    if listed:
        end = skip_gap_back(symbols, end - 1)
    elif end == left:
        return np.int64(0)
    quoted = end > 0 and (symbols[end - 1] == _QUOTE or symbols[end - 1] == _APOSTROPHE)
    end -= quoted
    code, start = _find_named(symbols, end)
    if quoted:
        if start == 0 or symbols[start - 1] != symbols[end]:
            return np.int64(0)
        start -= 1
    start = skip_gap_back(symbols, start)
    return code if start > 0 and (symbols[start - 1] == _OPEN or symbols[start - 1] == _OPEN_SQUARE) else np.int64(0)
