"""Mistakes and the steps they are made in, recounted item by item and by hand."""

import random
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from answered import answered, guesses, of_item
from scipy.stats import binomtest

from arithmark_tasks.generators.choices.problem import Trace, UnusableError
from arithmark_tasks.generators.deeparithmark import build, build_split
from arithmark_tasks.generators.deeparithmark.tiers import TIERS
from arithmark_tasks.generators.streams import Stream
from arithmark_tasks.generators.zenyx.multiple_choice import build_multiple_choice_fewshot
from arithmark_tasks.results import ItemScore
from arithmark_tasks.statistics import mistake_steps, mistakes
from arithmark_tasks.statistics.mistakes import place_of

Item = dict[str, Any]


@pytest.fixture(scope="module")
def items() -> list[Item]:
    return build(items=160)


@pytest.fixture(scope="module")
def guessed(items: list[Item]) -> list[ItemScore]:
    return guesses(items, 11)


def _wilson(made: int, total: int) -> list[float]:
    interval = binomtest(made, total).proportion_ci(method="wilson")
    return [interval.low, interval.high]


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
        assert row["interval"] == pytest.approx(_wilson(made[key], offered[key]), abs=1e-9)
        if wrong[key]:
            assert row["given_wrong_interval"] == pytest.approx(_wilson(made[key], wrong[key]), abs=1e-9)


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


def test_every_named_mistake_of_every_tier_has_one_step_whatever_the_numbers() -> None:
    for family in {family for tier in TIERS.values() for family in tier.families}:
        for index in range(40):
            try:
                problem = family.draw(Stream("another draw", 1, 0, index))
                answer, steps = problem.solution()
            except UnusableError:
                continue
            for stage, named in problem.mistakes.items():
                for name, changes in named.items():
                    place = place_of(family.template, name)
                    assert place.stage == stage and place.step is not None, (family.template, name)
                    assert 1 <= place.step <= family.depth
                    wrong = Trace()
                    with suppress(UnusableError):
                        if problem.solve(wrong, **{**problem.operands, **changes}) != answer:
                            # Some mistakes save a step.
                            same = [good == bad for good, bad in zip(steps, wrong.steps, strict=False)]
                            assert all(same[: place.step - 1]), (family.template, name)
                            assert all(same) or not same[place.step - 1], (family.template, name)


@pytest.mark.parametrize(
    ("template", "mistake", "step"),
    [
        # Steps counted by hand in the worked item: after delivery, after shipping, good units, full crates.
        ("inventory_boxes", "left out those that came", 1),
        ("inventory_boxes", "forgot those that went", 2),
        ("inventory_boxes", "added the bad ones", 3),
        ("inventory_boxes", "counted the loose ones as a full one", 4),
        # What the percentage leaves, what the loss leaves, packs.
        ("stock_percent_pack", "forgot the percentage", 1),
        ("stock_percent_pack", "counted the loose ones as a full one", 3),
        # Normal pay, overtime pay, total pay, tax, after tax.
        ("salary_overtime_tax", "paid the normal hours at the higher rate", 1),
        ("salary_overtime_tax", "left out the extra hours", 2),
        ("salary_overtime_tax", "taxed only the normal pay", 4),
        # After the first stretch, after the second.
        ("time_clock_end", "took off the first stretch", 1),
        ("time_clock_end", "kept the half of the day of the start", 2),
    ],
)
def test_steps_are_those_of_the_worked_solution(template: str, mistake: str, step: int) -> None:
    assert place_of(template, mistake).step == step


@pytest.mark.parametrize("tier", ["default", "deep"])
def test_an_option_leaves_the_right_path_where_its_item_says(tier: str) -> None:
    for item in build_split(tier, "fewshot"):
        data = item["metadata"]
        for source, step in zip(data["option_sources"], data["option_steps"], strict=True):
            if source != "correct":
                assert min(place_of(data["template"], name).step or 0 for name in source.split("; ")) == step, source


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
