"""Seeded draws: one independent stream per (name, version, seed, index).

A stream is named by a string, never by ``seed + index``: with sums, item 1 of seed 1 would equal item 0 of seed 2.
Only ``getrandbits`` is used, whose sequence is fixed by the Mersenne Twister; ``randrange`` and ``shuffle`` may change
between Python versions.
"""

import random
from collections.abc import MutableSequence, Sequence
from typing import TypeVar

T = TypeVar("T")


class Stream:
    """Uniform draws from one named stream.

    >>> Stream("demo", 1, 42, 0).integer(1, 6) == Stream("demo", 1, 42, 0).integer(1, 6)
    True
    """

    __slots__ = ("_bits",)

    def __init__(self, name: str, version: int, seed: int, index: int) -> None:
        self._bits = random.Random(f"{name}|v{version}|{seed}|{index}").getrandbits

    def below(self, bound: int) -> int:
        """A uniform integer in ``[0, bound)``; ``ValueError`` when the range is empty."""
        if bound < 1:
            raise ValueError(f"cannot draw below {bound}")
        width = bound.bit_length()
        value = self._bits(width)
        while value >= bound:
            value = self._bits(width)
        return value

    def integer(self, low: int, high: int, step: int = 1) -> int:
        """A uniform multiple of ``step`` above ``low``: one of ``low, low + step, ...`` up to ``high`` inclusive."""
        return low + step * self.below((high - low) // step + 1)

    def choice(self, options: Sequence[T]) -> T:
        """One element, each equally likely."""
        return options[self.below(len(options))]

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Permute ``items`` in place (Fisher-Yates)."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]

    def sample(self, options: Sequence[T], count: int) -> list[T]:
        """``count`` different elements in random order; ``ValueError`` when there are fewer."""
        if count > len(options):
            raise ValueError(f"cannot draw {count} of {len(options)}")
        pool = list(options)
        for position in range(count):
            other = position + self.below(len(pool) - position)
            pool[position], pool[other] = pool[other], pool[position]
        return pool[:count]
