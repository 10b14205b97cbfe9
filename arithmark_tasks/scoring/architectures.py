"""What a model's class and configuration say about sharing, before anything is computed."""

import inspect
from collections.abc import Iterator
from typing import Any

# Verified by tests/arithmark_tasks/scoring/test_shared_prefix_architectures.py. Only where a model is too large to be
# checked on an fp32 copy must it be one of these.
KNOWN = frozenset(
    [
        "cohere",
        "cohere2",
        "falcon",
        "gemma",
        "gemma2",
        "gemma3_text",
        "glm",
        "glm4",
        "gpt2",
        "gpt_bigcode",
        "gpt_neox",
        "gpt_oss",
        "gptj",
        "granite",
        "llama",
        "mistral",
        "mixtral",
        "olmo",
        "olmo2",
        "opt",
        "phi",
        "phi3",
        "qwen2",
        "qwen2_moe",
        "qwen3",
        "qwen3_moe",
        "smollm3",
        "stablelm",
        "starcoder2",
    ]
)
_ALIBI = frozenset(["bloom", "mpt"])  # positions from the mask or the slot: no option to say otherwise
_ATTENTION = frozenset(["full_attention", "sliding_attention", "chunked_attention"])
_WINDOWS = ("sliding_window", "sliding_window_size", "window_size", "attention_window_size", "attention_chunk_size")


def objection(model: Any) -> str | None:
    """Why this model cannot take several options in one row, if its configuration says so; ``None`` if it does not."""
    configs = list(_configs(model.config))
    kinds = {kind for config in configs for kind in getattr(config, "layer_types", None) or ()}
    if getattr(model, "_is_stateful", False):
        return "it carries a state from token to token"
    if unknown := sorted(kinds - _ATTENTION):
        return f"it has layers of the type {unknown[0]}"
    if any(getattr(config, "alibi", False) or config.model_type in _ALIBI for config in configs):
        return "it knows positions only by ALiBi"
    if "position_ids" not in inspect.signature(model.forward).parameters:
        return "it takes no position ids"
    if model.get_output_embeddings() is None:
        return "it has no output layer of its own"
    implementation = getattr(model.config, "_attn_implementation", None)
    if implementation not in ("sdpa", "eager"):
        return f"its attention is {implementation}, which takes no mask of our own; sdpa and eager do"
    return None


def longest_shared(model: Any, window: int) -> int:
    """How many tokens a sequence may have so that all of it is seen by every token, and positions mean the same.

    The least of the model's window, its sliding windows and, where rotary factors change with the length, the length
    at which they do.
    """
    limits = [window]
    for config in _configs(model.config):
        limits += [size for name in _WINDOWS if isinstance(size := getattr(config, name, None), int) and size > 0]
        if any(rope.get("rope_type", rope.get("type")) in ("dynamic", "longrope") for rope in _rotary(config)):
            original = getattr(config, "original_max_position_embeddings", None)
            originals = [rope.get("original_max_position_embeddings") for rope in _rotary(config)]
            limits.append(min(filter(None, [original, *originals, config.max_position_embeddings])))
    return min(limits)


def _configs(config: Any) -> Iterator[Any]:
    yield config
    inner = config.get_text_config(decoder=True)
    if inner is not config:
        yield inner


def _rotary(config: Any) -> list[dict[str, Any]]:
    """The settings of rotary positions: one, or one per type of layer."""
    found = getattr(config, "rope_parameters", None) or getattr(config, "rope_scaling", None) or {}
    return [found, *(inner for inner in found.values() if isinstance(inner, dict))]
