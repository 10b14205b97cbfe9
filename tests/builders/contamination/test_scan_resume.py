"""A scan that is killed, stopped or meets broken files."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest
from corpora import expected_rows, index_rows, make_texts, write_corpus

from arithmark_tasks.builders.contamination import plan as plan_module
from arithmark_tasks.builders.contamination.index import read_account
from arithmark_tasks.builders.contamination.scan import Reporter, partial_folder, scan
from arithmark_tasks.generators.errors import InputError

SLOW_SCAN = """
import sys, time
from pathlib import Path
from arithmark_tasks.builders.contamination import scan
class Slow(scan.Reporter):
    def on_block(self, rows, size):
        if rows:
            time.sleep(0.15)
scan.scan(sys.argv[2:], Path(sys.argv[1]), workers=2, reporter=Slow())
"""


class Counting(Reporter):
    def __init__(self) -> None:
        self.rows, self.waiting, self.pieces = 0, 0, 0

    def on_plan(self, plan, waiting) -> None:
        self.waiting, self.pieces = len(waiting), len(list(plan.units()))

    def on_block(self, rows: int, size: int) -> None:
        self.rows += rows


def write_shards(folder: Path, count: int) -> list[str]:
    folder.mkdir()
    return [str(write_corpus(folder / f"{n:02d}.jsonl", make_texts(n, 50))) for n in range(count)]


def test_a_killed_scan_goes_on_and_ends_in_the_same_file(tmp_path: Path) -> None:
    shards = write_shards(tmp_path / "data", 24)
    scan(shards, tmp_path / "whole.parquet")
    out = tmp_path / "seen.parquet"
    process = subprocess.Popen([sys.executable, "-c", SLOW_SCAN, str(out), *shards])
    while len(list(partial_folder(out).glob("*.json"))) < 3:
        assert process.poll() is None, "the scan ended before it could be killed"
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    assert not out.exists()
    kept = len(list(partial_folder(out).glob("*.json")))
    assert 3 <= kept < 24
    again = Counting()
    scan(shards, out, workers=2, reporter=again)
    assert again.rows == 50 * (24 - kept)
    assert out.read_bytes() == (tmp_path / "whole.parquet").read_bytes()
    assert not partial_folder(out).exists()


def test_an_error_in_the_caller_stops_the_workers_and_keeps_what_is_done(tmp_path: Path) -> None:
    shards = write_shards(tmp_path / "data", 12)

    class Stops(Counting):
        def on_block(self, rows: int, size: int) -> None:
            super().on_block(rows, size)
            if self.rows >= 200:
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        scan(shards, tmp_path / "seen.parquet", reporter=Stops())
    assert not (tmp_path / "seen.parquet").exists()
    again = Counting()
    scan(shards, tmp_path / "seen.parquet", reporter=again)
    assert 0 < again.rows < 600
    corpus = [(name, make_texts(number, 50)) for number, name in enumerate(shards)]
    assert index_rows(tmp_path / "seen.parquet") == expected_rows(corpus)


def test_results_of_other_columns_or_of_a_changed_file_are_not_taken_over(tmp_path: Path) -> None:
    shards = write_shards(tmp_path / "data", 3)
    broken = tmp_path / "data" / "zz.jsonl"
    broken.write_text("{", encoding="utf-8")
    arguments = [*shards, str(broken)]
    out = tmp_path / "seen.parquet"
    for columns in ([], ["text"]):
        first = Counting()
        with pytest.raises(InputError):
            scan(arguments, out, columns=columns, reporter=first)
        assert first.rows == 150
    write_corpus(Path(shards[0]), ["1+1"])
    again = Counting()
    with pytest.raises(InputError):
        scan(arguments, out, columns=["text"], reporter=again)
    assert again.rows == 1


def broken_files(folder: Path) -> dict[str, str]:
    """Broken files by name, with a word that the message about each must hold."""
    whole = write_corpus(folder / "whole.parquet", make_texts(1, 500)).read_bytes()
    packed = write_corpus(folder / "whole.jsonl.gz", make_texts(1, 500)).read_bytes()
    (folder / "whole.parquet").unlink()
    (folder / "whole.jsonl.gz").unlink()
    contents = {
        "cut.parquet": (whole[:-100], "parquet"),
        "cut.jsonl.gz": (packed[:-30], "[Tt]runcated"),
        "no.jsonl.zst": (b"not zstandard", "zstd|ZSTD|frame"),
        "bad.jsonl": (b'{"t": "1+2"}\n{"t": "3+4"}\n{"t": \n', "line 3"),
        "bad.json": (b"[1,", "JSON"),
        "ragged.csv": (b"a,b\n1,2\n1,2,3,4\n", "fields"),
    }
    for name, (data, _) in contents.items():
        (folder / name).write_bytes(data)
    return {name: word for name, (_, word) in contents.items()}


def test_broken_files_are_all_named_at_the_end_and_the_rest_is_kept(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    shards = write_shards(folder, 3)
    broken = broken_files(folder)
    with pytest.raises(InputError) as error:
        scan([str(folder)], tmp_path / "seen.parquet", workers=2)
    message = str(error.value)
    assert "\n" not in message
    assert f"{len(broken)} of {len(broken) + 3} sources cannot be read" in message
    for name, word in broken.items():
        assert re.search(rf"/{re.escape(name)} \([^()]*({word})", message), message
    assert not (tmp_path / "seen.parquet").exists()
    again = Counting()
    account = scan([str(folder)], tmp_path / "seen.parquet", skip_bad=True, reporter=again)
    assert {Path(entry["source"]).name for entry in account["skipped"]} == set(broken)
    assert [entry["name"] for entry in account["sources"]] == shards
    corpus = [(name, make_texts(number, 50)) for number, name in enumerate(shards)]
    assert index_rows(tmp_path / "seen.parquet") == expected_rows(corpus)


def test_a_mended_file_is_scanned_and_the_others_are_not_again(tmp_path: Path) -> None:
    shards = write_shards(tmp_path / "data", 3)
    Path(shards[1]).write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match=r"01\.jsonl"):
        scan(shards, tmp_path / "seen.parquet")
    write_corpus(Path(shards[1]), make_texts(1, 50))
    again = Counting()
    scan(shards, tmp_path / "seen.parquet", reporter=again)
    assert again.rows == 50
    corpus = [(name, make_texts(number, 50)) for number, name in enumerate(shards)]
    assert index_rows(tmp_path / "seen.parquet") == expected_rows(corpus)


def test_nothing_readable_is_an_error_even_when_bad_files_may_be_skipped(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match="no source can be read"):
        scan([str(tmp_path / "a.jsonl")], tmp_path / "seen.parquet", skip_bad=True)


def test_a_file_that_changes_while_it_is_scanned_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (source,) = write_shards(tmp_path / "data", 1)
    monkeypatch.setattr(plan_module, "has_changed", lambda source: True)
    with pytest.raises(InputError, match="changed while it was scanned"):
        scan([source], tmp_path / "seen.parquet")


def test_an_existing_index_stays_when_a_scan_fails(tmp_path: Path) -> None:
    shards = write_shards(tmp_path / "data", 2)
    out = tmp_path / "seen.parquet"
    scan(shards, out)
    before = out.read_bytes()
    with pytest.raises(InputError):
        scan(shards, out, columns=["nothing"])
    assert out.read_bytes() == before
    assert read_account(out)["totals"]["rows"] == 100


def test_progress_counts_every_row_and_exactly_the_bytes_of_the_files(tmp_path: Path) -> None:
    shards = write_shards(tmp_path / "data", 3)
    table = tmp_path / "data" / "t.parquet"
    pl.DataFrame({"text": make_texts(9, 100)}).write_parquet(table)
    packed = write_corpus(tmp_path / "data" / "p.csv.gz", make_texts(8, 30))
    seen = {"rows": 0, "size": 0}

    class Adds(Reporter):
        def on_block(self, rows: int, size: int) -> None:
            seen["rows"] += rows
            seen["size"] += size

    files = [*shards, str(table), str(packed)]
    scan(files, tmp_path / "seen.parquet", reporter=Adds())
    assert seen == {"rows": 280, "size": sum(Path(name).stat().st_size for name in files)}
