"""All totals of a set together, and the pass that mends a set whose shortcuts are not all at chance.

The choices are greedy: an early one is never taken back, and a template whose numbers allow few option sets can leave a
strategy a point off. The pass goes through the items, weighs other option sets of the same story and keeps what brings
the totals nearer, until every strategy is within the goal. A set that meets the goals is left as it is.
"""

from collections.abc import Callable, Sequence
from math import sqrt

from ..choices.ledger import Ledger
from ..choices.spellings import TextTotals
from ..choices.watched import LEANS, Watch
from ..streams import Stream
from .candidates import Candidate
from .plan import Cell

# On larger sets a total of chance size is far within the goal, and their items need not be kept.
REPAIRED_ITEMS = 5_000
_ROUNDS = 2
# The audit's goal is one point; on small sets, where a point is an item or two, a part of what chance leaves.
_GOAL, _SMALL_GOAL = 0.009, 0.3

Drawn = tuple[Stream, Candidate]
Again = Callable[[int, int], list[Candidate]]


class Totals:
    """The ledger with the leans and, where they are watched, the totals of what the endings are written with."""

    def __init__(self, watch: Watch) -> None:
        self.ledger = Ledger(LEANS, watch.freedom, watch.within)
        self._texts = TextTotals() if watch.texts else None

    def best(self, cell: Cell, found: Sequence[Candidate]) -> Candidate:
        """The candidate that brings the totals nearest to chance, the first of equals."""
        return min(found, key=lambda candidate: self.cost(cell, candidate))

    def cost(self, cell: Cell, candidate: Candidate) -> float:
        cost = self.ledger.cost(cell.family.template, candidate.entry)
        return cost if self._texts is None else cost + self._texts.cost(candidate.text())

    def add(self, cell: Cell, candidate: Candidate) -> None:
        """Take the chosen candidate into the totals."""
        self.ledger.add(cell.family.template, candidate.entry)
        if self._texts is not None:
            self._texts.add(candidate.text())

    def remove(self, cell: Cell, candidate: Candidate) -> None:
        """Take a candidate back out of the totals."""
        self.ledger.remove(cell.family.template, candidate.entry)
        if self._texts is not None:
            self._texts.remove(candidate.text())


def repair(kept: list[Drawn], cells: Sequence[Cell], totals: Totals, again: Again) -> None:
    """Choose again among the option sets of each item's own story, where that is needed; ``kept`` is changed."""
    goal = max(_GOAL * len(kept), _SMALL_GOAL * sqrt(len(kept)))
    for number in range(_ROUNDS):
        for index, (stream, chosen) in enumerate(kept):
            if totals.ledger.farthest() <= goal:
                return
            cell = cells[index]
            totals.remove(cell, chosen)
            best = chosen
            if totals.cost(cell, chosen) > 0:
                best = totals.best(cell, [chosen, *again(number, index)])
                kept[index] = stream, best
            totals.add(cell, best)
