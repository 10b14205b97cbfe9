"""The CalcGPT builder: rows against the generator, one roster in four forms, a folder that loads."""

import hashlib
import json
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import datasets
import pytest

from arithmark_tasks.builders.calcgpt import FEATURES, SPLITS, build_folder, rows, tasks
from arithmark_tasks.builders.folder import Split
from arithmark_tasks.builders.loading import load_dataset
from arithmark_tasks.builders.verify import verify_path
from arithmark_tasks.generators.calcgpt.claims import check_files
from arithmark_tasks.generators.calcgpt.contracts import CONTRACTS
from arithmark_tasks.generators.calcgpt.dataset import Recipe
from arithmark_tasks.generators.calcgpt.representations import REPRESENTATIONS
from arithmark_tasks.generators.calcgpt.spaces import lengths

SMALL = {"tasks": 1_000, "per_bucket": 40}
COLUMNS = ["text", "left", "operator", "right", "answer", "semantic_key"]


def load(name: str | None, cache: Path, **options: object) -> datasets.DatasetDict:
    loaded = load_dataset("calcgpt", name, cache_dir=str(cache), **(SMALL | options))
    assert isinstance(loaded, datasets.DatasetDict)
    return loaded


@pytest.mark.parametrize("name", REPRESENTATIONS)
def test_every_row_states_one_task_in_all_its_columns(name: str, tmp_path: Path) -> None:
    data = load(name, tmp_path)
    assert {split: len(data[split]) for split in data} == {"train": 800, "validation": 200, "heldout": 120}
    for split in data.values():
        assert split.column_names == COLUMNS
        for row in split:
            assert REPRESENTATIONS[name].parse(row["text"], 3).left == row["left"]
            value = row["left"] + row["right"] if row["operator"] == "+" else row["left"] - row["right"]
            assert row["answer"] == value
            operands = [row["left"], row["right"]]
            operands = sorted(operands) if row["operator"] == "+" else operands
            assert row["semantic_key"] == f"{row['operator']} {operands[0]} {operands[1]}"
    keys = {split: set(data[split]["semantic_key"]) for split in data}
    assert not keys["train"] & keys["validation"]
    assert not keys["heldout"] & (keys["train"] | keys["validation"])


def test_the_four_configs_hold_the_same_tasks_in_the_same_order(tmp_path: Path) -> None:
    rows = [load(name, tmp_path)["heldout"].remove_columns("text").to_list() for name in REPRESENTATIONS]
    assert rows[0] == rows[1] == rows[2] == rows[3]


def test_options_without_a_config_mean_the_default_one(tmp_path: Path) -> None:
    assert load(None, tmp_path, seed=7)["train"].to_list() == load("plain", tmp_path, seed=7)["train"].to_list()
    assert load(None, tmp_path, seed=7)["train"].to_list() != load(None, tmp_path)["train"].to_list()


def test_a_space_that_is_too_small_fails_with_both_numbers(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"2000 .*110 "):
        load("plain", tmp_path, width=1, tasks=2_000)
    with pytest.raises(ValueError, match=r"100 tasks .*about 10 of 110 would remain of bucket 1, where 100 "):
        load("plain", tmp_path, width=1, tasks=100, per_bucket=100)


def test_a_draw_that_can_leave_no_roster_is_refused_at_once() -> None:
    start = time.process_time()
    with pytest.raises(ValueError, match=r"1000000 tasks .*bucket 1"):
        tasks(Recipe(tasks=1_000_000))
    assert time.process_time() - start < 20  # drawing them takes most of a minute


@pytest.mark.parametrize("contract", [name for name in CONTRACTS if name != "operand_pair"])
def test_every_contract_builds_a_folder_whose_roster_holds(contract: str, tmp_path: Path) -> None:
    recipe = Recipe(tasks=1_000, per_bucket=40, contract=contract)
    data = tasks(recipe)
    keys = [CONTRACTS[contract].keys(side) for side in (data.train, data.validation)]
    assert not any(CONTRACTS[contract].conflicts(task, keys[0] | keys[1]) for task in data.heldout)
    if contract != "width":
        assert not keys[0] & keys[1]
    build_folder(tmp_path / "folder", config="plain", recipe=recipe)
    assert [found for section in verify_path(tmp_path / "folder") for found in section.results if not found.holds] == []
    card = (tmp_path / "folder" / "README.md").read_text(encoding="utf-8")
    assert CONTRACTS[contract].relation in card and f"--contract {contract}" in card


def test_balanced_lengths_are_drawn_alike_as_far_as_there_are_tasks() -> None:
    data = tasks(Recipe(tasks=6_000, per_bucket=50, lengths="balanced", mixed=True))
    counts = Counter(lengths(task) for task in (*data.train, *data.validation))
    assert counts == {(1, 1): 55, (1, 2): 900, (2, 2): 1261, (1, 3): 1261, (2, 3): 1261, (3, 3): 1262}
    assert [row["bucket"] for row in data.manifest["buckets"]] == [1, 2, 3, "mixed"]


@pytest.mark.parametrize("config", [None, "padded-reversed"])
def test_the_folder_loads_as_it_is_and_its_manifest_verifies(config: str | None, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    build_folder(folder, config=config, recipe=Recipe(**SMALL))
    name = config or "reversed"
    loaded = datasets.load_dataset(str(folder), name, cache_dir=str(tmp_path / "cache"))
    assert {split: loaded[split].to_list() for split in loaded} == {
        split: rows.to_list() for split, rows in load(name, tmp_path / "own").items()
    }
    data = folder / "data"
    train, validation, heldout = (data / f"{name}-{split}.jsonl" for split in ("train", "validation", "heldout"))
    assert all(found.holds for found in check_files(folder / "manifest.json", [train, validation], heldout))
    broken = [found.claim for found in check_files(folder / "manifest.json", [heldout], train) if not found.holds]
    assert broken == [
        "the evaluated tasks are the roster, each once",
        "the training tasks are the excluded roster",
        "the roster is disjoint from training under 'operand_pair'",
        "seed, buckets and training draw this very roster",
    ]
    holdout = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["holdout"]
    assert holdout["policy"]["claim"] in (folder / "README.md").read_text(encoding="utf-8")


def test_the_folder_is_the_same_under_every_hash_seed(tmp_path: Path) -> None:
    digests = set()
    for hash_seed in ("0", "1"):
        code = (
            "from arithmark_tasks.generators.calcgpt.dataset import Recipe, build\n"
            "import hashlib\nprint(hashlib.sha256(repr(build(Recipe(tasks=1000, per_bucket=40))).encode()).hexdigest())"
        )
        environment = {"PYTHONHASHSEED": hash_seed, "PATH": ""}
        digests.add(
            subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=True).stdout
        )
    assert len(digests) == 1


def test_the_default_data_set_has_the_golden_hashes() -> None:
    # a change here needs a new data version and a line in the change log
    golden = json.loads((Path(__file__).parent.parent / "golden" / "calcgpt.json").read_text(encoding="utf-8"))
    data = tasks(Recipe())
    assert data.manifest["task_roster_sha256"] == golden["task_roster_sha256"]
    for name in REPRESENTATIONS:
        for split in SPLITS:
            content = Split(name, split, "", FEATURES, list(rows(getattr(data, split), name, 3))).jsonl()
            assert hashlib.sha256(content).hexdigest() == golden["jsonl_sha256"][f"{name}/{split}"]
