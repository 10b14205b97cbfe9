"""The CalcGPT model: a GPT-2 of 534,784 parameters, and a forward pass that computes nothing it does not need.

``answer_logits`` gives the logits of ``GPT2LMHeadModel`` at the answer's positions only. In the last block, earlier
positions are needed as keys and values but never as queries, so their queries and feed-forward layers are left out.
"""

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from .tokenizer import EOS_ID, PAD_ID, VOCABULARY

if TYPE_CHECKING:
    from transformers import GPT2LMHeadModel

IGNORED = -100


def build_model(seed: int, positions: int = 20) -> "GPT2LMHeadModel":
    """A freshly initialised model: 128 dimensions, 4 layers, 8 heads, feed-forward 256, no dropout.

    >>> sum(parameter.numel() for parameter in build_model(41).parameters())
    534784
    """
    from transformers import GPT2Config, GPT2LMHeadModel

    config = GPT2Config(
        vocab_size=len(VOCABULARY),
        n_positions=positions,
        n_embd=128,
        n_layer=4,
        n_head=8,
        n_inner=256,
        # the same function as GPT-2's own gelu_new, in one kernel
        activation_function="gelu_pytorch_tanh",
        resid_pdrop=0.0,
        embd_pdrop=0.0,
        attn_pdrop=0.0,
        bos_token_id=EOS_ID,
        eos_token_id=EOS_ID,
        pad_token_id=PAD_ID,
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return GPT2LMHeadModel(config)


class AnswerLoss(nn.Module):
    """The training objective as a module, so that ``accelerate`` can wrap it for several devices.

    >>> AnswerLoss(build_model(41)).training
    True
    """

    def __init__(self, model: "GPT2LMHeadModel") -> None:
        super().__init__()
        self.model = model

    def forward(self, ids: Tensor, positions: Tensor, targets: Tensor, first: int) -> Tensor:
        """Summed cross-entropy over the answer's characters and the end mark; divide by the count of targets.

        Shapes: ``ids`` (batch, time), ``positions`` and ``targets`` (batch, answer), ``IGNORED`` where there is none.
        """
        logits = answer_logits(self.model, ids, positions, first)
        return functional.cross_entropy(
            logits.flatten(0, 1).float(), targets.flatten(), ignore_index=IGNORED, reduction="sum"
        )


def answer_logits(model: "GPT2LMHeadModel", ids: Tensor, positions: Tensor, first: int) -> Tensor:
    """Logits (batch, answer, vocabulary) at ``positions``; no position may lie before ``first``."""
    core = model.transformer
    hidden = core.wte(ids) + core.wpe.weight[: ids.shape[1]]
    for block in core.h[:-1]:
        hidden = _block(block, hidden, 0)
    hidden = _block(core.h[-1], hidden, first)
    picked = hidden.gather(1, (positions - first)[..., None].expand(-1, -1, hidden.shape[-1]))
    logits: Tensor = model.lm_head(core.ln_f(picked))
    return logits


def _block(block: Any, hidden: Tensor, first: int) -> Tensor:
    """One pre-norm block for the positions from ``first`` on, attending to all earlier ones."""
    batch, time, size = hidden.shape
    heads = block.attn.num_heads
    joint = block.attn.c_attn(block.ln_1(hidden)).view(batch, time, 3, heads, size // heads)
    query, key, value = joint.permute(2, 0, 3, 1, 4)
    if first:
        hidden, query = hidden[:, first:], query[:, :, first:]
        visible = torch.ones(time - first, time, dtype=torch.bool, device=hidden.device).tril(first)
        mixed = functional.scaled_dot_product_attention(query, key, value, attn_mask=visible)
    else:
        mixed = functional.scaled_dot_product_attention(query, key, value, is_causal=True)
    hidden = hidden + block.attn.c_proj(mixed.transpose(1, 2).reshape(batch, time - first, size))
    result: Tensor = hidden + block.mlp(block.ln_2(hidden))
    return result
