"""The training tier calls its mistakes and steps by names of its own, as verification states them a second time."""

import copy
from itertools import combinations
from typing import Any

import pytest

from arithmark_tasks.generators.choices.problem import Problem, Trace, UnusableError
from arithmark_tasks.generators.deeparithmark import build_split
from arithmark_tasks.generators.deeparithmark.families.registry import Family
from arithmark_tasks.generators.deeparithmark.train import TRAIN_FAMILIES
from arithmark_tasks.generators.deeparithmark.verify import fields
from arithmark_tasks.generators.deeparithmark.verify.recompute import RecomputeError, value_of
from arithmark_tasks.generators.deeparithmark.verify.training_names import published_source, step_names
from arithmark_tasks.generators.streams import Stream

Item = dict[str, Any]
# Nouns of the published stories that no wording of the training tier tells of, by template.
FOREIGN = {
    "money_discount_fee": ("dollar", "delivery", "discount"),
    "stock_percent_pack": ("sale", "sold"),
    "schedule_sessions": ("session", "cancelled"),
    "inventory_boxes": ("delivery", "shipping", "sent", "damaged"),
    "inventory_percent_chain": ("sale", "stock"),
    "prize_ratio_charity": ("donat",),
    "salary_overtime_tax": ("overtime", "normal", "tax"),
    "discount_tax_coupon_split": ("coupon", "tax", "discount"),
}
by_family = pytest.mark.parametrize("family", TRAIN_FAMILIES, ids=lambda family: family.template)


@pytest.fixture(scope="module")
def items() -> list[Item]:
    return build_split("train", "train", items=120)


def stories(family: Family, count: int) -> list[tuple[Problem, list[str]]]:
    found = []
    for index in range(50 * count):
        try:
            problem = family.draw(Stream("training names", 1, 3, index))
            found.append((problem, problem.solution()[1]))
        except UnusableError:
            continue
        if len(found) == count:
            break
    return found


@by_family
def test_every_mistake_and_every_pair_has_the_value_of_the_closed_form_under_its_published_name(family: Family) -> None:
    checked = 0
    for problem, _ in stories(family, 15):
        singles = [(stage, name) for stage, named in problem.mistakes.items() for name in named]
        pairs = [pair for pair in combinations(singles, 2) if pair[0][0] != pair[1][0]]
        for slips in (*((single,) for single in singles), *pairs):
            changes = {key: value for stage, name in slips for key, value in problem.mistakes[stage][name].items()}
            try:
                own = problem.value(changes)
            except UnusableError:
                continue
            source = published_source(family.template, "; ".join(name for _, name in slips))
            assert value_of(family.template, problem.prompt, source) == own, (problem.prompt, source)
            checked += 1
    assert checked > 40


@by_family
def test_no_name_tells_of_what_only_the_published_stories_have(family: Family) -> None:
    for problem, steps in stories(family, 15):
        names = [*steps, *(name for named in problem.mistakes.values() for name in named)]
        for word in FOREIGN.get(family.template, ()):
            assert not any(word in name for name in names), (word, names)


@by_family
def test_steps_have_the_names_that_verification_states(family: Family) -> None:
    for _, steps in stories(family, 15):
        item = {"metadata": {"template": family.template, "solution_steps": steps}}
        assert list(step_names(item)) == []
        item["metadata"]["solution_steps"] = [f"sold: {steps[0].partition(': ')[2]}", *steps[1:]]
        assert len(list(step_names(item))) == 1


def test_steps_before_one_without_a_clean_result_have_their_own_names_too() -> None:
    family = next(family for family in TRAIN_FAMILIES if family.template == "stock_percent_pack")
    problem, _ = stories(family, 1)[0]
    trace = Trace()
    with pytest.raises(UnusableError):
        problem.solve(trace, **{**problem.operands, "size": 0})
    assert [step.partition(":")[0] for step in trace.steps] == ["gone", "left"]


def test_an_option_under_a_published_name_is_refused(items: list[Item]) -> None:
    assert [failure for item in items for failure in fields.decoys(item)] == []
    item = copy.deepcopy(next(item for item in items if "forgot the fee" in item["metadata"]["option_sources"]))
    sources = item["metadata"]["option_sources"]
    sources[sources.index("forgot the fee")] = "forgot the delivery charge"
    assert [failure.partition(": ")[2] for failure in fields.decoys(item)] == [
        "'forgot the delivery charge' is no mistake of the training tier"
    ]
    with pytest.raises(RecomputeError, match="unknown mistake 'forgot the fee'"):
        value_of("money_discount_fee", item["ctx"], "forgot the fee")
