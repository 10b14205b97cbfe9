"""inspect-ai itself, in an environment of its own, runs what was published to the Hub emulator, and our own tasks."""

import json
import os
import subprocess
from pathlib import Path

import datasets
import hub_server
import pytest
import yaml
from installed import REPOSITORY, Environment, dependencies
from publishing import refusal

from arithmark_tasks.builders import load_dataset
from arithmark_tasks.builders.deeparithmark import build_folder
from arithmark_tasks.builders.eval_yaml import EVAL, eval_yaml, merge
from arithmark_tasks.builders.folder import read_manifest
from arithmark_tasks.builders.publishing import Hub, publish
from arithmark_tasks.builders.publishing.dataset import DatasetFolder
from arithmark_tasks.builders.verify import verify_folder

REPO = "sums/deep"
# By task as it was asked for, by its name in the log, by scorer: the accuracy.
Scores = dict[str, dict[str, dict[str, float]]]
MINE = "tasks:\n- id: mine\n  config: flat\n  split: test\nowner: ada\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("built") / "deep"
    build_folder(out, configs=["default"], items=16)
    return out


def broken(folder: Path) -> list[str]:
    return [
        failure.message for section in verify_folder(folder) for found in section.results for failure in found.failures
    ]


def test_the_flat_rows_are_the_items_and_the_tasks_name_columns_that_are_there(folder: Path) -> None:
    items = datasets.load_dataset(str(folder), "default", split="test", cache_dir=str(folder.parent / "cache"))
    flat = datasets.load_dataset(str(folder), "flat", split="test", cache_dir=str(folder.parent / "cache"))
    assert len(flat) == len(items) == 16
    for row, item in zip(flat, items, strict=True):
        right = row["choices"]["ABCD".index(row["target"])]
        assert f"{row['question'].removesuffix(' ...')} {right}" == item["ctx"] + item["endings"][int(item["label"])]
        assert row["answer"] in right.replace(".m.", "m")
    for task in yaml.safe_load((folder / EVAL).read_text())["tasks"]:
        fields = task["field_spec"]
        assert task["config"] == "flat"
        assert {fields["input"], fields["target"], *fields["metadata"]} <= set(flat.column_names)


def test_verify_recomputes_the_tasks_and_leaves_those_of_a_person_alone(folder: Path, tmp_path: Path) -> None:
    text, place = (folder / EVAL).read_text(), folder / EVAL
    try:
        place.write_text(merge(MINE, text))
        assert [task["id"] for task in yaml.safe_load(place.read_text())["tasks"]] == [
            "deeparithmark",
            "deeparithmark_gen",
            "mine",
        ]
        assert broken(folder) == []
        place.write_text(text.replace("target: target", "target: answer"))
        assert any("'deeparithmark': field_spec is" in message for message in broken(folder))
        place.write_text("tasks: 7\n")
        assert any("not a mapping with a list of tasks" in message for message in broken(folder))
        place.unlink()
        assert f"{EVAL} is missing or cannot be read" in broken(folder)
    finally:
        place.write_text(text)


def test_a_changed_flat_row_is_named(folder: Path) -> None:
    rows = folder / "data" / "deeparithmark-1-flat.jsonl"
    text = rows.read_text()
    try:
        first, *rest = text.splitlines(keepends=True)
        row = json.loads(first)
        row["target"] = "ABCD"[("ABCD".index(row["target"]) + 1) % 4]
        rows.write_text("".join([json.dumps(row, ensure_ascii=False) + "\n", *rest]))
        assert "target not as in the item of the same place" in broken(folder)
    finally:
        rows.write_text(text)


def test_tasks_that_a_person_added_on_the_hub_stay_and_dropped_ones_of_ours_go(
    hub: hub_server.HubServer, folder: Path
) -> None:
    repo = hub.add_repo("dataset", REPO)
    hub.edit(repo, EVAL, MINE + "description: old\n")
    hub.edit(repo, EVAL, repo.files()[EVAL].decode().replace("owner", "- id: deeparithmark_deep\nowner"))
    publish(DatasetFolder(folder), Hub(REPO, "dataset"))
    found = yaml.safe_load(repo.files()[EVAL])
    assert [task["id"] for task in found["tasks"]] == ["deeparithmark", "deeparithmark_gen", "mine"]
    assert found["owner"] == "ada" and found["description"].startswith("16 arithmetic word problems")
    assert publish(DatasetFolder(folder), Hub(REPO, "dataset")).plan.empty
    hub.edit(repo, EVAL, "- a list\n")
    assert "is not a mapping with a list of tasks" in refusal(
        lambda: publish(DatasetFolder(folder), Hub(REPO, "dataset"))
    )


def test_a_folder_without_a_set_to_ask_has_no_tasks() -> None:
    split = {"config": "train", "split": "train", "items": 4}
    assert eval_yaml({"dataset": "deeparithmark", "seed": 1, "tiers": {}, "splits": [split]}) is None


def test_the_page_shows_the_file_of_the_default_build(folder: Path) -> None:
    manifest = read_manifest(folder)
    for split in manifest["splits"]:
        split["items"] = 1000 if split["split"] == "test" else split["items"]
    assert f"```yaml\n{eval_yaml(manifest)}```" in (REPOSITORY / "docs" / "hub.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """inspect-ai with the fsspec that it wants, the checkout, and all else of the running environment."""
    links = dependencies(tmp_path_factory.mktemp("links") / "all", lambda name: not name.startswith("fsspec"))
    made = Environment(tmp_path_factory.mktemp("inspect") / "venv", links)
    made.pip("install", "inspect_ai==0.3.285")
    made.install("-e", REPOSITORY)
    return made


def inspect(python: Path, hub: hub_server.HubServer, place: Path, **wanted: object) -> Scores:
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    told = {"HF_ENDPOINT": hub.endpoint, "HF_HOME": str(place / "home"), "HF_HUB_DISABLE_XET": "1"}
    done = subprocess.run(
        [python, Path(__file__).with_name("inspect_run.py")],
        input=json.dumps({"logs": str(place / "logs"), **wanted}),
        env=kept | told,
        capture_output=True,
        text=True,
        cwd=place,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    found: Scores = json.loads(done.stdout.splitlines()[-1])
    return found


def scripts(rows: list[dict[str, str]], wrong: int) -> dict[str, dict[str, str]]:
    """For both tasks what the model writes; every ``wrong``-th question is answered wrongly."""
    letters, words = {}, {}
    for place, row in enumerate(rows):
        right = place % wrong != 0
        letters[row["question"]] = f"ANSWER: {row['target'] if right else 'ABCD'['BCDA'.index(row['target'])]}"
        words[row["question"]] = f"I add them up. The answer is {row['answer'] if right else '1'}"
    return {"deeparithmark": letters, "deeparithmark_gen": words}


@pytest.mark.slow
@pytest.mark.network
def test_inspect_runs_what_was_published_and_our_own_scorer_gives_the_same_number(
    hub: hub_server.HubServer, folder: Path, environment: Environment, tmp_path: Path
) -> None:
    publish(DatasetFolder(folder), Hub(REPO, "dataset"))
    rows = list(datasets.load_dataset(str(folder), "flat", split="test", cache_dir=str(tmp_path / "cache")))
    asked = scripts(rows, wrong=4)
    from_hub = {f"hf/{REPO}/{name}": answers for name, answers in asked.items()}
    found = inspect(environment.python, hub, tmp_path, tasks=list(from_hub), answers=from_hub, limit=16)
    assert {name: next(iter(scores.values())) for name, scores in found.items()} == {
        f"hf/{REPO}/deeparithmark": {"choice": 0.75},
        f"hf/{REPO}/deeparithmark_gen": {"match": 0.75},
    }
    own = scripts([_flat(item) for item in load_dataset("deeparithmark", split="test").select(range(16))], wrong=4)
    ours = {f"own/{name}": answers for name, answers in own.items()}
    found = inspect(environment.python, hub, tmp_path, tasks=list(ours), answers=ours, limit=16)
    assert [next(iter(scores.values())) for scores in found.values()] == [{"choice": 0.75}, {"final_answer": 0.75}]


def _flat(item: dict[str, object]) -> dict[str, str]:
    from arithmark_tasks.builders.verify.deeparithmark import flat_row

    return flat_row(item)
