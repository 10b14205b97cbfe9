"""The plan of a set: how many items each family gives, and where each item's right option must stand.

Counts are dealt like cards, so that every axis differs by at most one at any size: families within a depth by their
published shares, answer ranks within a family, slots within a (depth, rank) column. At 1,000 items this gives the
published slots 252/252/248/248, ranks 248/252/248/252 and 15 or 16 items in every slot x rank x depth cell.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

from ..choices.options import OPTIONS
from ..streams import Stream
from .families.registry import Family

# The ranks that get one item more when a count is not a multiple of four, in this order.
_RANK_ORDER = (1, 3, 0, 2)


@dataclass(frozen=True, slots=True)
class Cell:
    """Where one item's right option stands: ``rank`` counts from the smallest value, ``slot`` from the first ending."""

    family: Family
    rank: int
    slot: int


def apportion(total: int, shares: Sequence[int]) -> list[int]:
    """Split ``total`` in proportion to ``shares`` by largest remainder, earlier entries first on ties.

    >>> apportion(250, [122, 128]), apportion(10, [1, 1, 1])
    ([122, 128], [4, 3, 3])
    """
    whole = sum(shares)
    counts = [total * share // whole for share in shares]
    by_remainder = sorted(range(len(shares)), key=lambda index: (-(total * shares[index] % whole), index))
    for index in by_remainder[: total - sum(counts)]:
        counts[index] += 1
    return counts


def plan(items: int, families: Sequence[Family], order: Stream, whole: int = 1) -> list[Cell]:
    """The cells of a set of ``items`` in item order; ``order`` shuffles them, the counts depend on the rest alone.

    Templates get their items ``whole`` at a time where the depth's items divide by it.
    """
    cells: list[Cell] = []
    depths = sorted({family.depth for family in families})
    for depth, depth_items in zip(depths, apportion(items, [1] * len(depths)), strict=True):
        members = [family for family in families if family.depth == depth]
        unit = 1 if depth_items % whole else whole
        counts = apportion(depth_items // unit, [family.share for family in members])
        cells += _depth_cells(members, [unit * count for count in counts])
    order.shuffle(cells)
    return cells


def _depth_cells(members: Sequence[Family], counts: Sequence[int]) -> list[Cell]:
    columns: list[list[Family]] = [[] for _ in range(OPTIONS)]
    extra = count()
    for family, items in zip(members, counts, strict=True):
        for rank in range(OPTIONS):
            columns[rank] += [family] * (items // OPTIONS)
        for _ in range(items % OPTIONS):
            columns[_RANK_ORDER[next(extra) % OPTIONS]].append(family)
    slots = count()
    cells = []
    for rank, column in enumerate(columns):
        # Whole rounds of four first, then the odd ones out continue the deal where the last column stopped.
        rounds = [slot for _ in range(len(column) // OPTIONS) for slot in range(OPTIONS)]
        rounds += [next(slots) % OPTIONS for _ in range(len(column) % OPTIONS)]
        cells += [Cell(family, rank, slot) for family, slot in zip(column, rounds, strict=True)]
    return cells
