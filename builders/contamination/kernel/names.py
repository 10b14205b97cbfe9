"""Look a word of a symbol string up in a list of names, whatever its case."""

from collections.abc import Callable, Sequence

import numpy as np

from . import alphabet as a
from .jit import inner

_KINDS, _LETTER_KIND = a.KINDS, a.LETTER_KIND
_LONGEST_WORD = 24


def make_finder(names: Sequence[str]) -> Callable[..., int]:
    """A compiled ``find(symbols, start, stop)``: the place in ``names`` of the word that stands there, -1 for none."""
    order = sorted(range(len(names)), key=lambda place: names[place])
    ordered = [names[place] for place in order]
    blob = np.frombuffer("".join(ordered).encode(), dtype=np.uint8)
    ends = np.cumsum([0, *map(len, ordered)])
    places = np.array(order)
    letters = [ord(name[0]) for name in ordered]
    firsts, lasts = (np.searchsorted(letters, np.arange(256), side=side) for side in ("left", "right"))

    @inner
    def find(symbols, start, stop):  # type: ignore[no-untyped-def]
        if stop <= start:
            return -1
        lower = symbols[start] | 32
        for name in range(firsts[lower], lasts[lower]):
            if ends[name + 1] - ends[name] != stop - start:
                continue
            offset = 1
            while offset < stop - start and symbols[start + offset] | 32 == blob[ends[name] + offset]:
                offset += 1
            if offset == stop - start:
                return places[name]
        return -1

    return find  # type: ignore[no-any-return]


@inner
def word_end(symbols, start, stop):  # type: ignore[no-untyped-def]
    """The end of the letters at ``start``."""
    end = start
    while end < stop and end - start < _LONGEST_WORD and _KINDS[symbols[end]] & _LETTER_KIND:
        end += 1
    return end


@inner
def word_start(symbols, end):  # type: ignore[no-untyped-def]
    """The start of the letters before ``end``."""
    start = end
    while start > 0 and end - start < _LONGEST_WORD and _KINDS[symbols[start - 1]] & _LETTER_KIND:
        start -= 1
    return start
