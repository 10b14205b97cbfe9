"""A built folder verifies; each kind of damage to it is named by the claim that it breaks."""

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arithmark_tasks.builders.deeparithmark import build_folder
from arithmark_tasks.builders.folder import read_manifest
from arithmark_tasks.builders.verify import deeparithmark, verify_folder, verify_path, verify_published
from arithmark_tasks.builders.verify.deeparithmark import manifest_results
from arithmark_tasks.builders.verify.folder import FILE_CLAIM, folder_results
from arithmark_tasks.generators.claims import ClaimSection, read_lines
from arithmark_tasks.generators.errors import InputError

TEST = "data/deeparithmark-1.jsonl"
FEWSHOT = "data/deeparithmark-1-fewshot.jsonl"
PARQUET = "data/deeparithmark-1.parquet"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("verify") / "folder"
    build_folder(out, configs=["default"], items=96)
    return out


@pytest.fixture
def folder(built: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(built, tmp_path / "folder"))


def complaints(sections: list[ClaimSection]) -> dict[str, str]:
    """Broken claim -> what was found, or why it could not be checked."""
    return {
        found.claim: found.skipped or " | ".join(map(str, found.failures))
        for section in sections
        for found in section.results
        if not found.holds
    }


def _edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_bytes(text.replace(old, new, 1).encode())


def _rehash(folder: Path, name: str) -> None:
    """Make the manifest agree with an edited file, so that only the content can give it away."""
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    for split in manifest["splits"]:
        if split["jsonl"] == name:
            split["sha256"] = hashlib.sha256((folder / name).read_bytes()).hexdigest()
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")


def test_a_built_folder_keeps_every_claim(built: Path) -> None:
    stages: list[str] = []
    sections = verify_folder(built, stages.append)
    assert complaints(sections) == {}
    assert all(section.holds for section in sections)
    assert [section.title for section in sections] == [
        *("deeparithmark folder", TEST, FEWSHOT, "default: test and fewshot"),
        *("data/deeparithmark-1-flat.jsonl", "manifest and items", "README.md"),
    ]
    assert stages


DAMAGE: dict[str, tuple[Callable[[Path], object], str, str]] = {
    "a changed item": (
        lambda folder: _edit(folder / TEST, '"label": "0"', '"label": "1"'),
        "sha256",
        "the manifest says",
    ),
    "a missing file": (lambda folder: (folder / FEWSHOT).unlink(), "files of its manifest", f"missing: {FEWSHOT}"),
    "a foreign file": (
        lambda folder: (folder / "data" / "more.jsonl").touch(),
        "files of its manifest",
        "not in the manifest: data/more.jsonl",
    ),
    "the wrong Parquet": (
        lambda folder: shutil.copy(folder / "data/deeparithmark-1-fewshot.parquet", folder / PARQUET),
        "Parquet",
        "has 40 rows",
    ),
    "a cut Parquet": (
        lambda folder: (folder / PARQUET).write_bytes((folder / PARQUET).read_bytes()[:1000]),
        "Parquet",
        "cannot be read",
    ),
    "a card without a split": (lambda folder: _edit(folder / "README.md", PARQUET, "data/x.parquet"), "card", PARQUET),
    "a card without metadata": (
        lambda folder: (folder / "README.md").write_text("# Data\n", encoding="utf-8"),
        "card",
        "does not name",
    ),
    "a card whose metadata are no YAML": (
        lambda folder: (folder / "README.md").write_text("---\n[: :\n---\n", encoding="utf-8"),
        "card",
        "no readable metadata",
    ),
    "a card whose configs are a number": (
        lambda folder: (folder / "README.md").write_text("---\nconfigs: 5\n---\n", encoding="utf-8"),
        "card",
        "does not name",
    ),
    "a card of another build": (
        lambda folder: _edit(folder / "README.md", "SHA-256 `", "SHA-256 `0"),
        "card",
        "states another sha256",
    ),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_damage_is_named_by_its_claim(name: str, folder: Path) -> None:
    damage, claim, words = DAMAGE[name]
    damage(folder)
    common = ClaimSection("common", folder_results(folder, read_manifest(folder)))
    found = {title: text for title, text in complaints([common]).items() if claim in title}
    assert len(found) == 1, name
    assert words in next(iter(found.values()))


def test_an_item_changed_together_with_its_hash_still_fails(folder: Path) -> None:
    _edit(folder / TEST, '"label": "0"', '"label": "1"')
    _rehash(folder, TEST)
    found = complaints(verify_folder(folder))
    assert not any("sha256" in claim for claim in found)
    assert any("point at one option" in claim for claim in found)
    assert any("Parquet" in claim and "line" in text for claim, text in found.items())


def test_an_exemplar_taken_from_the_test_items_is_named(folder: Path) -> None:
    stolen = (folder / TEST).read_bytes().split(b"\n")[0]
    (folder / FEWSHOT).write_bytes(b"\n".join([stolen, *(folder / FEWSHOT).read_bytes().split(b"\n")[1:]]))
    found = complaints(verify_folder(folder))
    assert "line 1: the same as line 1 of the test split" in next(
        text for claim, text in found.items() if "share no" in claim
    )


@pytest.mark.parametrize(
    ("manifest", "words"),
    [("{", "no readable manifest.json"), ('{"format": "other"}', "not one of arithmark's")],
)
def test_a_folder_that_is_not_ours_is_bad_input(manifest: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text(manifest, encoding="utf-8")
    with pytest.raises(InputError, match=words):
        verify_path(tmp_path)


def test_a_manifest_without_splits_is_a_broken_claim(folder: Path) -> None:
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    manifest["splits"] = [{"split": "test"}]
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    assert "manifest: lists its splits" in complaints(verify_folder(folder))


def _manifest(folder: Path, **changes: Any) -> None:
    path = folder / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | changes), encoding="utf-8")


def test_a_dataset_of_an_unknown_name_does_not_pass(folder: Path) -> None:
    _manifest(folder, dataset="chess")
    found = complaints(verify_folder(folder))
    assert found == {
        "manifest: names a dataset with claims of its own": "'chess': known are calcgpt, deeparithmark, zenyx"
    }


@pytest.mark.parametrize(
    ("changes", "claim", "words"),
    [
        ({"seed": 5}, "those of the seed", "line 1: default/test"),
        ({"seed": "5"}, "those of the seed", "seed is '5'"),
        ({"dataset_version": 9}, "those of the seed", "built by version 9"),
        ({"tiers": {"default": {"items": 95}}}, "counts", "items are 96, the manifest says 95"),
        ({"tiers": {"default": 7}}, "counts", "the manifest says 7"),
        ({"tiers": None}, "counts", "the manifest says None"),
    ],
)
def test_a_manifest_that_says_something_else_is_not_believed(
    changes: dict[str, Any], claim: str, words: str, built: Path
) -> None:
    splits = {("default", "test"): read_lines(built / TEST)[0], ("default", "fewshot"): read_lines(built / FEWSHOT)[0]}
    results = manifest_results(read_manifest(built) | changes, splits)
    found = complaints([ClaimSection("manifest", results)])
    (text,) = [text for title, text in found.items() if claim in title]
    assert words in text
    # Under another seed the set is a fresh one, and shares every item with the default set.
    assert len(found) == (2 if changes == {"seed": 5} else 1)


def test_a_manifest_of_no_splits_and_a_split_listed_twice_are_named(folder: Path) -> None:
    splits = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["splits"]
    _manifest(folder, splits=[])
    assert complaints(verify_folder(folder)) == {"manifest: lists its splits": "splits are []"}
    _manifest(folder, splits=[*splits, splits[0]])
    assert complaints(verify_folder(folder)) == {"manifest: lists its splits": "default/test occurs twice"}


def test_no_file_outside_the_folder_is_read(folder: Path) -> None:
    outside = folder.parent / "outside.jsonl"
    outside.write_text("[1]\n", encoding="utf-8")
    splits = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["splits"]
    for name in (str(outside), "../outside.jsonl"):
        _manifest(folder, splits=[splits[0] | {"jsonl": name}, splits[1]])
        found = complaints([ClaimSection("common", folder_results(folder, read_manifest(folder)))])
        assert [claim for claim, text in found.items() if name in text] == [
            "the folder holds the files of its manifest and no others"
        ]


def test_a_word_changed_in_every_copy_is_told_from_the_seed(folder: Path) -> None:
    import datasets

    _edit(folder / TEST, '"ctx": "', '"ctx": "Today, ')
    _rehash(folder, TEST)
    datasets.Dataset.from_json(str(folder / TEST), cache_dir=str(folder.parent / "cache")).to_parquet(folder / PARQUET)
    found = complaints(verify_folder(folder))
    assert "line 1: default/test: ctx not as built" in found["the items are those of the seed"]


def test_one_file_is_verified_without_its_folder(built: Path) -> None:
    sections = verify_path(built / FEWSHOT)
    assert complaints(sections) == {}
    with pytest.raises(InputError, match="no such file or folder"):
        verify_path(built / "none.jsonl")


def test_a_broken_line_leaves_no_claim_silently_unchecked(built: Path, tmp_path: Path) -> None:
    path = tmp_path / "cut.jsonl"
    path.write_bytes((built / TEST).read_bytes()[:-50])
    found = complaints(verify_path(path))
    assert "line 96: not JSON" in found[FILE_CLAIM]
    assert "1 lines have no complete item" in found["balance: slot x rank x depth"]


def test_the_audit_is_a_claim_on_sets_that_are_large_enough(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deeparithmark, "AUDITED_ITEMS", 50)
    claims = {found.claim: found for found in verify_path(built / TEST)[0].results}
    assert "shortcut audit" in claims
    monkeypatch.setattr(deeparithmark, "AUDITED_ITEMS", 1000)
    assert "shortcut audit" not in {found.claim for found in verify_path(built / TEST)[0].results}


def test_the_published_file_is_told_from_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, built: Path) -> None:
    path = tmp_path / "deeparithmark-1.jsonl"
    path.write_bytes(b'{"ind": 0}\n')
    assert deeparithmark.PUBLISHED_SHA256 == "8a54eb90b66b142b7fea422b34d851746d1cabc476dcba906c7f3ad5ddc66ee0"
    assert "published is 8a54eb90" in str(verify_published(path).results[0].failures[0])
    assert "built by arithmark" in str(verify_published(built / TEST).results[0].failures[0])
    monkeypatch.setattr(deeparithmark, "PUBLISHED_SHA256", hashlib.sha256(path.read_bytes()).hexdigest())
    assert verify_published(path).holds
    path.write_bytes(b'{"ind": 0}\r\n')
    assert "CRLF" in str(verify_published(path).results[0].failures[0])
    with pytest.raises(InputError):
        verify_published(tmp_path / "none.jsonl")
