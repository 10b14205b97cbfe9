"""The compiled scanner as Python sees it: columns of text go in, sorted runs of counted expressions come out."""

import ctypes
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import polars as pl
import pyarrow as pa

from ...generators.expression import OPERATORS, SemanticKey
from .kernel import alphabet, matcher, table
from .kernel.characters import character_table

_FIRST_SLOTS, _MOST_SLOTS = 1 << 13, 1 << 20  # 256 KiB and 32 MiB; a table is used until it is half full
_PAIRS = 1 << 16
_SCRATCH = 12  # columns of a run and of what sorting it takes
_SPARE: list[tuple[np.ndarray, np.ndarray]] = []  # full-size tables and scratch of scanners that are done


@dataclass(frozen=True, slots=True)
class Texts:
    """Texts in memory: ``lengths[i]`` bytes at ``addresses[i]`` in row ``rows[i]``; ``owner`` keeps them there.

    With ``by_line`` a text is several rows, one per line, and ``rows[i]`` is its first; only pairs in the rows from
    ``kept[0]`` up to ``kept[1]`` count then, for the others stand in the text around.
    """

    addresses: np.ndarray
    lengths: np.ndarray
    rows: np.ndarray
    owner: object
    by_line: bool = False
    kept: tuple[int, int] | None = None

    @classmethod
    def from_series(cls, series: pl.Series, rows: np.ndarray) -> "Texts":
        """The strings of a column, without a copy; nulls count as empty."""
        array = series.rechunk().to_arrow(compat_level=pl.CompatLevel.newest())
        if array.null_count:
            array = series.fill_null("").rechunk().to_arrow(compat_level=pl.CompatLevel.newest())
        _, views, *blocks = array.buffers()
        if not len(array):
            return cls(np.empty(0, np.int64), np.empty(0, np.int64), rows, None)
        parts = np.frombuffer(views, dtype=np.int32).reshape(-1, 4)[array.offset : array.offset + len(array)]
        lengths = parts[:, 0].astype(np.int64)
        # A string of up to 12 bytes lies in its view; a longer one in a block, at an offset.
        inline = views.address + 16 * (array.offset + np.arange(len(array), dtype=np.int64)) + 4
        bases = np.array([block.address for block in blocks] or [0], dtype=np.int64)
        long = lengths > 12
        outside = bases[np.where(long, parts[:, 2], 0)] + parts[:, 3]
        return cls(np.where(long, outside, inline), lengths, rows, array)

    @classmethod
    def from_lines(cls, block: bytes, first_row: int, kept: tuple[int, int] | None = None) -> "Texts":
        """A block of a text file, whose lines are rows from ``first_row`` on."""
        buffer = pa.py_buffer(block)
        return cls(
            np.array([buffer.address], np.int64),
            np.array([buffer.size], np.int64),
            np.array([first_row], np.int64),
            buffer,
            by_line=True,
            kept=kept,
        )

    def to_strings(self, count: int) -> list[str]:
        """The first ``count`` texts, copied; a text of several rows counts as one for each of its lines."""
        copies = [
            ctypes.string_at(int(address), int(length)).decode("utf-8", "replace")
            for address, length in zip(self.addresses[:count], self.lengths[:count], strict=True)
        ]
        return [line for copy in copies for line in copy.split("\n")][:count] if self.by_line else copies


class Scanner:
    """Counts expressions, and hands a sorted run of them to ``spill`` whenever its table is full.

    A run is ``int64[5, n]``: packed key, right operand, first row, count, surface bits, in the order of the first two.
    Its memory is used again when ``spill`` has returned.
    ``surfaces`` and ``left_out`` are totals over all texts fed, in the order of ``alphabet.SURFACES`` and ``LEFT_OUT``.
    """

    def __init__(
        self, spill: Callable[[np.ndarray], None], *, expected_keys: int = 0, most_slots: int = _MOST_SLOTS
    ) -> None:
        self.surfaces = np.zeros(len(alphabet.SURFACES), np.int64)
        self.left_out = np.zeros(len(alphabet.LEFT_OUT), np.int64)
        self._spill, self._most_slots = spill, most_slots
        slots = _FIRST_SLOTS
        while slots < 2 * expected_keys:
            slots *= 4
        slots = min(slots, most_slots)
        kept = _SPARE.pop() if slots == _MOST_SLOTS and _SPARE else None
        self._table, self._scratch = kept or (table.new_table(slots), np.empty((_SCRATCH, 0), np.int64))
        self._used = 0
        self._symbols = np.empty(1 << 16, np.uint8)
        self._characters = character_table()
        wide = (np.empty(_PAIRS, np.int64), np.empty(_PAIRS, np.int64), np.empty(_PAIRS, np.int64))
        self._out: tuple[np.ndarray, ...] = (*wide, np.empty(_PAIRS, np.uint8))

    def feed(self, texts: Texts) -> np.ndarray:
        """Count the expressions of these texts; the row of each of them."""
        rows = [np.empty(0, np.int64)]
        for count in self._match(texts):
            kept = self._keep(count, texts.kept) if texts.kept else count
            rows.append(self._out[2][:kept].copy())
            self._insert(kept)
        return np.concatenate(rows)

    def _keep(self, count: int, kept: tuple[int, int]) -> int:
        """Drop the pairs outside a range of rows from ``_out``; how many are left."""
        rows, surfaces = self._out[2][:count], self._out[3][:count]
        inside = (rows >= kept[0]) & (rows < kept[1])
        if inside.all():
            return count
        self.surfaces -= np.bincount(surfaces[~inside], minlength=self.surfaces.size)
        left = int(inside.sum())
        columns = self._out
        for column in columns:
            column[:left] = column[:count][inside]
        return left

    def count_operations(self, operators: np.ndarray, lefts: np.ndarray, rights: np.ndarray, rows: np.ndarray) -> None:
        """Count operations that columns of their own state: numbers of ``OPERATORS`` and operands as in a key."""
        self.surfaces[alphabet.COLUMNS] += rows.size
        packed = (operators << alphabet.OPERATOR_SHIFT) | lefts
        for start in range(0, rows.size, _PAIRS):
            count = min(_PAIRS, rows.size - start)
            keys, seconds, places, surfaces = self._out
            keys[:count], seconds[:count] = packed[start : start + count], rights[start : start + count]
            places[:count], surfaces[:count] = rows[start : start + count], alphabet.COLUMNS
            self._insert(count)

    def _match(self, texts: Texts) -> Iterator[int]:
        """Fill ``_out`` with the pairs of these texts, as often as it takes; the number of pairs each time."""
        longest = int(texts.lengths.max(initial=0))
        if longest > self._symbols.size:
            self._symbols = np.empty(longest, np.uint8)
        state = np.zeros(matcher.STATE_SIZE, np.int64)
        state[matcher.LENGTH] = matcher.NOT_BEGUN
        while state[matcher.ROW] < texts.lengths.size:
            yield matcher.match_rows(
                texts.addresses,
                texts.lengths,
                texts.rows,
                texts.by_line,
                self._characters.ctypes.data,
                self._symbols.ctypes.data,
                state,
                self._out,
                self.surfaces,
                self.left_out,
            )

    def list_keys(self, texts: Texts) -> Iterator[tuple[int, SemanticKey]]:
        """Row and semantic key of every expression in these texts, in order, without counting them in."""
        for count in self._match(texts):
            packed, rights, rows, _ = (column[:count].tolist() for column in self._out)
            for key, right, row in zip(packed, rights, rows, strict=True):
                yield row, (OPERATORS[key >> alphabet.OPERATOR_SHIFT], key & alphabet.LEFT_MASK, right)

    def _insert(self, count: int) -> None:
        taken = 0
        while taken < count:
            self._used, taken = table.insert_pairs(self._table, self._used, self._out, taken, count)
            if taken < count:
                self._make_room()

    def _make_room(self) -> None:
        slots = self._table.shape[0]
        if slots >= self._most_slots:
            self.flush()
            return
        bigger = table.new_table(slots * 4)
        table.copy_slots(self._table, bigger)
        self._table = bigger

    def flush(self) -> None:
        """Hand what is counted so far to ``spill`` and start again."""
        if self._used:
            if self._scratch.shape[1] < self._used:
                self._scratch = np.empty((_SCRATCH, self._table.shape[0] // 2), np.int64)
            columns = self._scratch[:5, : self._used]
            table.sorted_run(self._table, tuple(columns), tuple(self._scratch[5:, : self._used]))
            self._spill(columns)
            self._table[:], self._used = 0, 0

    def close(self) -> None:
        """Flush, and leave the memory to the next scanner: to allot it anew costs a tenth of the time of a piece."""
        self.flush()
        if self._table.shape[0] == _MOST_SLOTS:
            _SPARE.append((self._table, self._scratch))


def release_memory() -> None:
    """Give up the memory that scanners left to each other: no more pieces follow."""
    _SPARE.clear()


def warm_up() -> None:
    """Load the machine code, or compile it where no earlier run has left it in the cache (half a minute)."""
    scanner = Scanner(lambda run: None)
    scanner.feed(Texts.from_series(pl.Series(["12 + 34 &times; 5"]), np.zeros(1, np.int64)))
    scanner.feed(Texts.from_lines(b"12 + 34", 0))
    scanner.flush()
    table.copy_slots(table.new_table(2), table.new_table(2))
    table.fold_rows(np.zeros((5, 1), np.int64))
