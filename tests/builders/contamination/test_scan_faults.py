"""What went wrong in earlier scans: interrupts, doubled counts, text cut apart, stale results, races, full disks."""

import io
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from corpora import index_rows

from arithmark_tasks.builders.contamination import cutting, readers
from arithmark_tasks.builders.contamination import cutting as line_blocks
from arithmark_tasks.builders.contamination import formats as json_values
from arithmark_tasks.builders.contamination.cutting import Piece
from arithmark_tasks.builders.contamination.scan import claim, merge_indexes, partial_folder, scan
from arithmark_tasks.builders.contamination.sources import find_sources
from arithmark_tasks.generators.errors import InputError

SLOW_SCAN = """
import sys, time
from pathlib import Path
from arithmark_tasks.builders.contamination import scan
class Slow(scan.Reporter):
    def on_block(self, rows, size):
        if rows:
            time.sleep(0.3)
scan.scan(sys.argv[2:], Path(sys.argv[1]), workers=2, reporter=Slow())
"""


def test_an_interrupt_ends_a_scan_within_a_block(tmp_path: Path) -> None:
    names = [str(tmp_path / f"{number:03}.txt") for number in range(200)]
    for number, name in enumerate(names):
        Path(name).write_text(f"1+{number}\n", encoding="utf-8")
    out = tmp_path / "seen.parquet"
    process = subprocess.Popen([sys.executable, "-c", SLOW_SCAN, str(out), *names], stderr=subprocess.PIPE, text=True)
    while len(list(partial_folder(out).glob("*.json"))) < 2:
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate()
    assert process.returncode != 0 and "KeyboardInterrupt" in errors
    assert len(list(partial_folder(out).glob("*.json"))) < 100


def test_an_index_is_not_merged_with_itself_or_its_copy(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("1+2\n", encoding="utf-8")
    scan([str(tmp_path / "a.txt")], tmp_path / "x.parquet")
    shutil.copy(tmp_path / "x.parquet", tmp_path / "y.parquet")
    shutil.copy(tmp_path / "a.txt", tmp_path / "b.txt")
    scan([str(tmp_path / "b.txt")], tmp_path / "z.parquet")
    for other in ("x", "y", "z"):
        with pytest.raises(InputError, match="would count twice"):
            merge_indexes([tmp_path / "x.parquet", tmp_path / f"{other}.parquet"], tmp_path / "m.parquet")
    assert not (tmp_path / "m.parquet").exists()


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_an_expression_wrapped_at_the_end_of_a_block_or_piece_is_found(
    end: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "".join(f"so {number} +{end}{number + 7} and 9 -{end}-5 ok{end}" for number in range(100, 500))
    (tmp_path / "a.txt").write_bytes(text.encode())
    scan([str(tmp_path / "a.txt")], tmp_path / "whole.parquet")
    assert len(index_rows(tmp_path / "whole.parquet")) >= 400
    for block, piece in ((1 << 20, 2000), (100, 1 << 30), (37, 1111)):
        monkeypatch.setattr(readers, "_TEXT_BLOCK", block)
        monkeypatch.setattr(cutting, "_PIECE_BYTES", piece)
        account = scan([str(tmp_path / "a.txt")], tmp_path / "cut.parquet")
        assert index_rows(tmp_path / "cut.parquet") == index_rows(tmp_path / "whole.parquet")
        assert account["totals"]["rows"] == 1200
        assert sum(account["totals"]["surfaces"].values()) == account["totals"]["occurrences"]


@pytest.mark.parametrize("kind", ["txt", "jsonl", "csv"])
def test_a_long_line_is_looked_at_once(kind: str, tmp_path: Path) -> None:
    (tmp_path / f"a.{kind}").write_bytes(b"x" * 1_000_000 + b" 1+2\n3+4")
    piece = Piece(find_sources([str(tmp_path / f"a.{kind}")]).sources[0], 0, 0)
    shown: list[int] = []

    def cut(data: bytes) -> int:
        shown.append(len(data))
        return line_blocks.after_line(data)

    blocks = [block for block, _ in line_blocks.blocks_of_lines(piece, 1000, cut)]
    assert b"".join(blocks) == (tmp_path / f"a.{kind}").read_bytes()
    assert sum(shown) == 1_000_008


def test_a_json_file_is_read_without_being_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_values, "_READ", 1000)
    monkeypatch.setattr(json_values, "_WHOLE", 4000)
    rows = [{"text": f"{number}+1", "more": ["x" * 50]} for number in range(3000)]
    for value in (rows, {"train": rows, "test": rows}):
        stream = json_values.JsonStream(io.BytesIO(json.dumps(value, indent=1).encode()), "a.json")
        held, count = 0, 0
        for text in json_values.read_rows(stream):
            held, count = max(held, len(stream._text)), count + 1
            assert json.loads(text)["text"].endswith("+1")
        assert count == (3000 if isinstance(value, list) else 6000)
        assert held < 20_000


def test_a_file_that_changed_with_its_size_and_time_kept_is_scanned_again(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("12+34\n", encoding="utf-8")
    (tmp_path / "b.jsonl").write_text("{", encoding="utf-8")
    before = (tmp_path / "a.txt").stat()
    with pytest.raises(InputError):
        scan([str(tmp_path / "a.txt"), str(tmp_path / "b.jsonl")], tmp_path / "seen.parquet")
    (tmp_path / "a.txt").write_text("56+78\n", encoding="utf-8")
    os.utime(tmp_path / "a.txt", ns=(before.st_atime_ns, before.st_mtime_ns))
    (tmp_path / "b.jsonl").write_text("{}", encoding="utf-8")
    scan([str(tmp_path / "a.txt"), str(tmp_path / "b.jsonl")], tmp_path / "seen.parquet")
    assert [row[:3] for row in index_rows(tmp_path / "seen.parquet")] == [(56, "+", 78)]


def test_a_second_scan_into_the_same_index_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("1+2\n", encoding="utf-8")
    out = tmp_path / "seen.parquet"
    with claim(out), pytest.raises(InputError, match="another scan is writing this index"):
        scan([str(tmp_path / "a.txt")], out)
    assert scan([str(tmp_path / "a.txt")], out)["totals"]["distinct"] == 1
    assert not partial_folder(out).exists()


FULL_DISK = """
import resource, signal, sys
from pathlib import Path
from arithmark_tasks.builders.contamination.scan import scan
from arithmark_tasks.builders.contamination.scanner import warm_up
warm_up()
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (5000, resource.RLIM_INFINITY))
try:
    scan(sys.argv[2:], Path(sys.argv[1]), skip_bad=True)
except ValueError as error:
    print(error)
"""


def test_a_disk_that_takes_no_more_is_no_fault_of_the_sources(tmp_path: Path) -> None:
    text = "".join(f"{number}+{number * 7919}\n" for number in range(1, 4000))
    (tmp_path / "a.txt").write_text(text, encoding="utf-8")
    command = [sys.executable, "-c", FULL_DISK, str(tmp_path / "seen.parquet"), str(tmp_path / "a.txt")]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert "cannot be written: " in result.stdout and "File too large" in result.stdout, result
    assert "cannot be read" not in result.stdout and "Traceback" not in result.stderr
    assert not (tmp_path / "seen.parquet").exists()
