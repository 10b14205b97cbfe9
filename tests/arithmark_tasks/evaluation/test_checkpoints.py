"""A training run scored by one command: each checkpoint once, in order, and none that is half-written."""

import json
import shutil

import pytest
from typer.testing import CliRunner

from arithmark_tasks.cli import app
from arithmark_tasks.evaluation import checkpoints
from arithmark_tasks.evaluation.checkpoints import Watch, expand, is_whole, score_all
from arithmark_tasks.evaluation.run import run
from arithmark_tasks.evaluation.settings import Settings
from arithmark_tasks.generators.errors import InputError
from arithmark_tasks.results import read_result

SETTINGS = Settings(limit=2)


@pytest.fixture
def training_run(tmp_path, tiny_model_folder):
    """Two checkpoints of the tiny model, whose names sort otherwise by the alphabet."""
    for step in (1000, 200):
        folder = tmp_path / "run" / f"checkpoint-{step}"
        shutil.copytree(tiny_model_folder, folder)
        state = {"global_step": step, "max_steps": 1000, "num_input_tokens_seen": 10 * step}
        (folder / "trainer_state.json").write_text(json.dumps(state))
        (folder / "training_args.bin").write_bytes(b"")
    return tmp_path / "run"


def cut(folder):
    """The checkpoint as it is while its weights are written."""
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1])


def test_names_mean_checkpoints_in_natural_order(training_run, tiny_model_folder):
    found = expand([str(training_run)])
    assert [(one.stem, one.step, one.run) for one in found] == [
        ("checkpoint-200", 200, str(training_run)),
        ("checkpoint-1000", 1000, str(training_run)),
    ]
    assert expand([str(training_run / "checkpoint-*"), str(training_run)]) == found
    hub = expand(["EleutherAI/pythia-14m@step2000,step512"])
    assert [(one.revision, one.step) for one in hub] == [("step512", 512), ("step2000", 2000)]
    assert [one.step for one in expand([str(tiny_model_folder)])] == [None]
    with pytest.raises(InputError, match="no folder"):
        expand([str(training_run / "nothing-*")])


def test_a_checkpoint_is_whole_when_all_of_it_is_written(training_run):
    folder = training_run / "checkpoint-200"
    assert is_whole(folder)
    state = (folder / "trainer_state.json").read_bytes()
    (folder / "trainer_state.json").write_bytes(state[:-1])
    assert not is_whole(folder)
    (folder / "trainer_state.json").write_bytes(state)
    (folder / "model.safetensors.index.json").write_text('{"weight_map": {"x": "model-2.safetensors"}}')
    assert not is_whole(folder)
    (folder / "model.safetensors.index.json").unlink()
    cut(folder)
    assert not is_whole(folder)


def test_each_checkpoint_is_scored_once_as_it_would_be_alone(training_run, both_sets, requests_scored, tmp_path):
    out = tmp_path / "results"
    first = score_all([str(training_run)], SETTINGS, out)
    assert [path.name for path in first.scored] == ["checkpoint-200.json", "checkpoint-1000.json"]
    asked = len(requests_scored)
    again = score_all([str(training_run)], SETTINGS, out)
    assert (again.scored, again.there, len(requests_scored)) == ([], first.scored, asked)
    later = read_result(out / "checkpoint-1000.json")
    alone = run(Settings(model=str(training_run / "checkpoint-1000"), limit=2))
    assert alone is not None
    assert later.items == alone.items
    assert later.model["training"] == {"run": "run", "step": 1000, "tokens": 10_000}
    lines = [json.loads(line) for line in (out / "log.jsonl").read_text().splitlines()]
    assert [line["step"] for line in lines] == [200, 1000]
    with pytest.raises(InputError, match="--limit 2 instead of 3"):
        score_all([str(training_run)], Settings(limit=3), out)


def test_the_sharing_check_is_made_once(training_run, both_sets, tmp_path, monkeypatch):
    from arithmark_tasks.scoring import shared_prefix

    checks = []
    check = shared_prefix.check
    monkeypatch.setattr(shared_prefix, "check", lambda *args: checks.append(1) or check(*args))
    score_all([str(training_run)], SETTINGS, tmp_path / "results")
    assert len(checks) == 1


def test_a_half_written_checkpoint_is_waited_for_and_never_scored(training_run, both_sets, tmp_path):
    last = training_run / "checkpoint-1000"
    whole = (last / "model.safetensors").read_bytes()
    cut(last)
    out, told = tmp_path / "results", []
    left = score_all([str(training_run)], SETTINGS, out, tell=told.append)
    assert [path.name for path in left.scored] == ["checkpoint-200.json"]
    assert any("not written to its end" in fact for fact in told)
    pauses = []

    def written_meanwhile(seconds):
        pauses.append(seconds)
        assert not (out / "checkpoint-1000.json").exists()
        if len(pauses) == 2:
            (last / "model.safetensors").write_bytes(whole)

    watched = score_all([str(training_run)], SETTINGS, out, watch=Watch(), sleep=written_meanwhile)
    assert ([path.name for path in watched.scored], len(pauses)) == (["checkpoint-1000.json"], 2)


def test_a_watch_without_an_end_stops_when_nothing_comes(training_run, both_sets, tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoints, "run", lambda *args, **options: None)
    told = []
    score_all([str(training_run)], SETTINGS, tmp_path, watch=Watch(until=5000, idle=-1), tell=told.append)
    assert "no new checkpoint" in told[-1]


def test_the_command_names_what_fails_and_goes_on(training_run, both_sets, tmp_path):
    (training_run / "checkpoint-200" / "config.json").write_text("{}")
    out = tmp_path / "results"
    arguments = ["eval", "--model", str(training_run), "--limit", "1", "--out", str(out)]
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 1
    assert "1 scored" in done.stderr
    assert str(training_run / "checkpoint-200") in done.stderr
    assert [path.name for path in out.glob("*.json")] == ["checkpoint-1000.json"]
    with pytest.raises(InputError, match="name a folder"):
        CliRunner().invoke(app, arguments[:-2], catch_exceptions=False)
