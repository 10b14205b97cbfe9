"""A hash table of expressions: count, first position and surface forms for each key.

One row of four ``int64`` per slot (half a cache line): packed key, right operand, first position, and the count above
the surface bits. A slot with a count of 0 is free.
"""

import numpy as np

from .jit import compiled, inner

KEY, RIGHT, FIRST, COUNT_AND_SURFACES = range(4)
SURFACE_BITS = 16
_ONE = 1 << SURFACE_BITS
_SURFACE_MASK = _ONE - 1
_MIX, _MIX_RIGHT = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
_HALF = np.uint64(32)


def new_table(slots: int) -> np.ndarray:
    """An empty table; ``slots`` is a power of two."""
    return np.zeros((slots, 4), dtype=np.int64)


@inner
def _find_slot(table, packed, right):  # type: ignore[no-untyped-def]
    """The slot that holds a key, or the free one where it belongs."""
    mixed = np.uint64(packed) * _MIX ^ np.uint64(right) * _MIX_RIGHT
    mixed = (mixed ^ (mixed >> _HALF)) * _MIX
    mask = table.shape[0] - 1
    slot = np.int64(mixed >> _HALF) & mask
    while table[slot, 3] != 0 and (table[slot, 0] != packed or table[slot, 1] != right):
        slot = (slot + 1) & mask
    return slot


@compiled
def insert_pairs(table, used, out, start, stop):  # type: ignore[no-untyped-def]
    """Count the pairs ``out[start:stop]`` in; ``(keys in use, pairs taken)``. Stops when the table is half full."""
    packed_out, right_out, row_out, surface_out = out
    limit = table.shape[0] // 2
    for pair in range(start, stop):
        slot = _find_slot(table, packed_out[pair], right_out[pair])
        if table[slot, 3] == 0:
            if used == limit:
                return used, pair
            used += 1
            table[slot, 0], table[slot, 1], table[slot, 2] = packed_out[pair], right_out[pair], row_out[pair]
        table[slot, 2] = min(table[slot, 2], row_out[pair])
        table[slot, 3] = (table[slot, 3] + _ONE) | (1 << surface_out[pair])
    return used, stop


@compiled
def copy_slots(table, bigger):  # type: ignore[no-untyped-def]
    """Move every key of ``table`` into the empty table ``bigger``."""
    for old in range(table.shape[0]):
        if table[old, 3]:
            slot = _find_slot(bigger, table[old, 0], table[old, 1])
            bigger[slot] = table[old]


@compiled
def take_used(table, used):  # type: ignore[no-untyped-def]
    """The ``used`` keys as five columns: packed, right, first position, count, surface bits."""
    columns = np.empty((5, used), dtype=np.int64)
    place = 0
    for slot in range(table.shape[0]):
        if table[slot, 3]:
            columns[0, place], columns[1, place], columns[2, place] = table[slot, 0], table[slot, 1], table[slot, 2]
            columns[3, place] = table[slot, 3] >> SURFACE_BITS
            columns[4, place] = table[slot, 3] & _SURFACE_MASK
            place += 1
    return columns


@inner
def _sort_by(keys, order):  # type: ignore[no-untyped-def]
    """A stable radix sort of ``order`` by non-negative keys, 16 bits a pass; bits that all keys share cost nothing."""
    some, every = np.int64(0), np.int64(-1)
    for key in keys:
        some |= key
        every &= key
    differing = some ^ every
    spare, starts = np.empty_like(order), np.empty(65537, np.int64)
    for shift in (0, 16, 32, 48):
        if differing >> shift & 65535 == 0:
            continue
        starts[:] = 0
        for key in keys:
            starts[(key >> shift & 65535) + 1] += 1
        for bucket in range(65536):
            starts[bucket + 1] += starts[bucket]
        for row in order:
            bucket = keys[row] >> shift & 65535
            spare[starts[bucket]] = row
            starts[bucket] += 1
        order, spare = spare, order
    return order


@compiled
def fold_rows(columns):  # type: ignore[no-untyped-def]
    """Sort rows by key and fold those of one key into one: smallest position, summed counts, all surface bits.

    ``columns`` is ``int64[5, n]`` as of ``take_used``; the result has at most ``n`` rows.
    """
    order = _sort_by(columns[0], _sort_by(columns[1], np.arange(columns.shape[1])))
    folded = np.empty_like(columns)
    last = -1
    for row in order:
        if last >= 0 and folded[0, last] == columns[0, row] and folded[1, last] == columns[1, row]:
            folded[2, last] = min(folded[2, last], columns[2, row])
            folded[3, last] += columns[3, row]
            folded[4, last] |= columns[4, row]
        else:
            last += 1
            for column in range(5):
                folded[column, last] = columns[column, row]
    return folded[:, : last + 1]
