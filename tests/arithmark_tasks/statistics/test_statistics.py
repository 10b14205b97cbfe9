"""Tests and intervals of shares, each against a second computation and against the published figures."""

import doctest
import importlib
import math
import pkgutil
import random
from itertools import combinations, pairwise

import numpy as np
import pytest
from answered import AT_CHANCE
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from arithmark_tasks import statistics
from arithmark_tasks.statistics import binomial_p, holm, homogeneity, score, trend, verdict

MODULES = [f"{statistics.__name__}.{module.name}" for module in pkgutil.iter_modules(statistics.__path__)]
# Figures of the DeepArithmark-1 card: right, items, p as printed there.
PUBLISHED = (
    (213, 1000, "0.007"),
    (200, 1000, "0.0002"),
    (292, 1000, "0.0027"),
    (94, 250, "1e-05"),
    (46, 250, "0.016"),
    (96, 250, "3e-06"),  # depth 3 of the model that goes 41.2 -> 38.4 %
    (148, 250, "2e-30"),
    (89, 250, "0.0002"),
    (299, 1000, "0.00045"),
    (365, 1000, "8e-16"),
)
GROUPS = st.lists(
    st.integers(1, 60).flatmap(lambda size: st.tuples(st.integers(0, size), st.just(size))), min_size=2, max_size=6
)


@pytest.mark.parametrize("name", MODULES)
def test_worked_examples_are_true(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


@pytest.mark.parametrize(("right", "n", "printed"), PUBLISHED)
def test_published_p_values_are_those_of_the_exact_two_sided_test(right: int, n: int, printed: str) -> None:
    digits = len(printed.split("e")[0].replace(".", "").lstrip("0"))
    assert float(f"{binomial_p(right, n, 0.25):.{digits}g}") == float(printed)


def test_the_published_model_that_is_at_chance_has_its_chi_square() -> None:
    right, total = zip(*AT_CHANCE.values(), strict=True)
    found = homogeneity(right, total)
    assert (round(found["chi2"], 1), found["df"], sum(right), sum(total)) == (63.2, 14, 252, 1000)
    assert found["p"] is not None and found["p"] < 1e-4
    rates = sorted(hits / size for hits, size in AT_CHANCE.values())
    assert (round(100 * rates[0], 1), round(100 * rates[-1], 1)) == (3.0, 54.5)


def test_that_model_is_on_a_stable_wrong_path_and_an_even_one_is_at_chance() -> None:
    right, total = zip(*AT_CHANCE.values(), strict=True)
    whole = score([1.0] * 252 + [0.0] * 748, 0.25)
    assert verdict(whole, 0.25, homogeneity(right, total))["code"] == "stable_wrong_path"
    even = homogeneity([size * 0.252 for size in total], total)
    assert verdict(whole, 0.25, even)["code"] == "at_chance"
    doubtful = homogeneity([35, 25, 20, 17], [100] * 4)
    assert doubtful["p"] is not None and 0.01 < doubtful["p"] < 0.05
    assert verdict(whole, 0.25, doubtful)["code"] == "at_chance"


@pytest.mark.parametrize(
    ("right", "code"), [(292, "above_chance"), (213, "below_chance"), (200, "below_chance"), (248, "at_chance")]
)
def test_the_verdict_follows_the_exact_test(right: int, code: str) -> None:
    said = verdict(score([1.0] * right + [0.0] * (1000 - right), 0.25), 0.25)
    assert said["code"] == code
    assert said["text"].startswith(code.replace("_", " "))


def test_there_is_no_verdict_without_a_chance_level() -> None:
    assert verdict(score([1.0, 0.0], None), None)["code"] == "no_chance_level"


@given(st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.sampled_from((2, 3, 4, 5)))
def test_the_binomial_p_is_the_sum_over_all_outcomes_no_likelier(counts: tuple[int, int], options: int) -> None:
    right, n = counts
    weights = [math.comb(n, hits) * (options - 1) ** (n - hits) for hits in range(n + 1)]
    exact = sum(weight for weight in weights if weight <= weights[right]) / options**n
    assert binomial_p(right, n, 1 / options) == pytest.approx(exact, rel=1e-9)


@given(st.integers(1, 300), st.data())
def test_a_share_of_a_tie_is_never_more_significant_than_its_neighbours(n: int, data: st.DataObject) -> None:
    low = data.draw(st.integers(0, n - 1))
    between = binomial_p(low + 0.5, n, 0.25)
    assert between >= binomial_p(low, n, 0.25) and between >= binomial_p(low + 1, n, 0.25)


def test_ties_of_thirds_add_up_to_whole_numbers() -> None:
    assert binomial_p(sum([1 / 3] * 3 + [1.0] * 60), 200, 0.25) == binomial_p(61, 200, 0.25)


@pytest.mark.parametrize(
    ("right", "n", "chance"), [(3, 2, 0.25), (-1, 2, 0.25), (1, 0, 0.25), (1, 2, 0.0), (1, 2, 1.0)]
)
def test_impossible_counts_are_refused(right: int, n: int, chance: float) -> None:
    with pytest.raises(ValueError, match="no test"):
        binomial_p(right, n, chance)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6))
def test_holm_is_closed_testing_with_bonferroni(ps: list[float]) -> None:
    """An adjusted p is the largest Bonferroni p of all sets of tests that hold the test."""
    indices = range(len(ps))
    subsets = [set(subset) for size in range(1, len(ps) + 1) for subset in combinations(indices, size)]
    closed = [
        max(min(1.0, len(subset) * min(ps[j] for j in subset)) for subset in subsets if index in subset)
        for index in indices
    ]
    assert holm(ps) == pytest.approx(closed)


def test_holm_passes_over_what_was_not_tested() -> None:
    assert holm([None, 0.02, None, 0.5]) == [None, 0.04, None, 0.5]
    assert holm([]) == []


@given(st.lists(st.sampled_from((0.0, 1.0)), min_size=2, max_size=200))
def test_a_score_of_right_and_wrong_has_wilsons_interval_and_the_sample_error(values: list[float]) -> None:
    found, n = score(values, 0.25), len(values)
    reference = stats.binomtest(int(sum(values)), n, 0.25)
    interval = reference.proportion_ci(method="wilson")
    assert found["interval"] == pytest.approx([interval.low, interval.high], abs=1e-9)
    assert found["p"] == pytest.approx(reference.pvalue, rel=1e-9)
    assert found["stderr"] == pytest.approx(stats.sem(values), abs=1e-12)
    assert (found["interval_method"], found["test"]) == ("wilson", "binomial")


@given(st.lists(st.floats(0, 1), min_size=3, max_size=50))
def test_a_mean_probability_has_a_normal_interval_and_a_t_test(values: list[float]) -> None:
    assume(np.std(values) > 1e-3)
    found = score(values, 0.25, soft=True)
    normal = stats.norm.interval(0.95, np.mean(values), stats.sem(values))
    assert found["interval"] == pytest.approx(np.clip(normal, 0, 1).tolist(), abs=1e-9)
    assert found["p"] == pytest.approx(stats.ttest_1samp(values, 0.25).pvalue, rel=1e-6, abs=1e-12)


def test_a_single_item_or_equal_probabilities_give_no_soft_test() -> None:
    single = score([0.3], 0.25, soft=True)
    assert (single["p"], single["stderr"], single["interval"]) == (None, None, [0.0, 1.0])
    assert score([0.25] * 9, 0.25, soft=True)["p"] is None


@given(GROUPS)
def test_the_trend_is_n_times_the_squared_correlation_of_depth_and_success(groups: list[tuple[int, int]]) -> None:
    right, total = [hits for hits, _ in groups], [size for _, size in groups]
    assume(0 < sum(right) < sum(total))
    depths = np.repeat(range(2, len(groups) + 2), total)
    success = np.concatenate([np.arange(size) < hits for hits, size in groups]).astype(float)
    line = stats.linregress(depths, success)
    found = trend(right, total, range(2, len(groups) + 2))
    assert found["z"] == pytest.approx(line.rvalue * math.sqrt(len(depths)), abs=1e-9)
    assert found["slope"] == pytest.approx(line.slope, abs=1e-9)
    if found["p"] is not None:
        assert found["p"] == pytest.approx(2 * stats.norm.sf(abs(found["z"])), rel=1e-9)


def test_the_published_smooth_decline_is_a_trend_and_a_flat_curve_is_none() -> None:
    falling = trend([151, 102, 71, 56], [250] * 4, [2, 3, 4, 5])  # 60.4, 40.8, 28.4, 22.4 %
    flat = trend([59, 60, 64, 69], [250] * 4, [2, 3, 4, 5])  # 23.6, 24.0, 25.6, 27.6 %
    assert falling["p"] is not None and falling["p"] < 1e-15 and falling["slope"] < -0.1
    assert flat["p"] is not None and flat["p"] > 0.2


@given(GROUPS)
def test_homogeneity_is_the_chi_square_of_the_contingency_table(groups: list[tuple[int, int]]) -> None:
    right, total = [hits for hits, _ in groups], [size for _, size in groups]
    assume(0 < sum(right) < sum(total))
    table = [right, [size - hits for hits, size in groups]]
    reference = stats.chi2_contingency(table, correction=False)
    found = homogeneity(right, total)
    assert (found["chi2"], found["df"]) == (pytest.approx(reference.statistic, abs=1e-9), reference.dof)
    if reference.expected_freq.min() >= 5 - 1e-9:
        assert found["p"] == pytest.approx(reference.pvalue, rel=1e-9, abs=1e-300)
    else:
        assert found["p"] is None


def test_trend_and_homogeneity_agree_with_permuting_the_successes() -> None:
    right, total, depths = [20, 14, 12, 9], [40, 40, 40, 40], [2, 3, 4, 5]
    marks = [1] * sum(right) + [0] * (sum(total) - sum(right))
    draw, runs = random.Random(5), 3000
    starts = [0, 40, 80, 120, 160]
    steeper = wider = 0
    found = trend(right, total, depths), homogeneity(right, total)
    for _ in range(runs):
        draw.shuffle(marks)
        shuffled = [sum(marks[low:high]) for low, high in pairwise(starts)]
        steeper += abs(trend(shuffled, total, depths)["z"]) >= abs(found[0]["z"]) - 1e-9
        wider += homogeneity(shuffled, total)["chi2"] >= found[1]["chi2"] - 1e-9
    assert steeper / runs == pytest.approx(found[0]["p"], abs=0.02)
    assert wider / runs == pytest.approx(found[1]["p"], abs=0.03)


def test_groups_without_a_single_right_or_wrong_item_are_equal_and_untested() -> None:
    for right in ([0, 0], [9, 12]):
        found = homogeneity(right, [9, 12])
        assert (found["chi2"], found["p"]) == (0.0, None)
        flat = trend(right, [9, 12], [2, 3])
        assert (flat["z"], flat["p"]) == (0.0, None)


def test_shares_that_cannot_be_and_lone_groups_are_refused() -> None:
    with pytest.raises(ValueError, match="no share: 4 of 3"):
        homogeneity([4, 1], [3, 3])
    with pytest.raises(ValueError, match="one group"):
        homogeneity([1], [3])
    with pytest.raises(ValueError, match="different values"):
        trend([1, 2], [3, 3], [2, 2])
