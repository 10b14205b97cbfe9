"""The four-way form: every option is its named slips, and nothing but the arithmetic tells the right one."""

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arithmark_tasks.generators.choices.audit import NOT_APPLICABLE, OK, audit_items, question
from arithmark_tasks.generators.choices.option_features import option_rows
from arithmark_tasks.generators.choices.problem import Trace, UnusableError
from arithmark_tasks.generators.choices.shortcuts import DIRECT_ARITHMETIC, roundness
from arithmark_tasks.generators.errors import InputError
from arithmark_tasks.generators.expression import Expression, evaluate
from arithmark_tasks.generators.streams import Stream
from arithmark_tasks.generators.zenyx import DEFAULT_TYPES, build, build_fewshot, question_type
from arithmark_tasks.generators.zenyx import multiple_choice as leans
from arithmark_tasks.generators.zenyx.claims import value_of
from arithmark_tasks.generators.zenyx.multiple_choice import (
    MC_PER_TYPE,
    build_multiple_choice,
    build_multiple_choice_fewshot,
)
from arithmark_tasks.generators.zenyx.slips import problem, slips, solver

SPECIFIED = (
    "dropped the carry",
    "not taken",
    "swapped the",
    "left out the partial product",
    "off by a power of ten",
    r"dropped the \w+ digit of the quotient",
)


@pytest.fixture(scope="module")
def items() -> list[dict]:
    """256 items, an eighth of the set: what its builder can be tested on in seconds."""
    return build_multiple_choice(per_type=32)


@pytest.fixture(scope="module")
def whole() -> list[dict]:
    return build_multiple_choice()


@pytest.fixture(scope="module")
def shots() -> list[dict]:
    return build_multiple_choice_fewshot()


def operands(item: dict) -> tuple[int, str, int]:
    left, sign, right = re.fullmatch(r"Question: What is (\d+) ([-+*/]) (\d+)\?\nAnswer:", item["ctx"]).groups()  # type: ignore[union-attr]
    return int(left), sign, int(right)


def recomputed(item: dict, source: str) -> int:
    """The value of an option from the names of its slips, by the closed forms of the check."""
    return value_of(*operands(item), source)


def test_every_option_is_the_value_of_its_named_slips(items: list[dict], shots: list[dict]) -> None:
    for item in items + shots:
        metadata = item["metadata"]
        sources = metadata["option_sources"]
        assert [recomputed(item, source) for source in sources] == metadata["option_values"], item["ctx"]


SWAPPED = "swapped the hundreds and tens digits of the first number"


@pytest.mark.parametrize(
    ("left", "sign", "right", "source", "value"),
    [
        (58, "+", 67, "carry off by a power of ten: into the hundreds, not the tens", 215),
        (503, "-", 487, "borrow not taken in the tens: smaller digit from the larger", 196),
        (12, "*", 34, "partial product of the tens off by a power of ten: too far right", 84),
        (5895, "/", 15, f"{SWAPPED}; tens digit of the quotient one too low", 389),
    ],
)
def test_slips_worked_out_by_hand(left: int, sign: str, right: int, source: str, value: int) -> None:
    assert value_of(left, sign, right, source) == value
    with pytest.raises(ValueError, match="unknown slip 'forgot it'"):
        value_of(left, sign, right, f"{source}; forgot it")


def test_the_right_option_is_the_answer_and_the_only_one(items: list[dict], shots: list[dict]) -> None:
    for item in items + shots:
        left, sign, right = operands(item)
        metadata, label = item["metadata"], int(item["label"])
        answer = evaluate(Expression(left, sign, right))
        assert metadata["option_values"][label] == answer == int(metadata["answer"])
        assert metadata["option_sources"].index("correct") == label
        assert len(set(metadata["option_values"])) == len(set(item["endings"])) == 4
        assert item["endings"] == [f" {value}" for value in metadata["option_values"]]
        assert sorted(metadata["option_values"]).index(answer) == metadata["answer_rank"]


def test_the_options_of_an_item_look_alike(items: list[dict], shots: list[dict]) -> None:
    for item in items + shots:
        left, sign, right = operands(item)
        values = item["metadata"]["option_values"]
        assert max(values) <= 3 * min(values)
        assert len({value % 10 for value in values}) == len({roundness(value) for value in values}) == 1
        if sign in "+-":
            assert {value > max(left, right) for value in values} == {sign == "+"}


def test_slot_and_rank_are_balanced_exactly_in_every_type(items: list[dict]) -> None:
    cells = Counter((item["metadata"]["template"], item["label"], item["metadata"]["answer_rank"]) for item in items)
    assert set(cells.values()) == {2} and len(cells) == 4 * 4 * len(DEFAULT_TYPES)


def test_the_questions_are_those_of_the_bench_each_at_most_once(items: list[dict], shots: list[dict]) -> None:
    bench = {item["id"]: item for item in build()}
    for item in items:
        source = bench.pop(item["source_id"].removeprefix("zenyx_mc_v2_"))
        assert item["ctx"] == f"Question: {source['question']}\nAnswer:"
        assert item["metadata"]["template"] == source["type"]
    exemplars = {f"Question: {item['question']}\nAnswer:" for item in build_fewshot()}
    assert {item["ctx"] for item in shots} <= exemplars and not {item["ctx"] for item in items} & exemplars
    assert {item["metadata"]["template"] for item in shots} == set(DEFAULT_TYPES)


def test_every_kind_of_slip_in_the_specification_occurs_and_so_do_combinations(items: list[dict]) -> None:
    sources = [source for item in items for source in item["metadata"]["option_sources"]]
    for kind in SPECIFIED:
        assert sum(re.search(kind, source) is not None for source in sources) >= 5, kind
    assert sum(";" in source for source in sources) > 100


def test_the_strategies_that_do_the_arithmetic_itself_do_not_apply(items: list[dict]) -> None:
    rows = audit_items(items)
    skipped = {row.strategy for row in rows if row.verdict == NOT_APPLICABLE}
    no_percentage = "smallest, where a percentage is 50 or more"
    assert skipped == {*DIRECT_ARITHMETIC, "nearest the first step", "farthest from the first step", no_percentage}
    assert {row.verdict for row in rows} == {NOT_APPLICABLE, OK}


@pytest.mark.slow
def test_the_whole_set_is_balanced_and_no_fixed_strategy_is_more_than_a_point_from_chance(whole: list[dict]) -> None:
    cells = Counter((item["metadata"]["template"], item["label"], item["metadata"]["answer_rank"]) for item in whole)
    assert set(cells.values()) == {16} and len(whole) == 8 * MC_PER_TYPE
    for row in audit_items(whole):
        if row.verdict != NOT_APPLICABLE:
            assert row.verdict == OK and row.score is not None and abs(row.score - 0.25) <= 0.01, row


@pytest.mark.slow
def test_what_a_learner_finds_is_what_the_card_and_the_design_page_say(whole: list[dict]) -> None:
    from arithmark_tasks.builders.classifiers import TRIGRAMS, UNSEEN, classifier_rows

    rows = {row.strategy: row for row in classifier_rows([question(item) for item in whole])}
    assert rows[TRIGRAMS].verdict == OK and rows[UNSEEN].kind == "reported"
    score, low, high = (f"{100 * value:.1f}" for value in (rows[UNSEEN].score, rows[UNSEEN].low, rows[UNSEEN].high))
    root = Path(__file__).resolve().parents[3]
    card = (root / "builders" / "cards" / "zenyx.md.jinja").read_text(encoding="utf-8")
    page = (root / "docs" / "design.md").read_text(encoding="utf-8")
    assert f"({score} % on the default seed, 95 % interval {low} to {high})" in card
    assert f"is right on the eighth in {score} % (95 % interval {low} to {high};" in page


@pytest.mark.parametrize(
    ("prompt", "direct"),
    [
        ("Question: What is 5895 / 15?\nAnswer:", True),
        ("12 + 34 =", True),
        ("What is 12 − 5?", True),
        ("A shop held 420 jars and sold 90. The number left was", False),
        ("In 3 days he wrote 10-12 pages. The number was", False),
        ("Room 12-34 holds", True),
    ],
)
def test_only_a_prompt_that_is_one_operation_is_direct(prompt: str, direct: bool) -> None:
    assert question({"ctx": prompt, "endings": [" 1", " 2"], "label": "0"}).direct is direct


def test_a_classifier_is_not_shown_the_operation_of_a_direct_question(items: list[dict]) -> None:
    found = question(items[0])
    left, _, right = operands(items[0])
    other = question(items[0] | {"ctx": items[0]["ctx"].replace(str(left), str(left + 1)).replace(str(right), "13")})
    assert option_rows(found) == option_rows(other)
    assert option_rows(found) != option_rows(question(items[1]))


def test_the_leans_are_those_of_the_right_option_and_vanish_over_all_options(items: list[dict]) -> None:
    for item in items[:40]:
        values = item["metadata"]["option_values"]
        turned = [leans.leans([values[right], *values[:right], *values[right + 1 :]]) for right in range(4)]
        assert {len(found) for found in turned} == {leans.LEANS}
        assert all(abs(sum(column)) < 1e-9 for column in zip(*turned, strict=True))
        assert leans.leans([values[0], *values[:0:-1]]) == turned[0]


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(DEFAULT_TYPES), st.data())
def test_a_single_slip_changes_the_result_as_its_closed_form_says(code: str, data: st.DataObject) -> None:
    space = question_type(code).space
    asked = space.question(data.draw(st.integers(0, space.size - 1)), data.draw(st.booleans()))
    solve = solver(asked)
    assert solve(Trace(recording=False)) == evaluate(asked)
    item = {"ctx": f"Question: What is {asked.left} {asked.operator} {asked.right}?\nAnswer:"}
    for _, _, name, made in slips(asked):
        try:
            value = solve(Trace(recording=False), **made)
        except UnusableError:
            continue
        assert value == recomputed(item, name)


def test_a_slip_with_nothing_to_act_on_is_unusable() -> None:
    for asked, made in (
        (Expression(12, "+", 34), {"carry 1": 1}),
        (Expression(58, "+", 67), {"carry 1": 2}),
        (Expression(98, "-", 11), {"borrow 1": 1}),
        (Expression(123, "*", 1001), {"row 1": 1}),
        (Expression(1111, "/", 11), {"digit 1": 2}),
        (Expression(1122, "*", 1001), {"first number": 1, "second number": 1}),
    ):
        with pytest.raises(UnusableError):
            solver(asked)(Trace(recording=False), **made)


def test_a_question_offers_slips_of_several_stages() -> None:
    for code in DEFAULT_TYPES:
        space = question_type(code).space
        made = problem(space.question(space.size // 3, swap=False), Stream("demo", 1, 0, 0))
        assert len(made.mistakes) > 3


@pytest.mark.parametrize("count", [0, 8, 250, -16])
def test_a_count_that_cannot_be_balanced_is_refused(count: int) -> None:
    with pytest.raises(InputError, match=f"multiple of 16, not {count}"):
        build_multiple_choice(per_type=count)


def test_too_few_questions_are_named_by_their_type() -> None:
    with pytest.raises(InputError, match=r"^4da: no question left"):
        build_multiple_choice(questions=[item for item in build() if item["type"] == "4da"][:12], per_type=16)


def test_the_items_are_the_same_under_every_hash_seed() -> None:
    code = (
        "import json, sys; from arithmark_tasks.generators.zenyx import multiple_choice as m\n"
        "from arithmark_tasks.generators.zenyx import build\n"
        "questions = [item for item in build() if item['type'] in ('34m', 'div')]\n"
        "json.dump(m.build_multiple_choice(questions=questions, per_type=16), sys.stdout)"
    )
    one, two = (
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in "12"
    )
    assert one == two and len(json.loads(one)) == 32
