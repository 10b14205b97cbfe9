"""The callback in a real Trainer: it scores what is trained, and the training takes no notice."""

import logging

import numpy as np
import pytest
import torch
from tiny import byte_level_tokenizer
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainerCallback, TrainingArguments, set_seed

from arithmark_tasks.evaluation.run import run
from arithmark_tasks.evaluation.settings import Settings
from arithmark_tasks.evaluation.tasks import TaskSet
from arithmark_tasks.generators.errors import InputError
from arithmark_tasks.results import read_result
from arithmark_tasks.training import ArithmarkCallback, balanced, untouched


@pytest.fixture(scope="module")
def tokenizer(items):
    return byte_level_tokenizer([item["ctx"] for item in items])


@pytest.fixture
def trainer(tokenizer, small_deeparithmark, tmp_path):
    """A function that makes a trainer of a tiny GPT-2 with dropout: four steps, evaluated after each second."""

    def make(**options):
        set_seed(7)
        config = GPT2Config(
            vocab_size=len(tokenizer), n_positions=512, n_embd=16, n_layer=1, n_head=2, bos_token_id=1, eos_token_id=2
        )
        ids = [tokenizer(item["ctx"])["input_ids"][:24] for item in small_deeparithmark[:16]]
        rows = [{"input_ids": row, "labels": row} for row in ids if len(row) == 24]
        arguments = TrainingArguments(
            output_dir=str(tmp_path / "run"),
            max_steps=4,
            eval_steps=2,
            eval_strategy="steps",
            save_strategy="no",
            per_device_train_batch_size=2,
            report_to=[],
            disable_tqdm=True,
            use_cpu=True,
            learning_rate=1e-2,
            **options,
        )
        return Trainer(
            model=GPT2LMHeadModel(config),
            args=arguments,
            train_dataset=rows,
            eval_dataset=rows[:2],
            processing_class=tokenizer,
        )

    return make


class DrawsNumbers(TrainerCallback):
    """A part of the training that uses numpy's state, which torch's weights do not show."""

    def __init__(self):
        self.drawn = []

    def on_step_end(self, args, state, control, **_):
        self.drawn.append(np.random.random())


def trained(made, *callbacks):
    draws = DrawsNumbers()
    for callback in (*callbacks, draws):
        made.add_callback(callback)
    made.train()
    return {name: weights.clone() for name, weights in made.model.state_dict().items()}, draws.drawn


def test_training_with_and_without_it_ends_in_the_same_weights(trainer):
    plain, drawn = trained(trainer())
    made = trainer(metric_for_best_model="eval_deeparithmark_soft_tok")
    scored, drawn_too = trained(made, ArithmarkCallback(made, items=8))
    assert drawn == drawn_too
    assert all(torch.equal(plain[name], scored[name]) for name in plain)
    lines = [line for line in made.state.log_history if "eval_deeparithmark_acc_norm" in line]
    assert [line["step"] for line in lines] == [2, 4]
    assert lines[0]["eval_deeparithmark_soft"] != lines[1]["eval_deeparithmark_soft"]
    assert {f"eval_deeparithmark_acc_norm_d{depth}" for depth in (2, 3, 4, 5)} < set(lines[0])


def test_its_numbers_are_those_of_the_command_on_the_same_weights(trainer, tmp_path, tokenizer):
    made = trainer()
    trained(made, ArithmarkCallback(made, every=2, out=tmp_path / "results"))
    assert [path.name for path in (tmp_path / "results").iterdir()] == ["step-4.json"]
    stored = read_result(tmp_path / "results" / "step-4.json")
    made.model.save_pretrained(tmp_path / "model")
    tokenizer.save_pretrained(tmp_path / "model")
    alone = run(Settings(model=str(tmp_path / "model")))
    assert alone is not None
    for mine, other in zip(stored.items, alone.items, strict=True):
        assert (mine.id, mine.tokens, mine.traits) == (other.id, other.tokens, other.traits)
        assert mine.loglikelihoods == pytest.approx(other.loglikelihoods, abs=1e-4)
    assert stored.model["training"]["step"] == 4


def test_a_subset_is_balanced_fixed_and_says_how_noisy_it_is(trainer, caplog):
    made = trainer()
    with caplog.at_level(logging.WARNING):
        callback = ArithmarkCallback(made, items=12)
        callback.on_evaluate(made.args, made.state, made.control)
    assert "12 of 80 items" in caplog.text
    chosen = TaskSet(["deeparithmark"])
    samples = balanced(chosen, 12)
    assert samples == callback._samples == balanced(chosen, 12)
    for name, places in samples.items():  # one task for each depth
        docs = chosen.tasks[name].eval_docs
        assert len(places) == 3
        taken = {docs[place]["metadata"]["template"] for place in places}
        assert len(taken) == min(3, len({doc["metadata"]["template"] for doc in docs}))
    with pytest.raises(InputError, match="has 80"):
        balanced(chosen, 81)


def test_modes_and_buffers_come_back_also_after_an_error():
    model = torch.nn.Sequential(torch.nn.Dropout(), torch.nn.BatchNorm1d(2))
    model[0].eval()
    mean = model[1].running_mean
    state = torch.get_rng_state()
    with pytest.raises(KeyError), untouched(model):
        assert not any(module.training for module in model.modules())
        model[1].running_mean = torch.ones(2)
        torch.rand(1)
        raise KeyError
    assert [module.training for module in model] == [False, True]
    assert model[1].running_mean is mean
    assert torch.equal(torch.get_rng_state(), state)


@pytest.mark.parametrize("options", [{"every": 0}, {"items": 0}, {"items": 8, "out": "results"}])
def test_what_cannot_be_is_refused_before_the_training(trainer, options):
    with pytest.raises(InputError):
        ArithmarkCallback(trainer(), **options)
