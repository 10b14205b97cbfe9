"""Whole runs on a tiny model: the numbers against lm-eval's own, the log against an interruption."""

import math
import shutil

import pytest
import torch
from hub_client import connect
from hub_server import running
from huggingface_hub import HfApi
from lm_eval import simple_evaluate
from lm_eval.api.instance import Instance
from lm_eval.models.huggingface import HFLM
from transformers import AutoTokenizer

from arithmark_tasks import documents
from arithmark_tasks.evaluation import logged_model as logged
from arithmark_tasks.evaluation.run import run
from arithmark_tasks.evaluation.settings import Settings
from arithmark_tasks.evaluation.tasks import digest, task_manager
from arithmark_tasks.generators.errors import InputError
from arithmark_tasks.scoring import models

DEPTHS = (2, 3, 4, 5)


@pytest.mark.parametrize("shots", [None, 2])
def test_scores_are_those_of_lm_eval(scored, tiny_model_folder, both_sets, monkeypatch, shots):
    monkeypatch.setattr("lm_eval.evaluator.add_env_info", lambda results: None)
    result = scored(model_type="hf", num_fewshot=shots)
    lm = HFLM(pretrained=str(tiny_model_folder), dtype="float32", batch_size=8, device="cpu")
    names = ["deeparithmark"]
    theirs = simple_evaluate(lm, tasks=names, limit=3, num_fewshot=shots, task_manager=task_manager(names))
    samples = [sample for depth in DEPTHS for sample in theirs["samples"][f"deeparithmark_d{depth}"]]
    assert [item.id for item in result.items] == [sample["doc"]["source_id"] for sample in samples]
    for item, sample in zip(result.items, samples, strict=True):
        assert item.loglikelihoods == tuple(score for ((score, _),) in sample["resps"])
        assert item.metrics == {name: sample[name] for name in ("acc", "acc_norm", "soft")}
    for metric in ("acc", "acc_norm"):
        ours = result.summary["groups"]["deeparithmark"]["metrics"][metric]["value"]
        assert ours == pytest.approx(theirs["results"]["deeparithmark"][f"{metric},none"])
    assert {task["num_fewshot"] for task in result.tasks.values()} == {shots or 0}


def test_an_item_holds_what_its_document_and_the_tokenizer_say(scored, tiny_model_folder, items):
    encode = AutoTokenizer.from_pretrained(tiny_model_folder).encode
    by_id = {item["source_id"]: item for item in items}
    result = scored()
    assert len(result.items) == 12
    for score in result.items:
        item = by_id[score.id]
        known = item["metadata"]
        assert score.group == "deeparithmark"
        assert score.task == f"deeparithmark_d{known['depth']}"
        assert score.traits == {"depth": known["depth"], "template": known["template"]}
        assert score.gold == int(item["label"])
        assert score.characters == tuple(map(len, item["endings"]))
        assert list(score.values) == known["option_values"]
        assert list(score.sources) == known["option_sources"]
        context = len(encode(item["ctx"]))
        assert score.tokens == tuple(len(encode(item["ctx"] + ending)) - context for ending in item["endings"])


def test_the_token_normalised_score_is_the_one_counted_by_hand(scored):
    result = scored(limit=20)
    right = 0
    for item in result.items:
        means = [total / count for total, count in zip(item.loglikelihoods, item.tokens, strict=True)]
        right += means.index(max(means)) == item.gold
    score = result.summary["groups"]["deeparithmark"]["metrics"]["acc_norm_tok"]
    assert (score["value"], score["n"]) == (right / 80, 80)


def test_the_result_says_what_it_takes_to_repeat_it(scored, tiny_model_folder, items):
    result = scored(dtype="bf16", batch_size="2", max_context=64, model_type="hf")
    assert result.run["dtype"] == "bfloat16"
    assert (result.run["batch_size"], result.run["max_context"], result.run["limit"]) == (2, 64, 3)
    assert result.run["command"] == (
        f"arithmark eval --model {tiny_model_folder} --tasks deeparithmark --dtype bf16 --batch-size 2 "
        "--max-context 64 --model-type hf --limit 3"
    )
    assert result.run["versions"]["torch"] == torch.__version__
    assert result.model["parameters"] == sum(
        parameter.numel() for parameter in models.load(str(tiny_model_folder), "hf").model.parameters()
    )
    assert result.datasets == {
        "deeparithmark/default": {"version": "1.0.0", "seed": 20261027, "items": 80, "sha256": digest(items)}
    }
    assert {task["chance"] for task in result.tasks.values()} == {0.25}


def test_weights_that_are_not_numbers_end_in_a_line_that_names_the_item(scored, tmp_path, tiny_model_folder):
    lm = models.load(str(tiny_model_folder), "hf")
    lm.model.lm_head.weight.data[:] = math.nan
    lm.model.save_pretrained(tmp_path)
    lm.tokenizer.save_pretrained(tmp_path)
    with pytest.raises(InputError, match=r"item deeparithmark_v1_\S+: option 0 has the log-likelihood nan"):
        scored(model=str(tmp_path), model_type="hf")


def test_unknown_names_are_found_before_a_model_is_looked_for(scored):
    with pytest.raises(InputError, match=r"no such task: deeparithmark_d9; ours are .*deeparithmark_d5"):
        scored(model="no/such/model/there", tasks=("deeparithmark", "deeparithmark_d9"))
    with pytest.raises(InputError, match="no task given"):
        scored(tasks=())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"batch_size": "0"}, "a batch size is a number or auto, not '0'"),
        ({"batch_size": "many"}, "not 'many'"),
        ({"dtype": "int4"}, "no such dtype: int4; .*bf16.*auto"),
        ({"model_type": "vllm"}, "no such model type: vllm"),
        ({"apply_chat_template": True}, "chat template"),
        ({"max_context": 5}, r"item deeparithmark\S+: a continuation of \d+ tokens does not fit .* of 5$"),
        ({"tasks": ("deeparithmark_gen",)}, r"deeparithmark_gen generates up to 512 tokens \(max_gen_toks\).* of 512$"),
    ],
)
def test_settings_that_do_not_fit_are_one_line(scored, options, message):
    with pytest.raises(InputError, match=message) as caught:
        scored(**options)
    assert "\n" not in str(caught.value)


def test_the_stages_are_told_until_a_bar_begins_and_again_after_it(tiny_model_folder, both_sets, monkeypatch):
    told, bar = [], logged.progress_bar

    def seen(title, *numbers, **options):
        told.append(title)
        return bar(title, *numbers, **options)

    monkeypatch.setattr(logged, "progress_bar", seen)
    run(Settings(model=str(tiny_model_folder), limit=1), notify=told.append)
    assert told == [
        "loading the tasks",
        "loading the model",
        "building prompts",
        "",
        "scoring",
        "judging the answers",
        "computing statistics",
    ]


def test_a_model_of_the_hub_is_recorded_with_its_commit(scored, tmp_path, monkeypatch, tiny_model_folder):
    with running() as hub:
        connect(monkeypatch, hub, tmp_path)
        repo = hub.add_repo("model", "sums/tiny")
        commit = HfApi().upload_folder(repo_id="sums/tiny", folder_path=tiny_model_folder).oid
        result = scored(model="sums/tiny")
        assert hub.unknown == []
    assert repo.branches["main"] == commit
    assert (result.model["name"], result.model["revision"]) == ("sums/tiny", commit)
    assert result.items == scored(model=str(tiny_model_folder)).items


def test_prompts_are_wrapped_in_the_models_template_when_that_is_asked_for(scored, tmp_path, tiny_model_folder):
    folder = tmp_path / "chat"
    shutil.copytree(tiny_model_folder, folder)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    tokenizer.chat_template = "{% for message in messages %}User: {{ message['content'] }}\nBot:{% endfor %}"
    tokenizer.save_pretrained(folder)
    plain, wrapped = (scored(model=str(folder), limit=1, apply_chat_template=wanted) for wanted in (False, True))
    assert (plain.run["chat_template"], wrapped.run["chat_template"]) == (False, True)
    lm = models.load(str(folder), "hf")
    for item in wrapped.items:
        (doc,) = (doc for doc in documents.load_dataset("deeparithmark")["test"] if doc["source_id"] == item.id)
        pairs = [(f"User: {doc['ctx']}\nBot:", ending) for ending in doc["endings"]]
        asked = [Instance("loglikelihood", {}, pair, 0) for pair in pairs]
        expected = [score for score, _ in lm.loglikelihood(asked, disable_tqdm=True)]
        assert item.loglikelihoods == pytest.approx(expected, abs=1e-4)
