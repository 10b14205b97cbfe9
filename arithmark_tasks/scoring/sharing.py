"""May options share a row? What a model's class and configuration say, and whether its log-likelihoods stay the same.

The latter is tried on the model itself, in fp32. Prompts of three lengths are scored one sequence a row and as tries in
one padded batch. Then all options but the last are replaced by other tokens: the last must not move. A convolution, a
recurrence, a sliding window, or positions that are counted by slot fail one of the two.
"""

import copy
import inspect
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch

from .forward import Score, Scorer
from .rows import Query, query, straight_rows, trie

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


COPY_LIMIT = 2e9  # parameters; an fp32 copy of these takes 8 GB
TOLERANCE = 1e-4  # nats, for log-likelihoods of up to ten; in proportion beyond
ROUNDING = 0.5  # nats that bf16 and fp16 may differ by
SHORTEST_CHECK = 16

# Which of 13 different tokens the options are made of. The last shares none with the others; long prompts get two.
_OPTIONS = ((3, 4), (3, 5, 6), (7,), (0, 1, 2))
_OTHER_OPTIONS = ((8, 9), (8, 10, 11), (12,), (0, 1, 2))


@dataclass(frozen=True, slots=True)
class Verdict:
    """What gave the right numbers: logits ``only_where_read``, ``tries``, a prefix ``cache``; why the next did not."""

    only_where_read: bool
    tries: bool = False
    cache: bool = False
    reason: str = ""


def check(scorer: Scorer, tokens: Sequence[int], length: int, objection: str | None = None) -> Verdict:
    """Try everything on prompts made of ``tokens``, repeated to ``length``; an error inside the model is a no.

    With an ``objection`` only the part that every causal model should pass is tried.
    """
    with _in_fp32(scorer, wanted=objection is None) as (tried, exact):
        alphabet = list(dict.fromkeys([*tokens, *range(13)]))
        groups = _groups(tokens, length, alphabet, _OPTIONS)
        try:
            expected = _straight_scores(tried, groups, exact)
        except Exception as error:
            return Verdict(False, reason=_why(error))
        if objection is None and not exact and tried.model.config.model_type not in KNOWN:
            objection = "it cannot be checked in fp32 and is not of a kind that is known to agree"
        if objection is not None:
            return Verdict(True, reason=objection)
        try:
            _try_tries(tried, groups, _groups(tokens, length, alphabet, _OTHER_OPTIONS), expected, exact)
        except Exception as error:
            return Verdict(True, reason=_why(error))
        try:
            _try_cache(tried, groups, expected, exact)
        except Exception as error:
            return Verdict(True, tries=True, reason=_why(error))
    return Verdict(True, tries=True, cache=True)


def _groups(
    tokens: Sequence[int], length: int, alphabet: Sequence[int], options: Sequence[tuple[int, ...]]
) -> list[list[Query]]:
    text = list(tokens) * (length // len(tokens) + 1)
    contexts = ((length - 2, 2), (length // 2, 2), (min(length // 4, 16), 4))
    return [
        [
            query(len(options) * place + option, text[:size], [alphabet[letter] for letter in options[option]], length)
            for option in range(len(options) - count, len(options))
        ]
        for place, (size, count) in enumerate(contexts)
    ]


def _straight_scores(scorer: Scorer, groups: list[list[Query]], exact: bool) -> dict[int, float]:
    """What sequences of their own score, after the shortest was compared with the model's full logits."""
    found = _values(score for group in groups for score in scorer.straight(straight_rows(group)))
    with torch.no_grad():
        for asked in groups[-1]:
            logits = scorer.model(torch.tensor([asked.tokens], device=scorer.device)).logits[0, -len(asked.targets) :]
            logs = logits.float().log_softmax(dim=-1)
            total = logs.gather(1, torch.tensor([asked.targets], device=logs.device).T).sum().item()
            _compare({asked.request: found[asked.request]}, {asked.request: total}, exact)
    return found


def _try_tries(
    scorer: Scorer, groups: list[list[Query]], others: list[list[Query]], expected: dict[int, float], exact: bool
) -> None:
    _compare(_values(scorer.shared([trie(group) for group in groups])), expected, exact)
    before, after = (_values(scorer.shared([trie(group) for group in some[1:]])) for some in (groups, others))
    for group in groups[1:]:
        last = group[-1].request
        # Where the check runs in bf16, a leak could hide in the rounding; but equal work rounds equally.
        if not abs(before[last] - after[last]) <= (TOLERANCE if exact else 0):
            raise ValueError("an option sees its siblings")


def _try_cache(scorer: Scorer, groups: list[list[Query]], expected: dict[int, float], exact: bool) -> None:
    prefix = scorer.prefix(groups[-1][0].context[:-1])
    _compare(_values(scorer.shared([trie(group, prefix.length) for group in groups], prefix)), expected, exact)


def _values(scores: Iterable[Score]) -> dict[int, float]:
    return {asked.request: value for asked, value, _ in scores}


def _compare(found: dict[int, float], expected: dict[int, float], exact: bool) -> None:
    for request, value in expected.items():
        allowed = (TOLERANCE if exact else ROUNDING) * max(1.0, abs(value) / 10)
        if not abs(found[request] - value) <= allowed:  # "not <=" so that NaN is refused too
            raise ValueError(f"a check gave {found[request]:.4f} for a log-likelihood of {value:.4f}")


@contextmanager
def _in_fp32(scorer: Scorer, *, wanted: bool) -> Iterator[tuple[Scorer, bool]]:
    """The scorer, on a copy of the model in fp32 where it is in less and a copy is possible; whether it is exact."""
    model = scorer.model
    if {weight.dtype for weight in model.parameters()} == {torch.float32}:
        yield Scorer(model), True
        return
    placed = set((getattr(model, "hf_device_map", None) or {}).values())
    quantized = getattr(model, "hf_quantizer", None) is not None
    if not wanted or quantized or len(placed) > 1 or sum(weight.numel() for weight in model.parameters()) > COPY_LIMIT:
        yield scorer, False
        return
    try:
        exact = copy.deepcopy(model).float()  # a copy: rounding back would spoil buffers that were never rounded
    except Exception:  # out of memory, or weights that cannot be copied
        yield scorer, False
        return
    yield Scorer(exact), True


def _why(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]
