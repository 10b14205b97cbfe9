"""``arithmark audit`` and ``arithmark verify`` as a user runs them: output, files and exit status."""

import json
from pathlib import Path

import planted
import pytest
from typer.testing import CliRunner

from arithmark_tasks.cli import app, main
from arithmark_tasks.generators.choices.audit import LEAK, OK, question
from arithmark_tasks.generators.deeparithmark import build
from arithmark_tasks.generators.errors import InputError
from arithmark_tasks.generators.jsonl import to_line
from arithmark_tasks.scoring import ending_prior
from arithmark_tasks.scoring.models import embedded_gguf


def run(*arguments: object) -> tuple[int, str]:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments], env={"COLUMNS": "160"})
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.output


def write(path: Path, items: list[planted.Item]) -> Path:
    path.write_text("".join(json.dumps(item) + "\n" for item in items), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def deep(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("commands") / "deep.jsonl"
    path.write_bytes("".join(to_line(item) + "\n" for item in build(items=64)).encode())
    return path


def test_audit_prints_every_row_and_writes_the_same_as_json(tmp_path: Path) -> None:
    file, report = write(tmp_path / "star.jsonl", planted.build(120, planted.star)), tmp_path / "audit.json"
    status, output = run("audit", file, "--json", report)
    assert status == 0
    rows = {row["strategy"]: row for row in json.loads(report.read_text(encoding="utf-8"))["rows"]}
    assert rows["hub: most neighbours"]["verdict"] == LEAK
    assert rows["hub: most neighbours"]["score"] == pytest.approx(1, abs=0.05)
    assert all(strategy in output for strategy in rows)
    assert "Wilson" in output and "not applicable" in output
    assert sorted(path.name for path in tmp_path.iterdir()) == ["audit.json", "star.jsonl"]


def test_strict_leaves_with_status_1_on_a_leak_only(tmp_path: Path) -> None:
    star = write(tmp_path / "star.jsonl", planted.build(120, planted.star))
    clean = write(tmp_path / "clean.jsonl", planted.build(960, planted.clean)[:480])
    assert run("audit", star, "--strict", "--no-classifiers")[0] == 1
    assert run("audit", star, "--no-classifiers")[0] == 0
    assert run("audit", clean, "--strict", "--no-classifiers")[0] == 0


def test_audit_reads_sets_with_only_the_needed_fields(tmp_path: Path) -> None:
    items = [
        {"ctx": f"{n} + 31 =", "endings": [f" {n + 30 + k}" for k in range(4)], "label": "1"} for n in range(12, 72)
    ]
    status, output = run("audit", write(tmp_path / "plain.jsonl", items))
    assert status == 0
    assert "second smallest" in output


def test_audit_names_the_line_of_a_bad_item(tmp_path: Path) -> None:
    file = write(
        tmp_path / "bad.jsonl", [*planted.build(2, planted.star), {"ctx": "x", "endings": ["1", "2"], "label": "7"}]
    )
    with pytest.raises(InputError, match="line 3: label 7 with 2 endings"):
        run("audit", file)


def test_bad_input_ends_as_one_line_and_status_1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    file = tmp_path / "binary.jsonl"
    file.write_bytes(b"\xff\xfe\n")
    for arguments in (["audit", str(file)], ["audit", str(tmp_path / "none.jsonl")], ["verify"], ["verify", "/none"]):
        monkeypatch.setattr("sys.argv", ["arithmark", *arguments])
        with pytest.raises(SystemExit) as stop:
            main()
        assert stop.value.code == 1
        assert len(capsys.readouterr().err.strip().splitlines()) == 1


class _FakeModel:
    """Scores a text by its first number: small ones are likely, and per token they stay so."""

    def tok_encode(self, text: str, add_special_tokens: bool) -> list[int]:
        return [1] * len(text.split())

    def loglikelihood(self, requests: list, disable_tqdm: bool) -> list[tuple[float, bool]]:
        assert all(request.args[0] == "" for request in requests)
        return [(-float(request.args[1].split()[0]), False) for request in requests]


def test_endings_are_scored_without_their_context_and_a_preference_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ending_prior, "load", lambda pretrained, **options: _FakeModel())
    clean = [question(item) for item in planted.build(480, planted.clean)]
    assert [row.verdict for row in ending_prior.ending_rows(clean, "any")] == [OK, OK]
    smallest = [asked for asked in clean if asked.values and min(asked.values) == asked.values[asked.label]]
    per_token, _ = ending_prior.ending_rows(smallest, "any")
    assert per_token.score == 1 and per_token.verdict == LEAK


@pytest.mark.slow
def test_a_real_model_finds_nothing_in_the_endings_alone(deep: Path) -> None:
    questions = [question(json.loads(line)) for line in deep.read_text(encoding="utf-8").splitlines()]
    for row in ending_prior.ending_rows(questions, str(embedded_gguf())):
        assert row.items == 64 and row.score is not None and row.score < 0.5


def test_verify_counts_the_claims_and_lists_them_when_that_is_asked_for(deep: Path) -> None:
    status, output = run("verify", deep)
    line, last = output.splitlines()
    claims = int(line.split()[-3])
    assert claims > 15 and line == f"{deep.name}  {claims} of {claims} claims hold"
    assert last == f"all claims hold: {claims} (-v lists them)"
    assert status == 0
    status, output = run("verify", deep, "-v")
    assert status == 0 and output.count("  ok    ") == claims
    assert "  ok    every step's arithmetic, evaluated again\n" in output


def test_verify_names_line_and_claim_and_leaves_with_status_1(deep: Path, tmp_path: Path) -> None:
    lines = deep.read_text(encoding="utf-8").splitlines(keepends=True)
    item = json.loads(lines[6])
    item["label"] = str((int(item["label"]) + 1) % 4)
    lines[6] = to_line(item) + "\n"
    file = tmp_path / "swapped.jsonl"
    file.write_bytes("".join(lines).encode())
    status, output = run("verify", file)
    assert status == 1
    assert "FAIL  label, answer, source and rank point at one option (3)" in output
    assert "  ok    " not in output
    assert "line 7: the label is" in output


def test_verify_lists_the_first_failures_and_counts_the_rest(deep: Path, tmp_path: Path) -> None:
    file = tmp_path / "crlf.jsonl"
    file.write_bytes(deep.read_bytes().replace(b"\n", b"\r\n"))
    status, output = run("verify", file)
    assert status == 1
    assert "line 1: the line ends in CRLF" in output
    assert "and 61 more" in output


def test_verify_against_counts_what_is_shared(deep: Path, tmp_path: Path) -> None:
    contexts = [json.loads(line)["ctx"] for line in deep.read_text(encoding="utf-8").splitlines()]
    other = write(tmp_path / "train.jsonl", [{"text": "nothing of the kind"}, {"question": contexts[4]}])
    status, output = run("verify", deep, "--against", other)
    assert status == 1
    assert "identical contexts: 1" in output
    assert "line 5 here, line 2 there" in output
    apart = write(
        tmp_path / "apart.jsonl", [{"text": "nothing of the kind, however many words one writes on this line"}]
    )
    status, output = run("verify", deep, "--against", apart)
    assert status == 0
    assert "identical contexts: 0" in output and "eight-word runs: 0" in output


def test_verify_published_says_which_hash_was_found(deep: Path) -> None:
    status, output = run("verify", "--published", deep)
    assert status == 1
    assert "8a54eb90b66b142b7fea422b34d851746d1cabc476dcba906c7f3ad5ddc66ee0" in output


@pytest.mark.parametrize("arguments", [[], ["x", "--published", "y"], ["--published", "y", "--against", "z"]])
def test_verify_wants_one_thing_to_verify(arguments: list[str]) -> None:
    with pytest.raises(InputError):
        run("verify", *arguments)
