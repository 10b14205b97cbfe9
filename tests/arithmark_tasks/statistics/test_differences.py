"""Intervals of paired shares against a second computation, the exact test beside them, and their coverage."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from scipy.stats import binomtest, ttest_1samp

from arithmark_tasks.statistics.differences import (
    detectable_difference,
    hard_difference,
    mcnemar_p,
    soft_difference,
    tango_interval,
)

COUNTS = st.integers(1, 60).flatmap(
    lambda n: st.tuples(st.integers(0, n), st.just(n)).flatmap(
        lambda pair: st.tuples(st.integers(0, pair[0]), st.just(pair[0]), st.just(pair[1]))
    )
)


def difference_of(better, worse, n):
    return hard_difference([1.0] * better + [-1.0] * worse + [0.0] * (n - better - worse))


def score_by_likelihood(better, worse, n, delta):
    """The score statistic with the nuisance found by maximising the trinomial likelihood numerically."""

    def loss(q):
        p = q + delta
        if p < 0 or q < 0 or p + q > 1:
            return math.inf
        rest = max(1 - p - q, 1e-300)
        return -(
            better * math.log(max(p, 1e-300)) + worse * math.log(max(q, 1e-300)) + (n - better - worse) * math.log(rest)
        )

    low, high = max(0.0, -delta), (1 - delta) / 2
    q = minimize_scalar(loss, bounds=(low, high), method="bounded", options={"xatol": 1e-12}).x
    return (better - worse - n * delta) / math.sqrt(n * (2 * q + delta - delta**2))


@pytest.mark.parametrize(("better", "worse", "n"), [(10, 4, 44), (1, 3, 54), (120, 80, 1000), (4, 0, 1000)])
def test_the_bounds_are_where_the_score_test_begins_to_refuse(better, worse, n):
    low, high = tango_interval(better, worse, n)
    assert low < (better - worse) / n < high
    assert score_by_likelihood(better, worse, n, low) == pytest.approx(1.96, abs=0.01)
    assert score_by_likelihood(better, worse, n, high) == pytest.approx(-1.96, abs=0.01)


@given(COUNTS)
def test_an_interval_excludes_0_exactly_where_mcnemar_refuses_it(counts):
    better, total, n = counts
    found = difference_of(better, total - better, n)
    assert found.p == pytest.approx(binomtest(better, total).pvalue if total else 1.0)
    low, high = found.interval
    assert (low > 0 or high < 0) == (found.p < 0.05)
    assert -1 <= low <= (2 * better - total) / n <= high <= 1
    mirrored = difference_of(total - better, better, n)
    assert mirrored.interval == pytest.approx([-high, -low], abs=1e-9)


def test_four_against_none_of_a_thousand_is_no_difference_and_none_against_none_is_not_certain():
    four, none = difference_of(4, 0, 1000), difference_of(0, 0, 1000)
    assert four.p == 0.125 and four.interval[0] <= 0 < four.interval[1]
    assert none.p == 1 and none.interval == pytest.approx([-0.00383, 0.00383], abs=1e-5)


@pytest.mark.parametrize(
    ("n", "up", "down"), [(44, 0.2, 0.1), (44, 0.05, 0.05), (250, 0.15, 0.1), (1000, 0.004, 0.001)]
)
def test_about_19_of_20_intervals_hold_the_true_difference(n, up, down):
    draw = np.random.default_rng(5)
    counts, often = np.unique(draw.multinomial(n, (up, down, 1 - up - down), 5_000)[:, :2], axis=0, return_counts=True)
    held = 0
    for (better, worse), times in zip(counts.tolist(), often.tolist(), strict=True):
        low, high = difference_of(better, worse, n).interval
        held += times * (low <= up - down <= high)
    # Of five discordant items on average, no interval of this kind keeps the last percent.
    assert held / 5000 > (0.93 if n * (up + down) < 10 else 0.94)


def test_a_tie_counts_as_part_of_an_item_and_never_makes_a_difference_clearer():
    whole, parts = hard_difference([1.0] * 6 + [0.0] * 94), hard_difference([0.5] * 6 + [0.0] * 94)
    assert (whole.p, parts.p) == (pytest.approx(2 / 64), 0.25) and whole.interval[0] > 0 >= parts.interval[0]
    assert mcnemar_p(5.5, 0) == mcnemar_p(5, 0) > mcnemar_p(6, 0)


def test_probabilities_have_a_t_test_and_its_interval():
    values = [0.1, 0.3, -0.05, 0.2, 0.15, 0.0]
    found, other = soft_difference(values), ttest_1samp(values, 0)
    assert (found.test, found.p) == ("t", pytest.approx(other.pvalue))
    assert found.interval == pytest.approx(list(other.confidence_interval(0.95)))
    assert soft_difference([0.0, 0.0]).p == 1 and soft_difference([0.3]).interval is None


@pytest.mark.parametrize(("share", "n"), [(0.3, 1000), (0.1, 250)])
def test_a_difference_of_the_detectable_size_is_found_in_about_four_of_five_samples(share, n):
    delta = detectable_difference(share * n, n)
    draw = np.random.default_rng(3)
    samples = draw.multinomial(n, ((share + delta) / 2, (share - delta) / 2, 1 - share), 4000)
    found = np.mean([mcnemar_p(int(better), int(worse)) < 0.05 for better, worse, _ in samples])
    assert 0.7 < found < 0.85
