"""Running totals of what the endings are written with, so that no spelling of a number is right more often.

A classifier over character 3-grams learns that ``" 11"`` is seldom right as soon as it is, whatever the reason: the
families reach some values by the right steps and others by a mistake. On 1,000 items that is lost in the noise; on
10,000 it is not. So each 3-gram is watched as every shortcut is, and allowed no more than chance itself leaves.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import sqrt

# 3-gram, the right option's count less the mean of the options, the variance over the options.
Text = tuple[tuple[str, float, float], ...]
GRAM = 3
# Free are so many items and so many standard deviations of a 3-gram's total under chance. With less, the set would be
# balanced to the last item, and what a learner counts in one part of it would be reversed in the rest.
_FLOOR, _SLACK = 3.0, 1.0


def text(endings: Sequence[str]) -> Text:
    """What a set of endings, the right one first, adds to the totals; a 3-gram that all share adds nothing.

    >>> text([" 12.", " 13."])
    ((' 12', 0.5, 0.25), ('12.', 0.5, 0.25), (' 13', -0.5, 0.25), ('13.', -0.5, 0.25))
    """
    counts = [_grams(ending) for ending in endings]
    size, found = len(counts), []
    for gram in dict.fromkeys([gram for count in counts for gram in count]):
        row = [count.get(gram, 0) for count in counts]
        if row.count(row[0]) < size:
            mean = sum(row) / size
            found.append((gram, row[0] - mean, sum([(one - mean) ** 2 for one in row]) / size))
    return tuple(found)


@lru_cache(maxsize=4096)
def _grams(ending: str) -> Mapping[str, int]:
    return dict(Counter([ending[at : at + GRAM] for at in range(len(ending) - GRAM + 1)]))


class TextTotals:
    """The totals of a set, one for each 3-gram."""

    def __init__(self) -> None:
        self._totals: dict[str, float] = {}
        self._spreads: dict[str, float] = {}

    def cost(self, text: Text) -> float:
        """How much the squared excess over what chance leaves would grow."""
        cost = 0.0
        for gram, change, _ in text:
            total = self._totals.get(gram, 0.0)
            free = _FLOOR + _SLACK * sqrt(max(0.0, self._spreads.get(gram, 0.0)))
            after, before = abs(total + change) - free, abs(total) - free
            if after > 0:
                cost += after * after
            if before > 0:
                cost -= before * before
        return cost

    def add(self, text: Text) -> None:
        """Take the endings of a chosen option set into the totals."""
        for gram, change, spread in text:
            self._totals[gram] = self._totals.get(gram, 0.0) + change
            self._spreads[gram] = self._spreads.get(gram, 0.0) + spread

    def remove(self, text: Text) -> None:
        """Take the endings of an option set back out of the totals."""
        for gram, change, spread in text:
            self._totals[gram] -= change
            self._spreads[gram] -= spread
