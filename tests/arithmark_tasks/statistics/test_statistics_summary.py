"""The summary of a result file: every figure in its place, recomputed from the items."""

import json
import math
import random
from dataclasses import replace
from statistics import fmean
from typing import Any

import pytest
from answered import AT_CHANCE, answered, guesses
from hypothesis import given
from hypothesis import strategies as st

from arithmark_tasks.generators.deeparithmark import build
from arithmark_tasks.generators.deeparithmark.tiers import control
from arithmark_tasks.metrics import multiple_choice_results
from arithmark_tasks.results import ItemScore
from arithmark_tasks.statistics import (
    binomial_p,
    credits_of,
    holm,
    homogeneity,
    mistakes,
    score,
    summarise,
    trend,
    verdict,
)
from arithmark_tasks.statistics.verdicts import withheld_because


@pytest.fixture(scope="module")
def items() -> list[dict[str, Any]]:
    return build(items=96)


@pytest.fixture(scope="module")
def summary(items: list[dict[str, Any]]) -> dict[str, Any]:
    """A guesser on the set and, with other scores, on its control."""
    near = [replace(item, group="deeparithmark_control") for item in guesses(control(items), 2)]
    return summarise(guesses(items, 1) + near)["groups"]


def test_it_is_json_and_says_the_same_when_read_back(summary: dict[str, Any]) -> None:
    assert json.loads(json.dumps(summary, allow_nan=False)) == summary


def test_groups_keep_their_order_and_state_what_they_are(summary: dict[str, Any]) -> None:
    assert list(summary) == ["deeparithmark", "deeparithmark_control"]
    for group in summary.values():
        assert (group["n"], group["kind"], group["chance"], group["metric"]) == (96, "choice", 0.25, "acc_norm_tok")
        assert list(group["metrics"]) == ["acc", "acc_norm", "acc_norm_tok", "soft", "soft_tok"]
        methods = {metric: score["interval_method"] for metric, score in group["metrics"].items()}
        assert [metric for metric, method in methods.items() if method == "normal"] == ["soft", "soft_tok"]


def test_metrics_are_the_means_of_what_the_tasks_compute(items: list[dict[str, Any]], summary: dict[str, Any]) -> None:
    scored = guesses(items, 1)
    # The scripted model's lengths, not those of the texts.
    given = [
        multiple_choice_results(
            {"endings": ["x" * length for length in score.characters], "label": score.gold},
            [(value, False) for value in score.loglikelihoods],
        )
        for score in scored
    ]
    for metric in ("acc", "acc_norm", "soft"):
        expected = fmean(entry[metric] for entry in given)
        assert summary["deeparithmark"]["metrics"][metric]["value"] == pytest.approx(expected)


def test_parts_add_up_to_the_whole(summary: dict[str, Any]) -> None:
    for group in summary.values():
        for trait in ("depth", "template"):
            parts = group["by"][trait].values()
            for metric, whole in group["metrics"].items():
                assert sum(part[metric]["n"] for part in parts) == whole["n"]
                right = sum(part[metric]["n"] * part[metric]["value"] for part in parts)
                assert right == pytest.approx(whole["n"] * whole["value"])


def test_depths_come_in_order_and_give_the_trend_and_templates_their_chi_square(summary: dict[str, Any]) -> None:
    group = summary["deeparithmark"]
    depths = group["by"]["depth"]
    assert list(depths) == ["2", "3", "4", "5"]
    right = [round(part["acc_norm_tok"]["value"] * part["acc_norm_tok"]["n"]) for part in depths.values()]
    assert group["depth_trend"]["z"] == pytest.approx(trend(right, [24] * 4, [2, 3, 4, 5])["z"])
    parts = [part["acc_norm_tok"] for part in group["by"]["template"].values()]
    counts = homogeneity([round(part["value"] * part["n"]) for part in parts], [part["n"] for part in parts])
    assert (group["templates"]["chi2"], group["templates"]["df"]) == (pytest.approx(counts["chi2"]), 14)


def test_p_values_are_adjusted_over_groups_and_over_all_parts_of_one(summary: dict[str, Any]) -> None:
    for metric in ("acc", "soft_tok"):
        scores = [group["metrics"][metric] for group in summary.values()]
        assert [score["p_holm"] for score in scores] == holm([score["p"] for score in scores])
    by = summary["deeparithmark"]["by"].values()
    parts = [part["acc"] for values in by for part in values.values()]
    assert len(parts) == 4 + 15
    assert [part["p_holm"] for part in parts] == holm([part["p"] for part in parts])
    for tests in (
        [group["depth_trend"] for group in summary.values()],
        [group["preference"]["rank"] for group in summary.values()],
        [group["preference"]["slot"] for group in summary.values()],
    ):
        assert [entry["p_holm"] for entry in tests] == holm([entry["p"] for entry in tests])
        assert tests[0]["p_holm"] is not None


def test_mistakes_are_those_of_the_group(items: list[dict[str, Any]], summary: dict[str, Any]) -> None:
    assert summary["deeparithmark"]["mistakes"] == mistakes(guesses(items, 1))
    offsets = {row["mistake"] for row in summary["deeparithmark_control"]["mistakes"]}
    assert {"answer + 1", "answer - 3"} <= offsets
    assert summary["deeparithmark_control"]["mistake_steps"] == []


def test_the_published_model_at_chance_is_told_apart_from_a_guesser() -> None:
    """Its right answers by template, and the smallest option wherever it is wrong."""
    scored = []
    for template, (right, size) in AT_CHANCE.items():
        for place in range(size):
            gold = len(scored) % 4
            pick = gold if place < right else 0 if gold else 1
            scored.append(answered(len(scored), gold, pick, template=template))
    group = summarise(scored)["groups"]["deeparithmark"]
    assert group["metrics"]["acc"]["value"] == 0.252
    assert group["verdict"]["code"] == "stable_wrong_path" and "63.2" in group["verdict"]["text"]
    assert group["preference"]["rank"]["shares"][0] > 0.5 and group["preference"]["rank"]["p"] < 1e-6
    guesser = summarise(guesses(build(items=96), 1))["groups"]["deeparithmark"]
    assert guesser["verdict"]["code"] == "at_chance"


def test_a_metric_that_lengths_are_missing_for_is_left_out() -> None:
    bare = [replace(answered(index, pick=index % 2), tokens=(), sources=()) for index in range(6)]
    group = summarise(bare)["groups"]["deeparithmark"]
    assert (group["metric"], list(group["metrics"])) == ("acc_norm", ["acc", "acc_norm", "soft"])
    assert (group["by"], group["depth_trend"], group["templates"], group["mistakes"]) == ({}, None, None, [])


def test_unequal_numbers_of_options_have_a_chance_and_no_test() -> None:
    scored = [answered(0, pick=1), answered(1, values=(1, 2))]
    group = summarise(scored)["groups"]["deeparithmark"]
    assert (group["chance"], group["metrics"]["acc"]["p"]) == ((1 / 4 + 1 / 2) / 2, None)
    assert group["verdict"]["code"] == "no_chance_level" and group["preference"]["rank"] is None


@pytest.mark.parametrize("kind", ["target", "generated"])
def test_bare_questions_have_types_and_no_chance(kind: str) -> None:
    draw, scored = random.Random(6), []
    for index in range(90):
        right, traits = float(draw.random() < 0.4), {"type": ("4da", "5dm", "div")[index % 3]}
        if kind == "target":
            item = ItemScore("z", "z", str(index), traits, {}, 0, (-1.5,), (bool(right),), (4,), (2,))
        else:
            item = ItemScore("z", "z", str(index), traits, {"exact_match": right, "no_answer": 0.0}, text="12")
        scored.append(item)
    group = summarise(scored)["groups"]["z"]
    metric = {"target": "acc", "generated": "exact_match"}[kind]
    assert (group["kind"], group["metric"], group["chance"]) == (kind, metric, None)
    assert group["metrics"][metric]["value"] == fmean(credits_of(item)[metric] for item in scored)
    assert group["metrics"][metric]["p"] is None and group["templates"]["df"] == 2
    assert list(group["by"]["type"]) == ["4da", "5dm", "div"]
    assert group["verdict"]["code"] == "no_chance_level"


def test_a_single_item_and_none_can_be_summarised() -> None:
    group = summarise([answered(0, depth=2, template="tank_fill")])["groups"]["deeparithmark"]
    assert group["metrics"]["acc"]["stderr"] is None
    assert group["metrics"]["acc"]["p"] == binomial_p(1, 1, 0.25)
    assert summarise([]) == {"groups": {}, "corrected": None}


@st.composite
def any_items(draw: st.DrawFn) -> list[ItemScore]:
    """What a result file may hold: options with ties and impossible ones, with or without lengths and sources."""
    options = draw(st.integers(1, 5))
    known = draw(st.booleans())
    nats = st.one_of(st.sampled_from((-1.0, -2.0, -math.inf)), st.floats(-500, 0))
    return [
        ItemScore(
            task="t",
            group=draw(st.sampled_from(("deeparithmark", "other"))),
            id=str(index),
            traits={"depth": draw(st.integers(2, 4)), "template": draw(st.sampled_from(("tank_fill", "x")))},
            metrics={},
            gold=draw(st.integers(0, options - 1)),
            loglikelihoods=tuple(draw(st.lists(nats, min_size=options, max_size=options))),
            greedy=(False,) * options,
            characters=(5,) * options * known,
            tokens=(2,) * options * known,
            values=tuple(range(options)) * known,
            sources=("correct", "forgot the starting amount", "y", "y; z", "z")[:options] * known,
        )
        for index in range(draw(st.integers(1, 12)))
    ]


@given(any_items())
def test_whatever_a_file_holds_its_summary_is_json_with_shares_inside_their_intervals(scored: list[ItemScore]) -> None:
    groups = json.loads(json.dumps(summarise(scored), allow_nan=False))["groups"]
    for group in groups.values():
        for found in group["metrics"].values():
            low, high = found["interval"]
            assert 0 <= low <= found["value"] + 1e-9 and found["value"] - 1e-9 <= high <= 1
        for row in group["mistakes"] + group["mistake_steps"]:
            assert 0 <= row["chosen"] <= row["wrong"] + 1e-9 <= row["offered"] + 2e-9


def test_no_p_is_said_to_be_nothing():
    found = score([1.0] * 1000, 0.25)
    assert found["p"] == 0.0  # 0.25 to the thousandth, which no float holds
    assert "(p < 1e-300)" in verdict({**found, "p_holm": None}, 0.25)["text"]
    assert "p = 0" not in verdict({**found, "p_holm": 0.0}, 0.25)["text"]


def test_a_score_without_chance_says_what_it_leaves_out():
    text = verdict(score([1.0] * 5, None), None, withheld=withheld_because(None, limited=True))["text"]
    assert text.endswith("guessing has no chance to speak of; only the first items were scored (--limit)")
