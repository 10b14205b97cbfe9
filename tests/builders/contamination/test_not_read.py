"""What a scan did not read is said, by kind: columns, files, folders, encodings, rows."""

import bz2
import gzip
import json
import lzma
import os
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from corpora import index_rows

from arithmark_tasks.builders.contamination import sources
from arithmark_tasks.builders.contamination.account import not_read, rate, remarks, warnings
from arithmark_tasks.builders.contamination.scan import scan
from arithmark_tasks.generators.errors import InputError


def keys(out: Path) -> set[str]:
    return {f"{row[0]}{row[1]}{row[2]}" for row in index_rows(out)}


def scan_file(tmp_path: Path, name: str, data: bytes, **options: Any) -> tuple[set[str], dict[str, Any]]:
    (tmp_path / name).write_bytes(data)
    account = scan([str(tmp_path / name)], tmp_path / "seen.parquet", **options)
    return keys(tmp_path / "seen.parquet"), account


CONTENTS = {
    "txt": "1+2\n12+34\n",
    "jsonl": '{"t": "12+34"}\n',
    "json": '[{"t": "12+34"}]',
    "csv": "t,n\n12+34,5\n",
    "tsv": "t\tn\n12+34\t5\n",
    "html": "<p>12+34</p>",
    "xml": "<a>\n<b>12+34</b>\n</a>\n",
    "md": "# 12+34\n",
    "tex": "$12+34$\n",
    "py": "x = 12+34\n",
    "ipynb": '{"cells": [{"source": ["12+34"]}], "metadata": {}}',
}
PACK = {"": bytes, ".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}
PACK[".zst"] = lambda data: pa.compress(data, codec="zstd", asbytes=True)


@pytest.mark.parametrize("kind", CONTENTS)
@pytest.mark.parametrize("packed", PACK)
def test_every_kind_of_text_file_is_read_whatever_packs_it(kind: str, packed: str, tmp_path: Path) -> None:
    found, account = scan_file(tmp_path, f"a.{kind}{packed}", PACK[packed](CONTENTS[kind].encode()))
    assert "12+34" in found
    assert account["sources"][0]["repaired"] == 0


@pytest.mark.parametrize("kind", [kind for kind in CONTENTS if kind not in ("xml", "html")])
@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig"])
def test_utf16_and_utf32_are_read_with_and_without_a_mark(kind: str, encoding: str, tmp_path: Path) -> None:
    found, _ = scan_file(tmp_path, f"a.{kind}", CONTENTS[kind].encode(encoding))
    assert "12+34" in found


@pytest.mark.parametrize("kind", ["txt", "csv", "jsonl", "json", "html"])
def test_latin_1_is_read_and_remarked(kind: str, tmp_path: Path) -> None:
    text = CONTENTS[kind].replace("12+34", "caf\u00e9 12 \u00d7 34, 48 \u00f7 4").replace(",", ";", kind == "csv")
    text = text.replace("34,", "34;") if kind == "csv" else text
    found, account = scan_file(tmp_path, f"a.{kind}", text.encode("latin-1"))
    assert {"12*34", "48/4"} <= found
    assert account["sources"][0]["repaired"] == 3
    assert "3 bytes were no UTF-8 and read as Windows-1252" in remarks(account)[0]


def test_valid_characters_beside_a_broken_byte_stay(tmp_path: Path) -> None:
    found, account = scan_file(tmp_path, "a.txt", "12 \u00d7 34 and \u2212".encode() + b"\xff 5 \xf7 1\n")
    assert found == {"12*34", "5/1"}
    assert account["sources"][0]["repaired"] == 2


def test_columns_that_are_no_text_are_named_with_their_types(tmp_path: Path) -> None:
    table = pa.table(
        {
            "text": ["12+34", "no"],
            "n": [1, 2],
            "tokens": [[1, 2], [3]],
            "raw": [b"56+78", b"caf\xe9 9 \xd7 8"],
            "image": [b"\xff\xd8\x00", b"\x00"],
            "map": pa.array([[("k", "1+5")], []], pa.map_(pa.string(), pa.string())),
            "score": [0.5, None],
            "meta": [{"n": 1, "s": "2+5"}, None],
        }
    )
    pq.write_table(table, tmp_path / "a.parquet")
    account = scan([str(tmp_path / "a.parquet")], tmp_path / "seen.parquet")
    assert keys(tmp_path / "seen.parquet") == {"12+34", "56+78", "8*9", "1+5", "2+5"}
    (source,) = account["sources"]
    assert source["unread"] == {"n": "Int64", "tokens[]": "Int64", "score": "Float64", "meta.n": "Int64"}
    assert (source["no_text"], source["repaired"]) == (2, 2)
    lines = " ".join(not_read(account))
    assert "n (Int64), tokens[] (Int64)" in lines and "2 binary values that are no text" in lines


def test_json_numbers_keys_and_several_lists(tmp_path: Path) -> None:
    value = {"train": [{"q": "1+2", "n": 5}], "test": [{"q": "3+4"}], "note": "5+6", "7+8": 15, "more": ["9+1"]}
    found, account = scan_file(tmp_path, "a.json", json.dumps(value, indent=2).encode())
    assert found == {"1+2", "3+4", "5+6", "7+8", "1+9"}
    assert account["sources"][0]["unread"] == {"n": "number", "7+8": "number"}
    assert account["totals"]["rows"] == 3


def test_json_values_one_after_the_other_are_rows(tmp_path: Path) -> None:
    _, account = scan_file(tmp_path, "a.json", b'{"m": [{"c": "1+2"}]}\n\n{"m": [{"c": "3+4"}]}{"m": []}')
    assert account["totals"]["rows"] == 3
    assert index_rows(tmp_path / "seen.parquet")[1][5] == 1


def test_a_csv_without_a_header_loses_no_row(tmp_path: Path) -> None:
    found, account = scan_file(tmp_path, "a.csv", b"What is 12+34?,46\nWhat is 5-3?,2\n")
    assert (found, account["totals"]["rows"]) == ({"12+34", "5-3"}, 2)
    found, account = scan_file(tmp_path, "b.csv", b"12,+,34\n5,-,3\n")
    assert (found, account["totals"]["rows"]) == ({"12+34", "5-3"}, 2)
    found, account = scan_file(tmp_path, "c.csv", b'a,a,"x\ny"\n1+2,3+4,"5+\n6"\n')
    assert (found, account["totals"]["rows"]) == ({"1+2", "3+4", "5+6"}, 1)
    found, account = scan_file(tmp_path, "d.csv", b"frage;antwort\n12+34;46\n")
    assert (found, account["sources"][0]["columns"]) == ({"12+34"}, ["frage", "antwort"])


@pytest.mark.parametrize("name", ["a.csv", "a.json", "a.jsonl", "a.txt", "a.html", "a.tsv"])
@pytest.mark.parametrize("data", [b"", b"\n", b"\xef\xbb\xbf", b"\xff\xfe"])
def test_an_empty_file_is_no_error(name: str, data: bytes, tmp_path: Path) -> None:
    _, account = scan_file(tmp_path, name, data)
    assert account["totals"]["distinct"] == 0
    assert warnings(account) == []


def test_rows_with_two_numbers_that_yielded_nothing_are_counted(tmp_path: Path) -> None:
    lines = ["12+34", "he was 12 in 1934", "1,234 apples", "3.5 litres", "no", "twelve", "5 of 1,000"]
    _, account = scan_file(tmp_path, "a.txt", "\n".join(lines).encode())
    assert (account["totals"]["two_numbers"], account["totals"]["with_key"]) == (3, 1)
    assert rate(account) == "1 of the 3 rows that hold two numbers yielded an expression (33.3 %)"
    assert warnings(account)[0].startswith("most rows with numbers yielded nothing")
    rows = "".join(json.dumps({"q": line, "id": 7}) + "\n" for line in lines)
    _, account = scan_file(tmp_path, "a.jsonl", rows.encode())
    assert (account["totals"]["two_numbers"], account["totals"]["with_key"]) == (3, 1)


def test_an_index_of_nothing_over_numbers_warns(tmp_path: Path) -> None:
    _, account = scan_file(tmp_path, "a.txt", b"he was 12 in 1934\n")
    assert "the index holds no expression although its sources hold numbers" in warnings(account)[0]
    _, account = scan_file(tmp_path, "a.txt", b"no numbers here\n")
    assert warnings(account) == []


def test_files_passed_over_are_counted_by_reason(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    (folder / ".git").mkdir(parents=True)
    for name in ("a.txt", "b.png", "c.PNG", "d", "_e.txt", ".git/f.txt", "README.md", "g.parquet.gz", "h.tar.gz"):
        (folder / name).write_bytes(b"1+2\n")
    (folder / "broken").symlink_to(folder / "nothing")
    (folder / "loop").symlink_to(folder)
    os.mkfifo(folder / "pipe")
    account = scan([str(folder)], tmp_path / "seen.parquet")
    assert [source["name"] for source in account["sources"]] == [f"{folder}/a.txt"]
    assert account["passed_over"]["reasons"] == {
        "extension .png": 2,
        "no extension": 1,
        "name begins with . or _": 2,
        "a folder's README": 1,
        "extension .parquet.gz": 1,
        "extension .tar.gz": 1,
        "a broken link": 1,
        "a link to a folder that is read already": 1,
        "not a regular file": 1,
    }
    assert f"{folder}/.git/" in {entry["name"] for entry in account["passed_over"]["files"]}
    assert "11 (extension .png: 2" in " ".join(not_read(account))


def test_a_link_to_another_folder_and_a_folder_that_a_pattern_names_are_read(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "a.txt").write_text("1+2\n", encoding="utf-8")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "near").symlink_to(tmp_path / "far")
    for argument in ("data", "dat*"):
        found = sources.find_sources([str(tmp_path / argument)])
        assert [Path(source.uri).name for source in found.sources] == ["a.txt"]


def test_a_folder_that_cannot_be_opened_is_an_error_unless_skipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "data" / "closed").mkdir(parents=True)
    (tmp_path / "data" / "a.txt").write_text("1+2\n", encoding="utf-8")
    opened = os.scandir

    def scandir(path: Any) -> Any:
        if str(path).endswith("closed"):
            raise PermissionError(13, "Permission denied", str(path))
        return opened(path)

    monkeypatch.setattr(sources.os, "scandir", scandir)
    with pytest.raises(InputError, match=r"1 of 2 sources .*/closed/ \(cannot be opened: Permission denied\)"):
        scan([str(tmp_path / "data")], tmp_path / "seen.parquet")
    account = scan([str(tmp_path / "data")], tmp_path / "seen.parquet", skip_bad=True)
    assert [entry["source"] for entry in account["skipped"]] == [f"{tmp_path}/data/closed/"]
    assert "closed/ (cannot be opened" in " ".join(not_read(account))


def test_a_file_name_that_is_no_utf8_is_read_and_written_legibly(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    for number, kind in enumerate((b"txt", b"jsonl", b"csv")):
        (folder / os.fsdecode(b"caf\xe9." + kind)).write_text(f'"1+{number}"\n', encoding="utf-8")
    pl.DataFrame({"t": ["1+3"]}).write_parquet(folder / "x")
    (folder / "x").rename(folder / os.fsdecode(b"caf\xe9.parquet"))
    account = scan([str(folder)], tmp_path / "seen.parquet")
    names = [Path(source["name"]).name for source in account["sources"]]
    assert names == [f"caf\\xe9.{kind}" for kind in ("csv", "jsonl", "parquet", "txt")]
    assert account["totals"]["distinct"] == 4


@pytest.mark.parametrize("name", ["a.txt", "a.csv", "a.json", "a.jsonl", "a.html"])
def test_contents_that_another_program_packs_are_named(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(gzip.compress(b"1+2\n"))
    with pytest.raises(InputError, match="holds gzip, which its name does not say"):
        scan([str(tmp_path / name)], tmp_path / "seen.parquet")


def test_columns_that_were_not_asked_for_are_named(tmp_path: Path) -> None:
    data = b'{"q": "1+2", "a": "3+4", "n": 5}\n'
    found, account = scan_file(tmp_path, "a.jsonl", data, columns=["q"])
    assert found == {"1+2"}
    assert account["sources"][0]["unread"] == {"a": "String, not asked for", "n": "Int64, not asked for"}


def test_files_of_the_same_bytes_count_once(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt", "c.jsonl", "empty.txt", "empty.csv"):
        (tmp_path / name).write_bytes(b"" if "empty" in name else b'"1+2"\n')
    account = scan([str(tmp_path)], tmp_path / "out" / "seen.parquet")
    assert [row[3] for row in index_rows(tmp_path / "out" / "seen.parquet")] == [1]
    names = {Path(entry["source"]).name: Path(entry["same_as"]).name for entry in account["repeated"]}
    assert names == {"b.txt": "a.txt", "c.jsonl": "a.txt"}
    assert account["totals"]["rows"] == 1
