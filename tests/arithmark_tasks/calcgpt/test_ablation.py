"""The ablation: every cell is kept, failures too, and an interrupted plan goes on."""

import json
from pathlib import Path
from typing import Any

import pytest

from arithmark_tasks.calcgpt import ablation, trainer
from arithmark_tasks.calcgpt.ablation import SCHEMA, draw_curves, load_plan, run_ablation, table

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


def write_plan(folder: Path, **changes: Any) -> Path:
    values = {"schema": SCHEMA, "representations": ["plain", "padded-reversed"], "seeds": [41, 42], "settings": SHARED}
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
    timed = ("train_seconds", "examples_per_second")
    kept = {name: value for name, value in cell.items() if name not in timed}
    kept["curve"] = [{name: value for name, value in row.items() if "seconds" not in name} for row in cell["curve"]]
    for split in ("heldout", "validation"):
        kept[split] = {name: value for name, value in cell[split].items() if "second" not in name}
    return kept


def test_every_cell_is_completed_on_one_roster_and_one_split(finished: dict[str, Any]) -> None:
    cells = finished["cells"]
    assert [(cell["representation"], cell["seed"]) for cell in cells] == [
        ("plain", 41),
        ("padded-reversed", 41),
        ("plain", 42),
        ("padded-reversed", 42),
    ]
    assert {cell["status"] for cell in cells} == {"completed"}
    assert len({cell["task_roster_sha256"] for cell in cells}) == 1
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
    assert "1 of 2" in table(results)
    monkeypatch.setattr(ablation, "train", real)
    assert run_ablation(plan, runs)["cells"][2]["status"] == "failed"
    assert run_ablation(plan, runs, retry_failed=True)["cells"][2]["status"] == "completed"


def test_a_folder_of_another_plan_is_refused(tmp_path: Path) -> None:
    plan = load_plan(write_plan(tmp_path, seeds=[1], representations=["plain"]))
    run_ablation(plan, tmp_path / "runs")
    with pytest.raises(ValueError, match="another plan"):
        run_ablation(load_plan(write_plan(tmp_path)), tmp_path / "runs")


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"schema": "other"}, "schema"),
        ({"representations": []}, "representations"),
        ({"representations": ["plain", "plain"]}, "once"),
        ({"representations": ["roman"]}, "roman"),
        ({"settings": {"batch": -1}}, "batch"),
        ({"seeds": ["x"]}, "seed"),
    ],
)
def test_a_bad_plan_is_named(tmp_path: Path, changes: dict[str, Any], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        load_plan(write_plan(tmp_path, **changes))


def test_the_table_and_the_figure_come_from_the_results_alone(finished: dict[str, Any], tmp_path: Path) -> None:
    text = table(json.loads(json.dumps(finished)))
    assert text.count("\n") == 4 and "2 of 2" in text
    cells = [cell for cell in finished["cells"] if cell["representation"] == "plain"]
    mean = sum(cell["heldout"]["overall"]["exact"]["right"] for cell in cells) / 2 / 20
    assert f"{100 * mean:.1f} %" in text.splitlines()[2]
    draw_curves(finished, tmp_path / "curves.png")
    assert (tmp_path / "curves.png").read_bytes().startswith(b"\x89PNG")
