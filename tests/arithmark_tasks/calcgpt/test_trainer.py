"""Training, resumption, the run folder, and evaluation against lm-eval."""

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from arithmark_tasks.calcgpt import trainer
from arithmark_tasks.calcgpt.data import encode_data, load_tasks
from arithmark_tasks.calcgpt.evaluation import evaluate_tasks, grade
from arithmark_tasks.calcgpt.run_folder import load_model
from arithmark_tasks.calcgpt.settings import RunSettings, read_settings
from arithmark_tasks.calcgpt.trainer import exact_share, train
from arithmark_tasks.generators.calcgpt import representations
from arithmark_tasks.generators.calcgpt.claims import check_files
from arithmark_tasks.generators.expression import Expression


class Killed(BaseException):
    """Stands for a kill: not an Exception, so nothing may tidy up."""


def weights(folder: Path) -> dict[str, torch.Tensor]:
    model = AutoModelForCausalLM.from_pretrained(folder / "model")
    return {name: value.clone() for name, value in model.state_dict().items()}


def test_a_killed_run_goes_on_to_the_same_weights(
    small: RunSettings, run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    step, folder = trainer._Run._step, tmp_path / "killed"

    def dying_step(self: Any, number: int, per_epoch: int) -> Any:
        if number == 27:  # between the checkpoint at step 20 and the end at 40
            raise Killed
        return step(self, number, per_epoch)

    monkeypatch.setattr(trainer._Run, "_step", dying_step)
    with pytest.raises(Killed):
        train(small, folder)
    assert not (folder / "model").exists()
    steps = []

    def counted_step(self: Any, number: int, per_epoch: int) -> Any:
        steps.append(number)
        return step(self, number, per_epoch)

    monkeypatch.setattr(trainer._Run, "_step", counted_step)
    torch.manual_seed(999)
    record = train(small, folder)
    assert steps == list(range(20, 40))
    straight, resumed = weights(run), weights(folder)
    assert all(torch.equal(straight[name], resumed[name]) for name in straight)
    whole = json.loads((run / "run.json").read_text())
    assert [row["loss"] for row in record["curve"]] == [row["loss"] for row in whole["curve"]]
    assert not (folder / "checkpoint").exists()


def test_a_run_trains_at_all(run: Path) -> None:
    curve = json.loads((run / "run.json").read_text())["curve"]
    assert [row["examples"] for row in curve] == [160, 320, 480, 640]
    assert curve[-1]["loss"] < 0.75 * curve[0]["loss"]


def test_the_run_folder_records_what_the_result_depends_on(small: RunSettings, run: Path) -> None:
    record = json.loads((run / "run.json").read_text())
    assert record["status"] == "completed" and record["settings"] == small.as_dict()
    assert record["target_tokens_per_epoch"] == 64 * 3  # two digits and the end mark
    assert record["target_tokens_seen"] == 640 * 3
    assert {"torch", "transformers", "accelerate", "arithmark"} <= record["versions"].keys()
    manifest = json.loads((run / "manifest.json").read_text())
    assert record["task_roster_sha256"] == manifest["task_roster_sha256"]


def test_the_manifest_of_a_run_verifies_against_what_it_was_trained_on(
    small: RunSettings, run: Path, tmp_path: Path
) -> None:
    for split in ("train", "validation", "heldout"):
        form = representations.get(small.representation)
        lines = (form.text(task, small.width) + "\n" for task in load_tasks(small).of(split))
        (tmp_path / split).write_text("".join(lines))
    assert all(
        found.holds
        for found in check_files(
            run / "manifest.json", [tmp_path / "train", tmp_path / "validation"], tmp_path / "heldout"
        )
    )


def test_a_finished_run_is_not_trained_again_and_other_settings_are_refused(small: RunSettings, run: Path) -> None:
    before = (run / "run.json").read_bytes()
    train(small, run)
    assert (run / "run.json").read_bytes() == before
    with pytest.raises(ValueError, match="seed 41, not 42"):
        train(replace(small, seed=42), run)


def test_a_folder_with_other_things_in_it_is_refused(small: RunSettings, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(ValueError, match="not a run"):
        train(small, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_the_one_pass_measure_equals_greedy_decoding(small: RunSettings, run: Path) -> None:
    loaded = load_model(str(run))
    tasks = load_tasks(small)
    report, graded = evaluate_tasks(loaded.model, loaded.tokenizer, tasks.validation, "padded-reversed", 1)
    data = encode_data(small, tasks)
    share = sum(item.exact and item.ended for item in graded) / len(graded)
    assert exact_share(loaded.model, data.monitor, data.monitor.first) == share
    assert report["overall"]["exact"]["of"] == len(tasks.validation) == 16


def test_augmentation_adds_swapped_additions_to_training_only(small: RunSettings) -> None:
    tasks = load_tasks(small)
    plain, augmented = encode_data(small, tasks), encode_data(replace(small, augment=True), tasks)
    assert len(augmented.train) > len(plain.train)
    assert torch.equal(augmented.monitor.ids, plain.monitor.ids)


@pytest.mark.parametrize(
    ("produced", "representation", "expected"),
    [
        ("46", "plain", (True, True, True)),
        ("046", "plain", (False, True, False)),
        ("64", "reversed", (True, True, True)),
        ("640", "reversed", (False, True, False)),
        ("0046", "padded", (True, True, True)),
        ("46", "padded", (False, True, False)),
        ("6400", "padded-reversed", (True, True, True)),
        ("6500", "padded-reversed", (False, False, True)),
        ("", "plain", (False, False, False)),
        ("4-6", "plain", (False, False, False)),
        ("４６", "plain", (False, False, False)),
        ("9" * 5000, "plain", (False, False, False)),
    ],
)
def test_an_answer_is_read_strictly_and_its_value_apart(
    produced: str, representation: str, expected: tuple[bool, bool, bool]
) -> None:
    graded = grade(Expression(12, "+", 34), produced, True, representation, 3)
    assert (graded.exact, graded.numerically_correct, graded.format_valid) == expected


def test_a_report_has_denominators_everywhere_and_at_most_five_wrong_examples(small: RunSettings, run: Path) -> None:
    loaded = load_model(str(run / "model"))
    tasks = load_tasks(small).train
    report, graded = evaluate_tasks(loaded.model, loaded.tokenizer, tasks, "plain", 1)
    assert len(report["wrong_examples"]) == min(5, sum(not item.exact for item in graded))
    for kind in ("by_bucket", "by_operator", "by_carries"):
        assert sum(shares["exact"]["of"] for shares in report[kind].values()) == len(tasks)
        assert sum(shares["exact"]["right"] for shares in report[kind].values()) == report["overall"]["exact"]["right"]
    json.dumps(report)


def test_the_model_folder_needs_no_code_of_ours(run: Path) -> None:
    model = AutoModelForCausalLM.from_pretrained(run / "model")
    tokenizer = AutoTokenizer.from_pretrained(run / "model")
    assert type(model).__module__.startswith("transformers.") and type(tokenizer).__module__.startswith("transformers.")
    output = model.generate(**tokenizer(["1+2="], return_tensors="pt", return_token_type_ids=False), max_new_tokens=2)
    assert tokenizer.decode(output[0]).startswith("1+2=")


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ({"batch": 0}, "batch"),
        ({"batch": "many"}, "batch"),
        ({"colour": 1}, "colour"),
        ({"representation": "roman"}, "roman"),
        ({"target": 2.0}, "target"),
        ({"adam_lr": -1.0}, "learning rates"),
        ({"augment": 1}, "augment"),
    ],
)
def test_a_bad_setting_is_named(values: dict[str, Any], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        read_settings(values)


@pytest.mark.parametrize("where", ["nowhere", "empty"])
def test_a_model_that_is_none_is_one_clear_line(tmp_path: Path, where: str) -> None:
    folder = tmp_path / where
    if where == "empty":
        folder.mkdir()
    with pytest.raises(ValueError) as caught:
        load_model(str(folder))
    assert "\n" not in str(caught.value)


def test_lm_eval_gives_the_same_result_for_every_item(small: RunSettings, run: Path) -> None:
    import lm_eval
    from lm_eval.tasks import TaskManager

    from arithmark_tasks.paths import task_folder

    recipe = {"seed": small.data_seed, "width": 1, "tasks": small.tasks, "per_bucket": small.per_bucket}
    metadata = {"representation": "padded-reversed"} | recipe
    results = lm_eval.simple_evaluate(
        model="hf",
        model_args={"pretrained": str(run / "model"), "device": "cpu", "dtype": "float32"},
        tasks=["calcgpt_heldout"],
        task_manager=TaskManager(include_path=str(task_folder() / "calcgpt"), metadata=metadata),
        metadata=metadata,
        batch_size=8,
        log_samples=True,
        bootstrap_iters=0,
    )
    loaded = load_model(str(run))
    tasks = load_tasks(small).heldout
    _, graded = evaluate_tasks(loaded.model, loaded.tokenizer, tasks, "padded-reversed", 1)
    samples = sorted(results["samples"]["calcgpt_heldout"], key=lambda sample: sample["doc_id"])
    form = representations.get("padded-reversed")
    assert [sample["doc"]["text"] for sample in samples] == [form.text(task, 1) for task in tasks]
    for measure, key in (("exact", "exact_match"), ("numerically_correct",) * 2, ("format_valid",) * 2):
        assert [sample[key] for sample in samples] == [float(getattr(item, measure)) for item in graded]
    assert {item.exact for item in graded} == {True, False}  # a test on all-wrong answers would prove nothing


@pytest.mark.slow
def test_two_processes_train_to_the_weights_of_one(small: RunSettings, tmp_path: Path, run: Path) -> None:
    import subprocess
    import sys

    options = [f"--set={name}={json.dumps(value)}" for name, value in small.as_dict().items() if value is not None]
    launch = [sys.executable, "-m", "torch.distributed.run", "--nproc_per_node=2", "--module", "arithmark_tasks.cli"]
    command = [*launch, "calcgpt", "train", "--out", str(tmp_path / "two"), "--width=1"]
    named = ["--representation=padded-reversed", "--tasks=80"]
    environment = os.environ | {"ACCELERATE_USE_CPU": "true", "OMP_NUM_THREADS": "1"}
    subprocess.run([*command, *named, *options], check=True, capture_output=True, timeout=300, env=environment)
    record = json.loads((tmp_path / "two" / "run.json").read_text())
    assert record["processes"] == 2
    one, two = weights(run), weights(tmp_path / "two")
    assert all(torch.allclose(one[name], two[name], atol=2e-2) for name in one)


def test_bf16_trains_too(small: RunSettings, tmp_path: Path) -> None:
    record = train(replace(small, precision="bf16", examples=160, checkpoint_every=160), tmp_path / "bf16")
    assert record["curve"][-1]["loss"] < 3
    assert all(value.dtype == torch.float32 for value in weights(tmp_path / "bf16").values())


@pytest.mark.gpu
def test_a_gpu_learns_the_small_task(small: RunSettings, tmp_path: Path) -> None:
    record = train(replace(small, precision="bf16"), tmp_path / "gpu")
    assert record["device"].startswith("cuda")
    assert record["curve"][-1]["loss"] < 0.75 * record["curve"][0]["loss"]
