"""What a stopped run leaves, and who may go on with it."""

import shutil

import pytest
import torch

from arithmark_tasks.evaluation.item_log import log_path
from arithmark_tasks.evaluation.run import save
from arithmark_tasks.generators.errors import InputError
from arithmark_tasks.results import read_result
from arithmark_tasks.scoring import models


class Stopped(BaseException):
    """Stands for the end of the process: nothing may catch it."""


def stop_in_the_middle(monkeypatch, out):
    """Stop before the forward pass that follows eight logged answers."""
    load = models.load

    def stopping(*args, **options):
        lm = load(*args, **options)

        def check(*_):
            if log_path(out).exists() and log_path(out).read_bytes().count(b"\n") > 8:
                raise Stopped

        lm.model.register_forward_pre_hook(check)
        return lm

    monkeypatch.setattr(models, "load", stopping)


def test_a_request_that_two_tasks_share_is_scored_once(scored, requests_scored):
    result = scored(tasks=("deeparithmark", "deeparithmark_control"), model_type="hf")
    asked = {(item.id.replace("_control", ""), value) for item in result.items for value in item.values}
    assert sum(requests_scored) == len(asked) < sum(len(item.values) for item in result.items)


@pytest.mark.parametrize("model_type", ["hf", "hf-shared"])
def test_a_stopped_run_goes_on_and_ends_with_the_same_numbers(
    scored, tmp_path, monkeypatch, requests_scored, model_type
):
    whole = scored(model_type=model_type, batch_size="2")
    total = requests_scored.pop()
    out = tmp_path / "r.json"
    with monkeypatch.context() as patch, pytest.raises(Stopped):
        stop_in_the_middle(patch, out)
        scored(out, model_type=model_type, batch_size="2")
    logged = len(log_path(out).read_text(encoding="utf-8").splitlines()) - 1
    assert 0 < logged < total
    requests_scored.clear()
    again = scored(out, model_type=model_type, batch_size="2")
    assert requests_scored == [total - logged]
    assert again.items == whole.items
    assert again.summary == whole.summary
    save(out, again)
    assert read_result(out).items == whole.items
    assert [path.name for path in tmp_path.iterdir()] == ["r.json"]


def test_other_items_of_the_same_scorer_use_the_log_and_other_settings_are_refused(scored, tmp_path, requests_scored):
    out = tmp_path / "r.json"
    scored(out, tasks=("deeparithmark_d2",))
    first = requests_scored.pop()
    scored(out, tasks=("deeparithmark_d2",), limit=5)
    assert 0 < requests_scored[0] < 5 * 4
    assert first == 3 * 4
    with pytest.raises(InputError, match="another run, with dtype 'float32' instead of 'bfloat16'; use --force"):
        scored(out, dtype="bf16")
    with pytest.raises(InputError, match="another run, with max_context 512 instead of 100"):
        scored(out, max_context=100)


def test_a_folder_with_other_weights_is_another_scorer(scored, tmp_path, tiny_model_folder):
    copy = tmp_path / "checkpoint"
    shutil.copytree(tiny_model_folder, copy)
    out = tmp_path / "r.json"
    scored(out, model=str(copy))
    scored(out, model=str(tiny_model_folder))  # the same weights elsewhere
    model = models.load(str(copy), "hf").model
    model.lm_head.weight.data[5] += 1
    model.save_pretrained(copy)
    with pytest.raises(InputError, match="another run, with model"):
        scored(out, model=str(copy))


def test_too_little_memory_is_one_line_and_loses_no_answer(scored, tmp_path, monkeypatch):
    out = tmp_path / "r.json"

    def full(*_):
        if log_path(out).read_bytes().count(b"\n") > 8:
            raise torch.OutOfMemoryError("CUDA out of memory.\nTried to allocate")

    load = models.load
    monkeypatch.setattr(models, "load", lambda *args, **options: hooked(load(*args, **options)))

    def hooked(lm):
        lm.model.register_forward_pre_hook(full)
        return lm

    with pytest.raises(InputError, match="out of memory with batches of 2: try a smaller --batch-size"):
        scored(out, model_type="hf", batch_size="2")
    assert log_path(out).read_bytes().count(b"\n") > 8
