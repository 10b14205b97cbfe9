"""Training, resumption, the run folder, and evaluation against lm-eval."""

import json
import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from accelerate import Accelerator
from transformers import AutoModelForCausalLM, AutoTokenizer, GPT2LMHeadModel

from arithmark_tasks.calcgpt import lm_eval_task, trainer
from arithmark_tasks.calcgpt.data import encode_data, load_tasks
from arithmark_tasks.calcgpt.evaluation import evaluate_tasks, grade, summary
from arithmark_tasks.calcgpt.run_folder import RunFolder, load_model
from arithmark_tasks.calcgpt.settings import RunSettings, read_settings
from arithmark_tasks.calcgpt.trainer import exact_share, train
from arithmark_tasks.generators.calcgpt import representations
from arithmark_tasks.generators.calcgpt.claims import check_files
from arithmark_tasks.generators.calcgpt.contracts import CONTRACTS
from arithmark_tasks.generators.calcgpt.spaces import lengths
from arithmark_tasks.generators.expression import Expression, parse
from arithmark_tasks.generators.intervals import wilson


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
        ({"warmup": -5}, "warmup"),
        ({"floor": 2.0}, "floor"),
        ({"seed": 10**30}, "seed"),
        ({"fraction": 1.0}, "fraction"),
        ({"width": 0}, "width"),
        ({"muon_lr": float("nan")}, "learning rates"),
        ({"contract": "vibes"}, "vibes"),
        ({"operators": "*"}, "operators"),
        ({"lengths": "long"}, "lengths"),
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
    results = lm_eval.simple_evaluate(
        model="hf",
        model_args={"pretrained": str(run / "model"), "device": "cpu", "dtype": "float32"},
        tasks=["calcgpt_heldout_padded_reversed"],
        task_manager=TaskManager(include_path=str(task_folder() / "calcgpt"), metadata=recipe),
        metadata=recipe,
        batch_size=8,
        log_samples=True,
        bootstrap_iters=0,
    )
    loaded = load_model(str(run))
    tasks = load_tasks(small).heldout
    _, graded = evaluate_tasks(loaded.model, loaded.tokenizer, tasks, "padded-reversed", 1)
    samples = sorted(results["samples"]["calcgpt_heldout_padded_reversed"], key=lambda sample: sample["doc_id"])
    form = representations.get("padded-reversed")
    assert [sample["doc"]["text"] for sample in samples] == [form.text(task, 1) for task in tasks]
    for measure, key in (("exact", "exact_match"), ("numerically_correct",) * 2, ("format_valid",) * 2):
        assert [sample[key] for sample in samples] == [float(getattr(item, measure)) for item in graded]
    assert {item.exact for item in graded} == {True, False}  # a test on all-wrong answers would prove nothing


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"representation": "padded-reversed"}, "calcgpt_heldout_padded_reversed"),
        ({"per_buckets": 20}, "per_bucket"),
        ({"representaton": "plain"}, "representation"),
        ({"contract": "vibes"}, "vibes"),
    ],
)
def test_a_metadata_key_that_would_be_ignored_is_refused(options: dict[str, Any], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        lm_eval_task.heldout("plain", pretrained="gpt2", dtype="float32", **options)


def test_requests_cached_under_other_options_are_refused() -> None:
    small = {"width": 1, "tasks": 80, "per_bucket": 20}
    doc = lm_eval_task.heldout("padded", **small)["heldout"][0]
    assert lm_eval_task.results(doc, [doc["target"]])["exact_match"] == 1
    lm_eval_task.heldout("padded", **(small | {"width": 2}))
    with pytest.raises(ValueError, match="--cache_requests refresh"):
        lm_eval_task.results(doc, [doc["target"]])


@pytest.mark.slow
def test_torchrun_on_a_processor_is_one_run_of_two_ranks_with_the_gradients_of_one(
    small: RunSettings, tmp_path: Path
) -> None:
    # a few steps of AdamW alone: Muon's bf16 products would hide a small difference behind their own rounding
    settings = replace(small, examples=64, evaluate_every=16, checkpoint_every=32, muon_lr=0.0)
    alone = train(settings, tmp_path / "one")
    changed = {name: value for name, value in settings.as_dict().items() if value != getattr(RunSettings(), name)}
    told = {name: changed.pop(name) for name in ("representation", "width", "tasks")}
    launch = [sys.executable, "-m", "torch.distributed.run", "--nproc_per_node=2", "--module", "arithmark_tasks.cli"]
    options = [f"--{name}={value}" for name, value in told.items()]
    options += [f"--set={name}={json.dumps(value)}" for name, value in changed.items()]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ACCELERATE")}
    environment |= {"OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""}
    subprocess.run(
        [*launch, "calcgpt", "train", "--out", str(tmp_path / "two"), *options],
        check=True,
        capture_output=True,
        timeout=300,
        env=environment,
    )
    both = json.loads((tmp_path / "two" / "run.json").read_text())
    assert both["processes"] == 2 and alone["processes"] == 1
    for measure in ("loss", "gradient_norm", "validation_exact"):  # of all ranks together
        ours, theirs = ([row[measure] for row in record["curve"]] for record in (alone, both))
        assert theirs == pytest.approx(ours, rel=1e-3), measure
    one, two = weights(tmp_path / "one"), weights(tmp_path / "two")
    assert all(torch.allclose(one[name], two[name], atol=1e-3) for name in one)


def test_a_second_start_in_a_folder_is_refused_and_the_first_is_not_disturbed(
    small: RunSettings, tmp_path: Path
) -> None:
    with RunFolder(tmp_path / "run").locked():
        with pytest.raises(ValueError, match="another start"):
            train(small, tmp_path / "run")
        assert [path.name for path in (tmp_path / "run").iterdir()] == [".lock"]
    assert not (tmp_path / "run").exists()


def test_a_run_that_diverges_stops_and_keeps_its_last_good_checkpoint(
    small: RunSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    step = trainer._Run._step

    def broken_step(self: Any, number: int, per_epoch: int) -> Any:
        loss = step(self, number, per_epoch)
        if number == 25:
            with torch.no_grad():
                next(self.model.parameters()).fill_(float("nan"))
        return loss

    monkeypatch.setattr(trainer._Run, "_step", broken_step)
    with pytest.raises(ValueError, match="diverged: at step 30") as caught:
        train(small, tmp_path / "run")
    progress = json.loads((tmp_path / "run" / "checkpoint" / "progress.json").read_text())
    assert progress["step"] == 20 and not (tmp_path / "run" / "model").exists()
    saved = torch.load(tmp_path / "run" / "checkpoint" / "pytorch_model.bin", weights_only=True)
    assert all(torch.isfinite(value).all() for value in saved.values())
    monkeypatch.undo()
    for again in (lambda: train(small, tmp_path / "run"), lambda: load_model(str(tmp_path / "run"))):
        with pytest.raises(ValueError) as told:
            again()
        assert str(caught.value) == str(told.value)  # not the advice to go on, which would fail for ever


@pytest.mark.parametrize("damaged", ["progress.json", "pytorch_model.bin", "optimizer.bin"])
def test_a_damaged_checkpoint_is_one_clear_line(
    small: RunSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damaged: str
) -> None:
    class Full(Exception):
        pass

    def no_more(self: Any, *_: Any) -> None:
        raise Full

    monkeypatch.setattr(trainer._Run, "_finish", no_more)
    settings = replace(small, examples=64, checkpoint_every=32)
    with pytest.raises(Full):
        train(settings, tmp_path / "run")
    file = tmp_path / "run" / "checkpoint" / damaged
    file.write_bytes(file.read_bytes()[:40])
    with pytest.raises(ValueError, match=r"damaged .*; delete the folder to start over") as caught:
        train(settings, tmp_path / "run")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("what", ["checkpoint", "model"])
def test_a_full_disk_is_one_clear_line(
    small: RunSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise RuntimeError("PytorchStreamWriter failed writing file data/0: file write failed\nat line 3")

    target = (Accelerator, "save_state") if what == "checkpoint" else (GPT2LMHeadModel, "save_pretrained")
    monkeypatch.setattr(*target, full)
    with pytest.raises(ValueError, match=r"cannot be written, .* MiB are free: PytorchStreamWriter") as caught:
        train(replace(small, examples=64, checkpoint_every=32), tmp_path / "run")
    assert "\n" not in str(caught.value)


def test_the_weights_can_be_read_by_whom_the_umask_allows(run: Path) -> None:
    mask = os.umask(0)
    os.umask(mask)
    assert {path.stat().st_mode & 0o777 for path in (run / "model").iterdir()} == {0o666 & ~mask}


def test_metrics_are_a_line_for_each_look(run: Path) -> None:
    rows = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    assert rows == json.loads((run / "run.json").read_text())["curve"]
    assert all(row["gradient_norm"] > 0 for row in rows)


def test_balanced_epochs_show_each_pair_of_lengths_equally_often() -> None:
    settings = RunSettings(width=2, tasks=600, per_bucket=20, lengths="balanced")
    tasks = load_tasks(settings)
    data = encode_data(settings, tasks)
    for epoch in (0, 1):
        order = data.order(41, epoch)
        counts = Counter(lengths(tasks.train[row]) for row in order.tolist())
        assert sum(counts.values()) == len(tasks.train) and max(counts.values()) - min(counts.values()) <= 1
    assert not torch.equal(data.order(41, 0), data.order(41, 1)) and torch.equal(data.order(41, 0), data.order(41, 0))


@pytest.mark.parametrize(
    ("task", "produced", "kind"),
    [
        ("58+67", "115", "carry lost"),
        ("158+267", "315", "carry lost"),
        ("58+67", "15", "carry lost"),
        ("58+67", "124", "off by a power of ten"),
        ("12+34", "56", "off by a power of ten"),
        ("42-17", "35", "carry lost"),
        ("42-17", "15", "off by a power of ten"),
        ("58+67", "12", "cut short"),
        ("58+67", "1255", "too long"),
        ("58+67", "152", "digits swapped"),
        ("58+67", "129", "one digit wrong"),
        ("58+67", "0125", "other form"),
        ("58+67", "", "no number"),
        ("58+67", "1-5", "no number"),
        ("58+67", "999", "other"),
        ("58+67", "125", None),
    ],
)
def test_a_wrong_answer_has_a_kind(task: str, produced: str, kind: str | None) -> None:
    assert grade(parse(task), produced, True, "plain", 3).error == kind
    backwards = {"cut short": "21", "other form": "5210"}.get(str(kind), produced)
    if kind not in ("cut short", "too long", "other form"):
        assert grade(parse(task), backwards[::-1], True, "reversed", 3).error == kind


def test_intervals_take_classes_as_the_sample() -> None:
    tasks = [Expression(a, "+", b) for a in range(10, 15) for b in range(10, 15)]  # no carry in any of them
    graded = [grade(task, str(task.left + task.right), True, "plain", 2) for task in tasks]
    by_pair, by_carry = (summary(graded, CONTRACTS[name].key)["exact"] for name in ("operand_pair", "carry"))
    assert (by_pair["classes"], by_carry["classes"], by_carry["of"]) == (15, 1, 25)
    assert by_carry["low"] == pytest.approx(wilson(1, 1)[0], abs=1e-6)
    assert by_carry["low"] < by_pair["low"]


def test_bf16_trains_too(small: RunSettings, tmp_path: Path) -> None:
    record = train(replace(small, precision="bf16", examples=160, checkpoint_every=160), tmp_path / "bf16")
    assert record["curve"][-1]["loss"] < 3
    assert all(value.dtype == torch.float32 for value in weights(tmp_path / "bf16").values())


@pytest.mark.gpu
def test_a_gpu_learns_the_small_task(small: RunSettings, tmp_path: Path) -> None:
    record = train(replace(small, precision="bf16"), tmp_path / "gpu")
    assert record["device"].startswith("cuda")
    assert record["curve"][-1]["loss"] < 0.75 * record["curve"][0]["loss"]
