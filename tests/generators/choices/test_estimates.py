"""Half of the work gains what it should: rough, skipped and undone steps, worked out by hand."""

import pytest

from arithmark_tasks.generators.choices.audit import preference_rows, question
from arithmark_tasks.generators.choices.estimates import (
    CAST_OUT,
    LAST_DIGIT,
    ROUGH,
    SKIPPED,
    UNDONE,
    estimate_rows,
    read_steps,
    redone,
    rough,
    skipped,
)
from arithmark_tasks.generators.deeparithmark import build_split

LINES = ["cut: 240 * 15 / 100 = 36", "price: 240 - 36 = 204", "paid: 204 + 19 = 223"]


def item(values: list[int], label: int, steps: list[str] | None = None, ctx: str = "240, 15% and 19") -> dict:
    """An item of these endings."""
    metadata = {"template": "t", "solution_steps": LINES if steps is None else steps}
    return {"ctx": ctx, "endings": [f" {value} dollars." for value in values], "label": label, "metadata": metadata}


def scores(*items: dict) -> dict[str, float | None]:
    """The score of each row."""
    return {row.strategy: row.score for row in estimate_rows([question(one) for one in items])}


def test_the_steps_of_every_family_are_read_and_lead_to_the_answer() -> None:
    for tier in ("default", "deep"):
        for one in build_split(tier, "test", items=60 if tier == "default" else 45):
            if one["metadata"]["unit"] != "clock":
                steps = read_steps(one["metadata"]["solution_steps"])
                assert steps is not None
                # Whole quotients are rounded down.
                exact = redone(steps, lambda place, value: int(value), float)
                assert exact == one["metadata"]["option_values"][int(one["label"])]


def test_a_result_that_is_also_a_number_of_the_story_is_used_once() -> None:
    steps = read_steps(["cut: 100 * 50 / 100 = 50", "left: 100 - 50 = 50", "paid: 50 + 50 = 100"])
    assert steps is not None
    assert [step.sources for step in steps] == [(None, None), (None, 0), (1, None)]


def test_rough_steps_round_numbers_and_results() -> None:
    steps = read_steps(LINES)
    assert steps is not None
    assert rough(steps, 1) == 200  # 240 -> 200, 15 -> 20: 40; 160 -> 200; 19 -> 20; 220 -> 200
    assert rough(steps, 2) == 220  # 36; 204 -> 200; 219 -> 220


def test_a_skipped_step_leaves_an_operand_or_nothing() -> None:
    steps = read_steps(LINES)
    assert steps is not None
    assert skipped(steps, 0) == [240 - 240 + 19, 240 - 15 + 19, 240 + 19]
    assert skipped(steps, 1) == [240 + 19, 36 + 19, 19]


def test_rows_are_reported_for_what_an_item_allows() -> None:
    found = scores(item([223, 259, 204, 185], 0), item([223, 259, 204, 185], 0))
    assert found[ROUGH[2]] == 1
    assert found[LAST_DIGIT] == 1
    assert found[UNDONE] is not None and found[SKIPPED] is not None
    assert found[CAST_OUT[9]] is None
    bare = scores(item([3], 0, steps=[]) | {"endings": [" red", " blue"], "label": 0})
    assert set(bare.values()) == {None}


def test_casting_out_is_for_bare_questions() -> None:
    found = scores(item([46, 55, 57, 36], 0, steps=[], ctx="12 + 34 ="))
    assert found[CAST_OUT[9]] == pytest.approx(1 / 2)
    assert found[CAST_OUT[11]] == pytest.approx(1 / 2)


def test_a_preference_for_a_size_is_a_draw_by_its_power() -> None:
    rows = {row.strategy: row.score for row in preference_rows([question(item([1, 1, 1, 2], 3, ctx="5%"))])}
    assert rows["drawn by value^2"] == pytest.approx(4 / 7)
    assert rows["drawn by value^-1"] == pytest.approx(0.5 / 3.5)
    assert rows["smallest, where a percentage is 50 or more"] is None
    large = preference_rows([question(item([3, 1, 4, 2], 1, ctx="60%")), question(item([3, 1, 4, 2], 1, ctx="6%"))])
    assert large[-1].score == pytest.approx((1 + 0.25) / 2)
