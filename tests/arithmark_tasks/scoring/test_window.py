"""What cannot be scored, or does not fit into a model's window, is said before anything is scored."""

import re

import pytest
import torch
from lm_eval.api.instance import Instance
from tiny import byte_level_tokenizer
from tokenizers import processors
from transformers import AutoTokenizer, GPT2Config, GPT2LMHeadModel

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


def generated(context, room=8, name="sums"):
    return Instance("generate_until", DOC, (context, {"until": ["\n"], "max_gen_toks": room}), 0, (name, 0, 1))


@pytest.fixture
def changed(folder, tmp_path):
    """A copy of the model whose tokenizer was changed by a function."""

    def change(edit):
        tokenizer = AutoTokenizer.from_pretrained(folder)
        edit(tokenizer)
        GPT2LMHeadModel.from_pretrained(folder).save_pretrained(tmp_path)
        tokenizer.save_pretrained(tmp_path)
        return str(tmp_path)

    return change


def test_prompts_that_are_cut_before_an_answer_is_generated_are_counted(folder, caplog):
    load(folder).generate_until([generated("What is 3 + 4? " * 9), generated("3 + 4 is")], disable_tqdm=True)
    assert [line for line in caplog.messages if "cut off" in line] == [
        "1 of 2 prompts are longer than the model's window of 64 tokens, of which 8 are for the answer: their "
        "beginnings are cut off"
    ]


def append_end_token(tokenizer):
    end = [("</s>", tokenizer.eos_token_id)]
    tokenizer.backend_tokenizer.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=end)


@pytest.mark.parametrize("model_type", ["hf-shared", "hf"])
def test_an_end_token_after_every_text_is_refused_because_it_hides_the_answers_beginning(changed, model_type):
    lm = load(changed(append_end_token), model_type)
    assert lm.tok_encode("3 + 4 is")[-1] == lm.tokenizer.eos_token_id
    for ask in (lm.loglikelihood, lm.generate_until):
        with pytest.raises(InputError, match=r"^the model's tokenizer appends '</s>' to every text.*add_eos_token"):
            ask(asked("3 + 4 is", " 7") if ask == lm.loglikelihood else [generated("3 + 4 is")], disable_tqdm=True)


@pytest.mark.parametrize("model_type", ["hf-shared", "hf"])
def test_a_prompt_that_ends_in_a_special_token_of_its_own_is_scored(folder, model_type):
    # Chat templates end so, and the token is part of the text.
    lm = load(folder, model_type)
    ((score, _),) = lm.loglikelihood(asked("3 + 4 is</s>", " 7"), disable_tqdm=True)
    assert score < 0 and lm.tok_encode("3 + 4 is</s>")[-1] == lm.tokenizer.eos_token_id


def without_ends(tokenizer):
    tokenizer.bos_token = tokenizer.eos_token = tokenizer.pad_token = None


@pytest.mark.parametrize("model_type", ["hf-shared", "hf"])
def test_a_tokenizer_without_begin_and_end_tokens_is_one_line(changed, model_type):
    folder = changed(without_ends)
    with pytest.raises(InputError, match=r"neither a BOS nor an EOS token") as caught:
        load(folder, model_type)
    assert "\n" not in str(caught.value) and folder in str(caught.value)


TURNS = [{"role": "system", "content": "Add."}, {"role": "user", "content": "3 + 4"}]


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("{{ raise_exception('only pairs of turns') }}", "fails on turns of system, user: only pairs of turns"),
        ("{% for turn in messages %}{{ turn.content.parts[0] }}{% endfor %}", "fails on turns of system, user: .+"),
        ("{% if %}", "fails on turns of system, user: .+"),
        (None, "fails on turns of system, user: .*chat_template.*"),
    ],
)
def test_a_chat_template_that_fails_is_one_line(changed, template, message):
    lm = load(changed(lambda tokenizer: setattr(tokenizer, "chat_template", template)))
    with pytest.raises(InputError, match=rf"^the model's chat template {message}$") as caught:
        lm.apply_chat_template(TURNS)
    assert "\n" not in str(caught.value)


def test_a_template_without_a_system_role_is_given_none(changed):
    refuses = "{% for t in messages %}{{ raise_exception('no') if t.role == 'system' else t.content }}{% endfor %}"
    lm = load(changed(lambda tokenizer: setattr(tokenizer, "chat_template", refuses)))
    assert lm.apply_chat_template(TURNS) == "3 + 4"


@pytest.mark.parametrize("model_type", ["hf-shared", "hf"])
def test_an_answer_begins_with_the_thoughts_that_its_prompt_has_opened(folder, model_type):
    lm = load(folder, model_type)
    prompts = ["3 + 4 is<think>\n", "3 + 4 is", "<think></think>3 + 4 is"]
    texts = lm.generate_until([generated(prompt) for prompt in prompts], disable_tqdm=True)
    assert [bool(re.match("<think>", text)) for text in texts] == [True, False, False]
    lm.think_end_token = "</think>"  # then lm-eval takes them away, and what is left is the answer
    assert not lm.generate_until([generated(prompts[0])], disable_tqdm=True)[0].startswith("<think>")
