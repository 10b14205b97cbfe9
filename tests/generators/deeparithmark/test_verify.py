"""Verification accepts what the generator builds and names the line and the claim of every corruption."""

import copy
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arithmark_tasks.generators.choices.item import ITEM_KEYS, METADATA_KEYS
from arithmark_tasks.generators.claims import Failure, Result, read_lines
from arithmark_tasks.generators.deeparithmark import build
from arithmark_tasks.generators.deeparithmark.verify import DECOY_CLAIMS, ITEM_CLAIMS, check_items, shared_items
from arithmark_tasks.generators.deeparithmark.verify.expected import SHAPES
from arithmark_tasks.generators.deeparithmark.verify.recompute import RecomputeError, value_of
from arithmark_tasks.generators.deeparithmark.verify.steps import StepError, read_step
from arithmark_tasks.generators.errors import InputError
from arithmark_tasks.generators.jsonl import read_items, to_line

Item = dict[str, Any]
ITEMS = 120
# The published item's prompt under our names for its mistakes; values worked by hand.
WORKED = {
    "ctx": "A warehouse held 420 units. A delivery added 260, then 210 units were shipped out, and 40 were found "
    "damaged. The rest were packed into crates of 16. The number of full crates packed was",
    "sources": {
        "correct": 26,
        "forgot the bad ones": 29,
        "counted the loose ones as a full one": 27,
        "added the bad ones": 31,
        "forgot the bad ones; counted the loose ones as a full one": 30,
    },
}


@pytest.fixture(scope="module")
def items() -> list[Item]:
    return build(items=ITEMS)


def numbered(items: list[Item]) -> list[tuple[int, Item]]:
    return list(enumerate(items, start=1))


def broken(results: list[Result]) -> dict[str, tuple[Failure, ...]]:
    return {found.claim: found.failures for found in results if found.failures}


def test_what_the_generator_builds_keeps_every_claim(items: list[Item], tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    path.write_bytes("".join(to_line(item) + "\n" for item in items).encode())
    read, failures = read_lines(path)
    assert failures == []
    results = check_items(read)
    assert broken(results) == {}
    assert all(found.holds for found in results)


def _set(*path: str | int) -> Callable[[Any], Callable[[Item], None]]:
    def to(value: Any) -> Callable[[Item], None]:
        def change(item: Item) -> None:
            part: Any = item
            for key in path[:-1]:
                part = part[key]
            part[path[-1]] = value(part[path[-1]]) if callable(value) else value

        return change

    return to


def _next_label(label: str) -> str:
    return str((int(label) + 1) % 4)


def _digit_changed(text: str) -> str:
    """The last digit of a step's result, plus one."""
    place = max(place for place, letter in enumerate(text) if letter.isdigit())
    return text[:place] + str((int(text[place]) + 1) % 10) + text[place + 1 :]


def _duplicate(item: Item) -> None:
    item["endings"][1] = item["endings"][0]
    item["metadata"]["option_values"][1] = item["metadata"]["option_values"][0]


META = "metadata"
CORRUPTIONS = {
    "a digit changed in a step": (_set(META, "solution_steps", 0)(_digit_changed), "arithmetic, evaluated"),
    "a swapped label": (_set("label")(_next_label), "point at one option"),
    "a duplicated option": (_duplicate, "differ by value"),
    "a label that is no slot": (_set("label")("4"), "point at one option"),
    "a label that is no number": (_set("label")(""), "point at one option"),
    "a number for a label": (_set("label")(0), "schema"),
    "a flag for a number": (_set(META, "depth")(True), "schema"),
    "an unknown field": (_set("extra")(lambda _: 1), "schema"),
    "three endings": (_set("endings")(lambda endings: endings[:3]), "schema"),
    "a step left out": (_set(META, "solution_steps")(lambda steps: steps[:-1]), "as many solution steps"),
    "steps in another order": (_set(META, "solution_steps")(lambda steps: steps[::-1]), "build on each other"),
    "steps that do not need each other": (
        _set(META, "solution_steps")(lambda steps: steps[-1:] * len(steps)),
        "the longest chain of steps",
    ),
    "an ending without its space": (_set("endings", 2)(str.strip), "unit"),
    "an ending in another unit": (_set("endings", 2)(lambda text: text.rsplit(" ", 1)[0] + " apples."), "unit"),
    "a value unlike its ending": (_set(META, "option_values", 3)(lambda value: value + 1), "values of the endings"),
    "a changed answer": (_set(META, "answer")("7"), "point at one option"),
    "a changed rank": (_set(META, "answer_rank")(lambda rank: (rank + 1) % 4), "point at one option"),
    "two right options": (_set(META, "option_sources")(["correct"] * 4), "point at one option"),
    "an unknown mistake": (_set(META, "option_sources")(["dozed off"] * 4), "recomputed"),
    "another depth": (_set(META, "depth")(lambda depth: depth + 1), "repeat topic, depth"),
    "another topic": (_set(META, "topic")("chess"), "repeat topic, depth"),
    "another template": (_set(META, "template")("chess"), "recomputed"),
    "a doubled space": (_set("ctx")(lambda text: text.replace(" ", "  ", 1)), "prompts"),
    "a whole sentence": (_set("ctx")(lambda text: text + "."), "prompts"),
    "another step of a mistake": (
        _set(META, "option_steps")(lambda steps: [None if step is None else step + 1 for step in steps]),
        "option_steps name the step",
    ),
    "a step for the right option": (_set(META, "option_steps")([1, 1, 1, 1]), "option_steps name the step"),
    "three option steps": (_set(META, "option_steps")(lambda steps: steps[:-1]), "schema"),
    "a long prompt": (_set("ctx")(lambda text: "so " * 30 + text), "prompts"),
}


@pytest.mark.parametrize("name", CORRUPTIONS)
@pytest.mark.parametrize("place", [0, 57, ITEMS - 1])
def test_a_corruption_fails_with_its_line_and_claim(name: str, place: int, items: list[Item]) -> None:
    corrupt, claim = CORRUPTIONS[name]
    copied = copy.deepcopy(items)
    if name == "an unknown field":
        copied[place]["extra"] = None
    corrupt(copied[place])
    found = [
        failure
        for title, failures in broken(check_items(numbered(copied))).items()
        if claim in title
        for failure in failures
    ]
    assert place + 1 in {failure.line for failure in found}, name
    assert {failure.line for failure in found} == {place + 1}


@pytest.mark.parametrize("key", [*ITEM_KEYS, *METADATA_KEYS])
def test_a_missing_field_is_named_with_its_line(key: str, items: list[Item]) -> None:
    copied = copy.deepcopy(items[:3])
    del (copied[1] if key in ITEM_KEYS else copied[1]["metadata"])[key]
    results = check_items(numbered(copied))
    failures = results[0].failures
    assert [failure.line for failure in failures] == [2]
    assert key in failures[0].message
    assert all(found.skipped for found in results[-3:])


def test_fields_out_of_order_are_named(items: list[Item]) -> None:
    turned = dict(reversed(items[0].items()))
    assert "out of order" in check_items([(1, turned)])[0].failures[0].message


def test_any_changed_digit_is_found(items: list[Item]) -> None:
    """A digit of a line is a number of the story, an option, a step or a label: each is bound to another field."""
    rng = random.Random(4)
    for _ in range(400):
        item = rng.choice(items)
        line = to_line(item)
        place = rng.choice([place for place, letter in enumerate(line) if letter.isdigit()])
        other = rng.choice([digit for digit in "123456789" if digit != line[place]])
        changed = json.loads(line[:place] + other + line[place + 1 :])
        if changed == item:
            continue
        results = check_items([(9, changed)])[: 1 + len(ITEM_CLAIMS + DECOY_CLAIMS)]
        assert any(found.failures for found in results), (line, place, other)


LINE_DAMAGE = {
    "truncated last line": (lambda text: text[:-40], 3, "not JSON"),
    "no line feed at the end": (lambda text: text[:-1], 3, "cut off"),
    "CRLF": (lambda text: text.replace(b"\n", b"\r\n"), 1, "CRLF"),
    "one CRLF": (lambda text: text.replace(b"\n", b"\r\n", 1), 1, "CRLF"),
    "byte order mark": (lambda text: b"\xef\xbb\xbf" + text, 1, "byte order mark"),
    "blank line": (lambda text: text.replace(b"\n", b"\n\n", 1), 2, "not JSON"),
    "not UTF-8": (lambda text: text.replace(b"ctx", b"ctx\xff", 1), 1, "not UTF-8"),
    "a list": (lambda text: b"[]\n" + text, 1, "not a JSON object"),
    "NaN": (lambda text: text.replace(b'"ind": 0', b'"ind": NaN', 1), 1, "NaN"),
    "a key twice": (lambda text: text.replace(b'"ind": 0', b'"ind": 0, "ind": 0', 1), 1, "twice"),
    "other spacing": (lambda text: text.replace(b'"ind": 0', b'"ind":0', 1), 1, "canonical"),
    "nested without end": (lambda text: text + b"[" * 100_000 + b"\n", 4, "nested too deeply"),
}


@pytest.mark.parametrize("name", LINE_DAMAGE)
def test_a_damaged_line_is_named(name: str, items: list[Item], tmp_path: Path) -> None:
    damage, line, words = LINE_DAMAGE[name]
    path = tmp_path / "items.jsonl"
    path.write_bytes(damage("".join(to_line(item) + "\n" for item in items[:3]).encode()))
    _, failures = read_lines(path)
    assert any(failure.line == line and words in failure.message for failure in failures), failures


@pytest.mark.parametrize("line", ["[" * 100_000, '{"ind": ' + "9" * 5000 + "}", "{", "[1]"])
def test_a_line_that_the_audit_cannot_read_is_bad_input(line: str, tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text('{"ind": 0}\n' + line + "\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 2: not "):
        read_items(path)


def test_an_empty_or_missing_file_is_bad_input(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").touch()
    for name in ("empty.jsonl", "none.jsonl"):
        with pytest.raises(InputError, match=name):
            read_lines(tmp_path / name)


def test_set_claims_see_what_no_single_item_shows(items: list[Item]) -> None:
    def messages(changed: list[Item]) -> str:
        return " | ".join(
            str(failure) for failures in broken(check_items(numbered(changed))).values() for failure in failures
        )

    assert f"line {ITEMS + 1}: the same context as on line 1" in messages([*items, items[0]])
    assert "line 2: ind is 2, the item's place is 1" in messages([items[0], *items[2:]])
    assert "slot x rank cells of depth" in messages([item for item in items if item["label"] != "3"])
    one_rank = [
        item for item in items if item["metadata"]["template"] != "tank_fill" or item["metadata"]["answer_rank"] != 2
    ]
    assert "answer ranks of tank_fill" in messages(one_rank) or len(items) - len(one_rank) < 2
    assert "items of tank_fill, not" in messages(
        [item for item in items if item["metadata"]["template"] != "tank_fill"]
    )
    moved = copy.deepcopy(items)
    moved[4]["split"] = "train"
    assert "line 5: split is 'train'" in messages(moved)
    assert "mean prompt has" in messages([item | {"ctx": " ".join(item["ctx"].split()[:20])} for item in items])


def test_fewshot_items_that_the_test_split_holds_are_named(items: list[Item]) -> None:
    assert list(shared_items(numbered(items[:50]), numbered(items[50:]))) == []
    reworded = items[3] | {"ctx": "Again: " + items[3]["ctx"]}
    assert [failure.line for failure in shared_items(numbered(items), numbered([reworded]))] == [1]


def test_every_tier_has_as_many_items_at_each_of_its_depths() -> None:
    assert SHAPES["default"].total == 1000
    for shape in SHAPES.values():
        sums = [sum(count for depth, count in shape.counts.values() if depth == one) for one in shape.depths]
        assert len(set(sums)) == 1


@pytest.mark.parametrize(
    ("text", "operands", "result"),
    [
        ("after delivery: 420 + 260 = 680", (420, 260), 680),
        ("full crates: 430 / 16 = 26 (remainder 14)", (430, 16), 26),
        ("exact: 432 / 16 = 27", (432, 16), 27),
        ("price less 20%: 250 * 80 / 100 = 200", (250, 80, 100), 200),
        ("end: 11:45 a.m. + 50 min = 12:35 p.m.", (705, 50), 755),
        ("end: 12:10 a.m. - 50 min = 11:20 p.m.", (10, 50), 1400),
    ],
)
def test_a_step_is_read_and_evaluated(text: str, operands: tuple[int, ...], result: int) -> None:
    step = read_step(text)
    assert (step.operands, step.result) == (operands, result)


@pytest.mark.parametrize(
    "text",
    [
        "after delivery: 420 + 260 = 681",
        "full crates: 430 / 16 = 26 (remainder 13)",
        "full crates: 430 / 16 = 26",
        "exact: 432 / 16 = 27 (remainder 1)",
        "sum: 4 + 2 = 6 (remainder 1)",
        "nothing: 4 / 0 = 0",
        "420 + 260 = 680",
        "after delivery: 420 + 260",
        "end: 11:45 a.m. + 50 min = 12:35 a.m.",
        "end: 13:45 p.m. + 50 min = 2:35 p.m.",
        "",
    ],
)
def test_a_wrong_step_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        read_step(text)


def test_step_errors_name_the_right_value() -> None:
    with pytest.raises(StepError, match="430 / 16 is 26 remainder 14"):
        read_step("full crates: 430 / 16 = 27")


@pytest.mark.parametrize("source", WORKED["sources"])
def test_the_published_item_is_recomputed(source: str) -> None:
    assert value_of("inventory_boxes", str(WORKED["ctx"]), source) == WORKED["sources"][source]  # type: ignore[index]


@pytest.mark.parametrize(
    ("template", "prompt", "source", "words"),
    [
        ("chess", "1 2 3", "correct", "unknown template"),
        ("trip_minutes", "120 and 60", "correct", "2 numbers do not fit"),
        ("trip_minutes", "120, 0 and 15", "correct", "divides by zero"),
        ("trip_minutes", "121, 7 and 15", "forgot the time standing still", "not a whole number"),
        ("trip_minutes", "120, 60 and 15", "dozed off", "unknown mistake"),
        ("trip_minutes", "120, 60 and 15", "", "unknown mistake"),
        (
            "trip_minutes",
            "120, 60 and 15",
            "forgot the time standing still; took the time standing still off",
            "two mistakes at one stage",
        ),
        ("time_clock_end", "at 3:10 p.m.", "correct", "1 numbers do not fit"),
        ("time_clock_end", "at 13:10 p.m. 10 then 20", "correct", "not a clock time"),
    ],
)
def test_what_cannot_be_recomputed_is_said(template: str, prompt: str, source: str, words: str) -> None:
    with pytest.raises(RecomputeError, match=words):
        value_of(template, prompt, source)


@pytest.mark.parametrize(
    ("prompt", "source", "value"),
    [
        ("At 11:40 a.m. it began 10 minutes late and ran for 25 minutes. It ended at", "correct", 735),
        ("A film ended at 1:10 p.m. It had run for 90 minutes; trailers had filled 15 minutes, from", "correct", 685),
        ("At 11:40 a.m. it began 10 minutes early. It ran for 25 minutes and ended at", "correct", 715),
        ("At 11:40 a.m. she left on a ride of 60 minutes, but arrived 15 minutes early, at", "correct", 745),
        ("At 11:40 p.m. a flight of 60 minutes saved 15 minutes. It landed at", "correct", 25),
        ("At 11:40 a.m. it began 10 minutes late and ran for 25 minutes", "left out the first stretch", 725),
        ("At 11:40 a.m. it began 10 minutes late and ran for 25 minutes", "kept the half of the day of the start", 15),
        (
            "At 11:40 a.m. it began 10 minutes late and ran for 25 minutes",
            "left out the second stretch; kept the half of the day of the start",
            710,
        ),
        ("At 11:40 a.m. it began 10 minutes late and ran for 65 minutes", "carried at 100 minutes instead of 60", 735),
    ],
)
def test_clock_stories_are_recomputed(prompt: str, source: str, value: int) -> None:
    assert value_of("time_clock_end", prompt, source) == value
