"""`verify` on a built bench: every claim holds, and each kind of damage breaks the claim that it should."""

import hashlib
import json
import shutil
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from arithmark_tasks.builders.certificate import hash_footer
from arithmark_tasks.builders.contamination.policy import SCANNER_VERSION
from arithmark_tasks.builders.folder import read_manifest
from arithmark_tasks.builders.verify import verify_path
from arithmark_tasks.builders.verify.folder import existing
from arithmark_tasks.builders.verify.zenyx import _certificate, _repeated, folder_sections
from arithmark_tasks.builders.zenyx import build_folder
from arithmark_tasks.generators import zenyx
from arithmark_tasks.generators.claims import read_lines, result
from arithmark_tasks.generators.zenyx.claims import asked_of, check_choices

Item = dict[str, Any]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("zenyx") / "built"
    build_folder(folder, configs=["default", "legacy", "extended"])
    return folder


@pytest.fixture(scope="module")
def choices(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("zenyx") / "choices"
    build_folder(folder, configs=["default", "mc"], mc_per_type=16)
    return folder


@pytest.fixture
def copy(built: Path, tmp_path: Path) -> Path:
    shutil.copytree(built, tmp_path / "copy")
    return tmp_path / "copy"


def broken(folder: Path) -> dict[str, str]:
    """The claims that do not hold, each with its first failure."""
    found = [one for section in verify_path(folder) for one in section.results if not one.holds]
    return {one.claim: str(one.failures[0]) if one.failures else one.skipped for one in found}


def edit(folder: Path, stem: str, line: int, change: Callable[[Item], None]) -> None:
    path = folder / "data" / f"{stem}.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines()
    item = json.loads(lines[line - 1])
    change(item)
    lines[line - 1] = json.dumps(item)
    path.write_text("".join(one + "\n" for one in lines), encoding="utf-8", newline="\n")


def edit_manifest(folder: Path, change: Callable[[Item], None]) -> None:
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    change(manifest)
    path.write_text(json.dumps(manifest), encoding="utf-8")


def test_a_new_build_keeps_every_claim(built: Path) -> None:
    assert broken(built) == {}


def ask(a: int, operator: str, b: int, answer: str) -> Callable[[Item], None]:
    question = f"What is {a} {operator} {b}?"
    return lambda item: item.update(a=a, operator=operator, b=b, question=question, answer=answer)


def quotient(a: int, b: int, answer: str) -> Callable[[Item], None]:
    question = f"What is the whole quotient of {a} / {b}, without the remainder?"
    return lambda item: item.update(a=a, operator="/", b=b, question=question, answer=answer)


SHOT = zenyx.build_fewshot()[0]


Damage = tuple[str, int, Callable[[Item], None], str, str]
FORMS: list[Damage] = [
    ("default-test", 7, lambda item: item.update(a=str(item["a"])), "fields", "line 7: a is"),
    ("default-test", 8, lambda item: item.pop("operation"), "fields", "line 8: fields are"),
    ("default-test", 9, lambda item: item.update(in_legacy_14k=1), "fields", "line 9: in_legacy_14k is 1"),
    ("legacy-test", 7, lambda item: item.update(seen_in_training=False), "fields", "line 7: seen_in_training is False"),
]
CONTENTS: list[Damage] = [
    ("default-test", 7, lambda item: item.update(answer="1"), "the answer is exact", "line 7: answer '1'"),
    ("default-test", 8, lambda item: item.update(id="3ds-0008"), "ids count up", "line 8: id '3ds-0008' where"),
    (
        "default-test",
        9,
        lambda item: item.update(in_legacy_14k=False),
        "in_legacy_14k says",
        "line 9: default/test: in",
    ),
    (
        "default-test",
        10,
        ask(101, "-", 202, "-101"),
        "question, operands",
        "line 10: 101 - 202 breaks the operand rules",
    ),
    ("default-test", 11, ask(99, "-", 20, "79"), "question, operands", "line 11: 99 - 20 breaks the operand rules"),
    ("default-test", 12, ask(101, "^", 20, "1"), "question, operands", "line 12: type 3ds with subtraction and ^"),
    ("default-test", 13, ask(SHOT["a"], "-", SHOT["b"], SHOT["answer"]), "the few-shot", "as line 13 of default/test"),
    (
        "default-test",
        14,
        lambda item: item.update(question="What is 1 - 1?"),
        "question, op",
        "line 14: question 'What",
    ),
    ("default-test", 9000, lambda item: item.update(type="2da"), "2,000 questions", "1,999 of 4dm"),
    ("default-test", 12007, ask(1234, "*", 123, "151782"), "question, operands", "line 12007: 1234 * 123 breaks"),
    ("default-test", 14007, ask(1000, "/", 10, "100"), "question, operands", "line 14007: 1000 / 10 breaks"),
    ("default-test", 14008, ask(1112, "/", 11, "101"), "the answer is exact", "line 14008: not an exact division"),
    ("default-fewshot", 7, lambda item: item.update(id="3ds-0006"), "ids count up", "'3ds-fewshot-6' belongs"),
    ("extended-test", 4007, ask(1234, "*", 12345, "15233730"), "question, operands", "line 4007: 1234 * 12345 breaks"),
    ("extended-test", 6007, lambda item: item.update(answer="1"), "the answer is exact", "line 6007: answer '1'"),
    (
        "extended-test",
        6008,
        ask(1112, "/", 11, "101"),
        "question, operands",
        "line 6008: question 'What is 1112",
    ),
    ("extended-test", 6009, quotient(1111, 11, "101"), "question, operands", "line 6009: 1111 / 11 breaks the operand"),
    ("extended-fewshot", 3, ask(100000, "+", 200000, "300000"), "the questions are those", "line 3: extended/fewshot"),
    ("legacy-test", 9, ask(10, "+", 11, "21"), "the questions are those", "line 9: legacy/test"),
]


@pytest.mark.parametrize("damages", [FORMS, CONTENTS], ids=["forms", "contents"])
def test_each_damaged_item_is_named_with_its_line(copy: Path, damages: list[Damage]) -> None:
    for stem, line, change, _, _ in damages:
        edit(copy, stem, line, change)
    results = [one for section in verify_path(copy) for one in section.results if not one.holds]
    for *_, claim, message in damages:
        failures = [str(failure) for one in results if one.claim.startswith(claim) for failure in one.failures]
        assert any(message in failure for failure in failures), (message, failures)
    assert any("sha256" in one.claim for one in results)


def test_a_question_asked_twice_is_found_in_either_order(copy: Path) -> None:
    first = zenyx.build()[2005]
    edit(copy, "default-test", 2010, ask(first["b"], "+", first["a"], first["answer"]))
    assert "line 2010: the same task as line 2006" in broken(copy)["no two questions are the same task"]


def test_a_certificate_that_lists_a_question_of_the_bench_is_false(tmp_path: Path) -> None:
    from test_zenyx_folder import key, write_index

    items = zenyx.build()
    seen = write_index(tmp_path / "seen.parquet", {key(items[0])})
    build_folder(tmp_path / "copy", seen=seen, configs=["default", "extended"])
    assert broken(tmp_path / "copy") == {}
    still_there = items[1]["question"].removeprefix("What is ").removesuffix("?").replace(" ", "")

    def lie(manifest: Item) -> None:
        manifest["certificate"]["types"]["3ds"]["dropped_questions"][0]["question"] = still_there

    edit_manifest(tmp_path / "copy", lie)
    found = broken(tmp_path / "copy")
    assert f"line 2: default: {still_there} is in corpus.jsonl" in found["the certificate agrees with the questions"]
    assert "the questions are those of the seed, each dropped one replaced" in found


def forge(change: Callable[[Item], object]) -> Callable[[Item], object]:
    """A change of a certificate after which the SHA-256 of its accounts is made to fit again."""

    def forged(certificate: Item) -> None:
        change(certificate)
        for index in certificate["indexes"]:
            index["footer_sha256"] = hash_footer(index)

    return forged


LIES: list[tuple[Callable[[Item], object], str]] = [
    (lambda one: one.update(rows=10**9), "the sources have 1000 rows"),
    (lambda one: one.update(rows_with_expression=1000), "the sources have 1 rows with expression"),
    (lambda one: one.update(distinct_expressions=10**6), "distinct expressions, of indexes with"),
    (lambda one: one["indexes"][0]["sources"][0].update(rows=5000), "its account is not the one whose SHA-256"),
    (forge(lambda one: one["indexes"][0]["sources"][0].update(rows=5000)), "its sources have 5,000 rows"),
    (forge(lambda one: one["indexes"][0]["sources"][0].update(with_key=2)), "its sources have 2 rows with an expr"),
    (forge(lambda one: one["indexes"][0]["totals"].update(distinct=0)), "contradict each other"),
    (forge(lambda one: one["indexes"][0]["totals"].update(occurrences=7)), "do not add up to all occurrences"),
    (forge(lambda one: one["indexes"][0]["sources"][0].update(sha256="ab")), "the SHA-256 of its sources"),
    (forge(lambda one: one["indexes"][0]["policy"].update(not_read=[])), "its policy does not say"),
    (forge(lambda one: one["indexes"][0].update(scanner=SCANNER_VERSION)), "its policy is not that of version"),
    (lambda one: one["types"]["3ds"].update(space=10**9), "3ds: its space has 405450 questions"),
    (lambda one: one["types"]["5dm"].update(in_corpus=99), "5dm: 99 questions in the corpus"),
    (lambda one: one["types"]["3ds"].update(dropped=0, replaced=0), "3ds: 0 dropped, 1 listed"),
    (lambda one: one["types"]["3ds"]["dropped_questions"][0].update(row=10**6), "no such row"),
    (lambda one: one["types"]["3ds"]["dropped_questions"][0].update(source="other.txt"), "no such row"),
    (lambda one: one["types"]["3ds"]["dropped_questions"][0].update(surface="word"), "times as word cannot be"),
]


def test_a_certificate_that_contradicts_itself_is_false(tmp_path: Path) -> None:
    from test_zenyx_folder import key, write_index

    items = zenyx.build()
    seen = write_index(tmp_path / "seen.parquet", {key(items[0])})
    build_folder(tmp_path / "copy", seen=seen, configs=["default"])
    assert broken(tmp_path / "copy") == {}
    certificate = read_manifest(tmp_path / "copy")["certificate"]
    assert certificate["indexes"][0]["index_sha256"] == hashlib.sha256(seen.read_bytes()).hexdigest()
    for change, message in LIES:
        lie = deepcopy(certificate)
        change(lie)
        faults = [str(fault) for fault in _certificate(lie, {})]
        assert any(message in fault for fault in faults), (message, faults)


@pytest.mark.parametrize(
    ("change", "claim"),
    [
        ({"seed": None}, "the manifest states seed"),
        ({"seed": 1}, "the questions are those of the seed"),
        ({"certificate": {}}, "the manifest states seed"),
        ({"certificate": []}, "the manifest states seed"),
        ({"dataset_version": 2}, "the questions are those of the seed"),
    ],
)
def test_a_manifest_that_says_something_else_is_not_believed(built: Path, change: Item, claim: str) -> None:
    manifest = json.loads((built / "manifest.json").read_text(encoding="utf-8")) | change
    manifest["splits"] = manifest["splits"][: 2 if change == {"seed": 1} else 0]
    results = [one for section in folder_sections(built, manifest, lambda stage: None) for one in section.results]
    assert any(one.claim.startswith(claim) for one in results if not one.holds)


def test_a_new_four_way_build_keeps_every_claim(choices: Path) -> None:
    sections = folder_sections(choices, read_manifest(choices), lambda stage: None)
    assert [one for section in sections for one in section.results if not one.holds] == []
    assert [section.title for section in sections[2:4]] == ["data/mc-test.jsonl", "data/mc-fewshot.jsonl"]


@pytest.mark.slow
def test_the_whole_four_way_set_passes_its_audit_too(tmp_path: Path) -> None:
    build_folder(tmp_path / "out", configs=["mc"])
    sections = verify_path(tmp_path / "out")
    assert all(section.holds for section in sections)
    assert "shortcut audit" in [result.claim for section in sections for result in section.results]


def first_wrong(item: Item) -> int:
    return next(slot for slot in range(4) if slot != int(item["label"]))


def other_value(item: Item) -> None:
    slot = first_wrong(item)
    item["metadata"]["option_values"][slot] += 10
    item["endings"][slot] = f" {item['metadata']['option_values'][slot]}"


def right_answer_moved(item: Item) -> None:
    item["label"] = str(first_wrong(item))


CHOICE_DAMAGES: list[tuple[int, Callable[[Item], None], str, str]] = [
    (3, lambda item: item["metadata"].update(depth="1"), "fields", "line 3: depth is not"),
    (4, other_value, "every option recomputed", "line 4: option"),
    (5, right_answer_moved, "label, answer, source", "line 5: label and answer say"),
    (6, lambda item: item["metadata"].update(answer="7"), "label, answer, source", "line 6: label and answer say"),
    (7, lambda item: item["endings"].reverse(), "label, answer, source", "line 7: the endings"),
    (8, lambda item: item["metadata"]["option_sources"].reverse(), "label, answer, source", "line 8: the label is"),
    (9, lambda item: item["metadata"].update(answer_rank=9), "label, answer, source", "answer_rank is 9"),
    (10, lambda item: item.update(ctx="Question: What is 2 + 2?\nAnswer:"), "mc/test: every question", "line 10: "),
    (11, lambda item: item.update(source_id="zenyx_mc_v2_x"), "mc/test: every question", "line 11: zenyx_mc_v2_x"),
    (12, lambda item: item["metadata"].update(topic="sums"), "activity_label", "line 12: "),
    (13, lambda item: item["metadata"].update(template="2da"), "activity_label", "line 13: unknown type '2da'"),
    (14, lambda item: item.update(ind=77), "ind counts", "line 14: ind is 77"),
    (15, lambda item: item.update(label="7"), "label, answer, source", "line 15: label is not"),
    (16, lambda item: item.update(label="7"), "balance", "slot x rank cells of"),
    (17, lambda item: item["metadata"]["option_sources"].__setitem__(first_wrong(item), "luck"), "every op", "'luck'"),
    (18, other_value, "the questions are those of the seed", "line 18: mc/test: endings, metadata of"),
]


def test_each_damage_of_a_four_way_item_breaks_its_claim(choices: Path) -> None:
    """One at a time, in memory: as in the folder, without its files."""
    splits = {
        (split["config"], split["split"]): read_lines(path)[0]
        for split, path in existing(choices, read_manifest(choices), "jsonl")
    }
    for line, change, claim, message in CHOICE_DAMAGES:
        items = copy_of(splits["mc", "test"])
        change(items[line - 1][1])
        results = check_choices("test", items)
        results.append(result("mc/test: every question", asked_of(items, splits["default", "test"])))
        if claim.startswith("the questions"):
            results.append(_repeated(read_manifest(choices), {("mc", "test"): items}))
        failures = [str(failure) for one in results if one.claim.startswith(claim) for failure in one.failures]
        assert any(message in failure for failure in failures), (message, failures)


def copy_of(items: list[tuple[int, Item]]) -> list[tuple[int, Item]]:
    return [(line, json.loads(json.dumps(item))) for line, item in items]
