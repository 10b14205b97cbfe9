"""A card says what the data says: its figures are recomputed here from the files beside it."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import samples
from huggingface_hub import DatasetCard
from samples import sample_item

from arithmark_tasks.builders.cards import deeparithmark as cards
from arithmark_tasks.builders.cards.render import render, size_category
from arithmark_tasks.builders.deeparithmark import build_folder
from arithmark_tasks.generators.choices.audit import Row
from arithmark_tasks.generators.deeparithmark import build

ITEMS = 96


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("cards") / "out"
    with samples.generator():
        build_folder(out, configs=["default"], seed=97, items=ITEMS)
    return out


def rows_under(text: str, heading: str) -> list[list[str]]:
    """The cells of the tables under one heading, headers and rules left out."""
    section = text.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    rules = {index for index, line in enumerate(lines) if set(line) <= set("|- ")}
    kept = [line for index, line in enumerate(lines) if index not in rules and index + 1 not in rules]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in kept]


def test_the_yaml_names_every_split_once_with_a_file_that_exists(folder: Path) -> None:
    data = DatasetCard.load(folder / "README.md").data
    assert (data.license, data.language, data.size_categories) == ("apache-2.0", ["en"], ["n<1K"])
    assert data.tags and all(tag == tag.lower() for tag in data.tags)
    configs = data.to_dict()["configs"]
    assert [config["config_name"] for config in configs if config.get("default")] == ["default"]
    paths = [entry["path"] for config in configs for entry in config["data_files"]]
    assert len(set(paths)) == len(paths) == 3
    assert all((folder / path).is_file() for path in paths)
    assert not any("*" in path for path in paths)
    assert "dataset_info" not in data.to_dict()


def test_composition_and_balance_are_those_of_the_data(folder: Path) -> None:
    text = (folder / "README.md").read_text(encoding="utf-8")
    items = [json.loads(line) for line in (folder / "data" / "deeparithmark-1.jsonl").read_text().splitlines()]
    templates = Counter((item["metadata"]["depth"], item["metadata"]["template"]) for item in items)
    composition = [row for row in rows_under(text, "Composition") if len(row) == 7]
    assert [(int(row[0]), row[1], int(row[3])) for row in composition] == [
        (*key, count) for key, count in sorted(templates.items())
    ]
    assert all(row[4] == row[0] for row in composition)
    cells = Counter((item["metadata"]["depth"], int(item["label"]), item["metadata"]["answer_rank"]) for item in items)
    grid = {
        (int(row[0]), int(row[1]), rank): int(row[2 + rank]) for row in rows_under(text, "Balance") for rank in range(4)
    }
    assert grid == {key: cells[key] for key in grid}
    assert sum(grid.values()) == ITEMS
    lengths = [len(item["ctx"].split()) for item in items]
    assert f"mean {sum(lengths) / ITEMS:.1f}, from {min(lengths)} to {max(lengths)}" in text


def test_the_card_says_how_many_steps_follow_each_other() -> None:
    chains = {row["name"]: (row["depth"], row["chains"]) for row in cards.templates(build(items=60))}
    shorter = {"two_rate_pay", "salary_overtime_tax"}
    assert chains == {name: (depth, {depth - (name in shorter)}) for name, (depth, _) in chains.items()}


def test_the_card_names_hashes_seed_command_and_whose_work_it_follows(folder: Path) -> None:
    text = (folder / "README.md").read_text(encoding="utf-8")
    manifest = json.loads((folder / "manifest.json").read_text())
    for entry in manifest["splits"]:
        assert entry["sha256"] in text
    published = "8a54eb90b66b142b7fea422b34d851746d1cabc476dcba906c7f3ad5ddc66ee0"
    assert published in text
    for phrase in ("AxiomicLabs", "OPENGCM/DeepArithmark-1", "Independent re-implementation", "Apache License 2.0"):
        assert phrase in text
    assert re.search(r"`arithmark build deeparithmark --out DIR( --config default)? --seed 97 --items 96`", text)
    assert "a fresh set with the same guarantees" in text


def test_the_example_is_an_item_of_the_file(folder: Path) -> None:
    text = (folder / "README.md").read_text(encoding="utf-8")
    shown = json.loads(re.search(r"```json\n(.*?)\n```", text, re.DOTALL)[1])  # type: ignore[index]
    assert shown in [sample_item(samples.first_index(97) + index) for index in range(ITEMS)]


def test_the_audit_table_shows_scores_and_leaks_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [
        Row("largest", "fixed", 96, 0.5, 0.25, 0.4, 0.6, "LEAK"),
        Row("hub", "fixed", 0, None, None, None, None, "not applicable"),
    ]
    monkeypatch.setattr(cards, "full_audit", lambda questions: rows)
    text = cards.card(manifest(), {"default": [sample_item(index) for index in range(ITEMS)]})
    assert rows_under(text, "Shortcut audit") == [
        ["largest", "96", "50.00 %", "40.00 % to 60.00 %", "25.00 %", "LEAK"],
    ]


def test_rendering_twice_gives_the_same_text() -> None:
    items = [sample_item(index) for index in range(ITEMS)]
    assert cards.card(manifest(), {"default": items}) == cards.card(manifest(), {"default": items})


@pytest.mark.parametrize(
    ("configs", "command"),
    [
        (("default", "control"), "--tasks deeparithmark,deeparithmark_control --out"),
        (("deep",), "--tasks deeparithmark_deep --out"),
        (("train",), None),
    ],
)
def test_a_card_suggests_the_tasks_of_the_configs_beside_it(
    monkeypatch: pytest.MonkeyPatch, configs: tuple[str, ...], command: str | None
) -> None:
    monkeypatch.setattr(cards, "audit", lambda items: [])
    items = [sample_item(index) for index in range(ITEMS)]
    text = cards.card(manifest(), dict.fromkeys(configs, items))
    assert (command is not None) == ("lm_eval run" in text)
    assert command is None or command in text


def test_a_figure_that_nobody_computed_is_an_error() -> None:
    with pytest.raises(Exception, match="Undefined"):
        render("deeparithmark", name="x")


@pytest.mark.parametrize(
    ("rows", "name"), [(999, "n<1K"), (1000, "1K<n<10K"), (16_064, "10K<n<100K"), (2_000_000, "1M<n<10M")]
)
def test_the_size_class_is_the_hubs(rows: int, name: str) -> None:
    assert size_category(rows) == name


def manifest() -> dict[str, Any]:
    entry = {"config": "default", "items": ITEMS, "jsonl": "data/a.jsonl", "parquet": "data/a.parquet", "sha256": "0"}
    return {
        "dataset_version": 1,
        "package_version": "0",
        "seed": 1,
        "items": ITEMS,
        "splits": [{**entry, "split": "test"}],
    }
