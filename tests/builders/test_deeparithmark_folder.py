"""`arithmark build deeparithmark`: the real generator, the real command, read back by readers that are not ours."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import datasets
import pytest

from arithmark_tasks.builders import load_dataset
from arithmark_tasks.builders.deeparithmark import FEATURES, build_folder
from arithmark_tasks.generators.choices import item as item_schema
from arithmark_tasks.generators.deeparithmark import build, build_fewshot
from arithmark_tasks.generators.jsonl import to_line

ITEMS = 64


def run(*arguments: str, hash_seed: str = "random", home: Path | None = None) -> subprocess.CompletedProcess:
    environment = {"PYTHONHASHSEED": hash_seed, "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1", "HOME": str(home)}
    command = [sys.executable, "-m", "arithmark_tasks.cli", *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("builds") / "build"
    build_folder(path, configs=["default"], items=ITEMS)
    return path


@pytest.fixture
def others(tmp_path: Path) -> list[Path]:
    """The same build from two processes with two hash seeds."""
    paths = [tmp_path / f"build-{seed}" for seed in range(2)]
    for seed, path in enumerate(paths):
        result = run(
            "build",
            "deeparithmark",
            "--out",
            str(path),
            "--config",
            "default",
            "--items",
            str(ITEMS),
            hash_seed=str(seed),
            home=tmp_path,
        )
        assert result.returncode == 0, result.stderr
        assert result.stdout.count("sha256") == 3 and result.stderr == ""
    return paths


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_folder_holds_every_split_in_both_forms_a_card_a_manifest_and_its_tasks(built: Path) -> None:
    assert sorted(contents(built)) == [
        ".gitattributes",
        "README.md",
        "data/deeparithmark-1-fewshot.jsonl",
        "data/deeparithmark-1-fewshot.parquet",
        "data/deeparithmark-1-flat.jsonl",
        "data/deeparithmark-1-flat.parquet",
        "data/deeparithmark-1.jsonl",
        "data/deeparithmark-1.parquet",
        "eval.yaml",
        "manifest.json",
    ]


@pytest.mark.slow
def test_the_folder_is_the_same_under_every_hash_seed(built: Path, others: list[Path]) -> None:
    for other in others:  # and this process has a third one
        assert contents(other) == contents(built)


def test_datasets_loads_both_splits_with_our_columns(built: Path, tmp_path: Path) -> None:
    test = datasets.load_dataset(str(built), split="test", cache_dir=str(tmp_path))
    fewshot = datasets.load_dataset(str(built), "default", split="fewshot", cache_dir=str(tmp_path))
    assert test.features == fewshot.features == FEATURES
    assert list(test) == build(items=ITEMS)
    assert list(fewshot) == build_fewshot()
    assert list(load_dataset("deeparithmark", split="test", items=ITEMS, cache_dir=str(tmp_path))) == list(test)


def test_the_jsonl_has_the_published_layout(built: Path) -> None:
    lines = (built / "data" / "deeparithmark-1.jsonl").read_text(encoding="utf-8").splitlines()
    assert lines == [to_line(item) for item in build(items=ITEMS)]
    for line in lines:
        item = json.loads(line)
        assert tuple(item) == item_schema.ITEM_KEYS
        assert tuple(item["metadata"]) == item_schema.METADATA_KEYS


def hellaswag_choices(path: Path) -> list[tuple[str, list[str], int]]:
    """What a HellaSwag-style scorer takes from a file: context, four continuations, index of the right one.

    Written against the published schema alone, with the checks such scorers make: one JSON object per line, endings
    appended to the context as they are, the label read with ``int``.
    """
    choices = []
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            row: dict[str, Any] = json.loads(line)
            label = int(row["label"])
            requests = [row["ctx"] + ending for ending in row["endings"]]
            if len(requests) != 4 or not 0 <= label < 4:
                raise ValueError(f"not a four-way item: {line[:60]}")
            choices.append((row["ctx"], requests, label))
    return choices


@pytest.mark.parametrize("name", ["deeparithmark-1", "deeparithmark-1-fewshot"])
def test_a_hellaswag_style_scorer_reads_the_jsonl_unchanged(built: Path, name: str) -> None:
    choices = hellaswag_choices(built / "data" / f"{name}.jsonl")
    assert len(choices) == (ITEMS if name == "deeparithmark-1" else 40)
    for context, requests, label in choices:
        assert context == context.strip() and len(set(requests)) == 4
        for request in requests:
            ending = request.removeprefix(context)
            assert ending.startswith(" ") and not ending.startswith("  ") and ending.endswith(".")
        assert requests[label] in requests
    raw = [json.loads(line) for line in (built / "data" / f"{name}.jsonl").read_text("utf-8").splitlines()]
    assert all(type(row["label"]) is str for row in raw)
    for row, (_, requests, label) in zip(raw, choices, strict=True):
        assert row["metadata"]["answer"] in requests[label].removeprefix(row["ctx"])


def test_a_rebuild_over_the_own_folder_changes_nothing(built: Path) -> None:
    before = contents(built)
    build_folder(built, configs=["default"], items=ITEMS)
    assert contents(built) == before


def test_a_foreign_folder_is_refused_in_one_line_before_anything_is_built(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    result = run("build", "deeparithmark", "--out", str(tmp_path), home=tmp_path)
    assert result.returncode == 1
    assert result.stderr.count("\n") == 1 and "not an earlier build" in result.stderr
    # the home of this run, where libraries keep what they compiled
    assert {path.name for path in tmp_path.iterdir()} - {".cache"} == {"notes.txt"}


def test_help_shows_an_example_and_is_quick() -> None:
    result = run("build", "deeparithmark", "--help")
    assert result.returncode == 0 and "arithmark build deeparithmark --out" in result.stdout
