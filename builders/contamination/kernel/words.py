"""Operators written as words."""

import numpy as np

from . import alphabet as a
from .gaps import skip_gap
from .jit import inner

# Word operators; a space stands for any gap. The second value is the operation as in ``alphabet.LARGER_FIRST``
# ("divided into" is said both ways).
WORDS = {
    "add": a.PLUS,
    "added to": a.PLUS,
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
    "divided into": a.DIVIDE + a.LARGER_FIRST,
    "fewer than": -a.MINUS,
    "go into": a.DIVIDE + a.LARGER_FIRST,
    "goes into": a.DIVIDE + a.LARGER_FIRST,
    "groups of": a.TIMES,
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
_KINDS, _LETTER_KIND = a.KINDS, a.LETTER_KIND
# The words that begin with a letter stand together, the longest first: "less than" is not "less".
_ORDERED = sorted(WORDS, key=lambda word: (word[0], -len(word), word))
_WORD_BYTES = np.frombuffer("".join(_ORDERED).encode(), dtype=np.uint8)
_WORD_ENDS = np.cumsum([0, *map(len, _ORDERED)])
_WORD_CODES = np.array([WORDS[word] for word in _ORDERED], dtype=np.int64)
_FIRST_WORDS, _LAST_WORDS = (
    np.searchsorted([ord(word[0]) for word in _ORDERED], np.arange(256), side=side) for side in ("left", "right")
)


@inner
def read_word(symbols, start, stop):  # type: ignore[no-untyped-def]
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
        if offset == _WORD_ENDS[word + 1] and not (position < stop and _KINDS[symbols[position]] & _LETTER_KIND):
            return _WORD_CODES[word], position
    return np.int64(0), start
