"""Tiny tokenizers and models for harness tests: trained or drawn here, because nothing may be downloaded."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import torch
from lm_eval.api.model import LM
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

SPECIAL = ["<unk>", "<s>", "</s>"]


def byte_level_tokenizer(texts: Iterable[str], vocabulary: int = 400) -> PreTrainedTokenizerFast:
    """Byte-level BPE as GPT-2 has it: the space belongs to the word that follows; no token is prepended."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary, special_tokens=SPECIAL, initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator(texts, trainer)
    return _fast(tokenizer)


def sentencepiece_like_tokenizer(texts: Iterable[str], vocabulary: int = 400) -> PreTrainedTokenizerFast:
    """Unigram over "▁" pieces as Llama has it: a leading "▁" is added, digits may merge, ``<s>`` comes first."""
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.NFKC()
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    trainer = trainers.UnigramTrainer(
        vocab_size=vocabulary, special_tokens=SPECIAL, unk_token="<unk>", show_progress=False
    )
    tokenizer.train_from_iterator(texts, trainer)
    start = tokenizer.token_to_id("<s>")
    tokenizer.post_processor = processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", start)])
    return _fast(tokenizer)


def _fast(tokenizer: Tokenizer) -> PreTrainedTokenizerFast:
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, unk_token="<unk>", bos_token="<s>", eos_token="</s>", pad_token="</s>"
    )


def save_tiny_model(folder: Path, tokenizer: PreTrainedTokenizerFast, window: int = 512) -> Path:
    """A Llama of two layers with weights from seed 0, big enough for its scores to differ, and its tokenizer."""
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=window,
        initializer_range=0.2,
        bos_token_id=1,
        eos_token_id=2,
    )
    LlamaForCausalLM(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


class ScriptedLM(LM):
    """Scores each option by ``score(item, option index)`` and answers each prompt by ``reply(item)``."""

    def __init__(
        self,
        score: Callable[[dict[str, Any], int], float] = lambda doc, option: 0.0,
        reply: Callable[[dict[str, Any]], str] = lambda doc: "",
    ) -> None:
        super().__init__()
        self.score, self.reply = score, reply
        self.requests: list[Any] = []

    def loglikelihood(self, requests, disable_tqdm=False):
        self.requests += requests
        return [(self.score(request.doc, request.idx), False) for request in requests]

    def generate_until(self, requests, disable_tqdm=False):
        self.requests += requests
        return [self.reply(request.doc) for request in requests]

    def loglikelihood_rolling(self, requests, disable_tqdm=False):
        raise NotImplementedError
