"""Leans of long stories, beyond those of ``watched.py``: more numbers in the prompt, and the geometry of the options.

Longer stories have more numbers, and more mistakes that raise an amount (left out, or added where it is taken off) than
lower it (taken off twice). So the distances between the options would tell where the right one lies: wide apart, and it
is the smallest. Each shape of four options is therefore watched with each rank of the right one.
"""

from bisect import bisect
from collections.abc import Sequence
from itertools import combinations, pairwise
from math import log

from .options import OPTIONS, OptionSet
from .watched import LEANS, Watch, leans

_NUMBERS = 8
# The first ones are watched in ``watched.py``.
_WATCHED = 5
# Gaps between neighbours, in parts of the mean option: where one width ends and the next begins.
_WIDTHS = (0.02, 0.05, 0.09, 0.15, 0.25)
_COARSE = (0.05, 0.15)
_GAPS = OPTIONS - 1
_SHAPES = _GAPS * (len(_WIDTHS) + 1) + _GAPS * (len(_COARSE) + 1) ** 2
# Few items have one shape, so that an item counts for more than where all items have the look.
_WEIGHT = 2.0
# A whole unit of the natural logarithm, too wide a lean for a size, counts as so many items.
_SIZE = 4.0
DEEP_LEANS = LEANS + _NUMBERS + 4 * (_NUMBERS - _WATCHED) + 1 + OPTIONS * (_SHAPES + OPTIONS + 1)


def deep_leans(options: OptionSet, numbers: Sequence[int], clock: bool) -> list[float]:
    """The ``DEEP_LEANS`` leans of an option set, in a fixed order."""
    values = options.values
    found = leans(options, numbers, clock)
    padded = [*numbers[:_NUMBERS], *[0] * (_NUMBERS - len(numbers))]
    found += [_lean([number > 1 and value % number == 0 for value in values]) for number in padded]
    for number in padded[_WATCHED:]:
        for gap in (number, 2 * number):
            upper = [number > 0 and value - gap in values for value in values]
            lower = [number > 0 and value + gap in values for value in values]
            found += [_lean(upper), _lean(lower)]
    found.append(_lean([_SIZE * log(max(value, 1)) for value in values]))
    return found + _rank_leans(options)


def _lean(looks: Sequence[float]) -> float:
    return looks[0] - sum(looks) / len(looks)


def _rank_leans(options: OptionSet) -> list[float]:
    """For each shape, and each place of the centre of the graph, what the set adds to each rank, less chance."""
    ordered = sorted(options.values)
    rank, mean = ordered.index(options.values[0]), sum(ordered) / len(ordered)
    gaps = [(high - low) / mean for low, high in pairwise(ordered)]
    rows, first = [], 0
    for gap in gaps:
        rows.append(first + bisect(_WIDTHS, gap))
        first += len(_WIDTHS) + 1
    for one, other in combinations(gaps, 2):
        rows.append(first + (len(_COARSE) + 1) * bisect(_COARSE, one) + bisect(_COARSE, other))
        first += (len(_COARSE) + 1) ** 2
    rows.append(first + _centre(options, ordered))
    found = [0.0] * (OPTIONS * (_SHAPES + OPTIONS + 1))
    for row in rows:
        for place in range(OPTIONS):
            found[OPTIONS * row + place] = _WEIGHT * ((place == rank) - 1 / OPTIONS)
    return found


def _centre(options: OptionSet, ordered: Sequence[int]) -> int:
    """The rank of the centre of a star, and ``OPTIONS`` for a square."""
    if options.centre == 1:
        return ordered.index(options.values[0])
    if options.centre == 0:
        single = next(place for place, slips in enumerate(options.made_of, 1) if len(slips) == 1)
        return ordered.index(options.values[single])
    return OPTIONS


# Held as tightly as a strategy: long stories have little else to be told apart by. With so many leans at chance the
# endings are as well, and a set of this size that is held to their totals too has them reversed.
DEEP_WATCH = Watch(deep_leans, DEEP_LEANS, freedom=2.0, within=1.0, texts=False)
