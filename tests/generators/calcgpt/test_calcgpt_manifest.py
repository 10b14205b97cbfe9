"""The manifest: what it identifies, what verification catches, what the audit finds."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arithmark_tasks.generators.calcgpt.claims import check_files, check_manifest, verify_manifest
from arithmark_tasks.generators.calcgpt.contracts import CONTRACTS, carry_key
from arithmark_tasks.generators.calcgpt.dataset import CalcData, Recipe, build
from arithmark_tasks.generators.calcgpt.manifest import (
    Draw,
    dump_manifest,
    hold_out,
    load_manifest,
    roster,
    roster_hash,
)
from arithmark_tasks.generators.calcgpt.reading import audit, parse_task, read_tasks
from arithmark_tasks.generators.calcgpt.representations import REPRESENTATIONS
from arithmark_tasks.generators.claims import Result
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
def test_every_claim_holds_for_the_files_as_built(data: CalcData, tmp_path: Path, train_form: str) -> None:
    (tmp_path / "manifest.json").write_text(dump_manifest(data.manifest))
    train = write(tmp_path / "train.txt", data.train, train_form)
    validation = write(tmp_path / "validation.txt", data.validation[::-1], "plain")
    evaluated = write(tmp_path / "eval.txt", data.heldout, "padded-reversed")
    results = check_files(tmp_path / "manifest.json", [train, validation], evaluated)
    assert len(results) == 8 and all(found.holds for found in results)
    assert load_manifest(tmp_path / "manifest.json") == data.manifest


def test_a_swapped_twin_in_training_fails_the_disjointness_claim_by_name(data: CalcData) -> None:
    victim = next(task for task in data.heldout if task.operator == "+" and task.left != task.right)
    twin = Expression(victim.right, "+", victim.left)
    training = [*data.train, *data.validation, twin]
    (failure,) = broken(check_manifest(data.manifest, training, data.heldout))["the roster is disjoint"]
    assert str(victim) in failure and str(twin) in failure


def test_foreign_and_missing_tasks_fail_the_roster_claim_by_name(data: CalcData) -> None:
    stranger = data.train[0]
    training = [*data.train, *data.validation]
    (failures,) = broken(check_manifest(data.manifest, training, [*data.heldout[1:], stranger])).values()
    assert len(failures) == 2
    assert any(str(stranger) in failure for failure in failures)
    assert any(str(data.heldout[0]) in failure for failure in failures)


def broken(results: list[Result]) -> dict[str, list[str]]:
    """The messages of the claims that fail, by the first words of the claim."""
    return {
        " ".join(found.claim.split()[:4]): [failure.message for failure in found.failures]
        for found in results
        if not found.holds
    }


def set_field(*path: str | int, value: object) -> Callable[[dict[str, Any]], None]:
    """A forgery that puts ``value`` at this place of the manifest."""

    def forge(manifest: dict[str, Any]) -> None:
        place: Any = manifest
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value

    return forge


def repeat_a_task(manifest: dict[str, Any]) -> None:
    manifest["tasks"][1] = manifest["tasks"][0]


def exchange_a_task(manifest: dict[str, Any]) -> None:
    """An easier task in the roster, with its key, hash and every figure made to fit."""
    easy = Expression(10, "+", 10)
    place = next(n for n, row in enumerate(manifest["tasks"]) if row["bucket"] == 2)
    manifest["tasks"][place] = {"task": str(easy), "key": list(semantic_key(easy)), "bucket": 2}
    manifest["task_roster_sha256"] = roster_hash(roster(manifest))


def halve_a_bucket(manifest: dict[str, Any]) -> None:
    kept = [row for n, row in enumerate(manifest["tasks"]) if row["bucket"] != 3 or n % 2]
    manifest["tasks"], manifest["sample_count"] = kept, len(kept)
    manifest["buckets"][2]["sampled"] = sum(row["bucket"] == 3 for row in kept)
    manifest["figures"]["roster_classes"] = len(kept)
    manifest["task_roster_sha256"] = roster_hash(roster(manifest))


POLICY, ROSTER = "the policy is the", "the roster agrees with"
EXCLUDED, DRAWN = "the training tasks are", "seed, buckets and training"
FORGERIES = {
    "claim sentence": (set_field("policy", "claim", value="accuracy on arithmetic never seen"), POLICY),
    "relation": (set_field("policy", "relation", value="same string"), POLICY),
    "unknown contract": (set_field("policy", "contract", value="semantic"), POLICY),
    "contract that is no name": (set_field("policy", "contract", value=["operand_pair"]), POLICY),
    "added promise": (set_field("policy", "also", value="results are new, too"), POLICY),
    "what a representation changes": (set_field("policy", "representations", value="none"), POLICY),
    "added field": (set_field("certified_by", value="an independent laboratory"), ROSTER),
    "key": (set_field("tasks", 0, "key", value=["+", 1, 1]), ROSTER),
    "roster hash": (set_field("task_roster_sha256", value="0" * 64), ROSTER),
    "sample count": (set_field("sample_count", value=149), ROSTER),
    "task twice": (repeat_a_task, ROSTER),
    "bucket label": (set_field("tasks", 0, "bucket", value=3), ROSTER),
    "bucket that is no number": (set_field("tasks", 0, "bucket", value="1"), ROSTER),
    "bucket size": (set_field("buckets", 0, "tasks", value=111), ROSTER),
    "promise that nothing was left out": (set_field("left_out", value=["nothing"]), DRAWN),
    "range of training": (set_field("figures", "roster_tasks_outside_training_range", value=7), DRAWN),
    "seen count": (set_field("seen_count", value=12), DRAWN),
    "drawn from": (set_field("drawn_from", "operators", value="+"), DRAWN),
    "bucket sampled": (set_field("buckets", 0, "sampled", value=51), ROSTER),
    "more left than there is": (set_field("buckets", 0, "remaining", value=111), ROSTER),
    "bucket twice": (lambda manifest: manifest["buckets"].append(dict(manifest["buckets"][0])), ROSTER),
    "no bucket": (lambda manifest: manifest["buckets"].pop(), ROSTER),
    "figure": (set_field("figures", "roster_classes", value=300), ROSTER),
    "width": (set_field("operand_width", value=2), ROSTER),
    "seed": (set_field("seed", value=8), DRAWN),
    "figure of training": (set_field("figures", "training_classes", value=10**6), DRAWN),
    "remaining": (set_field("buckets", 2, "remaining", value=700_000), DRAWN),
    "excluded hash": (set_field("excluded_roster_sha256", value="0" * 64), EXCLUDED),
    "excluded count": (set_field("excluded_count", value=3_001), EXCLUDED),
    "chosen task": (exchange_a_task, DRAWN),
    "fewer tasks than drawn": (halve_a_bucket, DRAWN),
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forged_manifest_fails_by_the_claim_that_it_forges(data: CalcData, forgery: str) -> None:
    forge, claim = FORGERIES[forgery]
    manifest = json.loads(dump_manifest(data.manifest))
    forge(manifest)
    assert claim in broken(check_manifest(manifest, [*data.train, *data.validation]))
    if claim in (POLICY, ROSTER):  # no file is needed to see these
        assert claim in broken(check_manifest(manifest))


def test_a_roster_that_leaves_something_out_says_so_and_cannot_hide_it() -> None:
    training = [Expression(a, "+", b) for a in range(100, 160) for b in range(100, 120)]
    manifest = hold_out(training, width=3, per_bucket=50, seed=3).manifest
    assert manifest["left_out"] == [
        "subtractions: training has none",
        "1-digit operands: training has none",
        "2-digit operands: training has none",
    ]
    assert [row["bucket"] for row in manifest["buckets"]] == [3]
    assert all(row["key"][0] == "+" and row["bucket"] == 3 for row in manifest["tasks"])
    assert manifest["figures"]["roster_tasks_outside_training_range"] == sum(
        any(not 100 <= operand <= 159 for operand in row["key"][1:]) for row in manifest["tasks"]
    )
    assert not broken(check_manifest(manifest, training))
    for path, value in ((("operand_width",), 4), (("left_out",), []), (("drawn_from", "operators"), "+-")):
        forged = json.loads(dump_manifest(manifest))
        set_field(*path, value=value)(forged)
        assert DRAWN in broken(check_manifest(forged, training)), path


@pytest.mark.parametrize(
    ("draw", "contract", "inside"),
    [
        (Draw(("mixed",), "+-"), "operand_pair", lambda left, right: len(left) != len(right)),
        (Draw(("mixed",), "-"), "carry", lambda left, right: len(left) > len(right)),
        (Draw(("mixed",), ""), "fact_family", lambda left, right: len(left) != len(right)),
        (Draw(("150-220",), "+"), "operand_pair", lambda left, right: all(150 <= int(x) <= 220 for x in (left, right))),
        (Draw(("5-60",), "-"), "carry", lambda left, right: all(5 <= int(x) <= 60 for x in (left, right))),
        (Draw((2, "mixed"), "+"), "result", lambda left, right: max(len(left), len(right)) > 1),
    ],
)
def test_a_roster_of_other_buckets_is_drawn_inside_them_and_verifies(
    draw: Draw, contract: str, inside: Callable[[str, str], bool]
) -> None:
    training = [Expression(a, "+", b) for a in range(40, 50) for b in (1, 2)]
    seen = [Expression(a, "-", 2) for a in range(200, 300)] if contract == "operand_pair" else []
    holdout = hold_out(training, width=3, per_bucket=20, seed=1, contract_name=contract, draw=draw, seen=seen)
    assert all(inside(str(task.left), str(task.right)) for task in holdout.tasks)
    assert {task.operator for task in holdout.tasks} == set(draw.operators or "+")
    assert not {*map(semantic_key, holdout.tasks)} & {*map(semantic_key, [*training, *seen])}
    manifest = json.loads(dump_manifest(holdout.manifest))
    assert not broken(check_manifest(manifest, training, holdout.tasks, seen))
    if seen:
        assert EXCLUDED in broken(check_manifest(manifest, training, holdout.tasks))


def test_what_is_seen_is_left_to_nobody() -> None:
    every = [Expression(a, "+", b) for a in range(10) for b in range(a, 10)]
    drawn = hold_out(every[:1], width=1, per_bucket=4, seed=1, seen=every[1:-4])
    assert {*map(semantic_key, drawn.tasks)} == {*map(semantic_key, every[-4:])}
    assert drawn.manifest["seen_count"] == 50 and drawn.manifest["excluded_count"] == 51


def test_a_leak_is_found_in_whichever_training_file_it_stands(data: CalcData, tmp_path: Path) -> None:
    manifest = tmp_path / "manifest.json"
    manifest.write_text(dump_manifest(data.manifest))
    clean = write(tmp_path / "clean.txt", [*data.train, *data.validation], "plain")
    leak = write(tmp_path / "leak.txt", data.heldout[:2], "reversed")
    for files in ([leak, clean], [clean, leak]):
        found = broken(check_files(manifest, files))
        assert len(found["the roster is disjoint"]) == 2 and EXCLUDED in found


def test_a_disjoint_file_is_not_the_excluded_roster(data: CalcData, tmp_path: Path) -> None:
    manifest = tmp_path / "manifest.json"
    manifest.write_text(dump_manifest(data.manifest))
    for tasks in (data.train, [*data.train, *data.validation[:-1], Expression(1, "+", 1)]):
        assert EXCLUDED in broken(check_files(manifest, [write(tmp_path / "some.txt", tasks, "plain")]))


def test_repeated_tasks_and_wrong_answers_of_the_evaluated_file_are_named(data: CalcData, tmp_path: Path) -> None:
    manifest, evaluated = tmp_path / "manifest.json", tmp_path / "heldout.txt"
    manifest.write_text(dump_manifest(data.manifest))
    lines = [REPRESENTATIONS["plain"].text(task, 3) for task in data.heldout]
    big = next(n for n, task in enumerate(data.heldout) if task.operator == "+" and task.left + task.right > 1000)
    mirrored = lines[big].partition("=")[0] + "=" + lines[big].partition("=")[2][::-1]
    for line in (lines[0], mirrored):
        evaluated.write_text("\n".join([*lines[:big], line, *lines[big + 1 :], lines[-1]]) + "\n")
        found = broken(check_files(manifest, [], evaluated))
        assert "the evaluated tasks are" in found
        assert ("every expected answer of" in found) == (line == mirrored)


def test_the_manifest_counts_the_classes_that_its_claim_rests_on() -> None:
    training = [Expression(a, "+", b) for a in range(10, 60) for b in range(10, 14)]
    manifest = hold_out(training, width=2, per_bucket=60, seed=3, contract_name="carry", draw=Draw((2,), "+-")).manifest
    keys = [tuple(row["key"]) for row in manifest["tasks"]]
    assert manifest["figures"]["roster_classes"] == len(set(keys)) < 6
    assert manifest["figures"]["largest_roster_class"] == max(map(keys.count, keys))
    assert manifest["figures"]["training_classes"] == len({carry_key(task) for task in training})


@pytest.mark.parametrize("text", ["", "{", "[]", '{"schema": "other"}', '{"schema": "calcgpt-holdout-2"}', "\ud800"])
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
    said = holdout.manifest["policy"]
    assert (said["contract"], said["relation"], said["claim"]) == (
        name,
        CONTRACTS[name].relation,
        CONTRACTS[name].claim,
    )
    assert verify_manifest(holdout.manifest, training, holdout.tasks) == []
    assert [tuple(row["key"]) for row in holdout.manifest["tasks"]] == list(map(CONTRACTS[name].key, holdout.tasks))
    failures = verify_manifest(holdout.manifest, [*training, holdout.tasks[0]], holdout.tasks)
    assert any(str(holdout.tasks[0]) in failure for failure in failures)


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
