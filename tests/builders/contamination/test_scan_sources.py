"""Scanning every kind of source gives the index that the reference scanner expects."""

import gzip
import hashlib
import json
from pathlib import Path

import polars as pl
import pytest
from corpora import expected_rows, index_rows, make_texts, write_corpus

from arithmark_tasks.builders.contamination import cutting as pieces
from arithmark_tasks.builders.contamination import readers, sources
from arithmark_tasks.builders.contamination.account import warnings
from arithmark_tasks.builders.contamination.index import read_account
from arithmark_tasks.builders.contamination.policy import SCANNER_VERSION
from arithmark_tasks.builders.contamination.scan import partial_folder, scan
from arithmark_tasks.generators.errors import InputError

KINDS = [
    *("parquet", "jsonl", "jsonl.gz", "jsonl.zst", "ndjson", "json", "json.gz", "csv", "csv.gz", "csv.zst", "tsv"),
    *("txt", "txt.gz", "txt.zst"),
]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_file_gives_the_expected_index(kind: str, tmp_path: Path) -> None:
    texts = make_texts(1, 120)
    source = write_corpus(tmp_path / f"corpus.{kind}", texts)
    account = scan([str(source)], tmp_path / "seen.parquet")
    assert index_rows(tmp_path / "seen.parquet") == expected_rows([(str(source), texts)])
    (entry,) = account["sources"]
    assert entry["rows"] == account["totals"]["rows"] == 120
    assert entry["columns"] == (["line"] if kind.startswith("txt") else ["id", "text"] if "sv" in kind else ["text"])
    assert entry["size"] == source.stat().st_size
    assert entry["sha256"] == hashlib.sha256(source.read_bytes()).hexdigest()


def test_the_footer_accounts_for_the_scan(tmp_path: Path) -> None:
    source = write_corpus(tmp_path / "a.jsonl", ["12+34 and 1+2+3", "3.5+2, 12 \u00d7 34"])
    scan([str(source)], tmp_path / "seen.parquet", columns=["text"])
    account = read_account(tmp_path / "seen.parquet")
    assert account["scanner"] == SCANNER_VERSION
    assert account["columns"] == ["text"]
    totals = account["totals"]
    assert (totals["rows"], totals["distinct"], totals["occurrences"]) == (2, 4, 4)
    assert {name: count for name, count in totals["surfaces"].items() if count} == {
        "plain": 2,
        "unicode": 1,
        "chained": 1,
    }
    assert {name: count for name, count in totals["left_out"].items() if count} == {"decimal": 1}
    assert set(totals["surfaces"]) == set(account["policy"]["surfaces"])
    assert set(totals["left_out"]) == set(account["policy"]["left_out"])


def test_folders_patterns_and_files_are_read_once_in_a_fixed_order(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    (folder / "deep").mkdir(parents=True)
    texts = {name: make_texts(number, 30) for number, name in enumerate(("b.jsonl", "a.parquet", "deep/c.csv"))}
    for name, rows in texts.items():
        write_corpus(folder / name, rows)
    (folder / "README.md").write_text("99+99\n", encoding="utf-8")
    (folder / ".hidden.txt").write_text("98+98\n", encoding="utf-8")
    (folder / "image.bin").write_bytes(b"97+97")
    found = sources.find_sources([str(folder), str(folder / "*.jsonl"), str(folder / "b.jsonl")])
    names = [str(folder / name) for name in ("a.parquet", "b.jsonl", "deep/c.csv")]
    assert [source.name for source in found.sources] == names
    assert {(entry.name, entry.reason) for entry in found.passed_over} == {
        (str(folder / "README.md"), "a folder's README"),
        (str(folder / ".hidden.txt"), "name begins with . or _"),
        (str(folder / "image.bin"), "extension .bin"),
    }
    scan([str(folder)], tmp_path / "seen.parquet", workers=3)
    corpus = [(name, texts[name.removeprefix(f"{folder}/")]) for name in names]
    assert index_rows(tmp_path / "seen.parquet") == expected_rows(corpus)


def test_what_a_scan_leaves_in_the_folder_it_reads_is_no_source(tmp_path: Path) -> None:
    write_corpus(tmp_path / "a.jsonl", ["1+2"])
    for folder in ("seen.parquet.parts", "seen.parquet.logs/stats"):
        (tmp_path / folder).mkdir(parents=True)
        write_corpus(tmp_path / folder / "x.json", ["3+4"])
    for _ in range(2):
        account = scan([str(tmp_path)], tmp_path / "seen.parquet")
        assert [entry["name"] for entry in account["sources"]] == [str(tmp_path / "a.jsonl")]


@pytest.mark.parametrize("argument", ["missing.jsonl", "nothing-*.parquet", "folder", "notes.docx"])
def test_a_source_that_is_not_there_is_an_error_in_one_line(argument: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "notes.docx").write_bytes(b"")
    with pytest.raises(InputError) as error:
        sources.find_sources([str(tmp_path / argument)])
    assert argument in str(error.value)
    assert "\n" not in str(error.value)


def nested_file(tmp_path: Path, kind: str) -> str:
    rows = [
        {
            "messages": [{"role": "1+1", "content": "2+2"}, {"role": "x", "content": "3+3"}],
            "meta": {"n": 4, "s": "4+4"},
        },
        {"messages": [], "meta": {"n": 5, "s": None}},
        {"messages": [{"role": "y", "content": "5+5"}], "meta": None},
    ]
    path = tmp_path / f"nested.{kind}"
    if kind == "parquet":
        pl.DataFrame(rows).write_parquet(path)
    elif kind == "json":
        path.write_text(json.dumps(rows), encoding="utf-8")
    else:
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("kind", ["parquet", "jsonl", "json"])
@pytest.mark.parametrize(
    ("columns", "keys", "read"),
    [
        ([], {1: 0, 2: 0, 3: 0, 4: 0, 5: 2}, {"messages[].role", "messages[].content", "meta.s"}),
        (["messages[].content"], {2: 0, 3: 0, 5: 2}, {"messages[].content"}),
        (["messages"], {1: 0, 2: 0, 3: 0, 5: 2}, {"messages[].role", "messages[].content"}),
        (["meta.s", "messages[].role"], {1: 0, 4: 0}, {"messages[].role", "meta.s"}),
    ],
)
def test_columns_are_chosen_by_path(
    kind: str, columns: list[str], keys: dict[int, int], read: set[str], tmp_path: Path
) -> None:
    account = scan([nested_file(tmp_path, kind)], tmp_path / "seen.parquet", columns=columns)
    assert {row[0]: row[5] for row in index_rows(tmp_path / "seen.parquet")} == keys
    assert set(account["sources"][0]["columns"]) == read


def test_a_column_that_no_source_has_is_an_error_that_lists_those_there_are(tmp_path: Path) -> None:
    source = nested_file(tmp_path, "jsonl")
    with pytest.raises(InputError, match=r"none of the columns question"):
        scan([source], tmp_path / "seen.parquet", columns=["question"])
    with pytest.raises(InputError, match=r"'question'.*messages\[\]\.content"):
        scan([source], tmp_path / "seen.parquet", columns=["question", "messages[].content"])
    assert not (tmp_path / "seen.parquet").exists()


def test_a_file_without_any_text_column_is_an_index_that_warns(tmp_path: Path) -> None:
    pl.DataFrame({"n": [1, 2]}).write_parquet(tmp_path / "numbers.parquet")
    account = scan([str(tmp_path / "numbers.parquet")], tmp_path / "seen.parquet")
    assert account["sources"][0]["unread"] == {"n": "Int64"}
    assert "says nothing about any question" in warnings(account)[0]


def test_json_lines_of_changing_types_are_read_value_by_value(tmp_path: Path) -> None:
    rows = [
        {"a": "1+1", "b": True},
        {"a": 5, "b": 1.5, "late": "2+2"},
        {"a": {"x": "3+3"}, "b": "4+4"},
        {"a": ["5+5", 6, ["7+7"]]},
        "8+8",
    ]
    (tmp_path / "mixed.jsonl").write_text("\n\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    account = scan([str(tmp_path / "mixed.jsonl")], tmp_path / "seen.parquet")
    assert {row[0]: row[5] for row in index_rows(tmp_path / "seen.parquet")} == {
        1: 0,
        2: 1,
        3: 2,
        4: 2,
        5: 3,
        7: 3,
        8: 4,
    }
    assert account["totals"]["rows"] == 5


def test_a_column_that_looks_like_dates_or_numbers_stays_text(tmp_path: Path) -> None:
    rows = [{"a": "2020-01-15", "b": "12"}, {"a": "12+34", "b": "5-3"}]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (tmp_path / "a.csv").write_text("a,b\n2020-01-15,12\n12+34,5-3\n", encoding="utf-8")
    account = scan([str(tmp_path / "a.jsonl"), str(tmp_path / "a.csv")], tmp_path / "seen.parquet")
    assert {row[:4] for row in index_rows(tmp_path / "seen.parquet")} == {(12, "+", 34, 2), (5, "-", 3, 2)}
    assert account["totals"]["left_out"]["date"] == 2


def test_categorical_null_and_empty_columns_are_read(tmp_path: Path) -> None:
    frame = pl.DataFrame({"c": ["1+2", None, ""], "n": [None, None, None], "e": [[], [], []]}).with_columns(
        pl.col("c").cast(pl.Categorical)
    )
    frame.write_parquet(tmp_path / "a.parquet")
    scan([str(tmp_path / "a.parquet")], tmp_path / "seen.parquet")
    assert [row[:3] for row in index_rows(tmp_path / "seen.parquet")] == [(1, "+", 2)]


def test_an_empty_file_has_no_rows_and_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_bytes(b"")
    (tmp_path / "empty.txt").write_bytes(b"")
    (tmp_path / "empty.csv").write_bytes(b"")
    pl.DataFrame({"t": []}, schema={"t": pl.String}).write_parquet(tmp_path / "empty.parquet")
    account = scan([str(tmp_path)], tmp_path / "out" / "seen.parquet")
    assert account["totals"]["rows"] == account["totals"]["distinct"] == 0
    assert index_rows(tmp_path / "out" / "seen.parquet") == []


@pytest.mark.parametrize("kind", ["parquet", "jsonl", "txt"])
def test_a_large_file_is_cut_into_pieces_without_a_trace(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = make_texts(3, 400)
    source = write_corpus(tmp_path / f"a.{kind}", texts)
    monkeypatch.setattr(pieces, "_PIECE_BYTES", 2000)
    monkeypatch.setattr(readers, "_JSON_BLOCK", 700)
    monkeypatch.setattr(readers, "_TEXT_BLOCK", 300)
    monkeypatch.setattr(readers, "_ROWS", 7)
    plan = list(pieces.cut_sources(sources.find_sources([str(source)]).sources))
    assert len(plan) > 3
    scan([str(source)], tmp_path / "seen.parquet", workers=2)
    assert index_rows(tmp_path / "seen.parquet") == expected_rows([(str(source), texts)])


def test_a_url_is_listed_and_read_like_a_hub_dataset(tmp_path: Path) -> None:
    """The path that hf:// takes, through fsspec's listing and Polars' own scanning, on local files of that layout."""
    folder = tmp_path / "datasets" / "ORG" / "NAME" / "data"
    folder.mkdir(parents=True)
    texts = [make_texts(seed, 50) for seed in (5, 6)]
    files = [write_corpus(folder / f"train-0000{part}-of-00002.parquet", rows) for part, rows in enumerate(texts)]
    lines = write_corpus(folder / "extra.jsonl.gz", make_texts(7, 20))
    root = f"file://{tmp_path}/datasets/ORG/NAME"
    account = scan([f"{root}/data/train-*.parquet"], tmp_path / "seen.parquet")
    names = [f"file://{path}" for path in files]
    assert index_rows(tmp_path / "seen.parquet") == expected_rows(zip(names, texts, strict=True))
    assert [entry["sha256"] for entry in account["sources"]] == [
        hashlib.sha256(path.read_bytes()).hexdigest() for path in files
    ]
    assert [source.name for source in sources.find_sources([root]).sources] == [f"file://{lines}", *names]
    scan([root], tmp_path / "all.parquet")
    corpus = [(f"file://{lines}", make_texts(7, 20)), *zip(names, texts, strict=True)]
    assert index_rows(tmp_path / "all.parquet") == expected_rows(corpus)
    with pytest.raises(InputError, match="no such file"):
        sources.find_sources([f"{root}/data/test-*.parquet"])


def test_a_hub_file_brings_its_own_hash() -> None:
    details = {
        "name": "datasets/ORG/NAME/data/a.parquet",
        "size": 10,
        "type": "file",
        "blob_id": "b1",
        "lfs": {"sha256": "5" * 64},
    }
    source = sources._remote_entry("hf", details)
    assert isinstance(source, sources.Source)
    assert source.uri == "hf://datasets/ORG/NAME/data/a.parquet"
    assert sources.hash_source(source) == "5" * 64
    assert not source.is_local


def test_wrapped_lines_and_windows_line_ends_of_text_files(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"one 12 +\r\n34 two\r\n\r\n5 *\r\n\r\n6\r\n7-8")
    scan([str(tmp_path / "a.txt")], tmp_path / "seen.parquet")
    assert [row[:3] + row[5:6] for row in index_rows(tmp_path / "seen.parquet")] == [(12, "+", 34, 0), (7, "-", 8, 6)]


def test_nothing_is_left_beside_the_index(tmp_path: Path) -> None:
    source = write_corpus(tmp_path / "a.jsonl", ["1+2"])
    scan([str(source)], tmp_path / "out" / "seen.parquet")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["seen.parquet"]
    assert not partial_folder(tmp_path / "out" / "seen.parquet").exists()


def test_gzip_files_of_several_members_are_read_to_the_end(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(b'{"t": "1+2"}\n') + gzip.compress(b'{"t": "3+4"}\n'))
    assert scan([str(tmp_path / "a.jsonl.gz")], tmp_path / "seen.parquet")["totals"]["rows"] == 2


def test_a_hub_that_cannot_be_reached_is_an_error_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    class Unreachable(Exception):
        pass

    class Files:
        def glob(self, *arguments: object, **options: object) -> None:
            raise Unreachable("no route\nto host")

    monkeypatch.setattr("fsspec.filesystem", lambda scheme: Files())
    with pytest.raises(InputError) as error:
        sources.find_sources(["hf://datasets/ORG/NAME/*.parquet"])
    assert str(error.value) == "hf://datasets/ORG/NAME/*.parquet: cannot be listed: no route"


@pytest.mark.network
def test_a_real_hub_dataset_is_scanned(tmp_path: Path) -> None:
    url = "hf://datasets/openai/gsm8k/main/test-*.parquet"
    account = scan([url], tmp_path / "seen.parquet", columns=["answer"])
    assert account["totals"]["rows"] == 1319
    assert len(account["sources"][0]["sha256"]) == 64
    assert account["totals"]["distinct"] > 1000
