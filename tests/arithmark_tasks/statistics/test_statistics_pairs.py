"""Two models on the same items, and a set with its control."""

import random
from dataclasses import replace
from math import comb
from typing import Any

import numpy as np
import pytest
from answered import answered, guesses, of_item
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from arithmark_tasks.generators.deeparithmark import build
from arithmark_tasks.generators.deeparithmark.tiers import control
from arithmark_tasks.generators.errors import InputError
from arithmark_tasks.results import ItemScore
from arithmark_tasks.statistics import control_key, item_key, paired, paired_by

Item = dict[str, Any]


@pytest.fixture(scope="module")
def items() -> list[Item]:
    return build(items=64)


@pytest.fixture(scope="module")
def guessed(items: list[Item]) -> list[ItemScore]:
    return guesses(items, 11)


def _model(right: list[int], group: str = "deeparithmark") -> list[ItemScore]:
    return [answered(index, 0, 0 if hit else 1, group=group, depth=2 + index % 2) for index, hit in enumerate(right)]


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=2, max_size=30))
def test_mcnemar_is_the_exact_sign_test_of_items_that_only_one_got_right(pairs: list[tuple[int, int]]) -> None:
    a, b = ([pair[side] for pair in pairs] for side in (0, 1))
    found = paired(_model(a), _model(b), "acc")
    only_a, only_b = pairs.count((1, 0)), pairs.count((0, 1))
    discordant = only_a + only_b
    tail = sum(comb(discordant, k) for k in range(min(only_a, only_b) + 1)) / 2**discordant
    assert (found["only_a"], found["only_b"]) == (only_a, only_b)
    assert found["p"] == pytest.approx(min(1.0, 2 * tail))
    assert found["difference"] == pytest.approx((sum(a) - sum(b)) / len(pairs))
    assert found["interval"] is not None
    assert found["interval"][0] - 1e-9 <= found["difference"] <= found["interval"][1] + 1e-9 or len(pairs) < 12


def test_the_bootstrap_interval_agrees_with_scipys_and_with_the_normal_one() -> None:
    draw = random.Random(2)
    a, b = [draw.random() < 0.5 for _ in range(500)], [draw.random() < 0.35 for _ in range(500)]
    found = paired(_model([int(hit) for hit in a]), _model([int(hit) for hit in b]), "acc")
    differences = np.subtract(a, b, dtype=float)
    other = stats.bootstrap((differences,), np.mean, n_resamples=4000, method="percentile", random_state=9)
    normal = stats.norm.interval(0.95, differences.mean(), stats.sem(differences))
    for reference in (other.confidence_interval, normal):
        assert found["interval"] == pytest.approx(list(reference), abs=0.01)


def test_the_order_of_items_does_not_matter_and_the_sides_mirror(guessed: list[ItemScore]) -> None:
    better = [
        replace(item, loglikelihoods=tuple(-float(option != item.gold) for option in range(4))) for item in guessed
    ]
    found = paired(guessed, better, "soft_tok")
    assert paired(guessed[::-1], better, "soft_tok") == found
    mirrored = paired(better, guessed, "soft_tok")
    assert (mirrored["difference"], mirrored["p"]) == (-found["difference"], found["p"])


def test_other_items_are_refused(guessed: list[ItemScore]) -> None:
    with pytest.raises(InputError, match="not the same items: 1 are in one only"):
        paired(guessed, guessed[1:], "acc")
    with pytest.raises(InputError, match="not the same items: 2 are in one only"):
        paired(guessed[:-2], guessed, "acc")
    with pytest.raises(InputError, match="there twice"):
        paired([*guessed, guessed[0]], guessed, "acc")
    with pytest.raises(InputError, match="has no exact_match"):
        paired(guessed, guessed, "exact_match")
    with pytest.raises(InputError, match="no items"):
        paired([], [], "acc")
    assert len({item_key(item) for item in guessed}) == len(guessed)


def test_a_set_is_compared_with_its_control_item_by_item(items: list[Item]) -> None:
    deep = [of_item(item, int(item["label"])) for item in items]
    near = [of_item(item, (int(item["label"]) + 1) % 4, "deeparithmark_control") for item in control(items)]
    found = paired(deep, near, "acc_norm_tok", control_key)
    assert (found["n"], found["only_a"], found["difference"]) == (64, 64, 1.0)
    by_depth = paired_by(deep, near, "acc_norm_tok", "depth", control_key)
    assert {depth: part["n"] for depth, part in by_depth.items()} == {"2": 16, "3": 16, "4": 16, "5": 16}
    assert all(part["p_holm"] == pytest.approx(4 * part["p"]) for part in by_depth.values())
