"""The proof that a set shares nothing with the default sets is in the manifest, is checked again, and refuses."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from arithmark_tasks.builders import load_dataset
from arithmark_tasks.builders.deeparithmark import build_folder
from arithmark_tasks.builders.folder import read_manifest
from arithmark_tasks.builders.verify import kept_apart as disjoint
from arithmark_tasks.generators.choices import item as item_schema
from arithmark_tasks.generators.claims import NumberedItem, read_lines
from arithmark_tasks.generators.deeparithmark import build_split, edition
from arithmark_tasks.generators.errors import InputError

ITEMS = 48


@pytest.fixture(scope="module")
def small() -> Any:
    """References of a few items."""
    rows = {"default": {"test": build_split("default", "test", items=60)}, "deep": {"test": [DEEP_ITEM]}}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(disjoint, "_reference_rows", lambda config: (rows[config], {"test": f"sha of {config}"}))
        generator = sys.modules["arithmark_tasks.generators.deeparithmark.build"]
        patch.setattr(generator, "identities", lambda tier, split: frozenset())
        yield rows


DEEP_ITEM = {"ctx": "A deep story", "metadata": {"template": "deep", "unit": "things"}}


@pytest.fixture(scope="module")
def folder(small: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("apart") / "folder"
    build_folder(out, configs=["default", "train"], seed=11, items=ITEMS)
    return out


def read(folder: Path) -> dict[tuple[str, str], list[NumberedItem]]:
    entries = read_manifest(folder)["splits"]
    return {(entry["config"], entry["split"]): read_lines(folder / entry["jsonl"])[0] for entry in entries}


def complaint(folder: Path, **changes: Any) -> str:
    return " | ".join(map(str, disjoint.broken_proofs(read_manifest(folder) | changes, read(folder))))


def test_a_fresh_set_and_the_training_tier_state_what_they_were_compared_with(folder: Path) -> None:
    stated = read_manifest(folder)["kept_apart"]
    (fresh,) = stated["default"]["from"]
    assert (fresh["config"], fresh["seed"], fresh["items"], fresh["compared_with"]) == (
        *("default", edition.SEED, ITEMS + 40, 60),
    )
    assert (fresh["same_context"], fresh["same_template_and_numbers"]) == (0, 0)
    assert [entry["config"] for entry in stated["train"]["from"]] == ["default", "deep"]
    assert all(entry["runs_of_eight_words"] == 0 for entry in stated["train"]["from"])
    assert len(stated["train"]["numbers"]) == 15


def test_no_training_task_is_one_of_the_test_items_in_the_file(folder: Path) -> None:
    found = read(folder)
    tests = [item for name in ("test", "fewshot") for _, item in found["default", name]]
    training = [item for _, item in found["train", "train"]]
    assert {item["split"] for item in training} == {"train"}
    assert not {item["ctx"] for item in tests} & {item["ctx"] for item in training}
    numbers = {(item["metadata"]["template"], *item_schema.numbers_in(item["ctx"])) for item in tests}
    assert not numbers & {(item["metadata"]["template"], *item_schema.numbers_in(item["ctx"])) for item in training}


def test_the_set_of_the_default_seed_has_nothing_to_be_kept_apart_from() -> None:
    assert disjoint.proof("default", edition.SEED, []) == {}
    assert disjoint.proof("deep", edition.SEED, []) == {}


@pytest.mark.usefixtures("small")
def test_the_proof_is_made_again(folder: Path) -> None:
    assert complaint(folder) == ""
    stated = json.loads(json.dumps(read_manifest(folder)["kept_apart"]))
    stated["train"]["from"][0]["compared_with"] = 61
    assert complaint(folder, kept_apart=stated).startswith(
        "train: compared again, compared_with is 60, the manifest says 61"
    )
    assert "default: compared again, from is [" in complaint(folder, kept_apart=None)


def test_a_set_that_collides_is_refused_by_its_seed(small: Any) -> None:
    item = small["default"]["test"][0]
    with pytest.raises(InputError, match="seed 9 gives a default set that collides with default: 1 with the same con"):
        disjoint.proof("default", 9, [item])
    with pytest.raises(InputError, match=r"seed 9 gives a train set that collides with default: .*runs of eight words"):
        disjoint.proof("train", 9, [item])


def test_a_training_set_that_collides_cannot_be_loaded_either(
    small: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    options = {"split": "train", "cache_dir": str(tmp_path), "items": 4}
    assert load_dataset("deeparithmark", "train", seed=11, **options).num_rows == 4
    taken = build_split("train", "train", 12, 4)[:1]
    monkeypatch.setitem(small["default"], "test", [*small["default"]["test"], *taken])
    refusal = "seed 12 gives a train set that collides with default: 1 with the same context"
    with pytest.raises(InputError, match=refusal):
        load_dataset("deeparithmark", "train", seed=12, **options)
    with pytest.raises(InputError, match=refusal):
        build_folder(tmp_path / "folder", configs=["train"], seed=12, items=4)
    assert not (tmp_path / "folder").exists()


@pytest.mark.usefixtures("small")
def test_training_items_outside_their_numbers_are_named(folder: Path) -> None:
    splits = read(folder)
    line, item = next(
        (line, item) for line, item in splits["train", "train"] if item["metadata"]["template"] == "salary_overtime_tax"
    )
    hours = item_schema.numbers_in(item["ctx"])[0]
    item["ctx"] = item["ctx"].replace(f" {hours} daytime", " 44 daytime")
    found = [str(failure) for failure in disjoint.broken_proofs(read_manifest(folder), splits)]
    assert [text.split(" is kept")[0] for text in found] == [f"line {line}: salary_overtime_tax"]


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    ("stated", "said"),
    [
        ({"x": 1}, "kept_apart has an entry for 'x', which is no config of the folder"),
        ({"deep": {"from": []}}, "kept_apart has an entry for 'deep', which is no config of the folder"),
        ([1], "kept_apart is [1], not one entry for each config"),
    ],
)
def test_a_proof_of_what_the_folder_does_not_hold_is_refused(stated: object, said: str, folder: Path) -> None:
    if isinstance(stated, dict):
        stated = read_manifest(folder)["kept_apart"] | stated
        assert complaint(folder, kept_apart=stated) == said
    else:
        assert complaint(folder, kept_apart=stated).startswith(said)
