"""Tests and intervals of shares. scipy.stats takes a second to import, so only a function that needs it does that."""

import math
from collections.abc import Iterable, Sequence
from functools import cache
from statistics import fmean, stdev
from typing import Any

from ..generators.intervals import wilson
from .records import Homogeneity, Mean, Score, Trend

# Cochran's rule: below five expected in a cell the chi-square distribution says nothing reliable; a product that is
# five may come out a little less.
LEAST_EXPECTED = 5 - 1e-9
Z95 = 1.959963984540054


def binomial_p(right: float, n: int, chance: float) -> float:
    """The exact two-sided binomial p of ``right`` of ``n`` against ``chance``.

    ``right`` may hold shares of ties; between two whole numbers the larger p of both counts, so that a tie never makes
    a result more significant. ``ValueError`` for counts that cannot be.

    >>> round(binomial_p(213, 1000, 0.25), 4), binomial_p(249.5, 1000, 0.25)
    (0.0069, 1.0)
    """
    if n < 1 or not 0 <= right <= n or not 0 < chance < 1:
        raise ValueError(f"no test of {right} of {n} against {chance}")
    from scipy.stats import binomtest

    right = round(right, 6)  # sums of thirds miss whole numbers by rounding errors
    return max(float(binomtest(whole, n, chance).pvalue) for whole in {math.floor(right), math.ceil(right)})


def spent(look: int, alpha: float = 0.05) -> float:
    """The level of the ``look``-th test of a sequence without a known end: all levels together are ``alpha``.

    >>> round(spent(1), 4), round(spent(10), 6), round(sum(spent(look) for look in range(1, 10_000)), 4)
    (0.0304, 0.000304, 0.05)
    """
    return alpha * 6 / (math.pi * look) ** 2


def holm(ps: Sequence[float | None]) -> list[float | None]:
    """Holm's step-down adjustment, in the order given; None stays None and does not count as a test.

    >>> holm([0.01, None, 0.04, 0.03])
    [0.03, None, 0.06, 0.06]
    """
    tested = sorted((p, index) for index, p in enumerate(ps) if p is not None)
    adjusted: list[float | None] = [None] * len(ps)
    largest = 0.0
    for place, (p, index) in enumerate(tested):
        largest = max(largest, min(1.0, p * (len(tested) - place)))
        adjusted[index] = largest
    return adjusted


def adjust(tests: Iterable[Any]) -> None:
    """Set ``p_holm`` of those that exist (not None) of one family of tests, from their ``p_wide`` or ``p``."""
    existing = [test for test in tests if test is not None]
    ps = [test["p"] if test.get("p_wide") is None else test["p_wide"] for test in existing]
    for test, adjusted in zip(existing, holm(ps), strict=True):
        test["p_holm"] = adjusted


def score(values: Sequence[float], chance: float | None, *, soft: bool = False, excess: float = 0.0) -> Score:
    """The mean of per-item credits with its interval and its test against ``chance``.

    Shares of right items get Wilson's interval and the exact binomial test; ``soft`` values get mean +- 1.96 standard
    errors, cut to [0, 1], and a t test. ``excess`` is the standard deviation that scores of models without arithmetic
    have beyond the binomial's (``scatter.excess``): it gives ``p_wide``. ``p_holm`` is left to whoever knows the other
    tests.
    """
    n, value = len(values), fmean(values)
    stderr = stdev(values, value) / math.sqrt(n) if n > 1 else None
    wide = None
    if soft:
        reach = 1.0 if stderr is None else Z95 * stderr
        interval, method, test = (max(0.0, value - reach), min(1.0, value + reach)), "normal", "t"
        p = _t_test(value, stderr, n, chance)
    else:
        right = min(math.fsum(values), float(n))
        interval, method, test = wilson(right, n), "wilson", "binomial"
        p = None if chance is None else binomial_p(right, n, chance)
        if chance is not None and p is not None and excess:
            wide = max(p, wide_p(value, n, chance, excess))
    return Score(
        value=value,
        n=n,
        stderr=stderr,
        interval=list(interval),
        interval_method=method,
        test=None if p is None else test,
        p=p,
        p_wide=wide,
        p_holm=None,
    )


def wide_p(share: float, n: int, chance: float, excess: float) -> float:
    """The two-sided normal p of a share against ``chance`` when scores scatter by ``excess`` beyond the binomial.

    >>> round(wide_p(0.213, 1000, 0.25, 0.0146), 3)
    0.065
    """
    deviation = math.sqrt(chance * (1 - chance) / n + excess**2)
    return math.erfc(abs(share - chance) / deviation / math.sqrt(2))


def mean(values: Sequence[float]) -> Mean:
    """The mean of per-item values of any size, with the t interval of a mean."""
    n, value = len(values), fmean(values)
    stderr = stdev(values, value) / math.sqrt(n) if n > 1 else None
    reach = None if stderr is None else t_quantile(n - 1) * stderr
    return Mean(value=value, n=n, stderr=stderr, interval=None if reach is None else [value - reach, value + reach])


@cache
def t_quantile(df: int) -> float:
    """How many standard errors a 95 % interval of a mean reaches."""
    from scipy.stats import t

    return float(t.ppf(0.975, df))


def trend(right: Sequence[float], total: Sequence[int], at: Sequence[float]) -> Trend:
    """Cochran-Armitage: does the share of right items rise or fall with the value ``at`` of each group?

    ``ValueError`` for fewer than two different values or an empty group. No p when the whole sample holds fewer than
    five expected right or wrong items in a group.
    """
    _check(right, total)
    if len(at) != len(total) or len(set(at)) < 2:
        raise ValueError(f"a trend needs different values for its groups, not {list(at)}")
    n, pooled = sum(total), math.fsum(right) / sum(total)
    centre = sum(value * size for value, size in zip(at, total, strict=True)) / n
    spread = sum(size * (value - centre) ** 2 for value, size in zip(at, total, strict=True))
    rise = math.fsum((value - centre) * hits for value, hits in zip(at, right, strict=True))
    variance = pooled * (1 - pooled) * spread
    z = rise / math.sqrt(variance) if variance > 0 else 0.0
    enough = min(total) * min(pooled, 1 - pooled) >= LEAST_EXPECTED
    return Trend(z=z, slope=rise / spread, p=math.erfc(abs(z) / math.sqrt(2)) if enough else None, p_holm=None)


def homogeneity(right: Sequence[float], total: Sequence[int]) -> Homogeneity:
    """Chi-square of the shares of several groups against one common share; degrees of freedom are groups - 1.

    No p below five expected right or wrong items in a group. ``ValueError`` for fewer than two groups.
    """
    _check(right, total)
    if len(total) < 2:
        raise ValueError("nothing to compare: one group")
    pooled = math.fsum(right) / sum(total)
    observed = [*right, *(size - hits for hits, size in zip(right, total, strict=True))]
    expected = [*(pooled * size for size in total), *((1 - pooled) * size for size in total)]
    return chi_square(observed, expected, len(total) - 1)


def chi_square(observed: Sequence[float], expected: Sequence[float], df: int) -> Homogeneity:
    """Pearson's chi-square of counts; no p where fewer than five are expected in a cell."""
    pairs = zip(observed, expected, strict=True)
    chi2 = math.fsum((seen - wanted) ** 2 / wanted for seen, wanted in pairs if wanted > 0)
    p = None
    if min(expected) >= LEAST_EXPECTED:
        from scipy.stats import chi2 as distribution

        p = float(distribution.sf(chi2, df))
    return Homogeneity(chi2=chi2, df=df, p=p, p_holm=None)


def _t_test(value: float, stderr: float | None, n: int, chance: float | None) -> float | None:
    if chance is None or not stderr:
        return None
    from scipy.stats import t

    return float(2 * t.sf(abs(value - chance) / stderr, n - 1))


def _check(right: Sequence[float], total: Sequence[int]) -> None:
    for hits, size in zip(right, total, strict=True):
        if size < 1 or not -1e-9 <= hits <= size + 1e-9:
            raise ValueError(f"no share: {hits} of {size}")
