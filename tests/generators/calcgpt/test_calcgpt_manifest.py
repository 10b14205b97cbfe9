"""The manifest: what it identifies, what verification catches, what the audit finds."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from arithmark_tasks.generators.calcgpt.claims import check_files, verify_manifest
from arithmark_tasks.generators.calcgpt.contracts import CONTRACTS
from arithmark_tasks.generators.calcgpt.dataset import CalcData, Recipe, build
from arithmark_tasks.generators.calcgpt.leaks import audit
from arithmark_tasks.generators.calcgpt.manifest import (
    dump_manifest,
    hold_out,
    load_manifest,
    roster_hash,
)
from arithmark_tasks.generators.calcgpt.reading import parse_task, read_tasks
from arithmark_tasks.generators.calcgpt.representations import REPRESENTATIONS
from arithmark_tasks.generators.expression import Expression, semantic_key

RECIPE = Recipe(seed=7, tasks=3_000, per_bucket=50)


@pytest.fixture(scope="module")
def data() -> CalcData:
    return build(RECIPE)


def write(path: Path, tasks: list[Expression] | tuple[Expression, ...], form: str) -> Path:
    path.write_text("".join(REPRESENTATIONS[form].text(task, 3) + "\n" for task in tasks))
    return path


def test_the_default_recipe_has_the_documented_sizes() -> None:
    data = build()
    assert (len(data.train), len(data.validation), len(data.heldout)) == (32_000, 8_000, 300)
    assert len(set(map(semantic_key, data.train + data.validation))) == 40_000
    assert [row["sampled"] for row in data.manifest["buckets"]] == [100, 100, 100]
    assert not set(map(semantic_key, data.heldout)) & set(map(semantic_key, data.train + data.validation))
    assert data.manifest["task_roster_sha256"].startswith("367c80b93d7ab698")


def test_the_same_recipe_is_the_same_data_and_another_seed_is_not(data: CalcData) -> None:
    assert build(RECIPE) == data
    assert build(replace(RECIPE, seed=8)).manifest["task_roster_sha256"] != data.manifest["task_roster_sha256"]


def test_four_representations_of_a_roster_have_one_identity(data: CalcData, tmp_path: Path) -> None:
    hashes = set()
    for form in REPRESENTATIONS:
        file = write(tmp_path / f"{form}.txt", data.heldout, form)
        hashes.add(roster_hash([task.expression for task in read_tasks(file)]))
    assert hashes == {data.manifest["task_roster_sha256"]}
    swapped = [Expression(task.right, "+", task.left) if task.operator == "+" else task for task in data.heldout]
    assert roster_hash(swapped) in hashes


@pytest.mark.parametrize("train_form", REPRESENTATIONS)
def test_both_claims_hold_for_the_files_as_built(data: CalcData, tmp_path: Path, train_form: str) -> None:
    (tmp_path / "manifest.json").write_text(dump_manifest(data.manifest))
    train = write(tmp_path / "train.txt", data.train, train_form)
    evaluated = write(tmp_path / "eval.txt", data.heldout, "padded-reversed")
    assert all(found.holds for found in check_files(tmp_path / "manifest.json", train, evaluated))
    assert load_manifest(tmp_path / "manifest.json") == data.manifest


def test_a_swapped_twin_in_training_fails_the_disjointness_claim_by_name(data: CalcData) -> None:
    victim = next(task for task in data.heldout if task.operator == "+" and task.left != task.right)
    twin = Expression(victim.right, "+", victim.left)
    (failure,) = verify_manifest(data.manifest, [*data.train, twin], data.heldout)
    assert str(victim) in failure and str(twin) in failure


def test_foreign_and_missing_tasks_fail_the_roster_claim_by_name(data: CalcData) -> None:
    stranger = data.train[0]
    failures = verify_manifest(data.manifest, data.train, [*data.heldout[1:], stranger])
    assert len(failures) == 2
    assert any(str(stranger) in failure for failure in failures)
    assert any(str(data.heldout[0]) in failure for failure in failures)


@pytest.mark.parametrize("damage", ["key", "hash", "count", "twice"])
def test_a_manifest_that_contradicts_itself_fails(data: CalcData, damage: str) -> None:
    manifest = json.loads(dump_manifest(data.manifest))
    if damage == "key":
        manifest["tasks"][0]["key"][1] += 1
    elif damage == "hash":
        manifest["task_roster_sha256"] = "0" * 64
    elif damage == "count":
        manifest["sample_count"] -= 1
    else:
        manifest["tasks"][1] = manifest["tasks"][0]
    assert verify_manifest(manifest, None, None)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"schema": "other"}', '{"schema": "calcgpt-holdout-1"}', "\ud800"])
def test_a_file_that_is_no_manifest_is_one_clear_line(tmp_path: Path, text: str) -> None:
    file = tmp_path / "manifest.json"
    file.write_bytes(text.encode("utf-8", "surrogatepass"))
    with pytest.raises(ValueError, match=r"manifest\.json") as caught:
        load_manifest(file)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", CONTRACTS)
def test_every_contract_states_its_claim_and_holds(name: str) -> None:
    training = [Expression(a, "+", b) for a in range(40, 60) for b in (11, 12)]
    holdout = hold_out(training, width=3 if name == "width" else 2, per_bucket=10, seed=1, contract_name=name)
    assert holdout.manifest["policy"] == {
        "contract": name,
        "relation": CONTRACTS[name].relation,
        "claim": CONTRACTS[name].claim,
    }
    assert verify_manifest(holdout.manifest, training, holdout.tasks) == []
    broken = verify_manifest(holdout.manifest, [*training, holdout.tasks[0]], holdout.tasks)
    assert any(str(holdout.tasks[0]) in failure for failure in broken)


def test_the_audit_finds_two_twins_that_a_string_comparison_misses() -> None:
    data = build(replace(RECIPE, per_bucket=100))
    test = [parse_task(REPRESENTATIONS["plain"].text(task, 3), line) for line, task in enumerate(data.heldout, 1)]
    twins = [task for task in data.heldout if task.operator == "+" and task.left != task.right][:2]
    planted = [*data.train, *(Expression(task.right, "+", task.left) for task in twins)]
    train = [parse_task(REPRESENTATIONS["plain"].text(task, 3), line) for line, task in enumerate(planted, 1)]
    assert not {task.text for task in train} & {task.text for task in test}
    result = audit(train, test)
    assert result.as_dict()["exact_overlap"] == 0
    assert [overlap.test.expression for overlap in result.of_kind("twin")] == twins
    assert {overlap.train.line for overlap in result.overlaps} == {len(planted) - 1, len(planted)}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("12+34=46", Expression(12, "+", 34)),
        ("$128+367=594$", Expression(128, "+", 367)),
        ("  012 + 034 = 6400 ", Expression(12, "+", 34)),
        ("12+34=", Expression(12, "+", 34)),
        ("12+34", Expression(12, "+", 34)),
        ("12 − 5 = 7", Expression(12, "-", 5)),
        ("5-12=-7", Expression(5, "-", 12)),
        ("１２＋３４", Expression(12, "+", 34)),
        ("12×3=36", Expression(12, "*", 3)),
        ('{"text": "12+34=46"}', Expression(12, "+", 34)),
        ('{"prompt": "12+34=", "completion": "46"}', Expression(12, "+", 34)),
        ('{"left": 12, "operator": "+", "right": 34, "answer": 46}', Expression(12, "+", 34)),
        ('"12+34=46"', Expression(12, "+", 34)),
    ],
)
def test_the_reader_takes_any_way_of_writing_a_task(tmp_path: Path, line: str, expected: Expression) -> None:
    file = tmp_path / "tasks.jsonl"
    file.write_text(line + "\n\n", encoding="utf-8")
    (task,) = read_tasks(file)
    assert task.expression == expected and task.answer_is_right


@pytest.mark.parametrize(
    "line", ["hello", "1+2+3=6", "12+34=46 ok", '{"a": 1}', "{broken", "[1]", "1.5+2=3", "9" * 5000 + "+1"]
)
def test_the_reader_names_file_and_line_of_anything_else(tmp_path: Path, line: str) -> None:
    file = tmp_path / "tasks.txt"
    file.write_text("1+1=2\n" + line + "\n")
    with pytest.raises(ValueError, match=r"tasks\.txt, line 2: "):
        read_tasks(file)


def test_a_wrong_answer_is_listed_and_not_hidden() -> None:
    result = audit([parse_task("1+1=2", 1)], [parse_task("12+34=47", 1), parse_task("12+34=64", 2)])
    assert [(side, task.text) for side, task in result.wrong] == [("test", "12+34=47")]
    assert len(result.repeated) == 1
