"""A hash table of expressions: count, first position and surface forms for each key.

One row of four ``int64`` per slot (half a cache line): packed key, right operand, first position, and the count above
the surface bits. A slot with a count of 0 is free.
"""

import numpy as np

from .alphabet import LEFT_MASK, OPERATOR_SHIFT
from .jit import compiled, inner, prefetch

KEY, RIGHT, FIRST, COUNT_AND_SURFACES = range(4)
SURFACE_BITS = 24
_ONE = 1 << SURFACE_BITS
_SURFACE_MASK = _ONE - 1
_MIX, _MIX_RIGHT = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
_HALF = np.uint64(32)
_AHEAD, _SLOT_BYTES = 16, 32  # a slot is asked for that many pairs before it is needed: memory answers in 100 ns
_RADIX_BITS = 8
_BUCKETS = 1 << _RADIX_BITS


def new_table(slots: int) -> np.ndarray:
    """An empty table; ``slots`` is a power of two."""
    return np.zeros((slots, 4), dtype=np.int64)


@inner
def _home(table, packed, right):  # type: ignore[no-untyped-def]
    """The slot where the search for a key begins."""
    mixed = np.uint64(packed) * _MIX ^ np.uint64(right) * _MIX_RIGHT
    mixed = (mixed ^ (mixed >> _HALF)) * _MIX
    return np.int64(mixed >> _HALF) & (table.shape[0] - 1)


@inner
def _find_slot(table, packed, right):  # type: ignore[no-untyped-def]
    """The slot that holds a key, or the free one where it belongs."""
    mask = table.shape[0] - 1
    slot = _home(table, packed, right)
    while table[slot, 3] != 0 and (table[slot, 0] != packed or table[slot, 1] != right):
        slot = (slot + 1) & mask
    return slot


@compiled
def insert_pairs(table, used, out, start, stop):  # type: ignore[no-untyped-def]
    """Count the pairs ``out[start:stop]`` in; ``(keys in use, pairs taken)``. Stops when the table is half full."""
    packed_out, right_out, row_out, surface_out = out
    limit = table.shape[0] // 2
    for pair in range(start, stop):
        ahead = pair + _AHEAD
        if ahead < stop:
            prefetch(table.ctypes.data + _SLOT_BYTES * _home(table, packed_out[ahead], right_out[ahead]))
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
            for column in range(4):  # an assignment of rows would compile numba's errors of broadcasting, for 2 seconds
                bigger[slot, column] = table[old, column]


@inner
def _sort_by_code(codes, order, other_codes, other_order):  # type: ignore[no-untyped-def]
    """``order`` sorted stably by non-negative codes: a radix sort of 8 bits a pass that carries the codes along.

    Bits that all codes share cost no pass. The result is in ``order`` or ``other_order``; all four are used up.
    """
    some, every = np.int64(0), np.int64(-1)
    for code in codes:
        some |= code
        every &= code
    differing = some ^ every
    starts = np.empty(_BUCKETS + 1, np.int64)
    for shift in range(0, 63, _RADIX_BITS):
        if differing >> shift & (_BUCKETS - 1) == 0:
            continue
        starts[:] = 0
        for code in codes:
            starts[(code >> shift & (_BUCKETS - 1)) + 1] += 1
        for bucket in range(_BUCKETS):
            starts[bucket + 1] += starts[bucket]
        for place in range(codes.size):
            bucket = codes[place] >> shift & (_BUCKETS - 1)
            other_codes[starts[bucket]], other_order[starts[bucket]] = codes[place], order[place]
            starts[bucket] += 1
        codes, other_codes, order, other_order = other_codes, codes, other_order, order
    return order


@inner
def _bits(value):  # type: ignore[no-untyped-def]
    width = 0
    while value >> width:
        width += 1
    return width


@inner
def _key_order(keys, rights, scratch):  # type: ignore[no-untyped-def]
    """The order of rows by key and right operand, as indices into both; ``scratch`` is four ``int64[n]``."""
    most_left, most_right = np.int64(0), np.int64(0)
    for row in range(keys.size):
        most_left |= keys[row] & LEFT_MASK
        most_right |= rights[row]
    left_width, right_width = _bits(most_left), _bits(most_right)
    codes, order = scratch[0], scratch[1]
    for row in range(keys.size):
        order[row] = row
    if left_width + right_width <= 60:  # the usual case: key and right operand fit in one code
        for row in range(keys.size):
            shifted = (keys[row] >> OPERATOR_SHIFT << left_width) | (keys[row] & LEFT_MASK)
            codes[row] = shifted << right_width | rights[row]
        return _sort_by_code(codes, order, scratch[2], scratch[3])
    for row in range(keys.size):
        codes[row] = rights[row]
    by_right = _sort_by_code(codes, order, scratch[2], scratch[3]).copy()
    for row in range(keys.size):
        codes[row], order[row] = keys[by_right[row]], by_right[row]
    return _sort_by_code(codes, order, scratch[2], scratch[3])


@compiled
def sorted_run(table, columns, scratch):  # type: ignore[no-untyped-def]
    """Fill five ``columns`` of ``int64[n]`` with the ``n`` keys of a table in order.

    They are packed key, right operand, first position, count and surface bits. ``scratch`` is seven arrays of that
    size: memory that NumPy allots comes in large pages, which numba's does not, and is written to four times as fast.
    """
    packed_column, right_column, first_column, count_column, surfaces_column = columns
    slots, keys, rights = scratch[4], scratch[5], scratch[6]
    place = 0
    for slot in range(table.shape[0]):
        if table[slot, 3]:
            slots[place], keys[place], rights[place] = slot, table[slot, 0], table[slot, 1]
            place += 1
    order = _key_order(keys, rights, scratch[:4])
    for place in range(slots.size):
        slot = slots[order[place]]
        packed_column[place], right_column[place] = table[slot, 0], table[slot, 1]
        first_column[place], count_column[place] = table[slot, 2], table[slot, 3] >> SURFACE_BITS
        surfaces_column[place] = table[slot, 3] & _SURFACE_MASK


@compiled
def _fold_rows(columns, folded, scratch):  # type: ignore[no-untyped-def]
    order = _key_order(columns[0], columns[1], scratch)
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
    return last + 1


def fold_rows(columns: np.ndarray) -> np.ndarray:
    """Sort rows by key and fold those of one key into one: smallest position, summed counts, all surface bits.

    ``columns`` is ``int64[5, n]`` as of ``sorted_run``; the result has at most ``n`` rows.
    """
    folded = np.empty_like(columns)
    return folded[:, : _fold_rows(columns, folded, tuple(np.empty((4, columns.shape[1]), np.int64)))]
