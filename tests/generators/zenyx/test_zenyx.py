"""The bench: operand rules, exact answers, distinct questions, and what a seen-index changes and leaves alone."""

import json
import operator
import random
import re
import subprocess
import sys
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arithmark_tasks.generators.errors import InputError
from arithmark_tasks.generators.expression import Expression, semantic_key
from arithmark_tasks.generators.zenyx import (
    DEFAULT_TYPES,
    EXTENDED_TYPES,
    LEGACY_TYPES,
    TYPES,
    build,
    build_bench,
    build_fewshot,
    build_legacy,
    question_type,
)
from arithmark_tasks.generators.zenyx.build import candidates, fewshot, select

FIELDS = ["id", "type", "operation", "a", "operator", "b", "question", "answer"]
OPERATIONS = {"a": ("addition", "+"), "s": ("subtraction", "-"), "m": ("multiplication", "*")}
CALCULATE = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.floordiv}


def key(item: dict) -> tuple:
    return semantic_key(Expression(item["a"], item["operator"], item["b"]))


@pytest.fixture(scope="module")
def default() -> list[dict]:
    return build()


@pytest.fixture(scope="module")
def legacy() -> list[dict]:
    return build_legacy()


@pytest.fixture(scope="module")
def shots() -> list[dict]:
    return build_fewshot()


def test_every_type_has_its_number_of_items(default: list[dict], legacy: list[dict], shots: list[dict]) -> None:
    codes = ("3ds", "4da", "5da", "5ds", "4dm", "5dm", "34m", "div")
    assert Counter(item["type"] for item in default) == dict.fromkeys(codes, 2000)
    assert Counter(item["type"] for item in legacy) == dict.fromkeys(
        ("2da", "2ds", "2dm", "3da", "3ds", "4da", "5da"), 2000
    )
    assert Counter(item["type"] for item in shots) == dict.fromkeys(codes, 8)


def test_fields_and_ids_are_those_of_the_specification(
    default: list[dict], legacy: list[dict], shots: list[dict]
) -> None:
    assert all(list(item) == [*FIELDS, "in_legacy_14k"] for item in default + shots)
    assert all(list(item) == [*FIELDS, "seen_in_training"] for item in legacy)
    for items in (default, legacy):
        for position, item in enumerate(items):
            assert item["id"] == f"{item['type']}-{position % 2000:04d}"
    everything = [item["id"] for item in default + shots]
    assert len(set(everything)) == len(everything)


def test_questions_and_answers_agree_by_reading_the_question(
    default: list[dict], legacy: list[dict], shots: list[dict]
) -> None:
    for item in default + legacy + shots:
        left, sign, right = re.fullmatch(r"What is (\d+) ([-+*/]) (\d+)\?", item["question"]).groups()  # type: ignore[union-attr]
        assert (int(left), sign, int(right)) == (item["a"], item["operator"], item["b"])
        answer = CALCULATE[sign](int(left), int(right))
        assert item["answer"] == str(answer) and answer >= 0
        if sign == "/":
            assert answer * int(right) == int(left)


def test_operands_have_the_digits_of_their_type(default: list[dict], legacy: list[dict], shots: list[dict]) -> None:
    for item in default + legacy + shots:
        digits = len(str(item["a"])), len(str(item["b"]))
        code = item["type"]
        if code == "34m":
            assert digits == (3, 4) and item["operator"] == "*" and item["operation"] == "multiplication"
        elif code == "div":
            assert digits[1] == 2 and len(item["answer"]) == 3 and 1111 <= item["a"] <= 98901
            assert item["operator"] == "/" and item["operation"] == "division"
        else:
            assert digits == (int(code[0]),) * 2
            assert (item["operation"], item["operator"]) == OPERATIONS[code[2]]


def test_no_two_questions_are_the_same_task(default: list[dict], legacy: list[dict], shots: list[dict]) -> None:
    tests, olds, exemplars = ([key(item) for item in items] for items in (default, legacy, shots))
    assert len(set(tests)) == 16_000 and len(set(olds)) == 14_000 and len(set(exemplars)) == 64
    assert not set(exemplars) & (set(tests) | set(olds))


def test_without_an_index_the_shared_types_are_the_legacy_ones_in_order(
    default: list[dict], legacy: list[dict]
) -> None:
    for code in DEFAULT_TYPES:
        clean = [item for item in default if item["type"] == code]
        assert {item["in_legacy_14k"] for item in clean} == {code in LEGACY_TYPES}
        if code in LEGACY_TYPES:
            old = [item for item in legacy if item["type"] == code]
            assert [(item["id"], item["question"]) for item in clean] == [
                (item["id"], item["question"]) for item in old
            ]
    assert {item["seen_in_training"] for item in legacy} == {None}


def test_the_extended_types_ask_what_they_say_and_nothing_of_the_published_ones(default: list[dict]) -> None:
    items, exemplars = build(types=EXTENDED_TYPES), build_fewshot(types=EXTENDED_TYPES)
    assert Counter(item["type"] for item in items) == dict.fromkeys(EXTENDED_TYPES, 2000)
    assert Counter(item["type"] for item in exemplars) == dict.fromkeys(EXTENDED_TYPES, 8)
    assert len({key(item) for item in items + exemplars}) == 8032
    assert not {key(item) for item in items + exemplars} & {key(item) for item in default}
    forms = {"6da": r"What is (\d{6}) \+ (\d{6})\?", "6ds": r"What is (\d{6}) - (\d{6})\?"}
    forms |= {"35m": r"What is (\d{3}) \* (\d{5})\?"}
    forms |= {"divr": r"What is the whole quotient of (\d{4,5}) / (\d\d), without the remainder\?"}
    for item in items + exemplars:
        left, right = map(int, re.fullmatch(forms[item["type"]], item["question"]).groups())  # type: ignore[union-attr]
        assert (left, right) == (item["a"], item["b"])
        assert item["answer"] == str(CALCULATE[item["operator"]](left, right)) and int(item["answer"]) >= 0
        if item["type"] == "divr":
            assert 100 < int(item["answer"]) < 1000 and left % right
        assert item["in_legacy_14k"] is False


def test_a_seen_extended_question_is_replaced_in_its_place() -> None:
    whole = build(types=EXTENDED_TYPES)
    gone = {key(item) for item in whole[::100]}
    bench = build_bench(seen=gone, types=EXTENDED_TYPES)
    changed = [place for place, (old, new) in enumerate(zip(whole, bench.items, strict=True)) if old != new]
    assert changed == list(range(0, 8000, 100))
    assert {code: found.replaced for code, found in bench.selections.items()} == dict.fromkeys(EXTENDED_TYPES, 20)


def test_both_orders_of_a_commutative_question_are_used(default: list[dict]) -> None:
    for code in ("4da", "5da", "4dm", "5dm"):
        larger_first = sum(item["a"] > item["b"] for item in default if item["type"] == code)
        assert 850 < larger_first < 1150
    assert not any(item["a"] < item["b"] for item in default if item["operator"] == "-")


def test_a_seen_question_is_replaced_in_its_place_and_the_others_stay(default: list[dict]) -> None:
    gone = {key(item) for item in default[::7]}
    bench = build_bench(seen=gone)
    assert not gone & {key(item) for item in bench.items}
    for old, new in zip(default, bench.items, strict=True):
        assert (old == new) == (key(old) not in gone) and old["id"] == new["id"]
    replaced = {code: sum(key(item) in gone for item in default if item["type"] == code) for code in DEFAULT_TYPES}
    assert {code: selection.replaced for code, selection in bench.selections.items()} == replaced
    assert sum(selection.seen for selection in bench.selections.values()) == len(gone)
    known = {key(item) for item in default}
    fresh = [item for item in bench.items if key(item) not in known]
    assert len(fresh) == len(gone) and not any(item["in_legacy_14k"] for item in fresh)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 5), st.integers())
def test_a_question_that_stays_keeps_its_place_between_any_two_indexes(seed: int, corpus: int) -> None:
    kind, chance = question_type("2dm"), random.Random(corpus)
    pool = [semantic_key(kind.space.question(*numbered)) for numbered in candidates(kind, seed)]
    seen = set(chance.sample(pool, 1500))
    one = select(kind, seed, 40, seen).questions
    two = select(kind, seed, 40, seen ^ set(chance.sample(pool, 800))).questions
    places = {question: place for place, question in enumerate(one)}
    assert all(places.get(question, place) == place for place, question in enumerate(two))
    assert len(places.keys() & set(two)) > 5


def test_legacy_items_say_whether_the_index_has_them(legacy: list[dict]) -> None:
    seen = {key(item) for item in legacy[::3]}
    flags = build_legacy(seen=seen)
    assert [item["seen_in_training"] for item in flags] == [index % 3 == 0 for index in range(14_000)]
    assert [item["question"] for item in flags] == [item["question"] for item in legacy]
    assert {item["seen_in_training"] for item in build_legacy(seen=frozenset())} == {False}


@pytest.mark.parametrize(
    ("code", "size"),
    [
        ("2da", 4095),
        ("2ds", 4095),
        ("2dm", 4095),
        ("3da", 405_450),
        ("3ds", 405_450),
        ("3dm", 405_450),
        ("div", 80_011),
        ("divr", 4_320_594),
    ],
)
def test_small_spaces_are_counted_and_listed_by_brute_force(code: str, size: int) -> None:
    kind = question_type(code)
    if kind.operator == "/":
        dividends = ((n, d) for d in range(11, 100) for n in range(101 * d, 1000 * d))
        listed = {("/", n, d) for n, d in dividends if (n % d == 0) == (code == "div")}
    else:
        low, high = 10 ** (int(code[0]) - 1), 10 ** int(code[0])
        listed = {
            semantic_key(Expression(left, kind.operator, right))
            for left in range(low, high)
            for right in range(low, left + 1)
        }
    assert kind.space.size == len(listed) == size
    step = 1 if size < 10_000 else 97
    numbered = {semantic_key(kind.space.question(number, swap=number % 2 == 0)) for number in range(0, size, step)}
    assert len(numbered) == len(range(0, size, step)) and numbered <= listed
    assert all(found in kind.space for found in numbered)


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(sorted(TYPES)), st.data())
def test_a_number_names_one_question_of_exactly_one_type(code: str, data: st.DataObject) -> None:
    space = question_type(code).space
    number = data.draw(st.integers(0, space.size - 1))
    swap = data.draw(st.booleans())
    found = semantic_key(space.question(number, swap))
    assert [other for other in TYPES if found in TYPES[other].space] == [code]
    assert semantic_key(space.question(number, not swap)) == found
    neighbour = (number + 1) % space.size
    assert semantic_key(space.question(neighbour, swap)) != found


@pytest.mark.parametrize(
    "stranger",
    [("-", 12, 34), ("+", 9, 10), ("*", 99, 100), ("/", 1110, 11), ("/", 1100, 11), ("/", 1000, 10), ("/", 11, 1111)],
)
def test_an_expression_outside_the_rules_belongs_to_no_type(stranger: tuple) -> None:
    assert not [code for code, kind in TYPES.items() if stranger in kind.space]


def test_the_order_of_candidates_is_every_question_once_but_the_exemplars() -> None:
    kind = question_type("2ds")
    order = [semantic_key(kind.space.question(*numbered)) for numbered in candidates(kind, 5)]
    exemplars = {semantic_key(question) for question in fewshot(kind, 5)}
    assert len(order) == len(set(order)) == 4095 - 8
    assert not exemplars & set(order)


def test_the_last_2000_of_a_space_are_found_and_one_fewer_is_an_error() -> None:
    kind = question_type("2da")
    order = [semantic_key(kind.space.question(*numbered)) for numbered in candidates(kind, 3)]
    seen = set(order[: len(order) - 2000])
    chosen = {semantic_key(question) for question in select(kind, 3, 2000, seen).questions}
    assert chosen == set(order) - seen
    with pytest.raises(InputError, match=r"2da: only 1,999 of 4,095 distinct questions remain \(2,088 are in the seen"):
        select(kind, 3, 2000, seen | {order[-1]})


def test_a_type_that_the_corpus_covers_is_refused_with_both_numbers() -> None:
    everything = {("-", a, b) for a in range(100, 1000) for b in range(100, a + 1)}
    with pytest.raises(InputError, match=r"3ds: only 0 of 405,450 distinct questions remain .*, but 2,000 are needed"):
        build(seen=everything)


@pytest.mark.parametrize(
    ("types", "message"), [(["7da"], "unknown question type '7da'"), (["3ds", "3ds"], "once each"), ([], "none")]
)
def test_wrong_types_are_named(types: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        build(types=types)


def test_another_seed_gives_other_questions(default: list[dict]) -> None:
    other = build(seed=1)
    shared = {key(item) for item in default} & set(map(key, other))
    assert len(shared) < 300  # 3ds and div have few enough questions to meet by chance
    assert {key(item) for item in build_fewshot(seed=1)} != {key(item) for item in build_fewshot(seed=2)}


def test_the_bench_is_the_same_under_every_hash_seed(default: list[dict], legacy: list[dict]) -> None:
    code = (
        "import json, sys; from arithmark_tasks.generators import zenyx\n"
        "seen = {('-', a, b) for a in range(100, 1000, 3) for b in range(100, a, 7)}\n"
        "splits = zenyx.build(), zenyx.build(seen=seen), zenyx.build_legacy(seen=seen), zenyx.build_fewshot()\n"
        "json.dump(splits, sys.stdout)"
    )
    outputs = [
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in "012"
    ]
    assert outputs[0] == outputs[1] == outputs[2]
    assert json.loads(outputs[0])[0] == default
