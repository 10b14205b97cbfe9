"""Which rows hold two numbers in digits: those of which a reader asks why they yielded no expression."""

import numpy as np

from .jit import compiled, inner, pointer_at

_ZERO, _NEWLINE, _POINT, _COMMA = 48, 10, 46, 44
_STEP = 64  # bytes looked at together: most have no digit


@inner
def _is_digit(data, place, stop):  # type: ignore[no-untyped-def]
    return place < stop and np.uint8(data[place] - _ZERO) < 10


@inner
def _number_end(data, place, stop):  # type: ignore[no-untyped-def]
    """The position behind the number that begins at ``place``: a point, or a comma before three digits, joins."""
    while True:
        while _is_digit(data, place, stop):
            place += 1
        if place < stop and data[place] == _POINT and _is_digit(data, place + 1, stop):
            place += 1
            continue
        grouped = place < stop and data[place] == _COMMA
        for step in range(1, 4):
            grouped = grouped and _is_digit(data, place + step, stop)
        if not grouped or _is_digit(data, place + 4, stop):
            return place
        place += 4


@inner
def _digit_ahead(data, place, stop):  # type: ignore[no-untyped-def]
    """The position of the next digit, ``stop`` without any."""
    while place + _STEP <= stop:
        found = 0
        for offset in range(_STEP):
            found |= np.uint8(data[place + offset] - _ZERO) < 10
        if found:
            break
        place += _STEP
    while place < stop and not _is_digit(data, place, stop):
        place += 1
    return place


@compiled
def count_numbers(addresses, lengths, rows, counts):  # type: ignore[no-untyped-def]
    """Add to ``counts[row]`` the numbers in the texts of each row, until it is two."""
    for text in range(lengths.size):
        data, stop, row = pointer_at(addresses[text]), lengths[text], rows[text]
        place = np.int64(0)
        while counts[row] < 2:
            place = _digit_ahead(data, place, stop)
            if place >= stop:
                break
            counts[row] += 1
            place = _number_end(data, place, stop)


@compiled
def count_numbers_by_line(address, length, row, counts):  # type: ignore[no-untyped-def]
    """Add to ``counts`` the numbers in each line of a text, until it is two; its first line is row ``row``."""
    data, place = pointer_at(address), np.int64(0)
    while place < length and row < counts.size:
        full = row < 0 or counts[row] >= 2
        while place < length and data[place] != _NEWLINE:
            if not full and _is_digit(data, place, length):
                counts[row] += 1
                full = counts[row] >= 2
                place = _number_end(data, place, length)
            else:
                place += 1
        row += 1
        place += 1
