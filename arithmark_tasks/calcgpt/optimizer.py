"""Muon for the two-dimensional weights of the blocks, all matrices of a shape at once; AdamW for the rest.

``torch.optim.Muon`` orthogonalises one matrix at a time, and a product of one small bf16 matrix is slow on a CPU; a
batch of them runs at twice the speed of fp32 where the processor multiplies bf16, and fp32 is used where it does not.
The arithmetic is the same (Newton-Schulz of degree five, Nesterov momentum, step scaled to AdamW's RMS), as a test
shows. The fused query-key-value weight counts as three matrices.

Orthogonalising costs as much as the gradients of a small batch. So the weights take turns: each is moved at every
``interval``-th step only, ``interval`` times as far, by the momentum of all steps. Momentum changes little in a few
steps, and training needs no more examples for it.
Source: Keller Jordan, https://kellerjordan.github.io/posts/muon/
"""

import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import torch
from torch import Tensor, nn

COEFFICIENTS = (3.4445, -4.7750, 2.0315)
_TINY = 1e-7


class BatchedMuon(torch.optim.Optimizer):
    """Momentum, orthogonalised. ``params`` are (weight, pieces) pairs: a weight is cut into ``pieces`` by columns."""

    def __init__(
        self,
        params: Iterable[tuple[Tensor, int]],
        lr: float,
        momentum: float = 0.95,
        iterations: int = 5,
        interval: int = 1,
    ) -> None:
        groups: dict[int, list[Tensor]] = {}
        for weight, pieces in params:
            if weight.ndim != 2 or weight.shape[1] % pieces:
                raise ValueError(f"not a matrix of {pieces} equal pieces: {tuple(weight.shape)}")
            groups.setdefault(pieces, []).append(weight)
        super().__init__(
            [{"params": weights, "pieces": pieces} for pieces, weights in groups.items()],
            {"lr": lr, "momentum": momentum, "iterations": iterations, "interval": interval, "steps": 0},
        )

    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> None:  # type: ignore[override]
        """Add every gradient to its momentum, and move the weights whose turn it is."""
        shapes: dict[tuple[int, ...], list[tuple[Tensor, Tensor]]] = {}
        turn = 0
        for group in self.param_groups:
            for weight in group["params"]:
                if weight.grad is None:
                    continue
                update = self._momentum(weight, weight.grad, group["momentum"])
                turn += 1
                if (turn + group["steps"]) % group["interval"] == 0:
                    for target, piece in _pieces(weight, update, group["pieces"]):
                        shapes.setdefault(tuple(piece.shape), []).append((target, piece))
            group["steps"] += 1
        group = self.param_groups[0]
        for shape, pairs in shapes.items():
            directions = orthogonalise(torch.stack([piece for _, piece in pairs]), group["iterations"])
            rate = -group["lr"] * group["interval"] * 0.2 * math.sqrt(max(shape))
            torch._foreach_add_([target for target, _ in pairs], list(directions.unbind()), alpha=rate)

    def _momentum(self, weight: Tensor, gradient: Tensor, momentum: float) -> Tensor:
        state = self.state[weight]
        if "average" not in state:
            state["average"] = torch.zeros_like(weight)
        average: Tensor = state["average"]
        average.lerp_(gradient, 1 - momentum)
        return gradient.lerp(average, momentum)


def _pieces(weight: Tensor, update: Tensor, pieces: int) -> Iterator[tuple[Tensor, Tensor]]:
    """Each piece of the weight with its part of the update, both turned so that rows do not exceed columns."""
    for target, part in zip(weight.chunk(pieces, 1), update.chunk(pieces, 1), strict=True):
        yield (target, part) if part.shape[0] <= part.shape[1] else (target.T, part.T)


def orthogonalise(matrices: Tensor, iterations: int) -> Tensor:
    """Push the singular values of each of (count, rows, columns) towards one; rows must not exceed columns."""
    first, second, third = COEFFICIENTS
    matrices = matrices / matrices.norm(dim=(-2, -1), keepdim=True).clamp(min=_TINY)
    matrices = matrices.to(working_type(matrices.device))
    for _ in range(iterations):
        gram = matrices @ matrices.mT
        polynomial = torch.baddbmm(gram, gram, gram, beta=second, alpha=third)
        matrices = torch.baddbmm(matrices, polynomial, matrices, beta=first)
    return matrices.float()


def working_type(device: torch.device) -> torch.dtype:
    """bf16 where the device multiplies it in hardware, else fp32."""
    if device.type == "cpu":
        supported = getattr(torch.cpu, "_is_avx512_bf16_supported", lambda: False)
        return torch.bfloat16 if supported() else torch.float32
    return torch.bfloat16


def build_optimizers(
    model: nn.Module, muon_lr: float, adam_lr: float, muon_every: int = 1
) -> list[torch.optim.Optimizer]:
    """Muon over the block matrices and AdamW without decay over embeddings, norms and biases.

    With ``muon_lr`` 0, AdamW takes everything.
    """
    matrices, rest = [], []
    for name, parameter in model.named_parameters():
        if muon_lr and parameter.ndim == 2 and ".h." in name:
            matrices.append((parameter, 3 if "c_attn" in name else 1))
        else:
            rest.append(parameter)
    adam: dict[str, Any] = {"lr": adam_lr, "betas": (0.9, 0.95), "weight_decay": 0.0, "fused": True}
    optimizers: list[torch.optim.Optimizer] = [torch.optim.AdamW(rest, **adam)]
    if matrices:
        optimizers.append(BatchedMuon(matrices, muon_lr, interval=muon_every))
    return optimizers
