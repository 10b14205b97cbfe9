"""Every tier keeps what it claims: its shape, its distance from other sets, and totals that a pass can mend."""

import re
import sys
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arithmark_tasks.generators.choices.item import ending_text, numbers_in
from arithmark_tasks.generators.choices.ledger import TextTotals, text
from arithmark_tasks.generators.choices.problem import Problem, UnusableError
from arithmark_tasks.generators.deeparithmark import build_split
from arithmark_tasks.generators.deeparithmark.build import Totals, plan, repair
from arithmark_tasks.generators.deeparithmark.candidates import candidates, identity, story
from arithmark_tasks.generators.deeparithmark.families import FAMILIES, TRAINING_FAMILIES, Family
from arithmark_tasks.generators.deeparithmark.tiers import TIERS, USUAL, tier_of
from arithmark_tasks.generators.deeparithmark.verify.disjoint import COMMON_WORDS, compare, is_training
from arithmark_tasks.generators.deeparithmark.verify.expected import SHAPES
from arithmark_tasks.generators.errors import InputError
from arithmark_tasks.generators.streams import Stream

Item = dict[str, Any]


def stories(family: Family, count: int) -> list[Problem]:
    found: list[Problem] = []
    for index in range(100 * count):
        try:
            found.append(family.draw(Stream("tiers", 1, 1, index)))
        except UnusableError:
            continue
        if len(found) == count:
            break
    return found


def as_item(family: Family, problem: Problem) -> Item:
    return {"ctx": problem.prompt, "metadata": {"template": family.template, "unit": problem.unit}}


def task(item: Item) -> tuple[str, ...]:
    return (item["metadata"]["template"], *re.findall(r"\d+|[ap]\.m\.", item["ctx"]))


def test_every_tier_has_a_shape_of_its_own_with_the_same_templates_and_depths() -> None:
    assert set(TIERS) == set(SHAPES)
    assert set(USUAL) <= set(TIERS)
    for name, tier in TIERS.items():
        families = {family.template: (family.depth, family.share) for family in tier.families}
        assert families == dict(SHAPES[name].counts)
    with pytest.raises(InputError, match="no config 'hard', only default"):
        tier_of("hard")


@pytest.mark.parametrize("name", ["xl", "train"])
def test_ranks_of_each_template_are_exactly_balanced_where_a_tier_says_so(name: str) -> None:
    tier = TIERS[name]
    cells = plan(10_000, tier.families, Stream("order", 1, 1, 0), tier.whole)
    counts = Counter((cell.family.template, cell.rank) for cell in cells)
    assert len(cells) == 10_000
    for family in tier.families:
        assert len({counts[family.template, rank] for rank in range(4)}) == 1


def test_no_set_repeats_a_task_of_its_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = sys.modules["arithmark_tasks.generators.deeparithmark.build"]  # the package's name for it is a function
    monkeypatch.setattr(generator, "identities", lambda tier, split: frozenset())
    first = build_split("default", "test", 3, 40)
    known = {identity(item["metadata"]["template"], numbers_in(item["ctx"])) for item in first}
    monkeypatch.setattr(generator, "identities", lambda tier, split: frozenset(known))
    generator._drawn.cache_clear()
    again = build_split("default", "test", 3, 40)
    assert not {task(item) for item in first} & {task(item) for item in again}
    assert not {item["ctx"] for item in first} & {item["ctx"] for item in again}


def test_a_set_is_drawn_once_and_no_caller_gets_the_rows_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = sys.modules["arithmark_tasks.generators.deeparithmark.build"]
    draws: list[tuple[str, int]] = []
    draw = generator._draw
    monkeypatch.setattr(generator, "_draw", lambda tier, *rest: draws.append((tier.name, rest[1])) or draw(tier, *rest))
    first, second = build_split("deep", "test", 9, 12), build_split("deep", "test", 9, 12)
    assert [seed for _, seed in draws].count(9) == 1
    assert first == second
    first[0]["metadata"]["option_values"][0] = first[0]["endings"][0] = None
    assert build_split("deep", "test", 9, 12) == second
    build_split("default", "test", 9, 16)
    build_split("control", "test", 9, 16)
    assert draws.count(("default", 9)) == 1
    assert ("control", 9) not in draws


def lopsided(count: int) -> tuple[Any, ...]:
    """Items that each took their worst candidate, so that the totals are far from chance."""
    tier = TIERS["xl"]
    cells = plan(count, FAMILIES, Stream("order", 1, 5, 0))
    totals, taken, kept = Totals(tier.watch), set(), []
    for index, cell in enumerate(cells):
        stream = Stream("lopsided", 1, 5, index)
        drawn = story(stream, cell.family, "test", taken, totals.ledger)
        taken.add(drawn.identity)
        worst = max(candidates(stream, drawn, cell.rank), key=lambda candidate: totals.cost(cell, candidate))
        totals.add(cell, worst)
        kept.append((stream, worst))

    def again(number: int, index: int) -> list[Any]:
        stream = Stream(f"lopsided-{number}", 1, 5, index)
        return candidates(stream, kept[index][1].story, cells[index].rank)

    return kept, cells, totals, again


def test_a_lopsided_set_is_mended_from_its_own_stories_and_one_within_the_goal_is_left_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kept, cells, totals, again = lopsided(120)
    before, stories = totals.ledger.farthest(), [chosen.story for _, chosen in kept]
    repair(kept, cells, totals, again)
    assert totals.ledger.farthest() < before / 2
    assert [chosen.story for _, chosen in kept] == stories
    monkeypatch.setattr(sys.modules[repair.__module__], "_SMALL_GOAL", before)
    mended = [chosen for _, chosen in kept]
    repair(kept, cells, totals, again)
    assert [chosen for _, chosen in kept] == mended


def test_the_rank_dealt_to_an_item_plays_no_part_in_its_story() -> None:
    """A story is drawn without a rank, and every rank can be had of it."""
    for index, family in enumerate(FAMILIES):
        drawn = story(Stream("blind", 1, 5, index), family, "test", set(), Totals(TIERS["default"].watch).ledger)
        for rank in range(4):
            for found in candidates(Stream("blind", 1, 5, index), drawn, rank):
                right, *wrong = found.options.values
                assert found.story is drawn
                assert sum(value < right for value in wrong) == rank


endings = st.lists(st.integers(2, 9999), min_size=4, max_size=4, unique=True).map(
    lambda values: [ending_text(value, "crates") for value in values]
)


@given(st.lists(endings, min_size=1, max_size=8), endings)
def test_totals_of_spellings_forget_what_is_taken_back(sets: list[list[str]], probe: list[str]) -> None:
    totals = TextTotals()
    for found in sets:
        totals.add(text(found))
    before = totals.cost(text(probe))
    totals.add(text(probe))
    totals.remove(text(probe))
    assert totals.cost(text(probe)) == pytest.approx(before)


def test_a_spelling_that_was_right_too_often_costs_more_each_time() -> None:
    totals, found = TextTotals(), text([" 12.", " 35.", " 46.", " 57."])
    costs = []
    for _ in range(12):
        costs.append(totals.cost(found))
        totals.add(found)
    assert costs[0] == 0 and costs[-1] > costs[-4] > 0


@pytest.mark.parametrize(
    ("test", "training"), list(zip(FAMILIES, TRAINING_FAMILIES, strict=True)), ids=lambda f: f.template
)
def test_numbers_of_the_training_tier_are_of_a_class_that_no_test_family_draws(test: Family, training: Family) -> None:
    assert (test.template, test.topic, test.depth) == (training.template, training.topic, training.depth)
    assert all(is_training(as_item(training, problem)) for problem in stories(training, 150))
    assert not any(is_training(as_item(test, problem)) for problem in stories(test, 150))


def test_training_prompts_share_no_noun_and_no_run_of_words_with_the_test_tiers() -> None:
    training = [as_item(family, problem) for family in TRAINING_FAMILIES for problem in stories(family, 60)]
    families = dict.fromkeys(family for tier in TIERS.values() if tier.name != "train" for family in tier.families)
    tests = [as_item(family, problem) for family in families for problem in stories(family, 60)]
    shared = compare(training, tests)
    assert (shared.contexts, shared.tasks, shared.runs) == (0, 0, 0)
    assert set(shared.words) <= COMMON_WORDS
    assert {"minutes", "the"} <= set(shared.words)  # the comparison does see words that both have


def test_what_two_sets_share_is_found() -> None:
    one = {
        "ctx": "A mill had 20 sacks and sold 5 of them on Monday. What is left",
        "metadata": {"template": "a", "unit": "x"},
    }
    other = {"ctx": "In May a mill had 20 sacks and sold 5 of them", "metadata": {"template": "a", "unit": "y"}}
    shared = compare([one], [other, one])
    assert (shared.contexts, shared.tasks) == (1, 1)
    near = compare([one], [other])
    assert (near.contexts, near.tasks, near.runs) == (0, 1, 3)
    assert near.problems(training=True)[-1] == "the words mill, sacks"
    assert near.problems(training=False) == ["1 with the same template and numbers"]
