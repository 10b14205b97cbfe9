"""The contract of the families of six to eight steps and of the sets made of them."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arithmark_tasks.builders.classifiers import classifier_rows
from arithmark_tasks.generators.choices.audit import audit_questions
from arithmark_tasks.generators.choices.clock import DAY
from arithmark_tasks.generators.choices.item import numbers_in
from arithmark_tasks.generators.choices.options import OptionSet, option_sets
from arithmark_tasks.generators.choices.problem import Changes, Problem, UnusableError
from arithmark_tasks.generators.choices.watched_deep import DEEP_LEANS, DEEP_WATCH, deep_leans
from arithmark_tasks.generators.deeparithmark import build_split
from arithmark_tasks.generators.deeparithmark.edition import SEED
from arithmark_tasks.generators.deeparithmark.families.registry import DEEP_FAMILIES, FAMILIES, Family
from arithmark_tasks.generators.deeparithmark.plan import plan
from arithmark_tasks.generators.deeparithmark.tiers import TIERS
from arithmark_tasks.generators.deeparithmark.verify import audit_failures, check_items, questions, shared_items
from arithmark_tasks.generators.deeparithmark.verify.recompute import value_of
from arithmark_tasks.generators.streams import Stream
from arithmark_tasks.paths import task_folder

DEPTHS = (6, 7, 8)
by_family = pytest.mark.parametrize("family", DEEP_FAMILIES, ids=lambda family: family.template)


@pytest.fixture(scope="module")
def items() -> list[dict[str, Any]]:
    return build_split("deep", "test", items=180)


@pytest.fixture(scope="module")
def fewshot() -> list[dict[str, Any]]:
    return build_split("deep", "fewshot")


def problems(family: Family, count: int) -> Iterator[Problem]:
    index = 0
    while count:
        try:
            problem = family.draw(Stream("deep contract", 1, 7, index))
            problem.solution()
            yield problem
            count -= 1
        except UnusableError:
            pass
        index += 1


def value(problem: Problem, changes: Changes) -> int | None:
    try:
        return problem.value(changes)
    except UnusableError:
        return None


def slips(problem: Problem) -> list[tuple[str, str, Changes]]:
    return [(stage, name, change) for stage, named in problem.mistakes.items() for name, change in named.items()]


def test_every_depth_has_three_families_of_topics_and_templates_that_no_other_family_has() -> None:
    assert Counter(family.depth for family in DEEP_FAMILIES) == dict.fromkeys(DEPTHS, 3)
    for name in ("template", "topic"):
        own = [getattr(family, name) for family in DEEP_FAMILIES]
        assert len(set(own)) == len(own)
        assert not set(own) & {getattr(family, name) for family in FAMILIES}


def test_a_set_of_the_usual_size_has_250_items_of_each_depth_with_ranks_balanced_within_each_template() -> None:
    cells = plan(TIERS["deep"].splits["test"], DEEP_FAMILIES, Stream("deep plan", 1, 7, 0))
    assert Counter(cell.family.depth for cell in cells) == dict.fromkeys(DEPTHS, 250)
    for family in DEEP_FAMILIES:
        ranks = Counter(cell.rank for cell in cells if cell.family is family)
        assert max(ranks.values()) - min(ranks.values()) <= 1
    for depth in DEPTHS:
        grid = Counter((cell.slot, cell.rank) for cell in cells if cell.family.depth == depth)
        assert {grid[place] for place in product(range(4), range(4))} == {15, 16}


@by_family
def test_a_deep_family_has_four_wordings_and_eleven_mistakes_at_four_stages(family: Family) -> None:
    drawn = list(problems(family, 60))
    # What is left of a prompt without its names, places, goods and numbers tells its wording.
    frames = {tuple(word for word in p.prompt.split() if word.islower() and len(word) > 2)[-4:] for p in drawn}
    assert len(frames) >= 4
    assert min(len(p.mistakes) for p in drawn) >= 4
    assert min(len(slips(p)) for p in drawn) >= 11


@by_family
def test_a_deep_story_has_as_many_steps_as_its_depth_at_most_60_words_and_every_number_in_order(family: Family) -> None:
    for problem in problems(family, 60):
        answer, steps = problem.solution()
        assert len(steps) == family.depth
        assert answer == problem.value({})
        assert len(problem.prompt.split()) <= 60
        # The closed form reads the numbers in this order: swapped in one wording, they would give another value.
        assert value_of(family.template, problem.prompt, "correct") == answer


@by_family
def test_every_mistake_and_every_pair_of_mistakes_has_the_value_of_the_closed_form(family: Family) -> None:
    checked = 0
    for problem in problems(family, 12):
        named = slips(problem)
        pairs = [pair for pair in combinations(named, 2) if pair[0][0] != pair[1][0]]
        for made in [*[(one,) for one in named], *pairs]:
            found = value(problem, {key: new for *_, change in made for key, new in change.items()})
            if found is not None:
                source = "; ".join(name for _, name, _ in made)
                assert value_of(family.template, problem.prompt, source) == found, (source, problem.prompt)
                checked += 1
    assert checked > 50


@by_family
def test_no_mistake_hides_another_one_in_every_story(family: Family) -> None:
    seen: Counter[tuple[str, str]] = Counter()
    hidden: Counter[tuple[str, str]] = Counter()
    for problem in problems(family, 40):
        right = problem.value({})
        for (stage, one, change), (other_stage, other, other_change) in combinations(slips(problem), 2):
            both = value(problem, {**change, **other_change})
            singles = value(problem, change), value(problem, other_change)
            if stage != other_stage and both is not None and right not in singles:
                seen[one, other] += 1
                hidden[one, other] += both in singles
    assert [pair for pair, count in seen.items() if count >= 5 and hidden[pair] == count] == []


@by_family
def test_every_rank_can_be_had_from_a_deep_family(family: Family) -> None:
    ranks = Counter(rank for problem in problems(family, 40) for rank in range(4) if option_sets(problem, rank))
    assert min(ranks[rank] for rank in range(4)) >= 10


# The least and greatest value that a glance at the prompt's numbers allows; written again, apart from the families.
GLANCE = {
    "batch_profit": lambda batches, size, lost, pack, given, price, cost: (2, batches * size // pack * price),
    "hall_takings": lambda rows, seats, share, cheap, low, high: (cheap * low, rows * seats * high),
    "run_end_time": lambda start, lots, size, again, speed, pause: (start + pause, start + 480),
    "two_leg_arrival": lambda start, one, speed, stop, two, faster: (start + stop, start + 480),
    "pay_left_over": lambda weeks, hours, rate, extra, high, tax, spent: (2, weeks * hours * rate + extra * high),
    "floor_bill": lambda a, b, bare, spare, size, price, off: (2, a * b * (100 + spare) / 100 / size * price),
    "harvest_profit": lambda rows, per, bad, kept, size, price, cost: (2, rows * per // size * price),
    "outing_share": lambda n, each, adults, low, high, off, fare: (2, (n * each * low + adults * high + fare) / n),
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


@given(
    st.lists(st.integers(2, 900), min_size=4, max_size=4, unique=True),
    st.lists(st.integers(1, 99), min_size=5, max_size=8),
)
def test_the_deep_leans_of_the_four_options_cancel(values: list[int], numbers: list[int]) -> None:
    """Whichever option is right, no lean favours it on average: the leans of the four sets add up to nothing."""
    turned = [
        deep_leans(OptionSet((values[right], *values[:right], *values[right + 1 :]), (), 0.25), numbers, False)
        for right in range(4)
    ]
    assert {len(found) for found in turned} == {DEEP_LEANS} == {DEEP_WATCH.count}
    assert [sum(places) for places in zip(*turned, strict=True)] == pytest.approx([0.0] * DEEP_LEANS, abs=1e-9)


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
