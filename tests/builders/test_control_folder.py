"""The control in a built folder: loaded as a config, and verified against the set that it controls."""

import json
import shutil
from pathlib import Path
from typing import Any

import datasets
import pytest

from arithmark_tasks.builders import load_dataset
from arithmark_tasks.builders.deeparithmark import build_folder
from arithmark_tasks.builders.verify import file_section, verify_folder
from arithmark_tasks.generators.choices.audit import LEAK, audit_items
from arithmark_tasks.generators.choices.shortcuts import STRATEGIES
from arithmark_tasks.generators.deeparithmark.build import build_split

ITEMS = 64
CONTROL = "data/deeparithmark-1-control.jsonl"
PAIRED = "test: the control is the default set, item by item, but for its wrong endings"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("control") / "out"
    build_folder(out, configs=["default", "control"], items=ITEMS)
    return out


def complaints(folder: Path) -> dict[str, str]:
    found = [one for section in verify_folder(folder) for one in section.results if not one.holds]
    return {one.claim: str(one.failures[0]) if one.failures else one.skipped for one in found}


def test_it_is_a_config_with_the_contexts_of_the_default_one(built: Path, tmp_path: Path) -> None:
    for split in ("test", "fewshot"):
        default, control = (
            datasets.load_dataset(str(built), config, split=split, cache_dir=str(tmp_path))
            for config in ("default", "control")
        )
        assert default["ctx"] == control["ctx"] and default["label"] == control["label"]
        assert default["endings"] != control["endings"]
        size = {"items": ITEMS} if split == "test" else {}
        ours = load_dataset("deeparithmark", "control", split=split, cache_dir=str(tmp_path), **size)
        assert list(ours) == list(control) and ours.features == control.features


def test_every_claim_of_a_new_build_holds(built: Path) -> None:
    found = [one for section in verify_folder(built) for one in section.results]
    assert all(one.holds for one in found)
    assert {PAIRED, PAIRED.replace("test", "fewshot")} <= {one.claim for one in found}


def test_a_file_alone_is_known_for_a_control_and_its_shortcuts_are_no_fault(tmp_path: Path) -> None:
    items = build_split("control", "test", items=160)  # over 100: the audit of another set would run
    path = tmp_path / "control.jsonl"
    path.write_text("".join(json.dumps(item) + "\n" for item in items), encoding="utf-8", newline="\n")
    section, _ = file_section(path, path.name, lambda stage: None)
    assert section.holds and "shortcut audit" not in {one.claim for one in section.results}
    assert {row.strategy for row in audit_items(items) if row.verdict == LEAK}


def test_endings_that_changed_places_are_told_from_the_partner(built: Path, tmp_path: Path) -> None:
    shutil.copytree(built, tmp_path / "copy")
    path = tmp_path / "copy" / CONTROL
    items: list[dict[str, Any]] = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    wrong = [slot for slot in range(4) if slot != int(items[6]["label"])][:2]
    data = items[6]["metadata"]
    for column in (items[6]["endings"], data["option_values"], data["option_sources"]):
        column[wrong[0]], column[wrong[1]] = column[wrong[1]], column[wrong[0]]
    path.write_text("".join(json.dumps(item) + "\n" for item in items), encoding="utf-8", newline="\n")
    found = complaints(tmp_path / "copy")
    assert "line 7" in found[PAIRED] and "the order of the options by size" in found[PAIRED]
    assert "line 7: control/test: endings" in found["the items are those of the seed"]


def test_the_card_says_what_the_missed_goals_of_the_control_mean(built: Path) -> None:
    card = (built / "README.md").read_text(encoding="utf-8")
    (row,) = [line for line in card.splitlines() if line.startswith("| `control` |")]
    assert row.split("|")[-2].strip() in STRATEGIES  # the rule that is farthest off: adjacent endings are not balanced
    assert "no fault of the build" in card
