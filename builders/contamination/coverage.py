"""What a scan read of its sources and what it did not, counted with each piece."""

from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from .kernel.two_numbers import count_numbers, count_numbers_by_line
from .scanner import Texts


@dataclass(slots=True)
class Coverage:
    """What was read of a part of a source.

    ``columns`` are its text columns, ``operations`` the columns that state operations, as ``a, op, b``, and ``used``
    all columns among them; ``unread`` is every other column with its type. ``two_numbers`` counts the rows that hold
    two numbers or yielded a key, ``with_key`` those that did; ``repaired`` bytes that were no UTF-8, ``no_text``
    binary values that are no text.
    """

    columns: list[str] = field(default_factory=list)
    operations: list[str] = field(default_factory=list)
    used: list[str] = field(default_factory=list)
    unread: dict[str, str] = field(default_factory=dict)
    two_numbers: int = 0
    with_key: int = 0
    repaired: int = 0
    no_text: int = 0

    def add(self, other: "Coverage") -> None:
        """Add what was read of another part."""
        self.columns += [name for name in other.columns if name not in self.columns]
        self.operations += [name for name in other.operations if name not in self.operations]
        self.used += [name for name in other.used if name not in self.used]
        for name, kind in other.unread.items():
            known = self.unread.setdefault(name, kind)
            if kind not in known.split(" or "):
                self.unread[name] = f"{known} or {kind}"
        self.two_numbers += other.two_numbers
        self.with_key += other.with_key
        self.repaired += other.repaired
        self.no_text += other.no_text

    def settle(self) -> None:
        """Columns whose numbers were read somewhere as operands are not unread."""
        self.unread = {name: kind for name, kind in self.unread.items() if name not in self.used}

    def as_entry(self) -> dict[str, Any]:
        """What an index's footer says of a source."""
        entry = asdict(self)
        del entry["used"]
        return entry


class RowCounter:
    """Which rows of a block hold two numbers, and which yielded a key."""

    def __init__(self, first: int, rows: int) -> None:
        self._first = first
        self._numbers = np.zeros(rows, np.uint8)
        self._keyed = np.zeros(rows, bool)

    def add_keys(self, rows: np.ndarray) -> None:
        """These rows yielded a key."""
        self._keyed[rows - self._first] = True

    def add_two_numbers(self, rows: np.ndarray) -> None:
        """These rows hold two numbers."""
        self._numbers[rows - self._first] = 2

    def add_texts(self, texts: Texts) -> None:
        """Count the numbers of texts, in rows without a key; all texts of the block were scanned before."""
        self._numbers[self._keyed] = 2
        if texts.by_line:
            for address, length, row in zip(texts.addresses, texts.lengths, texts.rows, strict=True):
                count_numbers_by_line(address, length, row - self._first, self._numbers)
        else:
            count_numbers(texts.addresses, texts.lengths, texts.rows - self._first, self._numbers)

    def totals(self) -> tuple[int, int]:
        """How many rows hold two numbers or yielded a key, and how many yielded one."""
        return int(((self._numbers >= 2) | self._keyed).sum()), int(self._keyed.sum())
