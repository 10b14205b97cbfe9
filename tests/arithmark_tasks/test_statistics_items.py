"""Credit, preference, pairs and mistakes of scored items, each recounted the slow way."""

import random
from collections import Counter
from dataclasses import replace
from itertools import product
from math import comb, exp
from typing import Any

import numpy as np
import pytest
from answered import answered, of_item
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from arithmark_tasks.generators.deeparithmark import build
from arithmark_tasks.generators.deeparithmark.control import control
from arithmark_tasks.generators.deeparithmark.problem import UnusableError
from arithmark_tasks.generators.deeparithmark.tiers import TIERS
from arithmark_tasks.generators.errors import InputError
from arithmark_tasks.generators.streams import Stream
from arithmark_tasks.generators.zenyx.multiple_choice import build_multiple_choice_fewshot
from arithmark_tasks.results import ItemScore
from arithmark_tasks.statistics import (
    METRICS,
    chosen,
    control_key,
    credits_of,
    homogeneity,
    item_key,
    mistake_steps,
    mistakes,
    paired,
    paired_by,
    preference,
)
from arithmark_tasks.statistics.stages import place_of

Item = dict[str, Any]


@pytest.fixture(scope="module")
def items() -> list[Item]:
    return build(items=160)


@pytest.fixture(scope="module")
def guessed(items: list[Item]) -> list[ItemScore]:
    """A model that guesses, over real items."""
    draw = random.Random(11)
    return [of_item(item, draw.randrange(4)) for item in items]


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
        # 160 items are balanced over slots and ranks but for one or two.
        assert entry["chi2"] == pytest.approx(reference.statistic, rel=0.1, abs=0.2)


def test_right_answers_in_one_slot_are_no_preference_for_it() -> None:
    found = preference([answered(index, gold=2, pick=2) for index in range(40)])["slot"]
    assert found is not None
    assert (found["shares"], found["chi2"], found["p"]) == ([0.0, 0.0, 1.0, 0.0], 0.0, None)


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
    assert (found["n"], found["only_a"], found["difference"]) == (160, 160, 1.0)
    by_depth = paired_by(deep, near, "acc_norm_tok", "depth", control_key)
    assert {depth: part["n"] for depth, part in by_depth.items()} == {"2": 40, "3": 40, "4": 40, "5": 40}
    assert all(part["p_holm"] == pytest.approx(4 * part["p"]) for part in by_depth.values())


def test_mistakes_are_those_counted_item_by_item(items: list[Item], guessed: list[ItemScore]) -> None:
    rows = {(row["template"], row["mistake"]): row for row in mistakes(guessed)}
    offered: Counter[tuple[str, str]] = Counter()
    made: Counter[tuple[str, str]] = Counter()
    wrong: Counter[tuple[str, str]] = Counter()
    for item, given_score in zip(items, guessed, strict=True):
        data, pick = item["metadata"], given_score.loglikelihoods.index(-1.0)
        names = [set() if source == "correct" else set(source.split("; ")) for source in data["option_sources"]]
        for name in set().union(*names):
            key = (data["template"], name)
            offered[key] += 1
            made[key] += name in names[pick]
            wrong[key] += pick != int(item["label"])
    assert rows.keys() == offered.keys()
    for key, row in rows.items():
        assert (row["offered"], row["chosen"], row["wrong"]) == (offered[key], made[key], wrong[key])
        assert row["given_wrong"] == (made[key] / wrong[key] if wrong[key] else None)


def test_a_model_that_makes_one_mistake_stands_out_from_its_availability(items: list[Item]) -> None:
    scored = []
    for item in items:
        sources = item["metadata"]["option_sources"]
        forgot = [index for index, source in enumerate(sources) if "forgot the tax" in source.split("; ")]
        scored.append(of_item(item, forgot[0] if forgot else int(item["label"])))
    rows = [row for row in mistakes(scored) if row["mistake"] == "forgot the tax"]
    assert rows
    for row in rows:
        assert row["given_wrong"] == row["share"] == 1.0 and row["expected"] is not None and row["expected"] < 0.7


def test_a_guesser_makes_mistakes_as_often_as_they_are_offered(items: list[Item]) -> None:
    """Over many guesses P(mistake | wrong) is what availability alone gives, for every step."""
    draw = random.Random(4)
    scored = [replace(of_item(item, draw.randrange(4)), id=f"{turn}") for turn in range(40) for item in items]
    for row in mistake_steps(scored):
        assert row["given_wrong"] == pytest.approx(row["expected"], abs=0.06)


def test_every_named_mistake_of_every_tier_has_a_step_within_its_depth() -> None:
    for family in {family.template: family for tier in TIERS.values() for family in tier.families}.values():
        for index in range(40):
            try:
                problem = family.draw(Stream("another draw", 1, 0, index))
            except UnusableError:
                continue
            for stage, named in problem.mistakes.items():
                for name in named:
                    place = place_of(family.template, name)
                    assert place.stage == stage, (family.template, name)
                    assert place.step is not None and 1 <= place.step <= family.depth


@pytest.mark.parametrize(
    ("template", "mistake", "step"),
    [
        # Steps counted by hand in the worked item: after delivery, after shipping, good units, full crates.
        ("inventory_boxes", "forgot the delivery", 1),
        ("inventory_boxes", "forgot what was sent out", 2),
        ("inventory_boxes", "added the damaged ones", 3),
        ("inventory_boxes", "counted the loose ones as a full one", 4),
        # Normal pay, overtime pay, total pay, tax, after tax.
        ("salary_overtime_tax", "paid every hour at the overtime rate", 1),
        ("salary_overtime_tax", "left out the overtime", 2),
        ("salary_overtime_tax", "forgot the tax", 4),
        # After the first stretch, after the second.
        ("time_clock_end", "subtracted the first stretch", 1),
        ("time_clock_end", "kept the half of the day of the start", 2),
    ],
)
def test_steps_are_those_of_the_worked_solution(template: str, mistake: str, step: int) -> None:
    assert place_of(template, mistake).step == step


def test_slips_of_written_operations_have_their_stage() -> None:
    for item in build_multiple_choice_fewshot():
        data = item["metadata"]
        for name in {name for source in data["option_sources"] if source != "correct" for name in source.split("; ")}:
            assert place_of(data["template"], name).stage, name


def test_items_without_sources_have_no_mistakes() -> None:
    assert mistakes([answered(0, pick=1)]) == mistake_steps([answered(0, pick=1)]) == []


def test_ties_share_a_mistake() -> None:
    item = answered(0, 0, 1, sources=("correct", "forgot the tax", "added the tax", "forgot the coupon"), template="x")
    tied = replace(item, loglikelihoods=(-2.0, -1.0, -1.0, -2.0))
    assert {row["mistake"]: row["chosen"] for row in mistakes([tied])} == {
        "forgot the tax": 0.5,
        "added the tax": 0.5,
        "forgot the coupon": 0.0,
    }


def test_templates_of_a_guesser_are_seldom_unequal() -> None:
    draw, unequal = np.random.default_rng(3), 0
    for _ in range(400):
        unequal += (homogeneity(draw.binomial(66, 0.25, 15).tolist(), [66] * 15)["p"] or 1.0) < 0.01
    assert unequal / 400 < 0.03
