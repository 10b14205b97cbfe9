"""``acc`` of the likelihood task is the exact match of greedy generation, item by item, on models that know some."""

import datasets
import pytest
import torch
from lm_eval import simple_evaluate
from lm_eval.tasks import TaskManager
from tiny import byte_level_tokenizer, save_tiny_model, sentencepiece_like_tokenizer
from transformers import AutoModelForCausalLM, AutoTokenizer

from arithmark_tasks import documents
from arithmark_tasks.builders.zenyx import FEATURES
from arithmark_tasks.generators import zenyx
from arithmark_tasks.paths import task_folder
from arithmark_tasks.scoring.models import load, resolve_model

# The only 3-digit subtractions of the bench that the embedded model gets right in this format.
RIGHT = ("3ds-1098", "3ds-1511", "3ds-1867")


def outcomes(model, items, monkeypatch):
    """Per item whether the generated answer matches, and whether the likelihood task says it would."""
    fewshot = datasets.Dataset.from_list(zenyx.build_fewshot(), features=FEATURES)
    test = datasets.Dataset.from_list(items, features=FEATURES)
    monkeypatch.setattr(documents, "load_dataset", lambda name, config: {"test": test, "fewshot": fewshot})
    monkeypatch.setattr("lm_eval.evaluator.add_env_info", lambda results: None)
    manager = TaskManager(include_path=str(task_folder()), include_defaults=False)
    codes = sorted({item["type"] for item in items})
    names = [f"{group}_{code}" for group in ("zenyx_arith", "zenyx_arith_ll") for code in codes]
    samples = simple_evaluate(model=model, tasks=names, task_manager=manager, bootstrap_iters=0)["samples"]
    generated = {one["doc"]["id"]: one for code in codes for one in samples[f"zenyx_arith_{code}"]}
    scored = {one["doc"]["id"]: one for code in codes for one in samples[f"zenyx_arith_ll_{code}"]}
    assert generated.keys() == scored.keys() == {item["id"] for item in items}
    prompts = {identity: one["arguments"][0][0] for identity, one in generated.items()}
    assert prompts == {identity: one["arguments"][0][0] for identity, one in scored.items()}
    return {identity: (generated[identity]["exact_match"], scored[identity]["acc"]) for identity in generated}


def taught(folder, tokenizer, known):
    """A tiny model that has learned the answers of ``known``, given as (prompt, answer line)."""
    save_tiny_model(folder, tokenizer, window=1024)
    model = AutoModelForCausalLM.from_pretrained(folder)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    rows = []
    for prompt, line in known:
        tokens, context = tokenizer.encode(prompt + line), len(tokenizer.encode(prompt))
        rows.append((torch.tensor([tokens]), torch.tensor([[-100] * context + tokens[context:]])))
    for _ in range(150):
        loss = sum(model(tokens, labels=labels).loss for tokens, labels in rows) / len(rows)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if loss < 0.01:
            break
    model.save_pretrained(folder)


@pytest.mark.parametrize("make", [byte_level_tokenizer, sentencepiece_like_tokenizer])
def test_a_model_that_has_learned_some_answers_is_right_on_the_same_items_both_ways(make, tmp_path, monkeypatch):
    items = [item for item in zenyx.build() if item["type"] in ("3ds", "div") and item["id"].endswith("7")]
    items = items[:8] + items[-8:]
    shots = {item["id"]: item for item in zenyx.build_fewshot()}
    examples = [shots[f"{code}-fewshot-0"] for code in ("4da", "3ds", "34m", "div")]
    head = "".join(f"Question: {item['question']}\nAnswer: {item['answer']}\n" for item in examples)
    known = [(f"{head}Question: {item['question']}\nAnswer:", f" {item['answer']}\n") for item in items[::2]]
    tokenizer = make([head, *(line for _, line in known)])
    taught(tmp_path, tokenizer, known)
    found = outcomes(load(str(tmp_path)), items, monkeypatch)
    assert all(match == greedy for match, greedy in found.values())
    assert {found[item["id"]] for item in items[::2]} == {(1.0, 1.0)}
    assert (0.0, 0.0) in found.values()


@pytest.mark.slow
@pytest.mark.parametrize("batch_size", [1, 8])
def test_the_embedded_model_is_right_on_the_same_items_both_ways(batch_size, monkeypatch):
    bench = {item["id"]: item for item in zenyx.build()}
    wrong = [f"{code}-000{number}" for code in ("3ds", "4da", "div") for number in (1, 2)]
    items = [bench[identity] for identity in (*RIGHT, *wrong)]
    found = outcomes(load(resolve_model(None)[0], batch_size=batch_size), items, monkeypatch)
    assert all(match == greedy for match, greedy in found.values())
    assert {identity for identity, (_, greedy) in found.items() if greedy} == set(RIGHT)


@pytest.mark.slow
def test_in_every_tokenizer_the_line_end_is_a_token_of_its_own(tmp_path):
    tokenizer = AutoTokenizer.from_pretrained(resolve_model(None)[0])
    for answer in ("5", "410", "3457084"):
        whole = tokenizer.encode(f"Answer: {answer}\nQuestion:")
        alone = tokenizer.encode(f"Answer: {answer}\n")
        assert whole[: len(alone)] == alone and tokenizer.decode(alone[-1:]) == "\n"
