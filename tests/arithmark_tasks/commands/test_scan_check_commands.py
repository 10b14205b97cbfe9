"""``arithmark scan`` and ``arithmark check`` as a user runs them."""

import json
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

from arithmark_tasks.cli import app

runner = CliRunner()


def run(*arguments: str | Path) -> str:
    result = runner.invoke(app, [str(argument) for argument in arguments], env={"COLUMNS": "160"})
    assert result.exit_code == 0, result.output
    return result.output


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    rows = [{"q": "12+34 or 34 plus 12"}, {"q": "3.5+2, 5 \u00d7 6"}]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return tmp_path / "a.jsonl"


def test_scan_writes_an_index_and_reports_forms_and_what_it_left_out(corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "seen.parquet"
    output = run("scan", corpus, "--out", out, "--column", "q", "--workers", "2", "-v")
    assert "2 distinct expressions, 3 occurrences in 2 rows of 1 sources" in output
    for name, count in (("plain", 1), ("word", 1), ("unicode", 1), ("decimal", 1), ("latex", 0)):
        assert any(line.split()[:2] == [name, str(count)] for line in output.splitlines()), name
    assert pl.read_parquet(out).height == 2


def test_without_v_a_scan_names_what_occurred_in_a_line_each(corpus: Path, tmp_path: Path) -> None:
    lines = run("scan", corpus, "--out", tmp_path / "seen.parquet").splitlines()
    assert "surface form: plain 1, unicode 1, word 1" in lines and "left out: decimal 1" in lines


def test_merge_joins_indexes(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "b.txt").write_text("7-8\n", encoding="utf-8")
    run("scan", corpus, "--out", tmp_path / "a.parquet")
    run("scan", tmp_path / "b.txt", "--out", tmp_path / "b.parquet")
    output = run("scan", "--merge", tmp_path / "a.parquet", tmp_path / "b.parquet", "--out", tmp_path / "m.parquet")
    assert "3 distinct expressions, 4 occurrences in 3 rows of 2 sources" in output


def test_tasks_run_the_scan_as_a_pipeline(corpus: Path, tmp_path: Path) -> None:
    run("scan", corpus, "--out", tmp_path / "one.parquet")
    run(
        "scan", corpus, "--out", tmp_path / "two.parquet", "--tasks", "2", "--workers", "1", "--logs", tmp_path / "logs"
    )
    assert (tmp_path / "one.parquet").read_bytes() == (tmp_path / "two.parquet").read_bytes()


def test_selfcheck_reports_every_form(corpus: Path) -> None:
    output = run("scan", "--selfcheck", corpus)
    assert "Every expression was found, and nothing else." in output
    assert "not read:" in output and "none was found: no index excludes those" in " ".join(output.split())
    assert "zero_fraction" in output


def test_check_prints_evidence_and_writes_the_report_and_exits_0(corpus: Path, tmp_path: Path) -> None:
    run("scan", corpus, "--out", tmp_path / "seen.parquet")
    (tmp_path / "q.txt").write_text("34+12=46\n9-1=8\n", encoding="utf-8")
    report = tmp_path / "report.json"
    output = run("check", tmp_path / "q.txt", "--seen", tmp_path / "seen.parquet", "--json", report)
    assert "1 of 2 questions were seen in 2 rows of 1 sources" in output
    assert "12+34" in output
    value = json.loads(report.read_text(encoding="utf-8"))
    (hit,) = value["hits"]
    assert (hit["line"], hit["expression"], hit["source"], hit["row"], hit["count"]) == (1, "12+34", str(corpus), 0, 2)
    assert value["by_operand_size"] == {
        "1-digit - 1-digit": {"checked": 1, "seen": 0, "not_checked": 0},
        "2-digit + 2-digit": {"checked": 1, "seen": 1, "not_checked": 0},
    }


def bad_input(*arguments: str | Path) -> str:
    command = [sys.executable, "-m", "arithmark_tasks.cli", *map(str, arguments)]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 1
    assert result.stdout == "" and "Traceback" not in result.stderr
    return result.stderr.strip()


def test_bad_input_is_one_clear_line(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_text('{"q": "1+2"}\n{"q"\n', encoding="utf-8")
    out = tmp_path / "seen.parquet"
    message = bad_input("scan", corpus, tmp_path / "bad.jsonl", "--out", out)
    assert "1 of 2 sources cannot be read" in message and "bad.jsonl (line 2" in message
    assert message.count("\n") == 0
    assert not out.exists()
    message = bad_input("check", corpus, "--seen", corpus)
    assert message.endswith(
        "not a Parquet file: Parquet magic bytes not found in footer. Either the file is corrupted "
        "or this is not a parquet file."
    )
    assert message.count("\n") == 0


def test_scan_without_a_source_says_so() -> None:
    result = runner.invoke(app, ["scan"])
    assert result.exit_code == 2
    assert "give at least one source" in result.output


@pytest.mark.parametrize("command", ["scan", "check"])
def test_help_is_quick_and_has_an_example(command: str) -> None:
    assert "Example: arithmark " + command in " ".join(run(command, "--help").split())
    code = (
        "import sys; from typer.testing import CliRunner; from arithmark_tasks.cli import app; "
        f"CliRunner().invoke(app, [{command!r}, '--help']); "
        "print([name for name in ('numba', 'polars', 'datatrove', 'torch', 'pyarrow') if name in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"
