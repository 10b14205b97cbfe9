"""Every card of a dataset, checked by the Hub's rules and against the notice that each must carry."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from hub_rules import card_errors
from hub_server import HubServer
from huggingface_hub import DatasetCard
from typer.testing import CliRunner

from arithmark_tasks.builders import calcgpt, deeparithmark, zenyx
from arithmark_tasks.cli import app
from arithmark_tasks.generators.calcgpt.dataset import Recipe

BUILDS: dict[str, Callable[[Path], object]] = {
    "deeparithmark": lambda out: deeparithmark.build_folder(out, configs=["default"], items=48),
    "zenyx": lambda out: zenyx.build_folder(out, configs=["legacy"]),
    "calcgpt": lambda out: calcgpt.build_folder(out, recipe=Recipe(width=1, tasks=80, per_bucket=20)),
}


@pytest.fixture(scope="module", params=BUILDS)
def builds(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The same dataset, built twice."""
    root = tmp_path_factory.mktemp(request.param)
    for name in ("one", "two"):
        BUILDS[request.param](root / name)
    return [root / "one", root / "two"]


def test_a_card_rendered_twice_is_the_same(builds: list[Path]) -> None:
    assert (builds[0] / "README.md").read_bytes() == (builds[1] / "README.md").read_bytes()


def test_a_card_passes_the_hubs_rules(builds: list[Path], hub: HubServer) -> None:
    card = DatasetCard.load(builds[0] / "README.md")
    card.validate()
    assert [asked.path for asked in hub.log if asked.method == "POST"] == ["/api/validate-yaml"]
    assert card.data.license == "apache-2.0" and card.data.language == ["en"] and card.data.tags
    configs = card.data.to_dict()["configs"]
    assert [bool(config.get("default")) for config in configs] == [True] + [False] * (len(configs) - 1)
    paths = [entry["path"] for config in configs for entry in config["data_files"]]
    assert len(set(paths)) == len(paths) and all((builds[0] / path).is_file() for path in paths)
    assert "dataset_info" not in card.data.to_dict()


def test_a_card_names_whose_work_it_follows_and_that_it_is_not_theirs(builds: list[Path]) -> None:
    text = (builds[0] / "README.md").read_text(encoding="utf-8")
    section = text.split("## Independent re-implementation\n")[1].split("<!-- arithmark:end")[0]
    for phrase in ("AxiomicLabs", "OPENGCM", "Anamitra Sarkar", "CalcGPT", "not affiliated with or endorsed by"):
        assert phrase in section
    assert "Apache License 2.0" in section


def test_every_section_of_a_card_stands_between_its_markers(builds: list[Path]) -> None:
    body = (builds[0] / "README.md").read_text(encoding="utf-8").split("---\n", 2)[2]
    begun = re.findall(r"^<!-- arithmark:begin (\S+) -->$", body, re.MULTILINE)
    assert begun == re.findall(r"^<!-- arithmark:end (\S+) -->$", body, re.MULTILINE)
    assert len(begun) == len(set(begun)) == len(re.findall(r"^## ", body, re.MULTILINE)) + 1
    outside = re.sub(r"<!-- arithmark:begin (\S+) -->.*?<!-- arithmark:end \1 -->", "", body, flags=re.DOTALL)
    assert not outside.strip()


def test_the_command_on_a_card_builds_the_same_folder(builds: list[Path], tmp_path: Path) -> None:
    text = (builds[0] / "README.md").read_text(encoding="utf-8")
    made = text.split("## How it was made\n")[1]
    command = re.search(r"`arithmark (build \S+ --out) DIR([^`]*)`", made)
    assert command is not None
    again = tmp_path / "again"
    done = CliRunner().invoke(app, [*command.group(1).split(), str(again), *command.group(2).split()])
    assert done.exit_code == 0, done.output
    assert (again / "README.md").read_bytes() == (builds[0] / "README.md").read_bytes()
    assert (again / "manifest.json").read_bytes() == (builds[0] / "manifest.json").read_bytes()


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("license", "apache2"),
        ("language", ["English"]),
        ("tags", ["a", "a"]),
        ("size_categories", ["n>1M"]),
        ("task_categories", ["maths"]),
        ("configs", [{"config_name": "a", "default": True}, {"config_name": "b", "default": True}]),
        ("configs", [{"config_name": "a"}, {"config_name": "a"}]),
        ("configs", [{"config_name": "a", "data_files": [{"split": "x", "path": "1"}, {"split": "x", "path": "2"}]}]),
    ],
)
def test_the_rules_find_what_the_hub_would_refuse(key: str, value: object) -> None:
    good = {"license": "apache-2.0", "language": ["en"], "size_categories": ["n<1K"]}
    assert card_errors(f"---\n{yaml.safe_dump(good)}---\n", "dataset") == []
    assert len(card_errors(f"---\n{yaml.safe_dump({**good, key: value})}---\n", "dataset")) == 1
