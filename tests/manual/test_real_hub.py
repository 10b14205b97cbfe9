"""The publishing tests' main cases on the real Hub. Needs a token and ARITHMARK_TEST_NAMESPACE; see the README here."""

import os
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import datasets
import pytest
from huggingface_hub import HfApi
from publishing import demo, rows

from arithmark_tasks.builders import calcgpt
from arithmark_tasks.builders.publishing import Hub, Outcome, publish
from arithmark_tasks.builders.publishing.dataset import DatasetFolder, built_folder
from arithmark_tasks.calcgpt.publication import model_run
from arithmark_tasks.calcgpt.settings import RunSettings
from arithmark_tasks.calcgpt.trainer import train
from arithmark_tasks.generators.calcgpt.dataset import Recipe
from arithmark_tasks.generators.errors import InputError

pytestmark = pytest.mark.network


def fresh(kind: str) -> Iterator[str]:
    """A name for a repository, which is deleted afterwards if it was made."""
    namespace = os.environ.get("ARITHMARK_TEST_NAMESPACE")
    if not namespace:
        pytest.fail("set ARITHMARK_TEST_NAMESPACE to a user or organisation that the token may write to")
    name = f"{namespace}/arithmark-check-{uuid4().hex[:12]}"
    try:
        yield name
    finally:
        HfApi().delete_repo(name, repo_type=kind, missing_ok=True)


@pytest.fixture
def repo() -> Iterator[str]:
    yield from fresh("dataset")


@pytest.fixture
def model_repo() -> Iterator[str]:
    yield from fresh("model")


def send(folder: Path, repo: str, **options: object) -> Outcome:
    hub = Hub(repo, "dataset")
    hub.check_token()
    return publish(DatasetFolder(folder), hub, private=True, **options)  # type: ignore[arg-type]


def test_a_dataset_goes_through_its_life(repo: str, tmp_path: Path) -> None:
    first, api = demo(tmp_path / "first"), HfApi()
    assert send(first, repo, dry_run=True).commit is None
    assert not api.repo_exists(repo, repo_type="dataset")
    commit = send(first, repo).commit
    loaded = datasets.load_dataset(repo, split="test", revision=commit, cache_dir=str(tmp_path / "cache"))
    assert list(loaded) == rows()
    assert send(first, repo).plan.empty

    card = Path(api.hf_hub_download(repo, "README.md", repo_type="dataset", local_dir=tmp_path / "card"))
    edited = card.read_text(encoding="utf-8").replace("---\n", "---\ntrain-eval-index: []\n", 1) + "\nBy a person.\n"
    api.upload_file(path_or_fileobj=edited.encode(), path_in_repo="README.md", repo_id=repo, repo_type="dataset")
    next_one = demo(tmp_path / "next", ("default", "test", rows(without="flag")), version=2)
    commit = send(next_one, repo).commit
    files = set(api.list_repo_files(repo, repo_type="dataset", revision=commit))
    assert "data/default-fewshot.parquet" not in files and "data/default-test.parquet" in files
    merged = Path(api.hf_hub_download(repo, "README.md", repo_type="dataset", local_dir=tmp_path / "merged"))
    text = merged.read_text(encoding="utf-8")
    assert text.endswith("By a person.\n") and "train-eval-index: []\n" in text and "Version 2." in text

    other = demo(tmp_path / "other", ("default", "test", rows(3)), version=2)
    with pytest.raises(InputError, match="has other rows"):
        send(other, repo)
    trial = send(demo(tmp_path / "trial", ("default", "test", rows(3)), version=3), repo, revision="trial")
    assert {branch.name for branch in api.list_repo_refs(repo, repo_type="dataset").branches} == {"main", "trial"}
    assert trial.commit and api.dataset_info(repo).sha == commit


def test_the_second_of_two_publishers_is_told(repo: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    send(demo(tmp_path / "start"), repo)
    commit = Hub.commit

    def overtaken(self: Hub, *arguments: object) -> str:
        HfApi().upload_file(path_or_fileobj=b"first", path_in_repo="note.txt", repo_id=repo, repo_type="dataset")
        return commit(self, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(Hub, "commit", overtaken)
    with pytest.raises(InputError, match="somebody else has published there meanwhile"):
        send(demo(tmp_path / "next", version=2), repo)


def test_a_refused_token_and_a_foreign_namespace_are_one_line(repo: str, tmp_path: Path) -> None:
    refused = "hf_" + "x" * 34
    with pytest.raises(InputError, match="does not accept the token") as caught:
        Hub(repo, "dataset", token=refused).check_token()
    assert refused not in str(caught.value) and "\n" not in str(caught.value)
    folder = DatasetFolder(demo(tmp_path / "demo"))
    with pytest.raises(InputError, match="403") as caught:
        publish(folder, Hub("huggingface/arithmark-check", "dataset"), private=True)
    assert "\n" not in str(caught.value)


def test_a_built_dataset_with_its_card_is_accepted(repo: str, tmp_path: Path) -> None:
    calcgpt.build_folder(tmp_path / "calc", recipe=Recipe(width=1, tasks=80, per_bucket=20))
    publication = built_folder("calcgpt", tmp_path / "calc", tmp_path)
    assert publish(publication, Hub(repo, "dataset"), private=True).commit


def test_a_model_is_published_and_loaded_back(model_repo: str, tmp_path: Path) -> None:
    train(RunSettings(width=1, tasks=80, per_bucket=20, examples=640, threads=1), tmp_path / "run")
    publication = model_run(tmp_path / "run", model_repo, tmp_path)
    assert publish(publication, Hub(model_repo, "model"), private=True).commit
    assert publish(publication, Hub(model_repo, "model"), private=True).plan.empty
