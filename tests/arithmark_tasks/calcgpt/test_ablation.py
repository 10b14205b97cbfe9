"""The ablation: every cell is kept, failures too, and an interrupted plan goes on."""

import json
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from arithmark_tasks.calcgpt import ablation, trainer
from arithmark_tasks.calcgpt.ablation import (
    SCHEMA,
    draw_curves,
    load_plan,
    provenance,
    run_ablation,
    share_over_seeds,
    tables,
)
from arithmark_tasks.calcgpt.run_folder import RunFolder

SHARED = {
    "width": 1,
    "tasks": 80,
    "per_bucket": 20,
    "examples": 160,
    "batch": 16,
    "evaluate_every": 80,
    "checkpoint_every": 80,
    "monitor": 16,
    "threads": 1,
}


def part(**changes: Any) -> dict[str, Any]:
    values = {"name": "forms", "question": "Which form?", "settings": {"muon_every": 2}, "seeds": [41, 42]}
    return values | {"vary": {"representation": ["plain", "padded-reversed"]}} | changes


def write_plan(folder: Path, **changes: Any) -> Path:
    values = {"schema": SCHEMA, "question": "?", "measure": "exact", "settings": SHARED, "parts": [part()]}
    path = folder / "plan.json"
    path.write_text(json.dumps(values | changes))
    return path


class Killed(BaseException):
    """Not an Exception: the runner must not turn it into a failed cell."""


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("whole")
    return run_ablation(load_plan(write_plan(folder)), folder / "runs")


def without_times(cell: dict[str, Any]) -> dict[str, Any]:
    timed = ("train_seconds", "examples_per_second", "started", "finished")
    kept = {name: value for name, value in cell.items() if name not in timed}
    kept["curve"] = [{name: value for name, value in row.items() if "seconds" not in name} for row in cell["curve"]]
    for split in ("heldout", "validation"):
        kept[split] = {name: value for name, value in cell[split].items() if "second" not in name}
    return kept


def test_every_cell_is_completed_on_one_roster_and_one_split(finished: dict[str, Any]) -> None:
    cells = finished["cells"]
    assert [cell["name"] for cell in cells] == [
        "forms/plain-41",
        "forms/padded-reversed-41",
        "forms/plain-42",
        "forms/padded-reversed-42",
    ]
    assert all(cell["settings"]["muon_every"] == 2 and cell["settings"]["seed"] == cell["seed"] for cell in cells)
    assert all(cell["started"] <= cell["finished"] for cell in cells)
    assert {"plan_sha256", "started", "versions", "plan"} <= finished.keys()
    assert {cell["status"] for cell in cells} == {"completed"}
    assert len({cell["heldout"]["task_roster_sha256"] for cell in cells}) == 1
    assert len({cell["excluded_roster_sha256"] for cell in cells}) == 1
    assert {cell["heldout"]["overall"]["exact"]["of"] for cell in cells} == {20}


def test_an_interrupted_ablation_goes_on_inside_the_cell(
    finished: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan, runs, step, calls = load_plan(write_plan(tmp_path)), tmp_path / "runs", trainer._Run._step, []

    def dying_step(self: Any, number: int, per_epoch: int) -> Any:
        calls.append(number)
        if len(calls) == 18:  # the second cell, between its checkpoint and its end
            raise Killed
        return step(self, number, per_epoch)

    monkeypatch.setattr(trainer._Run, "_step", dying_step)
    with pytest.raises(Killed):
        run_ablation(plan, runs)
    assert len(json.loads((runs / "ablation.json").read_text())["cells"]) == 1
    results = run_ablation(plan, runs)
    assert calls[18:23] == [5, 6, 7, 8, 9]
    assert list(map(without_times, results["cells"])) == list(map(without_times, finished["cells"]))


def test_a_failed_cell_is_kept_with_its_reason_and_run_again_only_on_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan, runs, real = load_plan(write_plan(tmp_path)), tmp_path / "runs", ablation.train

    def failing(settings: Any, *rest: Any) -> Any:
        if settings.seed == 42 and settings.representation == "plain":
            raise RuntimeError("out of luck\nsecond line")
        return real(settings, *rest)

    monkeypatch.setattr(ablation, "train", failing)
    results = run_ablation(plan, runs)
    assert [cell["status"] for cell in results["cells"]] == ["completed", "completed", "failed", "completed"]
    assert results["cells"][2]["error"] == "RuntimeError: out of luck"
    rows = [line.split(" | ") for line in tables(results).splitlines() if line.startswith("| `")]
    assert [(row[0], row[1]) for row in rows] == [("| `plain`", "1"), ("| `padded-reversed`", "2")]
    monkeypatch.setattr(ablation, "train", real)
    assert run_ablation(plan, runs)["cells"][2]["status"] == "failed"
    assert run_ablation(plan, runs, retry_failed=True)["cells"][2]["status"] == "completed"


def test_a_folder_of_another_plan_is_refused(tmp_path: Path) -> None:
    plan = load_plan(write_plan(tmp_path, parts=[part(seeds=[1], vary={"representation": ["plain"]})]))
    run_ablation(plan, tmp_path / "runs")
    with pytest.raises(ValueError, match="another plan"):
        run_ablation(load_plan(write_plan(tmp_path)), tmp_path / "runs")


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"schema": "other"}, "schema"),
        ({"note": "also"}, "note"),
        ({"measure": None}, "measure"),
        ({"parts": []}, "cells"),
        ({"parts": [part(), part()]}, "once"),
        ({"parts": [part(vary={"representation": []})]}, "varies"),
        ({"parts": [part(vary={"representation": ["plain", "plain"]})]}, "once"),
        ({"parts": [part(vary={"representation": ["roman"]})]}, "roman"),
        ({"parts": [part(vary={"colour": ["red"]})]}, "colour"),
        ({"parts": [part(settings={"batch": -1})]}, "batch"),
        ({"parts": [part(seeds=["x"])]}, "seed"),
        ({"parts": [part(seed=1)]}, "'seed'"),
        ({"parts": [part(name="../up")]}, "name"),
    ],
)
def test_a_bad_plan_is_named(tmp_path: Path, changes: dict[str, Any], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        load_plan(write_plan(tmp_path, **changes))


def test_every_key_of_the_plan_enters_its_hash(tmp_path: Path) -> None:
    changes: list[dict[str, Any]] = [{}, {"question": "!"}, {"measure": "speed"}, {"parts": [part(question="Why?")]}]
    assert len({load_plan(write_plan(tmp_path, **change)).sha256 for change in changes}) == len(changes)


def test_the_plan_in_the_repository_can_be_run(tmp_path: Path) -> None:
    plan = load_plan(Path(__file__).parents[3] / "benchmarks" / "calcgpt-ablation-plan.json")
    by_part = Counter(cell.part for cell in plan.cells)
    assert by_part["lengths"] + by_part["lengths-more-seeds"] == 2 * 4 * 10
    assert by_part["contracts"] + by_part["four-digits"] == 4 * 2 * 3 + 4 * 3


def test_a_plan_is_declared_by_its_commit_and_not_changed_after_it(tmp_path: Path) -> None:
    path = write_plan(tmp_path)
    assert provenance(path) == {}

    def git(*words: str) -> None:
        who = ["-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", "-C", str(tmp_path), *who, *words], check=True, capture_output=True)

    git("init")
    assert provenance(path) == {}
    git("add", "plan.json")
    git("commit", "-m", "The plan")
    (tmp_path / "other").write_text("later")
    git("add", "other")
    git("commit", "-m", "Code")
    told = provenance(path)
    assert told["plan_declared"]["commit"] != told["code"]["commit"] and len(told["code"]["commit"]) == 40
    path.write_text(path.read_text() + " ")
    with pytest.raises(ValueError, match="commit it"):
        provenance(path)


def test_the_tables_and_the_figure_come_from_the_results_alone(finished: dict[str, Any], tmp_path: Path) -> None:
    text = tables(json.loads(json.dumps(finished)))
    row = next(line for line in text.splitlines() if line.startswith("| `plain`"))
    cells = [cell for cell in finished["cells"] if cell["variant"]["representation"] == "plain"]
    assert share_over_seeds(cell["heldout"]["overall"]["exact"] for cell in cells) in row
    assert sum(count for cell in cells for count in cell["heldout"]["errors"].values()) == sum(
        int(part.rsplit(" ", 1)[1]) for part in row.rstrip("| ").split(" | ")[-1].split(", ")
    )
    draw_curves(finished, tmp_path / "curves.png")
    assert (tmp_path / "curves.png").read_bytes().startswith(b"\x89PNG")


def test_a_cell_in_which_another_process_works_is_left_to_it(tmp_path: Path) -> None:
    plan, runs = load_plan(write_plan(tmp_path, parts=[part(seeds=[41])])), tmp_path / "runs"
    held = RunFolder(runs / "forms/plain-41")
    with held.locked():
        (held.path / "run.json").write_text("{}")
        done = run_ablation(plan, runs)
        (held.path / "run.json").unlink()
    assert [cell["name"] for cell in done["cells"]] == ["forms/padded-reversed-41"]
    assert len(run_ablation(plan, runs)["cells"]) == 2
