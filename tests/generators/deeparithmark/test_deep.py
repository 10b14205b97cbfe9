"""The contract of the sets of six to eight steps."""

import re
from collections import Counter
from itertools import product
from typing import Any

import pytest

from arithmark_tasks.builders.classifiers import classifier_rows
from arithmark_tasks.generators.choices.audit import audit_questions
from arithmark_tasks.generators.choices.item import numbers_in
from arithmark_tasks.generators.choices.quantities import DAY
from arithmark_tasks.generators.deeparithmark import build_split
from arithmark_tasks.generators.deeparithmark.build import plan
from arithmark_tasks.generators.deeparithmark.edition import SEED
from arithmark_tasks.generators.deeparithmark.families import DEEP_FAMILIES
from arithmark_tasks.generators.deeparithmark.tiers import TIERS
from arithmark_tasks.generators.deeparithmark.verify import audit_failures, check_items, questions, shared_items
from arithmark_tasks.generators.streams import Stream
from arithmark_tasks.paths import task_folder

DEPTHS = (6, 7, 8)


@pytest.fixture(scope="module")
def items() -> list[dict[str, Any]]:
    return build_split("deep", "test", items=180)


@pytest.fixture(scope="module")
def fewshot() -> list[dict[str, Any]]:
    return build_split("deep", "fewshot")


def test_a_set_of_the_usual_size_has_250_items_of_each_depth_with_ranks_balanced_within_each_template() -> None:
    cells = plan(TIERS["deep"].splits["test"], DEEP_FAMILIES, Stream("deep plan", 1, 7, 0))
    assert Counter(cell.family.depth for cell in cells) == dict.fromkeys(DEPTHS, 250)
    for family in DEEP_FAMILIES:
        ranks = Counter(cell.rank for cell in cells if cell.family is family)
        assert max(ranks.values()) - min(ranks.values()) <= 1
    for depth in DEPTHS:
        grid = Counter((cell.slot, cell.rank) for cell in cells if cell.family.depth == depth)
        assert {grid[place] for place in product(range(4), range(4))} == {15, 16}


# The least and greatest value that a glance at the prompt's numbers allows; written again, apart from the families.
GLANCE = {
    "batch_profit": lambda batches, size, lost, pack, given, price, cost: (2, batches * size // pack * price),
    "hall_takings": lambda rows, seats, closed, share, free, price, bar: (2, rows * seats * price + bar),
    "run_end_time": lambda start, lots, size, again, speed, pause: (
        start + pause,
        start + pause + 2 * lots * size // speed,
    ),
    "two_leg_arrival": lambda route, hours, speed, start, share, ride, pace: (
        start + ride,
        start + ride + (route - hours * speed) * pace,
    ),
    "pay_left_over": lambda weeks, hours, missed, rate, bonus, tax, spent: (2, weeks * hours * rate + bonus),
    "floor_bill": lambda a, b, bare, spare, size, price, off: (2, a * b * (100 + spare) / 100 / size * price),
    "harvest_profit": lambda rows, per, bad, kept, size, price, cost: (2, rows * per // size * price),
    "outing_share": lambda n, each, adults, price, off, fare, grant: (2, ((n * each + adults) * price + fare) / n),
    "shift_pallets": lambda n, rate, hours, bad, size, sent, stack, held: (
        held,
        n * rate * hours / size / stack + held,
    ),
}


def test_ruling_deep_options_out_at_a_glance_gains_less_than_a_point(items: list[dict[str, Any]]) -> None:
    gained = 0.0
    for item in items:
        low, high = GLANCE[item["metadata"]["template"]](*numbers_in(item["ctx"]))
        clock = item["metadata"]["unit"] == "clock"
        left = [
            (one - low) % DAY <= high - low if clock else low <= one <= high
            for one in item["metadata"]["option_values"]
        ]
        assert left[int(item["label"])]
        gained += 1 / sum(left)
    assert gained / len(items) < 0.26


def test_a_deep_set_and_its_fewshot_split_keep_every_claim_and_share_nothing(
    items: list[dict[str, Any]], fewshot: list[dict[str, Any]]
) -> None:
    numbered, shown = list(enumerate(items, 1)), list(enumerate(fewshot, 1))
    for found in (*check_items(numbered), *check_items(shown)):
        assert found.failures == (), found
    assert list(shared_items(numbered, shown)) == []
    assert Counter(item["metadata"]["depth"] for item in fewshot) == dict.fromkeys(DEPTHS, 10)


def test_deep_prompts_are_clean_text(items: list[dict[str, Any]]) -> None:
    for item in items:
        ctx = item["ctx"]
        assert not any(flaw in ctx for flaw in ("  ", "..", " .", " ,", "{", "}", "None")), ctx
        assert ctx == ctx.strip()
        assert not ctx.endswith((".", ",", ":"))
        # A number word would be an operand to whoever reads the prompt, but none to the story.
        assert not {"two", "three", "half", "twice", "double", "dozen", "noon"} & set(ctx.lower().split()), ctx


def test_the_readme_of_the_tasks_lists_every_deep_family_with_its_depth_and_count() -> None:
    text = (task_folder() / "deeparithmark" / "README.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| ([6-8]) \| `(\w+)` \| .* \| (\d+) \|$", text, re.MULTILINE)
    assert [(int(depth), name, int(share)) for depth, name, share in listed] == [
        (family.depth, family.template, family.share) for family in DEEP_FAMILIES
    ]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [SEED, 1, 2])
def test_no_shortcut_and_no_classifier_beats_chance_on_a_deep_set_of_the_usual_size(seed: int) -> None:
    numbered = list(enumerate(build_split("deep", "test", seed), 1))
    assert [found for found in check_items(numbered) if found.failures] == []
    asked = questions(numbered)
    assert audit_failures([*audit_questions(asked), *classifier_rows(asked)]) == []
