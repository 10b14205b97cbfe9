"""How far the scores of models without arithmetic lie around chance, where that is further than a coin's throws.

A model that cannot calculate does not draw an ending at random for each item: it has preferences (small numbers, round
ones, words), and a set of items favours some of them by luck. Over many random preferences the scores on one set can
therefore scatter more than the binomial says. ``SCATTER`` holds what was measured, and ``excess`` the part of it that
the binomial does not explain; a test against chance adds it (``inference.score``).
"""

import math
from typing import NamedTuple


class Scatter(NamedTuple):
    """The standard deviation of the scores of random preferences on ``items`` items, as a share of right ones."""

    deviation: float
    items: int


# By group of tasks, measured by benchmarks/preference_noise.py on version 2 of DeepArithmark-1 (500 preferences each,
# seed 20261027; benchmarks/results/preference-noise.json): less than the binomial's 1.37 and 1.58 points, as the leans
# of the endings are balanced, so nothing is added there. On version 1 of the default set it was 1.99 points. A group
# that is not here is tested by the binomial alone. (Measured just before the last change of the ledger.)
SCATTER: dict[str, Scatter] = {
    "deeparithmark": Scatter(0.00979, 1000),
    "deeparithmark_deep": Scatter(0.00954, 750),
}


def excess(group: str, chance: float | None) -> float:
    """The standard deviation beyond the binomial's that random preferences have on a group of tasks, 0 if not known.

    Preferences meet the templates of the set and not single items, so the excess does not shrink with their number and
    is taken for its parts alike.
    """
    if chance is None or group not in SCATTER:
        return 0.0
    deviation, items = SCATTER[group]
    return math.sqrt(max(0.0, deviation**2 - chance * (1 - chance) / items))
