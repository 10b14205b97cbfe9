"""Credit and preference of scored items, recounted the slow way."""

import random
from collections import Counter
from dataclasses import replace
from itertools import product
from math import exp

import numpy as np
import pytest
from answered import answered, guesses
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from arithmark_tasks.generators.deeparithmark import build
from arithmark_tasks.results import ItemScore
from arithmark_tasks.statistics import METRICS, chosen, credits_of, homogeneity, preference


@pytest.fixture(scope="module")
def guessed() -> list[ItemScore]:
    return guesses(build(items=64), 11)


def test_each_metric_divides_by_its_own_length() -> None:
    item = replace(answered(0), loglikelihoods=(-6.0, -6.5, -8.0, -12.0), characters=(6, 5, 9, 24), tokens=(2, 3, 4, 5))
    assert {metric: chosen(item, metric).index(1.0) for metric in METRICS[:3]} == {
        "acc": 0,  # -6
        "acc_norm": 3,  # -0.5 per character
        "acc_norm_tok": 2,  # -2 per token
    }
    weights = [exp(-1), exp(-1.3), exp(-8 / 9), exp(-0.5)]
    assert chosen(item, "soft") == pytest.approx([weight / sum(weights) for weight in weights])
    weights = [exp(-3), exp(-6.5 / 3), exp(-2), exp(-2.4)]
    assert chosen(item, "soft_tok") == pytest.approx([weight / sum(weights) for weight in weights])


@given(st.lists(st.sampled_from((-3.0, -2.0, -1.0, -float("inf"))), min_size=4, max_size=4), st.integers(0, 3))
def test_credit_sums_to_one_and_tied_options_share_alike(scores: list[float], gold: int) -> None:
    item = replace(answered(0, gold=gold), loglikelihoods=tuple(scores))
    best = [score == max(scores) for score in scores]
    assert chosen(item, "acc") == tuple(is_best / sum(best) for is_best in best)
    for metric in METRICS:
        assert sum(chosen(item, metric)) == pytest.approx(1)
        assert credits_of(item)[metric] == chosen(item, metric)[gold]


def test_lengths_that_are_not_known_leave_their_metrics_out() -> None:
    bare = replace(answered(0), tokens=())
    assert set(credits_of(bare)) == {"acc", "acc_norm", "soft"}
    with pytest.raises(ValueError, match="no lengths in tokens"):
        chosen(bare, "soft_tok")


def test_targets_and_generated_answers_keep_their_own_metrics() -> None:
    target = replace(answered(0), loglikelihoods=(-0.5,), greedy=(True,), characters=(3,), tokens=(1,), values=(7,))
    assert credits_of(target) == {"acc": 1.0, "soft": pytest.approx(exp(-0.5))}
    assert credits_of(replace(target, greedy=(False,)))["acc"] == 0.0
    metrics = {"exact_match": 0.0, "no_answer": 1.0}
    assert credits_of(ItemScore("t", "g", "1", {}, metrics, text="dunno")) == metrics
    with pytest.raises(ValueError, match="no options"):
        chosen(ItemScore("t", "g", "1", {}, metrics, text="dunno"), "acc")


def test_a_model_that_takes_the_smallest_has_that_preference_and_no_slot_preference() -> None:
    cells = [order for order in product(range(4), repeat=2) for _ in range(16)]
    draw, picks = random.Random(3), []
    for index, (gold, slot) in enumerate(cells):
        values = draw.sample(range(10, 99), 4)
        values.sort()
        right = values.pop(gold)
        draw.shuffle(values)
        values.insert(slot, right)
        picks.append(answered(index, slot, values.index(min(values)), values))
    found = preference(picks)
    assert found["rank"] is not None and found["slot"] is not None
    assert found["rank"]["shares"] == [1.0, 0.0, 0.0, 0.0]
    assert found["rank"]["p"] is not None and found["rank"]["p"] < 1e-100
    assert found["slot"]["p"] is not None and found["slot"]["p"] > 0.01


def test_preferences_are_counted_and_tested_against_even_counts_on_a_balanced_set(guessed: list[ItemScore]) -> None:
    found = preference(guessed)
    picks = [max(range(4), key=item.loglikelihoods.__getitem__) for item in guessed]
    slots = Counter(picks)
    ranks = Counter(
        sum(value < item.values[pick] for value in item.values) for item, pick in zip(guessed, picks, strict=True)
    )
    for axis, counted in (("slot", slots), ("rank", ranks)):
        entry = found[axis]
        assert entry is not None
        assert entry["counts"] == [counted[position] for position in range(4)]
        reference = stats.chisquare([counted[position] for position in range(4)])
        # 64 items are balanced over slots and ranks but for one or two.
        assert entry["chi2"] == pytest.approx(reference.statistic, rel=0.1, abs=0.2)


def test_right_answers_in_one_place_are_no_preference_for_it() -> None:
    found = preference([answered(index, gold=2, pick=2, values=(20, 30, 10, 40)) for index in range(40)])
    for axis, place in (("slot", 2), ("rank", 0)):
        entry = found[axis]
        assert entry is not None
        assert (entry["shares"].index(1.0), entry["chi2"], entry["p"]) == (place, 0.0, None)


def test_items_without_values_or_with_unequal_options_have_no_ranks() -> None:
    bare = [replace(answered(index), values=()) for index in range(8)]
    assert preference(bare)["rank"] is None and preference(bare)["slot"] is not None
    mixed = [answered(0), answered(1, values=(1, 2))]
    assert preference(mixed) == {"rank": None, "slot": None}


def test_guessing_is_found_to_have_a_preference_one_time_in_twenty() -> None:
    """The chi-square test holds its level: of 400 guessing models about 5 % have p < 0.05."""
    draw, found = np.random.default_rng(7), 0
    for _ in range(400):
        picks = draw.integers(0, 4, 96)
        entry = preference([answered(index, index % 4, int(pick)) for index, pick in enumerate(picks)])["slot"]
        assert entry is not None and entry["p"] is not None
        found += entry["p"] < 0.05
    assert 0.02 < found / 400 < 0.09


def test_templates_of_a_guesser_are_seldom_unequal() -> None:
    draw, unequal = np.random.default_rng(3), 0
    for _ in range(400):
        unequal += (homogeneity(draw.binomial(66, 0.25, 15).tolist(), [66] * 15)["p"] or 1.0) < 0.01
    assert unequal / 400 < 0.03
