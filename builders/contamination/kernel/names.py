"""Look a word up in a list of names that is compiled in."""

from collections.abc import Callable, Mapping, Sequence

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

    return find


def _hash(name: bytes) -> int:
    value = 0
    for byte in name:
        value = (value * 33 + byte) & 0xFFFFFFFF
    return value ^ value >> 15


def make_hashed_finder(entries: Mapping[str, int]) -> Callable[..., int]:
    """A compiled ``find(text, start, stop)``: the value of the name whose bytes stand there, -1 for none.

    For names by the hundred: a name stands in the first free slot from its hash on.
    """
    names = [name.encode() for name in entries]
    blob = np.frombuffer(b"".join(names), dtype=np.uint8)
    ends = np.cumsum([0, *map(len, names)], dtype=np.int64)
    values = np.array(list(entries.values()), dtype=np.int64)
    slots = np.full(1 << (4 * len(names)).bit_length(), -1, dtype=np.int64)
    for number, name in enumerate(names):
        slot = _hash(name) % slots.size
        while slots[slot] >= 0:
            slot = (slot + 1) % slots.size
        slots[slot] = number

    @inner
    def find(text, start, stop):  # type: ignore[no-untyped-def]
        hashed = np.int64(0)
        for position in range(start, stop):
            hashed = (hashed * 33 + np.int64(text[position])) & 0xFFFFFFFF
        slot = (hashed ^ hashed >> 15) & (slots.size - 1)
        while slots[slot] >= 0:
            name = slots[slot]
            left, width = ends[name], ends[name + 1] - ends[name]
            if width == stop - start:
                offset = 0
                while offset < width and text[start + offset] == blob[left + offset]:
                    offset += 1
                if offset == width:
                    return values[name]
            slot = (slot + 1) & (slots.size - 1)
        return np.int64(-1)

    return find


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
