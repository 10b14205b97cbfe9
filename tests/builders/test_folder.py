"""A built folder appears complete or not at all, keeps values as they are, and never eats other people's files."""

import hashlib
import json
from pathlib import Path
from typing import Any

import datasets
import pytest
from datasets import Features, Value

from arithmark_tasks.builders.folder import Split, read_manifest, write_folder
from arithmark_tasks.generators.errors import InputError

FEATURES = Features({"number": Value("int64"), "text": Value("string"), "flag": Value("bool")})
# Values that a reader which guesses types would turn into integers, floats, dates or null.
TRICKY = ["007", "1e5", "2020-01-15", "-0", "12:30", "1,234", "true", "", "null", "NaN", " 2:45 p.m.", "é × 3"]


def split(name: str = "test", texts: list[str] = TRICKY, config: str = "default") -> Split:
    rows = [{"number": index, "text": text, "flag": None if index else True} for index, text in enumerate(texts)]
    return Split(config, name, f"demo-{name}", FEATURES, rows)


def card(manifest: dict[str, Any]) -> str:
    files = [{"split": entry["split"], "path": entry["parquet"]} for entry in manifest["splits"]]
    return f"---\nconfigs:\n- config_name: default\n  data_files: {json.dumps(files)}\n---\n# Demo\n"


def write(out: Path, *splits: Split, **facts: Any) -> dict[str, Any]:
    return write_folder(out, "demo", splits or (split(),), {"seed": 1, **facts}, card)


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


def test_datasets_reads_the_folder_with_every_value_unchanged(tmp_path: Path) -> None:
    write(tmp_path / "out", split(), split("fewshot", ["1", "2"]))
    for arguments in ((), ("default",)):
        loaded = datasets.load_dataset(str(tmp_path / "out"), *arguments, split="test", cache_dir=str(tmp_path / "c"))
        assert loaded.features == FEATURES
        assert list(loaded) == split().rows
    fewshot = datasets.load_dataset(str(tmp_path / "out"), "default", split="fewshot", cache_dir=str(tmp_path / "c"))
    assert fewshot["text"][:] == ["1", "2"]


def test_the_jsonl_holds_the_rows_and_its_hash_is_in_the_manifest(tmp_path: Path) -> None:
    manifest = write(tmp_path / "out")
    content = (tmp_path / "out" / "data" / "demo-test.jsonl").read_bytes()
    assert [json.loads(line) for line in content.decode().splitlines()] == split().rows
    entry = manifest["splits"][0]
    assert entry["sha256"] == hashlib.sha256(content).hexdigest()
    assert (entry["items"], entry["columns"]) == (len(TRICKY), ["number", "text", "flag"])
    assert read_manifest(tmp_path / "out") == manifest


def test_text_files_have_unix_line_ends_on_every_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.linesep", "\r\n")
    write(tmp_path / "out")
    for name, content in contents(tmp_path / "out").items():
        if not name.endswith(".parquet"):
            assert b"\r" not in content and content.endswith(b"\n"), name


def test_the_same_build_gives_the_same_bytes(tmp_path: Path) -> None:
    write(tmp_path / "one")
    write(tmp_path / "two")
    write(tmp_path / "two")
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_a_row_that_its_columns_cannot_hold_stops_the_build(tmp_path: Path) -> None:
    extra = Split("default", "test", "demo", FEATURES, [{"number": 1, "text": "1", "flag": True, "more": 2}])
    missing = Split("default", "test", "demo", FEATURES, [{"number": 1, "text": "1"}])
    for bad in (extra, missing):
        with pytest.raises(ValueError, match="default/test, row 0"):
            write(tmp_path / "out", bad)
    assert list(tmp_path.iterdir()) == []


def test_an_earlier_build_is_replaced_and_its_other_files_go(tmp_path: Path) -> None:
    write(tmp_path / "out", split(), split("fewshot"))
    write(tmp_path / "out", split(texts=["9"]))
    assert sorted(contents(tmp_path / "out")) == [
        ".gitattributes",
        "README.md",
        "data/demo-test.jsonl",
        "data/demo-test.parquet",
        "manifest.json",
    ]
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_an_empty_folder_and_missing_parents_are_fine(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    write(tmp_path / "empty")
    write(tmp_path / "a" / "b" / "out")
    assert contents(tmp_path / "empty") == contents(tmp_path / "a" / "b" / "out")


def foreign_folder(out: Path) -> None:
    out.mkdir()
    (out / "thesis.txt").write_text("three years of work")


def foreign_manifest(out: Path) -> None:
    out.mkdir()
    (out / "manifest.json").write_text('{"format": "chrome-extension"}')


def a_file(out: Path) -> None:
    out.write_text("not a folder")


def our_build_with_a_note(out: Path) -> None:
    write(out)
    (out / "data" / "notes.txt").write_text("mine")


def our_build_under_version_control(out: Path) -> None:
    write(out)
    (out / ".git").mkdir()
    (out / ".git" / "HEAD").write_text("ref: refs/heads/main")


def another_dataset(out: Path) -> None:
    write_folder(out, "other", (split(),), {}, card)


@pytest.mark.parametrize(
    ("prepare", "message"),
    [
        (foreign_folder, "not empty and not an earlier build"),
        (foreign_manifest, "not empty and not an earlier build"),
        (a_file, "exists and is not a folder"),
        (our_build_with_a_note, "would be lost, such as data/notes.txt"),
        (our_build_under_version_control, "would be lost, such as .git/HEAD"),
        (another_dataset, "holds a build of other, not of demo"),
    ],
)
def test_a_folder_that_holds_anything_else_is_refused_and_left_alone(
    prepare: Any, message: str, tmp_path: Path
) -> None:
    prepare(tmp_path / "out")
    before = contents(tmp_path)
    with pytest.raises(InputError, match=message) as caught:
        write(tmp_path / "out")
    assert "\n" not in str(caught.value)
    assert contents(tmp_path) == before


@pytest.mark.parametrize("error", [RuntimeError("card"), KeyboardInterrupt()])
def test_a_build_that_fails_leaves_the_old_folder_and_nothing_else(error: BaseException, tmp_path: Path) -> None:
    write(tmp_path / "out")
    before = contents(tmp_path)

    def broken(manifest: dict[str, Any]) -> str:
        raise error

    with pytest.raises(type(error)):
        write_folder(tmp_path / "out", "demo", (split(texts=["9"]),), {}, broken)
    assert contents(tmp_path) == before
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_the_old_folder_comes_back_when_the_new_one_cannot_take_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "out")
    before = contents(tmp_path)
    rename = Path.rename

    def refuse(self: Path, target: Path) -> Path:
        if "partial" in self.name:
            raise PermissionError(13, "in use")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(PermissionError):
        write(tmp_path / "out", split(texts=["9"]))
    assert contents(tmp_path) == before


@pytest.mark.parametrize("content", [None, "", "{", "[]", '{"format": "other"}'])
def test_a_folder_without_our_manifest_is_named(content: str | None, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / "manifest.json").write_text(content)
    with pytest.raises(InputError, match="manifest"):
        read_manifest(tmp_path)
