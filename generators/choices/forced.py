"""What a story forces, whichever of its option sets is taken: looks of the right value that few wrong ones share.

If the right value is what all numbers of the prompt add up to, the option nearest to their sum is right in every option
set. Only another story helps. So of two stories of a family the one is taken that brings these looks nearer to chance;
the rank that the plan deals plays no part in it.
"""

from collections.abc import Sequence

from .ledger import Entry, place_of
from .options import OPTIONS, Choices
from .relations import DIVISORS, divided, looked, marks, one_step_counts

_PLACES = tuple(
    place_of(name)
    for name in (
        "nearest the prompt's sum",
        "nearest the largest prompt number",
        "nearest the first step",
        "farthest from the first step",
        "most one-step results",
        "fewest one-step results",
        *(f"{most} divided: {what}" for most in ("most", "least") for what in DIVISORS),
    )
)


def forced(found: Choices, numbers: Sequence[int], first_step: int) -> Entry:
    """What a story adds to the totals on average: the credit of the right value among three wrong ones by lot."""
    seen, made = looked(tuple(numbers)), marks(tuple(numbers), found.clock)
    total, largest = sum(numbers), max(numbers)
    rows = []
    for value in (found.right, *{value: None for _, value in (*found.below, *found.above)}):
        counts = divided(seen, value)
        away = abs(value - first_step)
        results = one_step_counts(made, (value,))[0]
        near = (-abs(value - total), -abs(value - largest), -away, away, results, -results)
        rows.append((*near, *counts, *[-count for count in counts]))
    columns = zip(*rows, strict=True)
    return tuple([(place, _top(*column) - 1 / OPTIONS) for place, column in zip(_PLACES, columns, strict=True)])


def _top(right: int, *wrong: int) -> float:
    """The chance that ``right`` is the largest of itself and three of ``wrong``, ties by lot.

    >>> _top(5, 1, 2, 3), _top(5, 5, 5), _top(5, 6, 4)
    (1.0, 0.25, 0.125)
    """
    below = sum([other < right for other in wrong]) / len(wrong)
    equal = wrong.count(right) / len(wrong)
    if not equal:
        return below ** (OPTIONS - 1)
    return ((below + equal) ** OPTIONS - below**OPTIONS) / (OPTIONS * equal)
