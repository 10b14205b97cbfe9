"""The commands as people run them."""

import json
import sys
from pathlib import Path

import pytest

from arithmark_tasks import cli

TASKS = [f"{a}+{b}={a + b}" for a in range(12) for b in range(12)] + [
    f"{a}-{b}={a - b}" for a in range(12) for b in range(a + 1)
]


def arithmark(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    """Run ``arithmark calcgpt ...``."""
    return command(capsys, "calcgpt", *arguments)


def command(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    """Exit status, stdout and stderr of ``arithmark ...``."""
    status = 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["arithmark", *map(str, arguments)])
        try:
            cli.main()
        except SystemExit as stop:
            status = int(stop.code or 0)
    captured = capsys.readouterr()
    return status, captured.out, captured.err


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    file = tmp_path / "tasks.txt"
    file.write_text("\n".join(TASKS) + "\n")
    return file


def test_split_sample_and_audit_work_on_each_others_files(
    tasks: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, _ = arithmark(capsys, "split", tasks, "--out", tmp_path / "split", "--augment")
    record = json.loads((tmp_path / "split" / "split.json").read_text())
    assert status == 0 and "realised_fraction" in out
    train = (tmp_path / "split" / "train.txt").read_text().splitlines()
    assert len(train) == record["train_examples"] + record["augmented_examples"]
    files = [tmp_path / "split" / f"{side}.txt" for side in ("train", "validation")]
    assert arithmark(capsys, "audit", *files, "--strict")[0] == 0

    sampled = ("sample", "--train", files[0], "--out", tmp_path / "holdout", "--width", 2, "--per-bucket", 20)
    assert arithmark(capsys, *sampled)[0] == 0
    roster = tmp_path / "holdout" / "heldout-padded-reversed.txt"
    assert len(roster.read_text().splitlines()) == 40
    status, out, _ = arithmark(capsys, "audit", files[0], roster, "--json", tmp_path / "audit.json")
    assert status == 0 and "semantic overlap: 0" in out
    assert json.loads((tmp_path / "audit.json").read_text())["test_tasks"] == 40


def test_the_audit_lists_twins_and_strict_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "train.txt").write_text("$34+12=64$\n1+1=2\n")
    (tmp_path / "test.txt").write_text("12+34=46\n5-2=3\n")
    status, out, _ = arithmark(capsys, "audit", tmp_path / "train.txt", tmp_path / "test.txt", "--strict")
    assert status == 1
    assert "exact overlap: 0" in out and "twins: 1" in out
    assert "twin: test line 1 12+34=46 = train line 1 $34+12=64$" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("split", "bad.txt", "--out", "x"), "bad.txt: line 2: "),
        (("split", "missing.txt", "--out", "x"), "missing.txt"),
        (("split", "empty.txt", "--out", "x"), "no tasks"),
        (("split", "good.txt", "--out", "x", "--contract", "vibes"), "vibes"),
        (("split", "good.txt", "--out", "x", "--fraction", "1"), "fraction"),
        (
            ("sample", "--train", "good.txt", "--out", "x", "--per-bucket", "111"),
            "111 tasks requested, but only 54 of 55",
        ),
        (("audit", "bad.txt", "good.txt"), "bad.txt, line 2: "),
        (("audit", "binary.txt", "good.txt"), "UTF-8"),
        (("train", "--out", "x", "--set", "batch"), "NAME=VALUE"),
        (("train", "--out", "x", "--set", "speed=9"), "speed"),
        (("evaluate", "good.txt"), "good.txt"),
        (("ablation", "--plan", "good.txt", "--out", "x"), "not JSON"),
    ],
)
def test_bad_input_is_one_clear_line_and_leaves_nothing_behind(
    arguments: tuple[str, ...],
    message: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("good.txt").write_text("1+2=3\n")
    Path("bad.txt").write_text("1+2=3\n1+2=4x\n")
    Path("empty.txt").write_text("\n")
    Path("binary.txt").write_bytes(b"\xff\xfe\x00")
    status, _, err = arithmark(capsys, *arguments)
    assert status == 1
    assert message in err and "Traceback" not in err
    assert len(err.strip().splitlines()) == 1
    assert not Path("x").exists()


def test_train_and_evaluate_end_to_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small = ("examples=160", "batch=16", "evaluate_every=80", "monitor=16", "threads=1", "per_bucket=20")
    options = [part for setting in small for part in ("--set", setting)]
    run = tmp_path / "run"
    status, out, _ = arithmark(capsys, "train", "--out", run, "--width", 1, "--tasks", 80, *options)
    assert status == 0 and "160 examples" in out
    status, out, _ = arithmark(capsys, "evaluate", run, "--json", tmp_path / "report.json")
    report = json.loads((tmp_path / "report.json").read_text())
    assert status == 0  # a low score is a result
    assert report["tasks"] == 20 and len(report["wrong_examples"]) <= 5 and "tasks per second" in out


def test_verify_names_every_offending_task(tasks: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "holdout"
    arithmark(
        capsys,
        "sample",
        "--train",
        tasks,
        "--out",
        folder,
        "--width",
        2,
        "--per-bucket",
        9,
        "--digits",
        2,
        "--contract",
        "result",
    )
    heldout = folder / "heldout-reversed.txt"
    verify = ("verify", folder / "manifest.json", "--train", tasks, "--evaluated", heldout)
    status, out, _ = command(capsys, *verify)
    assert status == 0 and "all claims hold" in out
    tasks.write_text(tasks.read_text() + heldout.read_text())
    heldout.write_text("1+1=2\n" + heldout.read_text())
    status, out, _ = command(capsys, *verify)
    assert status == 1
    assert out.count("is not held out under 'result'") == 9 and "evaluated task 1+1 is not in the roster" in out
