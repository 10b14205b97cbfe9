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


SMALL = [f"--set={name}" for name in ("examples=160", "batch=16", "evaluate_every=80", "monitor=16")]


def test_a_file_of_sums_becomes_a_checked_score(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sums = tmp_path / "sums.txt"
    sums.write_text("".join(f"{a}+{b}={a + b}\n" for a in range(100, 140) for b in range(100, 110)))
    split, holdout, run = tmp_path / "split", tmp_path / "holdout", tmp_path / "run"
    train, validation, manifest = split / "train.txt", split / "validation.txt", holdout / "manifest.json"
    assert arithmark(capsys, "split", sums, "--out", split)[0] == 0
    both = ("--train", train, "--train", validation)
    status, out, _ = arithmark(capsys, "sample", *both, "--out", holdout, "--range", "100-139", "--per-bucket", 40)
    assert status == 0 and "left out: subtractions: training has none" in out
    files = ("--train-file", train, "--validation-file", validation)
    assert arithmark(capsys, "train", "--out", run, "--representation", "reversed", *files, *SMALL)[0] == 0
    record = json.loads((run / "run.json").read_text())
    assert record["train_examples"] == len(train.read_text().splitlines()) and record["settings"]["width"] == 3
    assert record["excluded_roster_sha256"] == json.loads(manifest.read_text())["excluded_roster_sha256"]
    answers, report = tmp_path / "answers.jsonl", tmp_path / "report.json"
    status, out, _ = arithmark(capsys, "evaluate", run, "--manifest", manifest, "--answers", answers, "--json", report)
    told = json.loads(report.read_text())
    assert status == 0 and told["tasks"] == 40 and told["tasks_covered_by_training"] == 0
    rows = [json.loads(line) for line in answers.read_text().splitlines()]
    assert sum(row["exact"] for row in rows) == told["overall"]["exact"]["right"]
    assert sum(told["errors"].values()) == sum(not row["exact"] for row in rows) > 0
    check = ("verify", manifest, *both, "--evaluated", answers)
    status, out, _ = command(capsys, *check)
    assert status == 0 and "all claims hold" in out

    wrong = next(number for number, row in enumerate(rows) if not row["exact"])
    rows[wrong]["exact"] = True
    answers.write_text("".join(json.dumps(row) + "\n" for row in rows))
    status, out, _ = command(capsys, *check)
    assert status == 1 and f"line {wrong + 1}: " in out and "is marked exact" in out
    # a part of the training file as the test: it is scored, and the report says what that is worth
    (tmp_path / "known.txt").write_text("".join(train.read_text().splitlines(keepends=True)[:9]))
    status, out, _ = arithmark(capsys, "evaluate", run, "--tasks", tmp_path / "known.txt")
    assert status == 0 and "9 of 9 tasks stand in the run's training" in out


@pytest.mark.parametrize(
    ("lines", "options", "message"),
    [
        ("1+2=3\n2+2=5\n3+3=6\n", (), "line 2: 2+2=5 is not right"),
        ("1+2=3\n2-5=-3\n", (), "line 2: subtraction must not be negative"),
        ("1+2=3\n6*7=42\n", (), "line 2: CalcGPT has + and - only"),
        ("1+2=3\n1+20=21\n", ("--width", 1), "line 2: operand 20"),
        ("1+2=3\n4+5=9\n", ("--validation-file", "twin.txt"), "such as 2+1"),
        ("1+2=3\n", ("--validation-file", "twin.txt", "--contract", "vibes"), "vibes"),
    ],
)
def test_a_training_file_that_cannot_be_used_is_one_clear_line_and_leaves_no_folder(
    lines: str,
    options: tuple[object, ...],
    message: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("train.txt").write_text(lines)
    Path("twin.txt").write_text("2+1=3\n")
    status, _, err = arithmark(capsys, "train", "--out", "run", "--train-file", "train.txt", *options, *SMALL)
    last = err.strip().splitlines()[-1]  # below the progress bar
    assert status == 1 and last.startswith("arithmark: ") and message in last and "Traceback" not in err
    assert not Path("run").exists()


def test_sample_leaves_out_what_a_corpus_has_and_verify_wants_to_see_it(
    tasks: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus, index, holdout = tmp_path / "corpus.txt", tmp_path / "seen.parquet", tmp_path / "holdout"
    corpus.write_text("".join(f"{a}+{b}={a + b}\n" for a in range(10, 60) for b in range(10, 100)))
    assert command(capsys, "scan", corpus, "--out", index)[0] == 0
    drawn = ("sample", "--train", tasks, "--out", holdout, "--width", 2, "--digits", 2, "--operator", "+")
    assert arithmark(capsys, *drawn, "--seen", index, "--per-bucket", 30)[0] == 0
    lines = (holdout / "heldout-plain.txt").read_text().splitlines()
    assert len(lines) == 30 and all(line[:2] >= "60" and line[3:5] >= "60" for line in lines)
    manifest = holdout / "manifest.json"
    assert command(capsys, "verify", manifest, "--train", tasks, "--seen", index)[0] == 0
    status, out, _ = command(capsys, "verify", manifest, "--train", tasks)
    assert status == 1 and "give every file that it was drawn against" in out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--operator", "*"), "--operator is + or -"),
        (("--range", "5-1"), "'5-1'"),
        (("--range", "1-5", "--mixed"), "does not go with"),
        (("--range", "1-5000"), "at most 3 digits"),
        (("--digits", 4), "1 to 3"),
        (("--width", 1, "--mixed"), "no different lengths"),
    ],
)
def test_a_draw_that_cannot_be_is_one_clear_line(
    options: tuple[object, ...], message: str, tasks: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, _, err = arithmark(capsys, "sample", "--train", tasks, "--out", tmp_path / "x", *options)
    assert status == 1 and message in err and not (tmp_path / "x").exists()


def test_split_says_when_whole_groups_make_another_fraction(
    tasks: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ("split", tasks, "--out", tmp_path / "split", "--fraction", "0.05")
    assert "warning" not in arithmark(capsys, *asked)[1]
    out = arithmark(capsys, *asked, "--contract", "width")[1]
    realised = json.loads((tmp_path / "split" / "split.json").read_text())["realised_fraction"]
    assert f"warning: {realised:.1%} validate where 5.0% was asked" in out and realised > 0.2
