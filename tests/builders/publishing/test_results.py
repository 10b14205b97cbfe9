"""Scores proposed to model repositories on the Hub emulator: what is pushed, what stays, what is refused."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from hub_client import TOKEN
from hub_parts import User
from hub_server import HubServer
from scored import choice_scores, result
from typer.testing import CliRunner

from arithmark_tasks.builders.deeparithmark import build_folder
from arithmark_tasks.builders.folder import read_manifest
from arithmark_tasks.builders.publishing import Hub, publish
from arithmark_tasks.builders.publishing.dataset import DatasetFolder
from arithmark_tasks.cli import app
from arithmark_tasks.generators.jsonl import read_items
from arithmark_tasks.results import write_result

DATASET, MODEL = "sums/deep", "sums/small"
PATH = ".eval_results/deeparithmark.yaml"
OTHERS = {"dataset": {"id": DATASET, "task_id": "deeparithmark"}, "value": 0.9, "notes": "by hand", "extra": "kept"}
Write = Callable[..., Path]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("built") / "deep"
    build_folder(out, configs=["default"], items=16)
    return out


@pytest.fixture
def scored(hub: HubServer, folder: Path, tmp_path: Path) -> Write:
    """Writes the result of a scripted model over the published items, with changes to its run."""
    publish(DatasetFolder(folder), Hub(DATASET, "dataset"))
    hub.add_repo("model", MODEL)
    items = [item for _, item in read_items(folder / "data" / "deeparithmark-1.jsonl")]
    entry = read_manifest(folder)["splits"][0]

    def write(skill: float = 0.5, sha256: str | None = None, items: list[Any] = items, **run: Any) -> Path:
        scores = choice_scores(items, "deeparithmark", 1, dict.fromkeys((2, 3, 4, 5), skill))
        made = result("small", scores)
        tasks = {
            name: {**task, "dataset": "deeparithmark/default", "num_fewshot": 0} for name, task in made.tasks.items()
        }
        held = {"version": 2, "seed": 1, "items": 16, "sha256": sha256 or entry["sha256"]}
        started = {"started": "2026-11-30T12:00:00+00:00"}
        path = tmp_path / "result.json"
        datasets = {"deeparithmark/default": held}
        write_result(path, replace(made, tasks=tasks, datasets=datasets, run={**made.run, **started, **run}))
        return path

    return write


def send(path: Path, *words: str) -> str:
    done = CliRunner().invoke(app, ["publish", "results", str(path), "--dataset", DATASET, "--model", MODEL, *words])
    assert TOKEN not in done.output
    return done.output if done.exit_code == 0 else f"refused: {done.exception or done.output}"


def entries(hub: HubServer, revision: str = "main") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = yaml.safe_load(hub.model(MODEL).files(revision)[PATH])
    return found


def test_a_pull_request_holds_one_entry_with_what_was_measured_and_how(hub: HubServer, scored: Write) -> None:
    path = scored()
    assert f"{hub.endpoint}/{MODEL}/discussions/1" in send(path)
    assert PATH not in hub.model(MODEL).files()
    (entry,) = entries(hub, "refs/pr/1")
    assert entry["dataset"] == {
        "id": DATASET,
        "task_id": "deeparithmark",
        "revision": hub.dataset(DATASET).branches["main"],
    }
    assert 0 <= entry["value"] <= 1 and entry["date"] == "2026-11-30T12:00:00+00:00"
    assert entry["notes"] == "arithmark eval, acc_norm_tok, float32, 0-shot, no chat template"
    assert not hub.unknown


def test_the_same_score_again_changes_nothing_and_entries_of_others_stay(hub: HubServer, scored: Write) -> None:
    hub.edit(hub.model(MODEL), PATH, yaml.safe_dump([OTHERS]))
    assert "commit" in send(scored(), "--direct")
    first = entries(hub)
    assert first[0] == OTHERS and len(first) == 2
    hub.log.clear()
    assert "nothing changed" in send(scored(started="2026-12-01T12:00:00+00:00"), "--direct")
    assert hub.writes() == [] and entries(hub) == first
    send(scored(skill=1.0), "--direct")
    now = entries(hub)
    assert now[0] == OTHERS and len(now) == 2 and now[1]["value"] == 1.0 != first[1]["value"]
    send(scored(dtype="bfloat16"), "--direct")
    assert [entry["notes"].split(", ")[2] for entry in entries(hub)[1:]] == ["float32", "bfloat16"]


def test_a_dry_run_writes_nothing(hub: HubServer, scored: Write) -> None:
    path = scored()
    hub.log.clear()
    assert "dry run" in send(path, "--dry-run")
    assert hub.writes() == []


def test_scores_of_other_rows_or_of_some_of_them_are_refused(hub: HubServer, scored: Write, folder: Path) -> None:
    assert "other rows of deeparithmark/default" in send(scored(sha256="0" * 64))
    some = [item for _, item in read_items(folder / "data" / "deeparithmark-1.jsonl")][:8]
    assert "8 items scored" in send(scored(items=some))
    assert "--limit" in send(scored(items=some, limit=2))
    hub.edit(hub.model(MODEL), PATH, "a: 1\n")
    assert "is not a list of evaluation results" in send(scored())
    assert hub.model(MODEL).branches.keys() == {"main"}


def test_anybody_may_propose_and_only_members_commit(hub: HubServer, scored: Write) -> None:
    path = scored()
    hub.users[TOKEN] = User("eve")
    assert "403" in send(path, "--direct")
    assert "discussions/1" in send(path)
