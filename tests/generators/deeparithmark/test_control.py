"""The matched control: the same items with adjacent endings, and a check that sees whatever else differs."""

import copy
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arithmark_tasks.generators.choices.audit import audit_items
from arithmark_tasks.generators.deeparithmark import build, build_fewshot
from arithmark_tasks.generators.deeparithmark.build import build_split
from arithmark_tasks.generators.deeparithmark.tiers import control
from arithmark_tasks.generators.deeparithmark.verify import check_items
from arithmark_tasks.generators.deeparithmark.verify.control import partners

Item = dict[str, Any]


@pytest.fixture(scope="module")
def items() -> list[Item]:
    return build(items=320)


@pytest.fixture(scope="module")
def controls(items: list[Item]) -> list[Item]:
    return build_split("control", "test", items=320)


def shown(ending: str) -> int:
    """What an ending says, in minutes of the day where it is a time."""
    time = re.fullmatch(r" (\d+):(\d\d) ([ap])\.m\.", ending)
    if time is None:
        return int(re.fullmatch(r" (\d+) [a-z ]+\.", ending)[1])  # type: ignore[index]
    return (int(time[1]) % 12 + 12 * (time[3] == "p")) * 60 + int(time[2])


def numbered(items: list[Item]) -> list[tuple[int, Item]]:
    return list(enumerate(items, start=1))


def test_the_four_endings_are_adjacent_and_one_is_the_answer(items: list[Item], controls: list[Item]) -> None:
    assert len(controls) == len(items) == 320
    for item, matched in zip(items, controls, strict=True):
        values = [shown(ending) for ending in matched["endings"]]
        assert max(values) - min(values) == 3 and len(set(values)) == 4
        assert matched["endings"][int(item["label"])] == item["endings"][int(item["label"])]


def test_nothing_but_the_wrong_endings_and_the_names_differs(items: list[Item], controls: list[Item]) -> None:
    for item, matched in zip(items, controls, strict=True):
        assert list(item) == list(matched) and list(item["metadata"]) == list(matched["metadata"])
        different = {key for key in item if item[key] != matched[key]}
        assert {"activity_label", "source_id"} < different <= {"activity_label", "source_id", "endings", "metadata"}
        different = {key for key in item["metadata"] if item["metadata"][key] != matched["metadata"][key]}
        assert "option_sources" in different and different <= {"option_sources", "option_steps", "option_values"}
        assert matched["source_id"] == item["source_id"].replace("_v2_", "_control_v2_")


def test_each_slot_keeps_the_rank_that_it_has_in_the_set(items: list[Item], controls: list[Item]) -> None:
    for item, matched in zip(items, controls, strict=True):
        ranks = [
            [sorted(map(shown, one["endings"])).index(shown(e)) for e in one["endings"]] for one in (item, matched)
        ]
        assert ranks[0] == ranks[1]
        assert ranks[0][int(item["label"])] == matched["metadata"]["answer_rank"]


def test_every_distance_is_named_and_occurs_as_often_as_its_rank_says(controls: list[Item]) -> None:
    offsets: Counter[int] = Counter()
    for item in controls:
        answer = shown(item["endings"][int(item["label"])])
        for ending, source in zip(item["endings"], item["metadata"]["option_sources"], strict=True):
            offset = shown(ending) - answer
            assert source.startswith(f"answer {'+' if offset > 0 else '-'} {abs(offset)}" if offset else "correct")
            assert ("minute" in source) == (ending.endswith(".m.") and offset != 0)
            offsets[offset] += 1
    ranks = Counter(item["metadata"]["answer_rank"] for item in controls)
    for offset in (1, 2, 3):
        assert offsets[offset] == sum(count for rank, count in ranks.items() if 3 - rank >= offset)
        assert offsets[-offset] == sum(count for rank, count in ranks.items() if rank >= offset)


@given(
    st.sets(st.integers(0, 1439), min_size=4, max_size=4).flatmap(
        lambda values: st.tuples(st.permutations(sorted(values)), st.integers(0, 3))
    ),
    st.sampled_from(["clock", "crates"]),
)
def test_no_window_leaves_the_day_or_falls_below_zero(drawn: tuple[list[int], int], unit: str) -> None:
    values, slot = drawn
    rank = sum(value < values[slot] for value in values)
    data = {"option_values": values, "answer_rank": rank, "unit": unit}
    (matched,) = control([{"label": str(slot), "metadata": data}])
    found = [shown(ending) for ending in matched["endings"]]
    assert found == matched["metadata"]["option_values"]
    assert min(found) >= 0 and (unit != "clock" or max(found) < 1440)
    assert found[slot] == values[slot] and sorted(found).index(found[slot]) == rank


def test_place_and_size_tell_no_more_than_in_the_set(items: list[Item], controls: list[Item]) -> None:
    names = [f"slot {slot}" for slot in range(4)] + ["smallest", "second smallest", "second largest", "largest"]
    scores = [{row.strategy: row.score for row in audit_items(of)} for of in (items, controls)]
    assert [scores[0][name] for name in names] == [scores[1][name] for name in names]


def failing(items: list[Item]) -> set[str]:
    return {found.claim for found in check_items(numbered(items)) if not found.holds}


def test_every_claim_holds_on_the_control_and_on_its_exemplars(items: list[Item], controls: list[Item]) -> None:
    assert failing(controls) == set()
    assert not list(partners(numbered(controls), numbered(items)))
    shots = build_fewshot()
    matched = build_split("control", "fewshot")
    assert failing(matched) == set()
    assert not list(partners(numbered(matched), numbered(shots)))


def widen(item: Item) -> None:
    data = item["metadata"]
    far = data["option_values"].index(max(data["option_values"]))
    data["option_values"][far] += 1
    item["endings"][far] = re.sub(r"\d+", str(data["option_values"][far]), item["endings"][far])


DAMAGES: list[tuple[Callable[[Item], Any], str]] = [
    (lambda item: item.update(source_id="deeparithmark_v1_x"), "activity_label, source_id"),
    (widen, "the options are four adjacent"),
    (lambda item: item["metadata"]["option_sources"].__setitem__(0, "answer + 7"), "every option recomputed"),
    (lambda item: item["metadata"]["option_sources"].reverse(), "every option recomputed"),
    (lambda item: item.update(ctx=re.sub(r"\d+", "9", item["ctx"], count=1)), "every option recomputed"),
]


@pytest.mark.parametrize(("damage", "claim"), DAMAGES)
def test_damage_breaks_the_claim_on_it(damage: Callable[[Item], Any], claim: str, controls: list[Item]) -> None:
    item = copy.deepcopy(next(one for one in controls if one["metadata"]["unit"] == "dollars"))
    damage(item)
    assert any(found.startswith(claim) for found in failing([item]))


def swap(item: Item) -> None:
    """Two wrong options change places: still four adjacent ones with the right one where it was."""
    wrong = [slot for slot in range(4) if slot != int(item["label"])][:2]
    for column in (item["endings"], item["metadata"]["option_values"], item["metadata"]["option_sources"]):
        column[wrong[0]], column[wrong[1]] = column[wrong[1]], column[wrong[0]]


@pytest.mark.parametrize(
    ("damage", "difference"),
    [
        (swap, "the order of the options by size"),
        (lambda item: item.update(ctx=item["ctx"] + " about"), "ctx"),
        (lambda item: item["metadata"].update(template="other"), "metadata.template"),
    ],
)
def test_an_item_that_is_not_its_partners_twin_is_found(
    damage: Callable[[Item], Any], difference: str, items: list[Item], controls: list[Item]
) -> None:
    changed = copy.deepcopy(controls[:5])
    damage(changed[3])
    (found,) = partners(numbered(changed), numbered(items[:5]))
    assert found.line == 4 and difference in found.message
    assert "4 items for a set of 5" in str(next(partners(numbered(controls[:4]), numbered(items[:5]))))
