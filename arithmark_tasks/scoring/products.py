"""Matrix products in fp32 on a CPU through oneDNN, where torch itself would ask MKL."""

import functools
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import torch
from torch.nn.functional import linear
from torch.overrides import TorchFunctionMode


def quick_products(model: Any) -> AbstractContextManager[Any]:
    """While this lasts, the linear layers of an fp32 model on a CPU, outside autocast, run through oneDNN.

    It is quicker than MKL on passes of some hundred rows: benchmarks/scoring.py times both. The output layer stays with
    torch: its values are the largest, so that another order of summation shows most there.
    """
    in_fp32 = model.dtype == torch.float32 and not torch.is_autocast_enabled("cpu")
    if model.device.type != "cpu" or not in_fp32 or not _available():
        return nullcontext()
    return _ThroughOneDNN(getattr(model.get_output_embeddings(), "weight", None))


class _ThroughOneDNN(TorchFunctionMode):
    def __init__(self, output_weight: torch.Tensor | None) -> None:
        super().__init__()
        self.output_weight = output_weight

    def __torch_function__(self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None) -> Any:
        if func is linear and not kwargs and self._takes(*args):
            return _product(*args)
        return func(*args, **(kwargs or {}))

    def _takes(self, states: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None = None) -> bool:
        """Whether the operator is right on these: it reads weight and bias as consecutive numbers."""
        if weight is self.output_weight or not all(map(_plain, (states, weight))):
            return False
        fits = states.dim() >= 2 and states.numel() > 0 and weight.dim() == 2 and weight.is_contiguous()
        return fits and (bias is None or (_plain(bias) and bias.shape == weight.shape[:1] and bias.is_contiguous()))


def _plain(tensor: torch.Tensor) -> bool:
    return (
        type(tensor) in (torch.Tensor, torch.nn.Parameter)
        and tensor.dtype == torch.float32
        and tensor.device.type == "cpu"
        and tensor.layout == torch.strided
    )


def _product(states: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None = None) -> torch.Tensor:
    found: torch.Tensor = torch.ops.mkldnn._linear_pointwise(states, weight, bias, "none", [], "")
    return found


@functools.cache
def _available() -> bool:
    """Whether torch has MKL, the slower of the two, and this operator of its compiler, with the right results."""
    if not (torch.backends.mkl.is_available() and torch.backends.mkldnn.is_available()):
        return False
    states, weight, bias = torch.linspace(-1, 1, 32).view(4, 8), torch.linspace(-1, 1, 24).view(3, 8), torch.ones(3)
    try:
        with torch.inference_mode():
            return torch.allclose(_product(states, weight, bias), linear(states, weight, bias))
    except Exception:  # a private operator: another release may call it otherwise
        return False
