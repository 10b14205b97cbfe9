"""How often intervals of paired differences hold the true one: the table of docs/statistics.md.

Exact, by adding up the probabilities of all outcomes, for up to 44 items; beyond that from 20,000 drawn samples.

Run: python -m benchmarks.interval_coverage; it prints the table.
"""

from collections.abc import Iterator
from itertools import product

import numpy as np
from scipy.stats import multinomial

from arithmark_tasks.report.table import Shown, Table
from arithmark_tasks.statistics.differences import hard_difference

# Items, and the shares of those that only the one and only the other gets right.
CASES = ((44, 0.05, 0.05), (44, 0.2, 0.1), (44, 0.4, 0.1), (250, 0.15, 0.1), (1000, 0.004, 0.001), (1000, 0.15, 0.15))
EXACT, SAMPLES = 44, 20_000


def outcomes(n: int, up: float, down: float) -> Iterator[tuple[int, int, float]]:
    """How many items only the one and only the other got right, with the probability of that."""
    shares = (up, down, 1 - up - down)
    if n <= EXACT:
        for better, worse in product(range(n + 1), repeat=2):
            if better + worse <= n:
                yield better, worse, float(multinomial.pmf((better, worse, n - better - worse), n, shares))
        return
    drawn = np.random.default_rng(5).multinomial(n, shares, SAMPLES)[:, :2]
    pairs, often = np.unique(drawn, axis=0, return_counts=True)
    for (better, worse), times in zip(pairs.tolist(), often.tolist(), strict=True):
        yield better, worse, times / SAMPLES


def measured(n: int, up: float, down: float) -> tuple[float, float]:
    """The share of intervals that hold the true difference, and their mean width."""
    held = width = 0.0
    for better, worse, weight in outcomes(n, up, down):
        if weight > 1e-12:
            found = hard_difference([1.0] * better + [-1.0] * worse + [0.0] * (n - better - worse))
            low, high = found.interval or (-1.0, 1.0)
            held += weight * (low <= up - down <= high)
            width += weight * (high - low)
    return held, width


def table() -> Table:
    """Coverage and width, case by case."""
    rows = []
    for n, up, down in CASES:
        held, width = measured(n, up, down)
        shown = f"{n:,}", f"{100 * up:.1f}", f"{100 * down:.1f}", f"{100 * held:.1f}", f"{100 * width:.1f}"
        rows.append(tuple(map(Shown, shown)))
    columns = ("items", "only A right, %", "only B right, %", "intervals that hold the difference, %", "width, points")
    return Table("coverage", "", columns, tuple(rows), frozenset())


if __name__ == "__main__":
    print(table().markdown())
