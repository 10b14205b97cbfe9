"""``arithmark eval`` as a user runs it."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

import datasets
import pytest
from typer.testing import CliRunner

from arithmark_tasks.cli import app
from arithmark_tasks.evaluation.item_log import log_path
from arithmark_tasks.results import read_result
from arithmark_tasks.statistics import summarise


@pytest.fixture
def invoke(tiny_model_folder, both_sets):
    def run(*arguments, model=tiny_model_folder):
        return CliRunner().invoke(app, ["eval", "--model", str(model), "--limit", "3", *map(str, arguments)])

    return run


def rows_of(text):
    """The printed table rows by their first words."""
    split = [re.split(r"\s{2,}|(?<=\d) (?=[\d.])", line.strip()) for line in text.splitlines() if line.strip()]
    # What stands in a later table as well, such as the signals, is not asked about here.
    return {row[0]: row[1:] for row in reversed(split)}


def test_a_quiet_run_says_nothing_but_its_result_also_while_data_are_built(tiny_model_folder, tmp_path, monkeypatch):
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path)
    drawn = ["--gen-kwargs", "do_sample=true,temperature=1.0,max_gen_toks=4"]
    command = ["eval", str(tiny_model_folder), "-q", "--limit", "1", "--tasks", "zenyx_arith_34m", *drawn]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0, done.output
    assert done.stderr == ""
    assert list(tmp_path.glob("zenyx*"))  # they were built


def test_scores_are_printed_by_depth_and_template_and_stored_with_every_answer(invoke, tmp_path):
    out = tmp_path / "new" / "r.json"
    done = invoke("--out", out)
    assert done.exit_code == 0, done.output
    result = read_result(out)
    assert len(result.items) == 12
    stored = json.loads(out.read_text(encoding="utf-8"))["summary"]
    assert stored["groups"] == json.loads(json.dumps(summarise(result.items, {"deeparithmark"})))["groups"]
    group = stored["groups"]["deeparithmark"]
    printed = rows_of(done.stdout)
    rows = {"all": group["metrics"]}
    rows |= {f"depth {depth}": scores for depth, scores in group["by"]["depth"].items()}
    rows |= group["by"]["template"]
    for name, scores in rows.items():
        shares = [f"{100 * scores[metric]['value']:.1f}" for metric in group["metrics"]]
        assert printed[name][:6] == [str(scores["acc"]["n"]), *shares]
    assert group["verdict"]["code"] == "withheld" and "only the first items were scored" in group["verdict"]["text"]
    assert group["verdict"]["text"] in done.stdout
    assert [path.name for path in out.parent.iterdir()] == ["r.json"]


def test_a_result_is_never_overwritten_unless_that_is_asked_for_and_that_is_seen_first(invoke, tmp_path):
    out = tmp_path / "r.json"
    out.write_text("precious", encoding="utf-8")
    refused = invoke("--out", out, model="no/such/model/there")
    assert refused.exit_code == 1
    assert str(refused.exception) == f"{out}: exists; --force overwrites it"
    assert out.read_text(encoding="utf-8") == "precious"
    assert invoke("--out", out, "--force").exit_code == 0
    assert len(read_result(out).items) == 12


@pytest.mark.parametrize("name", ["folder", "file/r.json", "file/deeper/r.json", "/proc/here/r.json"])
def test_a_result_that_can_never_be_written_is_refused_before_a_model_is_looked_for(invoke, tmp_path, name):
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    refused = invoke("--out", tmp_path / name, "--force", model="no/such/model/there")
    assert refused.exit_code == 1
    assert re.search(r"is a folder|is a file, not a folder|cannot be written", str(refused.exception))
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["file", "folder"]


def test_a_wrong_choice_is_refused_before_anything_heavy_is_loaded():
    script = (
        "import sys\n"
        "from arithmark_tasks.cli import main\n"
        "try: main()\n"
        "finally: assert not {'torch', 'transformers', 'lm_eval'} & set(sys.modules)\n"
    )
    for choice, message in (
        (["--dtype", "int4"], "no such dtype"),
        (["--batch-size", "x"], "a batch size is"),
        (["--model-type", "x"], "no such model type"),
    ):
        done = subprocess.run([sys.executable, "-c", script, "eval", *choice], capture_output=True, text=True)
        assert done.returncode == 1
        assert done.stderr.splitlines()[-1].startswith(f"arithmark: {message}")


def test_brackets_and_colons_in_names_are_printed_as_they_are(invoke, tmp_path, tiny_model_folder):
    folder = tmp_path / "x[" / "b] :car:"
    shutil.copytree(tiny_model_folder, folder)
    row = {"ctx": "3 + 4 is", "endings": [" 7", " 8"], "label": 0, "activity_label": "[/b] :car: [red]"}
    file = folder / "a.jsonl"
    file.write_text(json.dumps(row) + "\n", encoding="utf-8")
    done = invoke("--arithmark3", file, "--limit", "1", "--out", folder / "r.json", model=folder)
    assert done.exit_code == 0, done.output
    assert f"{folder}, hf-shared" in done.stdout
    assert "[/b] :car: [red]" in done.stdout
    assert f"stored in {folder}/r.json" in done.stderr


def test_a_run_that_fails_leaves_the_old_result_alone(invoke, tmp_path):
    out = tmp_path / "r.json"
    out.write_text("precious", encoding="utf-8")
    assert invoke("--out", out, "--force", "--dtype", "int4").exit_code == 1
    assert out.read_text(encoding="utf-8") == "precious"


def test_without_out_nothing_is_written(invoke, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = invoke()
    assert done.exit_code == 0, done.output
    assert "depth 5" in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_a_file_of_arithmark_is_compared_without_saying_so_twice(invoke, arithmark3_file):
    done = invoke("--arithmark3", arithmark3_file)
    assert done.exit_code == 0, done.output
    for heading in (
        "deeparithmark_control: percent",
        "arithmark3: percent",
        "minus the matched control",
        "minus ArithMark 3.0",
    ):
        assert heading in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--model", "missing.gguf"], "missing.gguf: no such file"),
        (["--model", "./missing"], "./missing: not a model folder, a .gguf file or a Hub id"),
        (["--tasks", "deeparithmark_d9"], "no such task: deeparithmark_d9"),
        (["--tasks", ","], "no task given"),
        (["--arithmark3", "missing.jsonl"], "missing.jsonl: No such file or directory"),
        (["--out", "here", "--force"], "here: is a folder"),
    ],
)
@pytest.mark.slow
def test_bad_input_ends_in_one_line_and_status_one(arguments, message, tmp_path):
    (tmp_path / "here").mkdir()
    command = [sys.executable, "-m", "arithmark_tasks.cli", "eval", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=300)
    assert done.returncode == 1
    line = done.stderr.splitlines()[-1]
    assert line.startswith("arithmark: ")
    assert message in line
    assert "Traceback" not in done.stderr


def command_on(tmp_path, items, model, *arguments, launcher=()):
    """A process of its own that reads the 80 items instead of building a thousand."""
    rows = tmp_path / "items.jsonl"
    rows.write_text("".join(json.dumps(item) + "\n" for item in items), encoding="utf-8")
    script = tmp_path / "small.py"
    script.write_text(
        "import json, datasets\n"
        "from arithmark_tasks import cli, documents\n"
        "from arithmark_tasks.builders.deeparithmark import FEATURES\n"
        f"rows = [json.loads(line) for line in open({str(rows)!r}, encoding='utf-8')]\n"
        "table = datasets.Dataset.from_list(rows, features=FEATURES)\n"
        "documents.load_dataset = lambda *names: datasets.DatasetDict(test=table, fewshot=table)\n"
        "cli.main()\n",
        encoding="utf-8",
    )
    start = [sys.executable, *launcher, str(script)]
    return [*start, "eval", "--model", str(model), "--limit", "7", "--batch-size", "1", *map(str, arguments)]


@pytest.mark.slow
def test_a_killed_process_loses_nothing_that_it_had_logged(tmp_path, items, tiny_model_folder):
    whole, out = tmp_path / "whole.json", tmp_path / "r.json"
    subprocess.run(command_on(tmp_path, items, tiny_model_folder, "--out", whole), check=True, capture_output=True)
    command = command_on(tmp_path, items, tiny_model_folder, "--out", out)
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    log = log_path(out)
    while not (log.exists() and log.read_bytes().count(b"\n") > 20):
        assert process.poll() is None
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert not out.exists()
    logged = log.read_bytes().count(b"\n") - 1
    again = subprocess.run(command, check=True, capture_output=True, text=True)
    assert f"{logged} answers of a run that was stopped were found beside {out}" in again.stderr
    assert read_result(out).items == read_result(whole).items
    assert not log.exists()


@pytest.mark.slow
def test_ctrl_c_says_what_was_kept_and_the_same_command_goes_on_from_there(tmp_path, items, tiny_model_folder):
    out = tmp_path / "r.json"
    command, log = command_on(tmp_path, items, tiny_model_folder, "--out", out), log_path(out)
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    while not (log.exists() and log.read_bytes().count(b"\n") > 20):
        assert process.poll() is None
        time.sleep(0.002)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate()
    kept = log.read_bytes().count(b"\n") - 1
    assert process.returncode == 130 and "Traceback" not in said
    assert f"arithmark: stopped; {kept} answers are kept in {log}: the same command goes on from there" in said
    again = subprocess.run(command, check=True, capture_output=True, text=True)
    assert f"{kept} answers of a run that was stopped were found beside {out}" in again.stderr
    assert len(read_result(out).items) == 28 and not log.exists()


@pytest.mark.slow
def test_two_processes_share_the_items_and_the_first_writes_them_all(tmp_path, items, tiny_model_folder):
    one, two = tmp_path / "one.json", tmp_path / "two.json"
    subprocess.run(command_on(tmp_path, items, tiny_model_folder, "--out", one), check=True, capture_output=True)
    launcher = ("-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2")
    command = command_on(tmp_path, items, tiny_model_folder, "--out", two, launcher=launcher)
    environment = {**os.environ, "ACCELERATE_USE_CPU": "1", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.count("depth 2") == 1
    first, second = read_result(one), read_result(two)
    assert second.run["processes"] == 2
    assert [item.id for item in second.items] == [item.id for item in first.items]
    for ours, theirs in zip(second.items, first.items, strict=True):
        assert ours.loglikelihoods == pytest.approx(theirs.loglikelihoods, abs=1e-4)
        assert ours.tokens == theirs.tokens
    assert sorted(path.name for path in tmp_path.glob("*.json*")) == ["items.jsonl", "one.json", "two.json"]
