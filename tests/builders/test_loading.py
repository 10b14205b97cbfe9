"""`load_dataset` behaves as the one of datasets does, and never serves rows of an older generator."""

import inspect
import shutil
import subprocess
import sys
from pathlib import Path

import datasets
import pytest
from samples import first_index, sample_item

from arithmark_tasks.builders import dataset_names, load_dataset
from arithmark_tasks.builders.base import source_digest
from arithmark_tasks.builders.deeparithmark import FEATURES, DeepArithmark
from arithmark_tasks.builders.loading import builder_class
from arithmark_tasks.generators.errors import InputError

REPOSITORY = Path(__file__).resolve().parents[2]


def test_the_signature_is_that_of_datasets() -> None:
    theirs = inspect.signature(datasets.load_dataset).parameters
    ours = inspect.signature(load_dataset).parameters
    assert list(ours) == list(theirs)
    assert [ours[name].default for name in ours] == [theirs[name].default for name in ours]


@pytest.mark.usefixtures("sample_generator")
def test_rows_come_back_as_the_generator_made_them(tmp_path: Path) -> None:
    loaded = load_dataset("deeparithmark", cache_dir=str(tmp_path))
    assert {name: split.num_rows for name, split in loaded.items()} == {"test": 1000, "fewshot": 40}
    assert list(loaded["test"])[7] == sample_item(7)
    assert list(loaded["fewshot"])[39] == sample_item(5039, "fewshot")


@pytest.mark.usefixtures("sample_generator")
def test_columns_are_declared_and_what_looks_like_a_number_stays_text(tmp_path: Path) -> None:
    row = load_dataset("deeparithmark", split="test", cache_dir=str(tmp_path), items=4)
    assert row.features == FEATURES
    assert row.features["metadata"]["option_values"] == datasets.List(datasets.Value("int64"))
    assert isinstance(row[0]["label"], str) and isinstance(row[0]["metadata"]["answer"], str)


@pytest.mark.usefixtures("sample_generator")
def test_streaming_and_slices_give_the_same_rows(tmp_path: Path) -> None:
    whole = load_dataset("deeparithmark", "default", split="test", cache_dir=str(tmp_path), items=8)
    streamed = load_dataset("deeparithmark", split="test", cache_dir=str(tmp_path), items=8, streaming=True)
    sliced = load_dataset("deeparithmark", split="test[2:4]", cache_dir=str(tmp_path), items=8)
    assert isinstance(streamed, datasets.IterableDataset)
    assert list(streamed) == list(whole)
    assert list(sliced) == list(whole)[2:4]


def test_the_cache_is_used_and_each_seed_and_size_has_its_own(
    sample_generator: list[tuple[int, int]], tmp_path: Path
) -> None:
    for _ in range(2):
        for seed, items in ((1, 4), (2, 4), (1, 8)):
            rows = load_dataset("deeparithmark", split="test", cache_dir=str(tmp_path), seed=seed, items=items)
            assert (rows[0]["ind"], rows.num_rows) == (first_index(seed), items)
    assert sample_generator == [(1, 4), (2, 4), (1, 8)]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"path": "deeparithmrk"}, "no dataset 'deeparithmrk'"),
        ({"path": "deeparithmark", "name": "hard"}, "no config 'hard', only .*default, "),
        ({"path": "deeparithmark", "split": "train"}, "no split 'train', only test, fewshot"),
        ({"path": "deeparithmark", "sed": 3}, "no option 'sed'"),
        ({"path": "deeparithmark", "seed": "3"}, "seed is an integer, not '3'"),
        ({"path": "deeparithmark", "data_files": "x.jsonl"}, "data_files='x.jsonl' has no meaning"),
        ({"path": "deeparithmark", "revision": "main"}, "revision='main' has no meaning"),
        ({"path": "deeparithmark", "streaming": True, "num_proc": 2}, "exclude each other"),
    ],
)
def test_a_wrong_argument_is_named_in_one_line(arguments: dict, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message) as caught:
        load_dataset(cache_dir=str(tmp_path), **arguments)
    assert "\n" not in str(caught.value)
    assert not list(tmp_path.rglob("*.arrow"))


def test_an_input_error_of_the_generator_is_not_buried(
    sample_generator: object, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from arithmark_tasks.generators import deeparithmark

    def refuse(*_: object) -> list:
        raise InputError("too few items for a balance")

    monkeypatch.setattr(deeparithmark, "build_split", refuse)
    with pytest.raises(InputError, match="too few items"):
        load_dataset("deeparithmark", cache_dir=str(tmp_path), items=1)


def test_every_name_leads_to_a_builder_that_watches_its_own_source() -> None:
    assert "deeparithmark" in dataset_names()
    for name in dataset_names():
        cls = builder_class(name)
        assert Path(cls.SOURCE).stem == name
        assert source_digest(cls.GENERATOR, Path(cls.SOURCE)) == cls.LOADED


STUB = """
def build_split(tier, split, seed=1, items=1000):
    return [{{"ind": 0, "ctx": {text!r}, "endings": [" 1."], "label": "0", "metadata": {{"depth": 2}}}}]
"""
SHOW = "from arithmark_tasks.builders import load_dataset as l; print(l('deeparithmark', split='test')[0]['ctx'])"


@pytest.mark.slow
def test_an_edited_generator_is_never_served_from_the_cache(tmp_path: Path) -> None:
    package = tmp_path / "code" / "arithmark_tasks"
    package.mkdir(parents=True)
    shutil.copy(REPOSITORY / "arithmark_tasks" / "__init__.py", package)
    for folder in ("builders", "generators"):
        shutil.copytree(REPOSITORY / folder, package / folder, ignore=shutil.ignore_patterns("__pycache__"))
    generator = package / "generators" / "deeparithmark" / "__init__.py"
    command = [sys.executable, "-B", "-c", SHOW]
    environment = {"PYTHONPATH": str(package.parent), "HF_HOME": str(tmp_path / "home"), "HOME": str(tmp_path)}

    def shown(text: str) -> str:
        generator.write_text(STUB.format(text=text), encoding="utf-8")
        result = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=tmp_path)
        assert result.returncode == 0, result.stderr
        return result.stdout.strip()

    # All three have one version and one size in bytes; going back to the first may use its rows.
    assert [shown(text) for text in ("first", "other", "first")] == ["first", "other", "first"]
    kept = {path.parent.name for path in (tmp_path / "home").rglob("deeparithmark-test.arrow")}
    assert len(kept) == 2


def test_the_digest_sees_shared_modules_and_builders_but_not_line_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, builder = tmp_path / "demo" / "families" / "family.py", tmp_path / "builder.txt"
    paths = (own, tmp_path / "streams.py", tmp_path / "choices" / "options.py", builder)
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"a = 1\nb = 2\n")
    monkeypatch.setattr("arithmark_tasks.builders.base._GENERATORS", tmp_path)
    seen = {source_digest("demo", builder)}
    for path in paths:
        path.write_bytes(b"a = 1\r\nb = 2\r\n")
        assert source_digest("demo", builder) in seen
        path.write_bytes(b"a = 1\nb = 3\n")
        seen.add(source_digest("demo", builder))
    assert len(seen) == 5


def test_rows_made_by_code_older_than_its_source_are_kept_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    current = source_digest("deeparithmark", Path(DeepArithmark.SOURCE))
    monkeypatch.setattr(DeepArithmark, "LOADED", "0" * 16)
    assert DeepArithmark.cache_hash() == f"{'0' * 16}-{current}"


def test_an_argument_that_the_generator_refuses_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="at least one item, not 0"):
        load_dataset("deeparithmark", split="test", cache_dir=str(tmp_path), items=0)
