"""Runs on tasks without options, and what the log makes of requests that are the same."""

import math
import shutil

import datasets
import pytest
from lm_eval.api.instance import Instance
from transformers import AutoTokenizer

from arithmark_tasks import documents
from arithmark_tasks.builders.zenyx import FEATURES
from arithmark_tasks.evaluation.item_log import ItemLog, LoggedLM
from arithmark_tasks.evaluation.run import run
from arithmark_tasks.evaluation.settings import Settings
from arithmark_tasks.generators import zenyx
from arithmark_tasks.scoring import models

SCORER = {"model": "tiny"}
PAIRS = [("3 + 4 is", " 7"), ("3 + 4 is", " 8"), ("3 + 4 is", " 7"), ("", " 7"), ("9 - 4 is", " 5.")]


@pytest.fixture
def questions(monkeypatch):
    """The tasks read 5 questions of each type."""
    bench = zenyx.build()
    some = [item for code in zenyx.DEFAULT_TYPES for item in [q for q in bench if q["type"] == code][:5]]
    rows = {"test": some, "fewshot": zenyx.build_fewshot()}
    tables = {name: datasets.Dataset.from_list(list(part), features=FEATURES) for name, part in rows.items()}
    monkeypatch.setattr(documents, "load_dataset", lambda *names: datasets.DatasetDict(tables))
    return some


def test_single_targets_are_scored_with_their_types_and_the_shots_of_the_task(tiny_model_folder, questions):
    result = run(Settings(model=str(tiny_model_folder), tasks=("zenyx_arith_ll",), limit=2))
    assert len(result.items) == 16
    by_id = {question["id"]: question for question in questions}
    for item in result.items:
        assert item.traits == {"type": by_id[item.id]["type"]}
        assert item.metrics["soft"] == math.exp(item.loglikelihoods[0])
        assert (item.gold, len(item.tokens), item.values, item.sources) == (0, 1, (), ())
    group = result.summary["groups"]["zenyx_arith_ll"]
    assert (group["kind"], group["chance"], group["n"]) == ("target", None, 16)
    assert set(group["by"]["type"]) == set(zenyx.DEFAULT_TYPES)
    assert {task["num_fewshot"] for task in result.tasks.values()} == {4}
    assert {task["dataset"] for task in result.tasks.values()} == {"zenyx/default"}


def test_generated_answers_are_kept_as_text_and_not_generated_again(
    tiny_model_folder, questions, tmp_path, monkeypatch
):
    settings = Settings(model=str(tiny_model_folder), tasks=("zenyx_arith_bare_4da",), limit=3)
    first = run(settings, out=tmp_path / "r.json")
    assert all(isinstance(item.text, str) and not item.loglikelihoods for item in first.items)
    assert set(first.items[0].metrics) == {"exact_match", "no_answer"}
    monkeypatch.setattr("lm_eval.models.huggingface.HFLM.generate_until", None)
    assert run(settings, out=tmp_path / "r.json").items == first.items


@pytest.fixture
def thinking_model(tmp_path, tiny_model_folder):
    """The tiny model with a chat template that opens the model's thoughts."""
    folder = tmp_path / "thinking"
    shutil.copytree(tiny_model_folder, folder)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    tokenizer.chat_template = "{% for turn in messages %}User: {{ turn['content'] }}\nBot:{% endfor %}<think>\n"
    tokenizer.save_pretrained(folder)
    return str(folder)


def test_thoughts_that_the_template_opens_and_nothing_ends_are_counted_as_no_answer(
    thinking_model, questions, tmp_path
):
    wrapped = Settings(model=thinking_model, tasks=("zenyx_arith_bare_4da",), limit=2, apply_chat_template=True)
    for out in (None, tmp_path / "r.json"):
        result = run(wrapped, out=out)
        assert [item.text.startswith("<think>") for item in result.items] == [True, True]
        assert [item.metrics for item in result.items] == [{"exact_match": 0.0, "no_answer": 1.0}] * 2
    plain = run(Settings(model=thinking_model, tasks=("zenyx_arith_bare_4da",), limit=2))
    assert not any(item.text.startswith("<think>") for item in plain.items)


@pytest.fixture
def inner(tiny_model_folder):
    return models.load(str(tiny_model_folder), "hf", batch_size=1)


def instances(kind, arguments):
    return [Instance(kind, {}, pair, index) for index, pair in enumerate(arguments)]


def test_each_different_request_is_answered_once_and_in_order(inner, tiny_model_folder):
    plain = models.load(str(tiny_model_folder), "hf", batch_size=1)
    expected = plain.loglikelihood(instances("loglikelihood", PAIRS), disable_tqdm=True)
    forwards = []
    inner.model.register_forward_pre_hook(lambda *_: forwards.append(1))
    logged = LoggedLM(inner, ItemLog(None, SCORER), show=False)
    assert logged.loglikelihood(instances("loglikelihood", PAIRS)) == expected
    before = len(forwards)
    assert 0 < before < len(PAIRS)
    assert logged.loglikelihood(instances("loglikelihood", PAIRS[::-1])) == expected[::-1]
    assert len(forwards) == before


def test_tokens_are_counted_in_the_encoding_of_context_and_continuation_together(inner):
    logged = LoggedLM(inner, ItemLog(None, SCORER), show=False)
    logged.loglikelihood(instances("loglikelihood", PAIRS))
    for context, continuation in PAIRS:
        together, alone = (len(inner.tok_encode(text)) for text in (context + continuation, context))
        assert logged.tokens(context, continuation) == (together - alone, 0)


def test_what_the_window_cuts_off_a_prompt_is_counted(tiny_model_folder):
    lm = models.load(str(tiny_model_folder), "hf", batch_size=1, max_length=6)
    logged = LoggedLM(lm, ItemLog(None, SCORER), show=False)
    pairs = [("3 + 4 is", " 7"), ("12 + 34 + 56 + 78 is", " 180")]
    logged.loglikelihood(instances("loglikelihood", pairs))
    cuts = [logged.tokens(*pair)[1] for pair in pairs]
    # The last token is only predicted: seven fit into a window of six.
    lengths = [len(lm.tok_encode("".join(pair))) for pair in pairs]
    assert cuts == [max(0, length - 7) for length in lengths] and cuts[1] > cuts[0] >= 0
    prompt = len(lm.tok_encode(pairs[1][0]))
    assert logged.tokens(pairs[1][0], {"max_gen_toks": 4, "until": []}) == (None, prompt - 2)
    assert logged.tokens("3", {"max_gen_toks": 1}) == (None, 0)


@pytest.mark.parametrize(("sampled", "calls"), [(True, 2), (False, 1)])
def test_only_answers_drawn_at_random_are_asked_for_again(inner, sampled, calls):
    seen = []
    generate = inner.generate_until
    inner.generate_until = lambda requests, **options: seen.append(len(requests)) or generate(requests, **options)
    logged = LoggedLM(inner, ItemLog(None, SCORER), show=False)
    options = {"until": ["\n"], "max_gen_toks": 4, "do_sample": sampled, "temperature": float(sampled)}
    for _ in range(2):
        assert len(logged.generate_until(instances("generate_until", [("3 + 4 is", options)] * 3))) == 3
    assert seen == [3 if sampled else 1] * calls


def test_everything_else_is_the_inner_models(inner):
    logged = LoggedLM(inner, ItemLog(None, SCORER), show=False)
    assert (logged.rank, logged.world_size, logged.tokenizer_name) == (0, 1, inner.tokenizer_name)
    assert logged.max_length == inner.max_length
    with pytest.raises(AttributeError):
        logged.no_such_thing  # noqa: B018
