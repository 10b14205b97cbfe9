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

from arithmark_tasks import documents, models
from arithmark_tasks.evaluation.item_log import log_path
from arithmark_tasks.evaluation.run import save
from arithmark_tasks.evaluation.tasks import digest, task_manager
from arithmark_tasks.generators.errors import InputError
from arithmark_tasks.results import read_result

DEPTHS = (2, 3, 4, 5)


class Stopped(BaseException):
    """Stands for the end of the process: nothing may catch it."""


@pytest.fixture
def requests_scored(monkeypatch):
    """The numbers of requests that models were given to score, call by call."""
    counts = []
    load = models.load

    def counted(*args, **options):
        lm = load(*args, **options)
        score = lm._loglikelihood_tokens

        def scoring(requests, **further):
            counts.append(len(requests))
            return score(requests, **further)

        lm._loglikelihood_tokens = scoring
        return lm

    monkeypatch.setattr(models, "load", counted)
    return counts


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


def test_weights_that_are_not_numbers_end_in_a_line_that_names_the_item(scored, tmp_path, tiny_model_folder):
    lm = models.load(str(tiny_model_folder), "hf")
    lm.model.lm_head.weight.data[:] = math.nan
    lm.model.save_pretrained(tmp_path)
    lm.tokenizer.save_pretrained(tmp_path)
    with pytest.raises(InputError, match=r"item deeparithmark_v1_\S+: option 0 has the log-likelihood nan"):
        scored(model=str(tmp_path), model_type="hf")


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


def test_unknown_names_are_found_before_a_model_is_looked_for(scored):
    with pytest.raises(InputError, match=r"no such task: deeparithmark_d9; ours are .*deeparithmark_d5"):
        scored(model="no/such/model/there", tasks=("deeparithmark", "deeparithmark_d9"))
    with pytest.raises(InputError, match="no task given"):
        scored(tasks=())
    with pytest.raises(InputError, match="deeparithmark_d2"):
        scored(tasks=("deeparithmark", "deeparithmark_d2"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"batch_size": "0"}, "a batch size is a number or auto, not '0'"),
        ({"batch_size": "many"}, "not 'many'"),
        ({"dtype": "int4"}, "no such dtype: int4"),
        ({"model_type": "vllm"}, "no such model type: vllm"),
        ({"apply_chat_template": True}, "chat template"),
        ({"max_context": 5}, r"a continuation of \d+ tokens does not fit into a context of 5"),
        ({"tasks": ("deeparithmark_gen",)}, r"max tokens to generate \(512\) must be less than .* length \(512\)"),
    ],
)
def test_settings_that_do_not_fit_are_one_line(scored, options, message):
    with pytest.raises(InputError, match=message) as caught:
        scored(**options)
    assert "\n" not in str(caught.value)


@pytest.mark.slow
def test_the_digests_are_the_golden_ones():
    from golden import stored

    from arithmark_tasks.evaluation.tasks import TaskSet, dataset_facts, dataset_name

    expected = {
        "deeparithmark_d2": "deeparithmark version 1 seed 20261027 default/test",
        "zenyx_arith_ll_4da": "zenyx version 1 seed 20261027 default/test",
        "zenyx_arith_mc_4da": "zenyx version 1 seed 20261027 multiple choice/test",
    }
    tasks = TaskSet(list(expected)).tasks
    for name, golden in expected.items():
        assert dataset_facts(dataset_name(name), tasks[name])["sha256"] == stored()[golden]


@pytest.mark.slow
def test_tasks_of_lm_eval_itself_are_known_too():
    assert "arc_easy" in task_manager(["arc_easy", "deeparithmark"]).all_tasks
    with pytest.raises(InputError, match="no such task: nothing_like_it"):
        task_manager(["nothing_like_it"])


def test_every_task_of_ours_says_which_dataset_it_is_about():
    from arithmark_tasks.builders.loading import builder_class
    from arithmark_tasks.evaluation.tasks import dataset_name

    for name in task_manager(["deeparithmark"]).all_tasks:
        dataset, config = dataset_name(name).split("/")
        assert config in builder_class(dataset).builder_configs


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
