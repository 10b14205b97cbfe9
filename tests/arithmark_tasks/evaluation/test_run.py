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
from tiny import byte_level_tokenizer, save_tiny_model
from transformers import AutoTokenizer, GPT2Config, GPT2LMHeadModel

from arithmark_tasks import documents
from arithmark_tasks.evaluation import item_log, progress
from arithmark_tasks.evaluation.item_log import log_path
from arithmark_tasks.evaluation.run import run
from arithmark_tasks.evaluation.settings import Settings
from arithmark_tasks.evaluation.tasks import digest, task_manager
from arithmark_tasks.generators.errors import InputError
from arithmark_tasks.metrics import SIGNALS
from arithmark_tasks.scoring import models
from arithmark_tasks.statistics import credits_of, signals_of

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
        assert item.metrics == {**credits_of(item), **signals_of(item)}
        assert {name: item.metrics[name] for name in ("acc", "acc_norm", "soft", *SIGNALS)} == {
            name: sample[name] for name in ("acc", "acc_norm", "soft", *SIGNALS)
        }
    for metric in ("acc", "acc_norm"):
        ours = result.summary["groups"]["deeparithmark"]["metrics"][metric]["value"]
        assert ours == pytest.approx(theirs["results"]["deeparithmark"][f"{metric},none"])
    assert {task["num_fewshot"] for task in result.tasks.values()} == {shots or 0} == {result.run["num_fewshot"]}


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
        f"arithmark eval {tiny_model_folder} --tasks deeparithmark --dtype bf16 --batch-size 2 "
        "--max-context 64 --model-type hf --limit 3"
    )
    assert result.run["versions"]["torch"] == torch.__version__
    assert result.model["parameters"] == sum(
        parameter.numel() for parameter in models.load(str(tiny_model_folder), "hf").model.parameters()
    )
    assert result.datasets == {
        "deeparithmark/default": {"version": "2.0.0", "seed": 20261027, "items": 80, "sha256": digest(items)}
    }
    assert {task["chance"] for task in result.tasks.values()} == {0.25}


def test_weights_that_are_not_numbers_are_the_models_fault_and_found_before_anything_is_scored(
    scored, tmp_path, tiny_model_folder, requests_scored
):
    lm = models.load(str(tiny_model_folder), "hf")
    lm.model.lm_head.weight.data[3, 5] = math.nan
    lm.model.lm_head.weight.data[4] = math.inf
    lm.model.save_pretrained(tmp_path)
    lm.tokenizer.save_pretrained(tmp_path)
    with pytest.raises(InputError, match=r"its weights are damaged: 33 of 12,?\d+ values of lm_head.weight are NaN or"):
        scored(model=str(tmp_path))
    assert requests_scored == []


@pytest.mark.parametrize("model_type", ["hf", "hf-shared"])
def test_a_model_that_overflows_is_told_as_such_and_nothing_of_it_is_logged(
    scored, tmp_path, tiny_model_folder, model_type
):
    lm = models.load(str(tiny_model_folder), "hf")
    lm.model.model.norm.weight.data[:] = 1e38  # a number, and too large to go on with
    lm.model.save_pretrained(tmp_path / "model")
    lm.tokenizer.save_pretrained(tmp_path / "model")
    with pytest.raises(InputError, match=r"the model gives nan for a log-likelihood, computed in float32 on cpu: no"):
        scored(model=str(tmp_path / "model"), model_type=model_type, out=tmp_path / "r.json")
    assert log_path(tmp_path / "r.json").read_bytes().count(b"\n") == 1


def test_a_tokenizer_of_another_model_is_named_with_the_token_that_does_not_fit(scored, tmp_path, items):
    texts = [item["ctx"] for item in items]
    save_tiny_model(tmp_path, byte_level_tokenizer(texts, 300))
    byte_level_tokenizer(texts, 400).save_pretrained(tmp_path)
    for options in ({}, {"tasks": ("deeparithmark_gen",), "gen_kwargs": {"max_gen_toks": 4}}):
        with pytest.raises(InputError, match=r"it reads '.+' as token 3\d\d, and the model's embedding has 300$"):
            scored(model=str(tmp_path), **options)


def test_a_token_that_no_text_leads_to_does_no_harm(scored, tmp_path, items):
    tokenizer = byte_level_tokenizer([item["ctx"] for item in items], 300)
    save_tiny_model(tmp_path, tokenizer)
    tokenizer.add_special_tokens({"pad_token": "[PAD]"})
    tokenizer.save_pretrained(tmp_path)
    assert len(tokenizer) == 301
    assert len(scored(model=str(tmp_path)).items) == 12


@pytest.mark.parametrize("kind", ["llama", "gpt2"])
def test_a_folder_without_a_tokenizer_says_so(scored, tmp_path, tiny_model_folder, kind):
    if kind == "llama":
        shutil.copytree(tiny_model_folder, tmp_path, dirs_exist_ok=True)
        for file in tmp_path.glob("tokenizer*"):
            file.unlink()
    else:  # of these transformers makes a tokenizer of one token in silence
        GPT2LMHeadModel(GPT2Config(n_layer=1, n_embd=16, n_head=2, vocab_size=50)).save_pretrained(tmp_path)
    with pytest.raises(InputError, match=r"no tokenizer in this folder .*--model-args tokenizer=FOLDER"):
        scored(model=str(tmp_path))
    assert scored(model=str(tmp_path), model_args={"tokenizer": str(tiny_model_folder)}) if kind == "llama" else True


def test_more_shots_than_the_pool_are_refused_before_a_model_is_looked_for(scored):
    with pytest.raises(InputError, match=r"41 examples do not fit .*: the pool of deeparithmark_d2 holds 40$"):
        scored(model="no/such/model/there", num_fewshot=41)


def test_shots_that_no_task_takes_are_refused_and_never_stored(scored, arithmark3_file):
    with pytest.raises(InputError, match=r"--num-fewshot 3: calcgpt_heldout is always asked without examples"):
        scored(model="no/such/model/there", tasks=("calcgpt_heldout",), num_fewshot=3)
    mixed = scored(num_fewshot=3, arithmark3=arithmark3_file)
    assert {name: task["num_fewshot"] for name, task in mixed.tasks.items()}["arithmark3"] == 0


def test_a_limit_below_one_is_a_share_of_each_task(scored, both_sets):
    depths = [metadata["depth"] for metadata in both_sets["default"]["test"]["metadata"]]
    result = scored(limit=0.1)
    assert len(result.items) == sum(math.ceil(depths.count(depth) * 0.1) for depth in DEPTHS)
    assert result.run["limit"] == 0.1 and result.run["command"].endswith("--limit 0.1")


def test_generation_takes_other_arguments_where_answers_are_generated(scored):
    result = scored(tasks=("deeparithmark_gen",), gen_kwargs={"max_gen_toks": 3}, limit=2)
    assert result.run["gen_kwargs"] == {"max_gen_toks": 3}
    lengths = [len(item.text) for item in result.items]
    more = scored(tasks=("deeparithmark_gen",), gen_kwargs={"max_gen_toks": 30}, limit=2)
    assert max(lengths) < max(len(item.text) for item in more.items)
    with pytest.raises(InputError, match=r"--gen-kwargs: no answer is generated in deeparithmark_d2"):
        scored(gen_kwargs={"max_gen_toks": 3})


def test_further_arguments_reach_the_model_and_the_log(scored, tiny_model_folder, tmp_path):
    with pytest.raises(InputError, match=r"--model-args: give dtype as --dtype"):
        scored(model_args={"dtype": "float16"})
    result = scored(model_args={"add_bos_token": True})
    assert result.run["model_args"] == {"add_bos_token": True}
    assert result.items != scored().items


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


def test_the_stages_are_told_until_a_bar_of_the_items_begins_and_again_after_it(
    tiny_model_folder, both_sets, monkeypatch
):
    told, facts, bar = [], [], item_log.item_progress

    def seen(kind, keys, items, missing, **options):
        told.append((kind, len(set(items)), len(missing)))
        return bar(kind, keys, items, missing, **options)

    monkeypatch.setattr(item_log, "item_progress", seen)
    run(Settings(model=str(tiny_model_folder), limit=1), notify=told.append, tell=facts.append)
    assert told == [
        "loading the tasks",
        "loading the model",
        "building prompts",
        "",
        ("loglikelihood", 4, 16),
        "judging the answers",
        "computing statistics",
    ]
    (fact,) = facts
    assert fact.startswith(f"{tiny_model_folder}: ") and fact.endswith("the best device here")


def test_an_item_is_counted_when_its_last_request_is_answered_and_the_rest_is_estimated(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    done, told = [], []
    keys = [f"{item}{option}" for item in range(100) for option in "abcd"] + ["0a"]  # two items share one request
    items = [item for item in range(100) for _ in "abcd"] + ["control"]
    missing = {key for key in keys if not key.startswith("99")}
    counted = progress.ItemProgress(keys, items, missing, lambda: done.append(1), told.append)
    assert counted.left == 100
    for place, key in enumerate(keys[:-1]):
        now[0] += 1.0 if place % 8 == 0 else 0.0  # batches of two items, a second each
        counted.answered(key)
        if place == 0:
            assert (len(done), counted.left) == (1, 99)  # the one that is asked nothing else
    assert (len(done), counted.left) == (100, 0)
    assert told == ["about 45 s for the other 93 items"]


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
