"""Whatever a library raises on bad input ends as one line that names the file; a fault of ours says how to see it."""

import gzip
import os
import subprocess
import sys

import pyarrow
import pytest

from arithmark_tasks import cli
from arithmark_tasks.failures import told

OBJECT = '{"ctx":"é","endings":["1","2","3","4"],"label":"0","a":1,"operator":"+","b":2,"text":"1+2"}\n'
BAD = {
    "bytes.jsonl": bytes(range(256)) * 10,
    "latin.jsonl": OBJECT.encode("latin-1") + b"\n\xff\xfe",
    "empty.jsonl": b"",
    "null.jsonl": b"null\n",
    "deep.jsonl": b'{"a":' * 100_000 + b"\n",
    "types.jsonl": b'{"ctx":1,"endings":3,"label":null,"a":"x","operator":7,"b":[]}\n',
    "digits.jsonl": b'{"a":' + b"9" * 6000 + b',"operator":"+","b":2}\n',
    "broken.parquet": b"PAR1garbagePAR1",
    "cut.json": b'{"format":"arithmark-result"',
    "bytes.json": b"\xff\xfe\x00",
    "list.json": b"[1,2]",
    "cut.jsonl.gz": gzip.compress(OBJECT.encode())[:-5],
    "garbage.gz": b"\x1f\x8b\x08\x00garbage",
    "garbage.zst": b"\x28\xb5\x2f\xfdxxxx",
}
COMMANDS = {
    "audit": ["audit", "{}", "--no-classifiers"],
    "verify": ["verify", "{}"],
    "verify --published": ["verify", "--published", "{}"],
    "verify --train": ["verify", "{}", "--train", "{}"],
    "check --seen": ["check", "good.jsonl", "--seen", "{}"],
    "report": ["report", "{}", "--out", "page"],
    "merge": ["scan", "--merge", "{}", "--out", "o.parquet"],
    "arithmark3": ["eval", "--arithmark3", "{}", "--limit", "1"],
}


@pytest.fixture
def failing(capsys, monkeypatch, tmp_path):
    """Runs the command line, which fails; returns what it says on stderr."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "kept for the tests that follow")

    def fail(*words):
        monkeypatch.setattr(sys, "argv", ["arithmark", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        assert ended.value.code == 1
        told = capsys.readouterr()
        return told.err.strip() or told.out.strip()  # broken claims are a result, and stand on stdout

    return fail


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_a_bad_file_is_one_line_with_its_name(failing, tmp_path, command):
    (tmp_path / "good.jsonl").write_text(OBJECT, encoding="utf-8")
    for name, content in BAD.items():
        (tmp_path / name).write_bytes(content)
        said = failing(*(word.format(name) for word in command)).splitlines()[-1]
        assert (said.startswith("arithmark: ") and name in said) or command[0] == "verify", said
        assert "unexpected" not in said and "Traceback" not in said, said


class Fault(LookupError):
    pass


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (UnicodeDecodeError("utf-8", b"12\xff4", 2, 3, "invalid start byte"), "not UTF-8: byte b'\\xff' at position 2"),
        (pyarrow.ArrowInvalid("not a Parquet file\nat all"), "not a Parquet file"),
        (MemoryError(), "out of memory"),
        (RecursionError("maximum recursion depth exceeded"), "nested too deeply to be read"),
        (PermissionError(13, "Permission denied", "a.json"), "a.json: Permission denied"),
        (Fault("x\ny"), "unexpected Fault: x (ARITHMARK_DEBUG=1 shows where it comes from)"),
        (AssertionError(), "unexpected AssertionError: AssertionError (ARITHMARK_DEBUG=1 shows where it comes from)"),
    ],
)
def test_an_error_is_told_in_one_line(error, line):
    assert told(error) == line


def test_a_fault_of_ours_says_where_and_shows_more_when_asked(failing, monkeypatch, tmp_path):
    def broken():
        raise KeyError("label")

    monkeypatch.setattr(cli, "app", broken)
    assert failing("audit") == (
        "arithmark: unexpected KeyError in arithmark_tasks.cli, line "
        f"{cli.main.__code__.co_firstlineno + 5}: 'label' (ARITHMARK_DEBUG=1 shows where it comes from)"
    )
    monkeypatch.setenv("ARITHMARK_DEBUG", "1")
    with pytest.raises(KeyError, match="label"):
        cli.main()


def test_a_notebooks_plotting_does_not_break_a_report(tmp_path):
    result = cli.__file__.replace("arithmark_tasks/cli.py", "benchmarks/results/smollm2-135m-instruct-zenyx.json")
    command = [sys.executable, "-m", "arithmark_tasks.cli", "report", result, "--out", str(tmp_path / "page")]
    environment = os.environ | {"MPLBACKEND": "module://matplotlib_inline.backend_inline"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=300)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "page" / "index.html").is_file()
