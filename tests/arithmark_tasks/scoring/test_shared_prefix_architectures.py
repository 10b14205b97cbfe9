"""Tiny random models of many architectures: shared or not, the numbers are lm-eval's."""

import pytest
import torch
from lm_eval.api.instance import Instance
from lm_eval.models.huggingface import HFLM
from tiny import byte_level_tokenizer
from transformers import AutoConfig, AutoModelForCausalLM

from arithmark_tasks.scoring import sharing
from arithmark_tasks.scoring.shared_prefix import SharedPrefixHFLM

SIZES = {
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 8,
    "max_position_embeddings": 256,
    "initializer_range": 0.2,
    "bos_token_id": 1,
    "eos_token_id": 2,
    "pad_token_id": 2,
}
GPT2_SIZES = {"n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 256, "initializer_range": 0.2}
LEFT_OUT = object()
EXPERTS = {"num_experts": 4, "num_local_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 16}
# What differs from SIZES, by model type. Those of SHARE must share, those of ALONE must not.
SHARE = {
    "llama": {},
    "mistral": {"sliding_window": None},
    "qwen2": {},
    "qwen3": {},
    "gemma": {},
    "gemma2": {"sliding_window": 200},
    "gemma3_text": {"sliding_window": 200, "layer_types": ["sliding_attention", "full_attention"]},
    "gpt2": GPT2_SIZES,
    "gpt_neox": {"rotary_pct": 0.5},
    "gptj": {**GPT2_SIZES, "rotary_dim": 4},
    "opt": {"ffn_dim": 64, "word_embed_proj_dim": 32},
    "phi": {},
    "phi3": {},
    "granite": {"logits_scaling": 2.0},
    "cohere": {"logit_scale": 0.5},
    "cohere2": {"sliding_window": 200},
    "mixtral": {**EXPERTS, "sliding_window": None},
    "qwen2_moe": {**EXPERTS, "shared_expert_intermediate_size": 16},
    "qwen3_moe": EXPERTS,
    "gpt_oss": {**EXPERTS, "sliding_window": 200},
    "falcon": {"head_dim": LEFT_OUT, "alibi": False, "new_decoder_architecture": False, "multi_query": True},
    "olmo": {},
    "olmo2": {},
    "stablelm": {},
    "starcoder2": {"sliding_window": None},
    "smollm3": {},
    "glm": {"partial_rotary_factor": 0.5},
    "glm4": {"partial_rotary_factor": 0.5},
    "gpt_bigcode": GPT2_SIZES,
}
ALONE = {
    "bloom": {"n_layer": 2, "n_head": 4},
    "mpt": {"d_model": 32, "n_heads": 4, "n_layers": 2, "max_seq_len": 256},
    "falcon-alibi": {"head_dim": LEFT_OUT, "alibi": True},
    "gpt_neo": {
        "num_layers": 2,
        "num_heads": 4,
        "attention_types": [[["global", "local"], 1]],
        "window_size": 8,
    },
    "mistral-window": {"sliding_window": 8},
    "gemma2-window": {"sliding_window": 8},
    "gpt_oss-window": {**EXPERTS, "sliding_window": 8},
    "lfm2": {"layer_types": ["conv", "full_attention"], "block_auto_adjust_ff_dim": False},
    "mamba": {"state_size": 8, "expand": 2, "conv_kernel": 4},
    "mamba2": {"num_heads": 8, "head_dim": 8, "expand": 2, "state_size": 8, "n_groups": 1, "chunk_size": 8},
    "rwkv": {"attention_hidden_size": 32, "context_length": 256},
    "recurrent_gemma": {"attention_window_size": 8, "lru_width": 32, "block_types": ["recurrent", "attention"]},
    "qwen3_next": {
        **EXPERTS,
        "layer_types": ["linear_attention", "full_attention"],
        "shared_expert_intermediate_size": 16,
        "linear_num_value_heads": 4,
        "linear_num_key_heads": 2,
        "linear_key_head_dim": 8,
        "linear_value_head_dim": 8,
    },
    "jamba": {**EXPERTS, "attn_layer_period": 2, "attn_layer_offset": 1, "use_mamba_kernels": False},
    "falcon_h1": {"mamba_d_ssm": 32, "mamba_n_heads": 4, "mamba_d_head": 8, "mamba_d_state": 8, "mamba_n_groups": 1},
}
PROMPTS = {
    "12 + 7 =": [" 19", " 18.", " 190", " twenty"],
    "A warehouse held 420 units and a delivery added 260 more, so the number of units was": [
        " 680 units",
        " 68",
        " 160",
    ],
    "Two trains left at noon. " * 6 + "They met": [" at three", " at three o'clock", " later"],
    "Nothing more": ["."],
}


@pytest.fixture(scope="module")
def tokenizer():
    return byte_level_tokenizer([prompt + "".join(options) for prompt, options in PROMPTS.items()])


def requests():
    return [
        Instance("loglikelihood", {}, (prompt, option), index)
        for prompt, options in PROMPTS.items()
        for index, option in enumerate(options)
    ]


def tiny(name, tokenizer, **changes):
    torch.manual_seed(0)
    kind = name.split("-")[0]
    sizes = {**SIZES, "vocab_size": len(tokenizer), **{**SHARE, **ALONE}[name], **changes}
    sizes = {key: value for key, value in sizes.items() if value is not LEFT_OUT}
    model = AutoModelForCausalLM.from_config(AutoConfig.for_model(kind, **sizes))
    with torch.no_grad():  # some architectures ignore initializer_range, and equal options would prove nothing
        for weight in model.parameters():
            if weight.ndim > 1:
                weight.normal_(std=0.2)
    return model.eval()


def scores(kind, model, tokenizer):
    lm = kind(pretrained=model, tokenizer=tokenizer, batch_size=4)
    return lm, lm.loglikelihood(requests(), disable_tqdm=True)


def largest_gap(found, expected):
    assert all(ours[1] == theirs[1] for ours, theirs in zip(found, expected, strict=True))
    return max(abs(ours[0] - theirs[0]) for ours, theirs in zip(found, expected, strict=True))


@pytest.fixture
def no_static_layer(monkeypatch):
    monkeypatch.setattr(sharing, "objection", lambda model: None)
    monkeypatch.setattr(sharing, "longest_shared", lambda model, window: window)


@pytest.mark.parametrize("name", [*SHARE, *ALONE])
def test_the_check_alone_lets_no_wrong_number_pass(name, tokenizer, no_static_layer):
    model = tiny(name, tokenizer)
    _, expected = scores(HFLM, model, tokenizer)
    assert len({round(value, 3) for value, _ in expected}) == len(expected)
    lm, found = scores(SharedPrefixHFLM, model, tokenizer)
    assert largest_gap(found, expected) <= 1e-4
    assert lm.verdict.tries == (name in SHARE), lm.verdict
    assert lm.verdict.only_where_read


@pytest.mark.parametrize("name", [*SHARE, *ALONE])
def test_the_configuration_alone_says_the_same(name, tokenizer):
    model = tiny(name, tokenizer)
    objection = sharing.objection(model)
    assert (objection is None and sharing.longest_shared(model, 256) >= 200) == (name in SHARE), objection


@pytest.mark.parametrize("name", ["lfm2", "mpt", "gpt_neo"])
def test_rounding_does_not_hide_what_cannot_share(name, tokenizer, no_static_layer):
    model = tiny(name, tokenizer).to(torch.bfloat16)
    lm, _ = scores(SharedPrefixHFLM, model, tokenizer)
    assert not lm.verdict.tries
    assert {weight.dtype for weight in model.parameters()} == {torch.bfloat16}  # it was a copy that was checked


@pytest.mark.parametrize(("name", "shares"), [("llama", True), ("gpt2", True), ("lfm2", False)])
def test_what_is_too_large_for_a_copy_shares_if_it_is_known_and_leaks_nothing(
    name, shares, tokenizer, no_static_layer, monkeypatch
):
    monkeypatch.setattr(sharing, "COPY_LIMIT", 0)
    model = tiny(name, tokenizer).to(torch.bfloat16)
    for known, expected in ((sharing.KNOWN | {"lfm2"}, shares), (frozenset(), False)):
        monkeypatch.setattr(sharing, "KNOWN", known)
        lm, _ = scores(SharedPrefixHFLM, model, tokenizer)
        assert lm.verdict.tries == expected, lm.verdict


def test_rotary_factors_that_change_with_the_length_limit_what_is_shared(tokenizer):
    turning = {"rope_type": "dynamic", "factor": 2.0, "rope_theta": 10000.0}
    model = tiny("llama", tokenizer, rope_parameters=turning, max_position_embeddings=100)
    assert sharing.longest_shared(model, 256) == 100
    assert sharing.longest_shared(tiny("llama", tokenizer), 200) == 200


def test_every_family_that_is_trusted_unchecked_is_one_that_shares():
    assert set(SHARE) >= sharing.KNOWN
