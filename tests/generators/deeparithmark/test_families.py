"""The contract of every family of the registry: what a module of ``families/`` must keep for its items to be sound."""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from itertools import combinations
from pathlib import Path
from statistics import mean

import pytest

from arithmark_tasks.generators.choices.claims import CORRECT, RecomputeError
from arithmark_tasks.generators.choices.item import numbers_in
from arithmark_tasks.generators.choices.options import OPTIONS, choices
from arithmark_tasks.generators.choices.problem import Changes, Problem, UnusableError
from arithmark_tasks.generators.deeparithmark import families
from arithmark_tasks.generators.deeparithmark.families import (
    DEEP_FAMILIES,
    FAMILIES,
    PUBLISHED_DEPTH,
    TRAINING_FAMILIES,
)
from arithmark_tasks.generators.deeparithmark.families.family import Family
from arithmark_tasks.generators.deeparithmark.verify.closed_forms import FORMULAS
from arithmark_tasks.generators.deeparithmark.verify.expected import DEEP, PUBLISHED
from arithmark_tasks.generators.deeparithmark.verify.recompute import recipe_of, singles, step_of, value_of
from arithmark_tasks.generators.deeparithmark.verify.steps import chain
from arithmark_tasks.generators.streams import Stream

TEST_FAMILIES = (*FAMILIES, *DEEP_FAMILIES)
_NAMED = [(family, family.template) for family in TEST_FAMILIES]
_NAMED += [(family, f"{family.template}, training") for family in TRAINING_FAMILIES]
by_family = pytest.mark.parametrize("family", [family for family, _ in _NAMED], ids=[name for _, name in _NAMED])
# The longest prompt of the published set, and of the deep tier.
WORDS = {False: 43, True: 60}
# Steps that the published design lets run side by side: two products, added.
SIDE_BY_SIDE = {"two_rate_pay": 2, "salary_overtime_tax": 4}
SLOT = re.compile(r"\{(\w+)\}")


@cache
def problems(family: Family, count: int = 40) -> tuple[Problem, ...]:
    return tuple(found for found, _ in zip(_problems(family), range(count), strict=False))


def _problems(family: Family) -> Iterator[Problem]:
    drawn = (_problem(family, index) for index in range(100_000))
    return (found for found in drawn if found is not None)


def _problem(family: Family, index: int) -> Problem | None:
    try:
        return family.draw(Stream("family contract", 1, 7, index))
    except UnusableError:
        return None


def slips(problem: Problem) -> list[tuple[str, str, Changes]]:
    return [(stage, name, change) for stage, named in problem.mistakes.items() for name, change in named.items()]


def value(problem: Problem, changes: Changes) -> int | None:
    try:
        return problem.value(changes)
    except UnusableError:
        return None


def test_the_registry_holds_every_module_with_a_family_and_each_has_its_closed_form() -> None:
    assert families.__file__ is not None
    stems = {path.stem for path in Path(families.__file__).parent.glob("*.py")}
    modules = {stem: import_module(f"{families.__name__}.{stem}") for stem in stems - {"__init__"}}
    found = {stem: module.FAMILY for stem, module in modules.items() if hasattr(module, "FAMILY")}
    assert {family.template: family for family in TEST_FAMILIES} == found
    assert set(FORMULAS) == set(found)
    assert {family.template for family in TRAINING_FAMILIES} == {family.template for family in FAMILIES}


def test_templates_depths_and_shares_are_those_that_verify_expects() -> None:
    assert {family.template: (family.depth, family.share) for family in FAMILIES} == PUBLISHED
    assert {family.template: (family.depth, family.share) for family in DEEP_FAMILIES} == DEEP
    assert max(family.depth for family in FAMILIES) == PUBLISHED_DEPTH < min(family.depth for family in DEEP_FAMILIES)
    assert len({family.topic for family in FAMILIES}) == 14
    deep_topics = [family.topic for family in DEEP_FAMILIES]
    assert len({*deep_topics, *(family.topic for family in FAMILIES)}) == 14 + len(deep_topics)


@by_family
def test_a_family_draws_the_same_story_from_the_same_stream(family: Family) -> None:
    again = [found for found, _ in zip(_problems(family), range(10), strict=False)]
    assert [(found.prompt, found.mistakes) for found in again] == [
        (found.prompt, found.mistakes) for found in problems(family)[:10]
    ]


@by_family
def test_every_telling_names_every_number_once_in_the_order_of_the_ranges(family: Family) -> None:
    for telling in family.tellings:
        slots = [slot for slot in SLOT.findall(telling.text) if slot not in ("name", "other", "place")]
        assert slots == list(family.ranges), telling.text
        assert set(telling.values) | set(telling.signs) <= set(family.ranges)
        assert not telling.text.endswith((".", ",", " "))
        assert not re.search(r"\d", telling.text), telling.text


@pytest.mark.parametrize("family", TEST_FAMILIES, ids=lambda family: family.template)
def test_a_family_of_a_test_tier_has_eight_wordings(family: Family) -> None:
    # A choice of things within a wording is none of its own.
    assert len({re.sub(r"<[^>]*>", "<>", telling.text) for telling in family.tellings}) >= 8


@by_family
def test_every_range_has_its_reason_and_no_number_needs_a_separator(family: Family) -> None:
    for name, (values, why) in family.ranges.items():
        assert why, name
        assert len(values) > 3, name
    for problem in problems(family):
        assert max(numbers_in(problem.prompt)) <= 9_999


@by_family
def test_a_story_has_as_many_steps_as_its_depth_and_a_prompt_of_a_size(family: Family) -> None:
    for problem in problems(family):
        answer, steps = problem.solution()
        assert len(steps) == family.depth
        assert answer == problem.value({}) == value_of(family.template, problem.prompt, CORRECT)
        assert len(problem.prompt.split()) <= WORDS[family.depth > PUBLISHED_DEPTH], problem.prompt


@by_family
def test_every_step_takes_the_result_of_another_but_for_the_products_of_the_published_design(family: Family) -> None:
    wanted = SIDE_BY_SIDE.get(family.template, family.depth)
    # By chance an operand can equal the result of another step.
    assert min(chain(problem.solution()[1]) for problem in problems(family)) == wanted


@by_family
def test_no_family_has_a_step_that_two_of_its_own_could_be_one(family: Family) -> None:
    """Nothing is multiplied and then divided by numbers that are the same in every story."""
    for problem in problems(family, 10):
        text = " ".join(problem.solution()[1])
        assert not re.search(r"\* (60|100) = (\d+) .*: \2 / ", text), text


@by_family
def test_a_family_has_natural_mistakes_in_both_directions_at_two_stages(family: Family) -> None:
    raised: Counter[str] = Counter()
    lowered: Counter[str] = Counter()
    for problem in problems(family):
        right = problem.value({})
        assert len(problem.natural) >= 3
        assert len(problem.natural) >= len(family.contrived)
        assert family.contrived <= {name for _, name, _ in slips(problem)}
        for stage, _, change in slips(problem):
            found = value(problem, change)
            if found is not None and found != right:
                (raised if found > right else lowered)[stage] += 1
    assert len(raised) >= 2
    assert len(lowered) >= 2


@by_family
def test_an_eighth_of_the_stories_or_more_allow_every_rank(family: Family) -> None:
    found = [choices(problem) for problem in problems(family, 80)]
    whole = [one for one in found if all(map(one.allow, range(OPTIONS)))]
    assert len(whole) >= len(found) / 8
    sets = [len(one.sets(rank, Stream("ranks", 1, 7, rank))) for one in whole for rank in range(OPTIONS)]
    assert mean(sets) >= 3


@by_family
def test_every_mistake_and_every_pair_has_the_value_and_the_step_of_the_closed_form(family: Family) -> None:
    checked = 0
    for problem in problems(family, 12):
        named, right = slips(problem), problem.value({})
        pairs = [pair for pair in combinations(named, 2) if pair[0][0] != pair[1][0]]
        alone = {value(problem, change) for *_, change in named}
        for made in [*[(one,) for one in named], *pairs]:
            changes = {key: new for *_, change in made for key, new in change.items()}
            found, source = value(problem, changes), "; ".join(name for _, name, _ in made)
            if found is None:
                continue
            assert value_of(family.template, problem.prompt, source) == found, (source, problem.prompt)
            checked += 1
            # A pair that is void, or comes to the same as one of them, can show at another step, and is never offered.
            if found != right and (len(made) == 1 or found not in alone):
                assert step_of(family.template, problem.prompt, source) == problem.first_step(changes), source
    assert checked > 50


@by_family
def test_the_closed_form_knows_the_same_mistakes_and_the_same_causes(family: Family) -> None:
    for problem in problems(family, 12):
        own = {name for _, name, _ in slips(problem)}
        stages = recipe_of(family.template, problem.prompt).stages
        known = {name for stage in stages for name in stage if name}
        # By the clock, which way a stretch goes is told by the wording.
        assert own == known or (family.template == "time_clock_end" and own <= known)
        whole = {}
        for _, name, change in slips(problem):
            try:
                found = problem.value(change, strict=False)
            except UnusableError:
                continue
            if found == int(found):
                whole[name] = int(found)
        assert {
            name: number for name, number in singles(family.template, problem.prompt).items() if name in own
        } == whole


def test_a_closed_form_without_its_story_or_for_another_one_is_refused() -> None:
    with pytest.raises(RecomputeError, match="unknown template 'chess'"):
        recipe_of("chess", "1 2 3")
    with pytest.raises(RecomputeError, match="3 numbers do not fit tank_fill"):
        recipe_of("tank_fill", "1 2 3")
