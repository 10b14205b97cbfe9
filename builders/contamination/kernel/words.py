"""Operators written as words."""

import numpy as np

from . import alphabet as a
from .gaps import skip_gap
from .jit import inner

# Word operators; a space stands for any gap. The second value is the operator, negative when the operands are swapped
# (of "divided into", which is said both ways, when the first is the smaller).
WORDS = {
    "added to": a.PLUS,
    "divide by": a.DIVIDE,
    "divided by": a.DIVIDE,
    "divided evenly by": a.DIVIDE,
    "divided into": -a.DIVIDE,
    "minus": a.MINUS,
    "multiplied by": a.TIMES,
    "multiplied with": a.TIMES,
    "multiply by": a.TIMES,
    "over": a.DIVIDE,
    "plus": a.PLUS,
    "subtracted from": -a.MINUS,
    "take away": a.MINUS,
    "take-away": a.MINUS,
    "takeaway": a.MINUS,
    "times": a.TIMES,
}
_WORD_BYTES = np.frombuffer("".join(WORDS).encode(), dtype=np.uint8)
_WORD_ENDS = np.cumsum([0, *map(len, WORDS)])
_WORD_CODES = np.array(list(WORDS.values()), dtype=np.int64)
# The words that begin with a letter stand together: they are those from one number to another.
_FIRST_WORDS, _LAST_WORDS = (
    np.searchsorted([ord(word[0]) for word in WORDS], np.arange(256), side=side) for side in ("left", "right")
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
        if offset == _WORD_ENDS[word + 1]:
            return _WORD_CODES[word], position
    return np.int64(0), start
