"""Publishing over real HTTP to a Hub on loopback: what arrives, and what stays of what was there."""

import json
from pathlib import Path

import datasets
import pytest
from datasets import Features
from hub_client import OTHER
from hub_parts import User
from hub_server import HubServer
from publishing import COLUMNS, REPO, demo, rows, send, state


def test_what_is_published_loads_as_it_was_built(hub: HubServer, demo_folder: Path, tmp_path: Path) -> None:
    outcome = send(demo_folder)
    repo = hub.dataset(REPO)
    assert outcome.new_repository and outcome.commit == repo.branches["main"] and not repo.private
    assert repo.messages == ["initial commit", "demo, data version 1 (arithmark 0.1.0)"]
    loaded = datasets.load_dataset(REPO, cache_dir=str(tmp_path / "cache"))
    assert {name: list(split) for name, split in loaded.items()} == {"test": rows(), "fewshot": rows(45)}
    assert loaded["test"].features == Features(COLUMNS)
    sent = {
        path.relative_to(demo_folder).as_posix(): path.read_bytes() for path in demo_folder.rglob("*") if path.is_file()
    }
    published = repo.files()
    assert published.keys() == sent.keys()
    assert {name for name in sent if published[name] != sent[name]} == {".gitattributes"}
    assert {path for path, blob in repo.commits[outcome.commit].items() if blob.lfs} == {
        "data/default-test.parquet",
        "data/default-fewshot.parquet",
    }
    assert not hub.unknown


def test_line_ends_are_converted_nowhere_and_the_hubs_lfs_lines_stay(hub: HubServer, demo_folder: Path) -> None:
    hub.add_repo("dataset", REPO)
    before = hub.dataset(REPO).files()[".gitattributes"].decode()
    send(demo_folder)
    assert hub.dataset(REPO).files()[".gitattributes"].decode() == before + "* -text\n"


def test_a_folder_from_before_folders_had_gitattributes_is_published_too(hub: HubServer, demo_folder: Path) -> None:
    (demo_folder / ".gitattributes").unlink()
    send(demo_folder)
    assert "-text" in hub.dataset(REPO).files()[".gitattributes"].decode()
    assert send(demo_folder).plan.empty


def test_publishing_again_pushes_nothing(hub: HubServer, demo_folder: Path) -> None:
    send(demo_folder)
    before = state(hub)
    hub.log.clear()
    outcome = send(demo_folder)
    assert outcome.commit is None and outcome.plan.empty and not outcome.new_repository
    assert hub.writes() == [] and state(hub) == before


def test_a_dropped_column_and_a_dropped_split_leave_nothing_behind(
    hub: HubServer, demo_folder: Path, tmp_path: Path
) -> None:
    send(demo_folder)
    hub.edit(hub.dataset(REPO), "notes/mine.txt", "not arithmark's")
    smaller = demo(tmp_path / "next", ("default", "test", rows(without="flag")), version=2)
    outcome = send(smaller)
    published = hub.dataset(REPO).files()
    assert sorted(published) == [
        ".gitattributes",
        "README.md",
        "data/default-test.jsonl",
        "data/default-test.parquet",
        "manifest.json",
        "notes/mine.txt",
    ]
    assert outcome.plan.deleted == ["data/default-fewshot.jsonl", "data/default-fewshot.parquet"]
    loaded = datasets.load_dataset(REPO, revision=outcome.commit, cache_dir=str(tmp_path / "cache"))
    assert list(loaded) == ["test"] and list(loaded["test"]) == rows(without="flag")
    assert list(loaded["test"].features) == ["number", "text"]


def test_a_changed_card_alone_is_one_commit_to_card_and_manifest(
    hub: HubServer, demo_folder: Path, tmp_path: Path
) -> None:
    send(demo_folder)
    outcome = send(demo(tmp_path / "later", certificate="another"))
    assert sorted(outcome.plan.added) == ["manifest.json"]
    assert json.loads(hub.dataset(REPO).files()["manifest.json"])["certificate"] == "another"


def test_what_a_person_wrote_on_the_hub_stays(hub: HubServer, demo_folder: Path, tmp_path: Path) -> None:
    send(demo_folder)
    repo = hub.dataset(REPO)
    card = repo.files()["README.md"].decode()
    card = card.replace("---\n<!-- arithmark:begin title -->", "---\nA word first.\n\n<!-- arithmark:begin title -->")
    card = card.replace("<!-- arithmark:begin licence -->", "## Ask us\n\nBy post.\n\n<!-- arithmark:begin licence -->")
    card = card.replace("Read it.", "Read it twice.").replace("license: apache-2.0", "license: mit")
    card = card.replace(
        "---\nlanguage", "---\n# to be discussed\nannotations_creators:\n- expert-generated\nlanguage", 1
    )
    hub.edit(repo, "README.md", card + "\nThe end, by a person.\n")
    outcome = send(demo(tmp_path / "next", ("default", "test", rows(without="flag")), version=2))
    merged = repo.files()["README.md"].decode()
    for kept in ("A word first.", "## Ask us\n\nBy post.", "The end, by a person.", "# to be discussed"):
        assert merged.count(kept) == 1
    assert merged.index("A word first.") < merged.index("# Demo") < merged.index("## Use") < merged.index("## Ask us")
    assert merged.index("## Ask us") < merged.index("## Licence") < merged.index("The end")
    assert "Version 2." in merged and "Version 1." not in merged
    assert "Read it.\n" in merged and "twice" not in merged
    assert "annotations_creators:\n- expert-generated\n" in merged
    assert "license: apache-2.0" in merged and "license: mit" not in merged
    assert "+Version 2." in outcome.plan.card_diff and "-Read it twice." in outcome.plan.card_diff
    hub.log.clear()
    assert send(tmp_path / "next").plan.empty and hub.writes() == []


def test_a_readme_without_our_sections_gets_them_and_keeps_its_text(hub: HubServer, demo_folder: Path) -> None:
    repo = hub.add_repo("dataset", REPO)
    hub.edit(repo, "README.md", "---\nlicense: mit\ntrain-eval-index: []\n---\n# A plan\n\nTo come.\n")
    send(demo_folder)
    merged = repo.files()["README.md"].decode()
    assert merged.endswith("# A plan\n\nTo come.\n") and merged.index("# Demo") < merged.index("# A plan")
    assert "train-eval-index: []\n" in merged and "license: apache-2.0" in merged


def test_features_that_somebody_noted_on_the_hub_never_go_stale(
    hub: HubServer, demo_folder: Path, tmp_path: Path
) -> None:
    stale = "dataset_info:\n  features:\n  - name: gone\n    dtype: string\n  splits:\n  - name: test\n"
    stale += "    num_examples: 7\n"
    send(demo_folder)
    repo = hub.dataset(REPO)
    hub.edit(repo, "README.md", repo.files()["README.md"].decode().replace("---\n", f"---\n{stale}", 1))
    hub.edit(repo, "dataset_infos.json", json.dumps({"default": {"features": {}}}))
    with pytest.raises(datasets.exceptions.DatasetGenerationError):
        datasets.load_dataset(REPO, split="test", cache_dir=str(tmp_path / "stale"))
    send(demo(tmp_path / "next", ("default", "test", rows(without="flag")), version=2))
    assert "dataset_infos.json" not in repo.files() and "dataset_info" not in repo.files()["README.md"].decode()
    loaded = datasets.load_dataset(REPO, split="test", cache_dir=str(tmp_path / "fresh"))
    assert list(loaded.features) == ["number", "text"] and len(loaded) == 50


def test_a_dry_run_tells_all_and_writes_nothing(hub: HubServer, demo_folder: Path, tmp_path: Path) -> None:
    outcome = send(demo_folder, dry_run=True, private=True)
    assert outcome.new_repository and outcome.commit is None and hub.repos == {}
    sizes = {
        path.relative_to(demo_folder).as_posix(): path.stat().st_size
        for path in demo_folder.rglob("*")
        if path.is_file()
    }
    assert {change.path: change.size for change in outcome.plan.changes} == sizes
    assert {change.state for change in outcome.plan.changes} == {"new"}
    assert "+# Demo" in outcome.plan.card_diff.splitlines()
    send(demo_folder)
    before = state(hub)
    outcome = send(demo(tmp_path / "next", ("default", "test", rows(without="flag")), version=2), dry_run=True)
    assert {change.path: change.state for change in outcome.plan.changes} == {
        ".gitattributes": "same",
        "README.md": "changed",
        "data/default-test.jsonl": "changed",
        "data/default-test.parquet": "changed",
        "manifest.json": "changed",
        "data/default-fewshot.jsonl": "deleted",
        "data/default-fewshot.parquet": "deleted",
    }
    changed = [line for line in outcome.plan.card_diff.splitlines() if line[:1] in "+-"]
    assert "-Version 1." in changed and "+Version 2." in changed
    assert state(hub) == before


def test_a_dry_run_sends_nothing_but_reading_requests(hub: HubServer, demo_folder: Path, tmp_path: Path) -> None:
    send(demo_folder, dry_run=True)
    send(demo_folder)
    hub.log.clear()
    send(demo(tmp_path / "next", version=2), dry_run=True)
    assert hub.log and {asked.method for asked in hub.log} <= {"GET", "HEAD"}


def test_a_dry_run_needs_no_token_for_what_is_public(
    hub: HubServer, demo_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    send(demo_folder)
    monkeypatch.delenv("HF_TOKEN")
    assert send(demo_folder, dry_run=True).plan.empty


def test_a_branch_starts_at_main_and_main_stays(hub: HubServer, demo_folder: Path, tmp_path: Path) -> None:
    send(demo_folder)
    before = hub.dataset(REPO).branches["main"]
    later = demo(tmp_path / "later", ("default", "test", rows(without="flag")), version=2)
    outcome = send(later, revision="trial")
    assert hub.dataset(REPO).branches == {"main": before, "trial": outcome.commit}
    loaded = datasets.load_dataset(REPO, split="test", revision="trial", cache_dir=str(tmp_path / "cache"))
    assert list(loaded) == rows(without="flag")
    assert send(later, revision="trial").plan.empty
    assert len(datasets.load_dataset(REPO, cache_dir=str(tmp_path / "cache"))) == 2


def test_a_branch_that_would_equal_main_is_not_made(hub: HubServer, demo_folder: Path) -> None:
    send(demo_folder)
    hub.log.clear()
    outcome = send(demo_folder, revision="trial")
    assert outcome.new_branch and outcome.plan.empty and hub.writes() == []


def test_a_new_repository_with_a_branch_has_the_data_on_the_branch_only(hub: HubServer, demo_folder: Path) -> None:
    outcome = send(demo_folder, revision="trial")
    repo = hub.dataset(REPO)
    assert repo.branches["trial"] == outcome.commit
    assert sorted(repo.files("main")) == [".gitattributes"] and "manifest.json" in repo.files("trial")


def test_a_private_repository_is_private_from_the_start_and_loads_with_the_token(
    hub: HubServer, demo_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    send(demo_folder, private=True)
    assert hub.dataset(REPO).private
    assert send(demo_folder, private=True).plan.empty
    assert len(datasets.load_dataset(REPO, split="test", token=OTHER, cache_dir=str(tmp_path / "a"))) == 50
    monkeypatch.setenv("HF_TOKEN", "hf_stranger")
    hub.users["hf_stranger"] = User("eve")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "of another person"))
    with pytest.raises(datasets.exceptions.DatasetNotFoundError):
        datasets.load_dataset(REPO, split="test", cache_dir=str(tmp_path / "b"))
