"""What does not fit into a model's window is said before anything is scored."""

import pytest
import torch
from lm_eval.api.instance import Instance
from tiny import byte_level_tokenizer
from transformers import GPT2Config, GPT2LMHeadModel

from arithmark_tasks.generators.errors import InputError
from arithmark_tasks.scoring.models import load

WINDOW = 64
DOC = {"id": "add-7"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A GPT-2 whose table of positions ends at 64: to read further is an IndexError."""
    folder = tmp_path_factory.mktemp("gpt2")
    tokenizer = byte_level_tokenizer(["What is 3 + 4? It is 7."])
    torch.manual_seed(0)
    sizes = {"n_positions": WINDOW, "n_embd": 32, "n_layer": 2, "n_head": 2, "vocab_size": len(tokenizer)}
    GPT2LMHeadModel(GPT2Config(**sizes)).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return str(folder)


def asked(context, continuation):
    return [Instance("loglikelihood", DOC, (context, continuation), 0)]


@pytest.mark.parametrize("model_type", ["hf-shared", "hf"])
def test_a_context_that_is_asked_for_shortens_the_window_and_never_lengthens_it(folder, caplog, model_type):
    long = asked("What is 3 + 4? " * 40, " It is 7.")
    plain = load(folder, model_type)
    assert (plain.max_length, load(folder, model_type, max_length=32).max_length) == (WINDOW, 32)
    assert "asked for" not in caplog.text
    wide = load(folder, model_type, max_length=1000)
    assert [line for line in caplog.messages if "asked for" in line] == [
        "a context of 1000 tokens was asked for; the model has 64"
    ]
    assert wide.max_length == WINDOW
    assert wide.loglikelihood(long, disable_tqdm=True) == plain.loglikelihood(long, disable_tqdm=True)


@pytest.mark.parametrize("model_type", ["hf-shared", "hf"])
def test_a_continuation_longer_than_the_window_is_named_with_its_item(folder, model_type):
    lm = load(folder, model_type, max_length=2)
    with pytest.raises(InputError, match=r"^item add-7: a continuation of \d+ tokens does not fit .* of 2$"):
        lm.loglikelihood(asked("What is 3 + 4?", " It is seven.") + asked("What is", " It"), disable_tqdm=True)


@pytest.mark.parametrize("options", [{"max_gen_toks": 64}, {"max_new_tokens": 512}, {}])
def test_room_for_an_answer_that_takes_the_whole_window_is_refused(folder, options):
    request = Instance("generate_until", DOC, ("3 + 4 is", {"until": ["\n"], **options}), 0, ("sums", 0, 1))
    room = next(iter(options.values()), 256)
    with pytest.raises(InputError, match=rf"^sums generates up to {room} tokens \(max_gen_toks\), .* window of 64$"):
        load(folder).generate_until([request], disable_tqdm=True)


def test_an_answer_that_leaves_one_token_for_the_prompt_is_generated(folder):
    request = Instance("generate_until", DOC, ("3 + 4 is", {"until": ["\n"], "max_gen_toks": 63}), 0, ("sums", 0, 1))
    assert len(load(folder).generate_until([request], disable_tqdm=True)) == 1
