"""What real tokenizers and models make of our requests: boundaries, batches, windows."""

import logging

import pytest
from lm_eval import simple_evaluate
from lm_eval.api.instance import Instance
from lm_eval.models.huggingface import HFLM
from tiny import byte_level_tokenizer, save_tiny_model, sentencepiece_like_tokenizer
from transformers import AutoTokenizer

from arithmark_tasks.evaluation.tasks import task_manager
from arithmark_tasks.scoring.models import embedded_gguf, load, resolve_model

TOKENIZERS = ["SmolLM2", "sentencepiece", "byte-level"]


@pytest.fixture(scope="module")
def tokenizers(items):
    gguf = embedded_gguf()
    texts = [item["ctx"] + ending for item in items[::2] for ending in item["endings"]]
    return {
        "SmolLM2": AutoTokenizer.from_pretrained(gguf.parent, gguf_file=gguf.name),
        "sentencepiece": sentencepiece_like_tokenizer(texts),
        "byte-level": byte_level_tokenizer(texts),
    }


def requests_for(items):
    return [
        Instance("loglikelihood", item, (item["ctx"], ending), index)
        for item in items
        for index, ending in enumerate(item["endings"])
    ]


@pytest.mark.parametrize("name", TOKENIZERS)
def test_no_request_has_an_empty_continuation_and_the_prompt_keeps_its_tokens(
    tokenizers, name, items, exemplars, tmp_path, monkeypatch
):
    tokenizer = tokenizers[name]
    lm = load(str(save_tiny_model(tmp_path, tokenizer)), "hf")
    seen = []
    monkeypatch.setattr(HFLM, "_loglikelihood_tokens", lambda self, requests, **_: seen.extend(requests) or [])
    lm.loglikelihood(requests_for(items + exemplars))
    assert len(seen) == 4 * len(items + exemplars)
    for (prompt, ending), context, continuation in seen:
        assert continuation
        assert context == tokenizer.encode(prompt)  # nothing merged across the boundary
        assert tokenizer.decode(continuation).strip() == ending.strip()


def test_the_three_tokenizers_differ_in_the_ways_that_matter(tokenizers):
    first = {name: tokenizer.encode("It was 26 crates.") for name, tokenizer in tokenizers.items()}
    assert first["sentencepiece"][0] == tokenizers["sentencepiece"].bos_token_id
    assert first["byte-level"][0] != tokenizers["byte-level"].bos_token_id
    spaces = {name: tokenizer.convert_ids_to_tokens(first[name]) for name, tokenizer in tokenizers.items()}
    assert any("▁" in token for token in spaces["sentencepiece"])
    assert any("Ġ" in token for token in spaces["byte-level"])


def scores(folder, requests, batch_size):
    lm = load(str(folder), batch_size=batch_size)
    return [score for score, _ in lm.loglikelihood(requests, disable_tqdm=True)]


def test_batch_size_does_not_change_a_score(tiny_model_folder, items):
    requests = requests_for(items[::4])
    one, many = scores(tiny_model_folder, requests, 1), scores(tiny_model_folder, requests, 32)
    assert len({round(score, 3) for score in one}) > len(one) / 2  # the model does tell the options apart
    assert max(abs(a - b) for a, b in zip(one, many, strict=True)) <= 1e-4


@pytest.mark.slow
def test_batch_size_does_not_change_a_score_of_the_embedded_model(items):
    folder, _ = resolve_model(None)
    requests = requests_for(items[::10])
    one, many = scores(folder, requests, 1), scores(folder, requests, 32)
    assert max(abs(a - b) for a, b in zip(one, many, strict=True)) <= 1e-4


def cut_requests(folder, items, window):
    tokenizer = AutoTokenizer.from_pretrained(folder)
    return sum(len(tokenizer.encode(item["ctx"] + ending)) - 1 > window for item in items for ending in item["endings"])


def test_prompts_longer_than_the_window_are_counted_in_one_warning(tiny_model_folder, small_deeparithmark, caplog):
    window = 60
    cut = cut_requests(tiny_model_folder, small_deeparithmark, window)
    total = 4 * len(small_deeparithmark)
    assert 0 < cut < total
    lm = load(str(tiny_model_folder), max_length=window)
    with caplog.at_level(logging.WARNING):
        simple_evaluate(model=lm, tasks=["deeparithmark"], task_manager=task_manager(["deeparithmark"]))
    ours = [record.message for record in caplog.records if record.name == "arithmark_tasks.scoring.window"]
    assert ours == [
        f"{cut} of {total} prompts are longer than the model's window of {window} tokens: their beginnings are cut off"
    ]


def test_plain_lm_eval_warns_of_every_prompt_that_it_cuts(tiny_model_folder, small_deeparithmark, caplog):
    window = 60
    lm = HFLM(pretrained=str(tiny_model_folder), device="cpu", max_length=window, logits_cache=False)
    with caplog.at_level(logging.WARNING):
        lm.loglikelihood(requests_for(small_deeparithmark), disable_tqdm=True)
    warnings = [message for message in caplog.messages if "exceeds model's maximum length" in message]
    assert len(warnings) == cut_requests(tiny_model_folder, small_deeparithmark, window)


def test_prompts_that_fit_are_scored_without_a_warning(tiny_model_folder, items, caplog):
    longest = max(
        len(AutoTokenizer.from_pretrained(tiny_model_folder).encode(item["ctx"] + ending))
        for item in items[:20]
        for ending in item["endings"]
    )
    lm = load(str(tiny_model_folder), max_length=longest - 1)  # the last token is predicted, not read
    with caplog.at_level(logging.WARNING):
        lm.loglikelihood(requests_for(items[:20]), disable_tqdm=True)
    assert caplog.messages == []
