"""One forward pass over a batch of rows, with logits only where one is read, and products by the quicker library."""

import copy
import functools
import inspect
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import torch
from torch.nn.functional import linear
from torch.overrides import TorchFunctionMode
from transformers import DynamicCache

from .rows import Query, TokenRow, ancestors


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


Score = tuple[Query, float, bool]


@dataclass(frozen=True, slots=True)
class Prefix:
    """The keys and values of tokens that all rows of a batch begin with."""

    cache: DynamicCache
    length: int


@dataclass(frozen=True, slots=True)
class Scorer:
    """A causal language model and the two precisions that lm-eval lets a user choose."""

    model: Any
    autocast: torch.dtype | None = None
    softmax: torch.dtype | None = None

    @property
    def device(self) -> torch.device:
        """Where the input goes."""
        found: torch.device = self.model.device
        return found

    def straight(self, rows: Sequence[TokenRow]) -> list[Score]:
        """Score rows without branches the way lm-eval runs them: padded on the right, no mask."""
        ids = np.zeros((len(rows), max(map(len, rows))), dtype=np.int64)
        for place, row in enumerate(rows):
            ids[place, : len(row)] = row.tokens
        return self._scores(rows, {"input_ids": self._tensor(ids)})

    def shared(self, rows: Sequence[TokenRow], prefix: Prefix | None = None) -> list[Score]:
        """Score tries: each node sees its ancestors and the prefix, at the position of its depth."""
        width, past = max(map(len, rows)), prefix.length if prefix else 0
        ids, positions = np.zeros((2, len(rows), width), dtype=np.int64)
        sees = np.ones((len(rows), 1, width, past + width), dtype=bool)
        for place, row in enumerate(rows):
            ids[place, : len(row)] = row.tokens
            positions[place, : len(row)] = row.depths
            sees[place, 0, :, past:] = ancestors(row, width)
        arguments = {
            "input_ids": self._tensor(ids),
            "position_ids": self._tensor(positions + past),
            "attention_mask": self._additive(sees),
            "use_cache": prefix is not None,
        }
        if prefix:
            arguments[_cache_argument(self.model)] = _repeated(prefix.cache, len(rows))
        return self._scores(rows, arguments)

    def prefix(self, tokens: Sequence[int]) -> Prefix:
        """Compute the keys and values of ``tokens`` once."""
        cache = DynamicCache()
        last = torch.tensor([len(tokens) - 1])
        arguments = {_cache_argument(self.model): cache, "use_cache": True}
        self._logits(torch.zeros_like(last), last, {"input_ids": self._tensor(np.array([tokens])), **arguments})
        return Prefix(cache, len(tokens))

    def _tensor(self, values: np.ndarray) -> torch.Tensor:
        return torch.from_numpy(values).to(self.device)

    def _additive(self, sees: np.ndarray) -> torch.Tensor:
        dtype = self.model.dtype
        blocked = self._tensor(sees).logical_not_()
        return torch.zeros(blocked.shape, dtype=dtype, device=self.device).masked_fill_(blocked, torch.finfo(dtype).min)

    def _logits(self, places: torch.Tensor, nodes: torch.Tensor, arguments: dict[str, Any]) -> torch.Tensor:
        """Logits ``[len(places), vocabulary]`` of these nodes of these rows."""
        with (
            torch.inference_mode(),
            torch.autocast(self.device.type, dtype=self.autocast, enabled=self.autocast is not None),
            quick_products(self.model),
            _head_of(self.model, places, nodes),
        ):
            logits: torch.Tensor = self.model(**arguments).logits
        if logits.shape[:2] != (1, len(places)):
            raise ValueError(f"the output layer gave logits of shape {tuple(logits.shape)} for {len(places)} places")
        return logits[0]

    def _scores(self, rows: Sequence[TokenRow], arguments: dict[str, Any]) -> list[Score]:
        wanted: dict[tuple[int, int], int] = {}
        asked = [read for row in rows for read in row.reads]
        lines: list[int] = []
        for place, row in enumerate(rows):
            for _, nodes in row.reads:
                lines += [wanted.setdefault((place, node), len(wanted)) for node in nodes]
        targets = [target for question, _ in asked for target in question.targets]
        places, nodes_read = torch.tensor(list(wanted)).T
        with torch.inference_mode():
            # argmax of the log-softmax, not of the logits: rounding can make ties, and lm-eval takes the first
            logs = torch.log_softmax(self._logits(places, nodes_read, arguments), dim=-1, dtype=self.softmax)
            line, target = torch.tensor([lines, targets], device=logs.device)
            values = logs[line, target].cpu()
            greedy = (logs.argmax(dim=-1)[line] == target).cpu()
        sizes = [len(question.targets) for question, _ in asked]
        parts = zip(asked, values.split(sizes), greedy.split(sizes), strict=True)
        return [(question, float(part.sum()), bool(hits.all())) for (question, _), part, hits in parts]


@contextmanager
def _head_of(model: Any, places: torch.Tensor, nodes: torch.Tensor) -> Iterator[None]:
    """While this lasts, the output layer sees only these places: the largest matrix product, on a tenth of the rows."""

    def gather(_: Any, inputs: tuple[torch.Tensor, ...]) -> tuple[torch.Tensor, ...]:
        hidden = inputs[0]
        return (hidden[places.to(hidden.device), nodes.to(hidden.device)][None], *inputs[1:])

    handle = model.get_output_embeddings().register_forward_pre_hook(gather)
    try:
        yield
    finally:
        handle.remove()


def _cache_argument(model: Any) -> str:
    # transformers 5.24 renamed it
    return "cache" if "cache" in inspect.signature(model.forward).parameters else "past_key_values"


def _repeated(cache: DynamicCache, count: int) -> DynamicCache:
    """The cache for ``count`` rows, as views: what the model appends goes into new tensors."""
    repeated = copy.copy(cache)
    repeated.layers = []
    for layer in cast(list[Any], cache.layers):
        view = copy.copy(layer)
        view.keys, view.values = (states.expand(count, -1, -1, -1) for states in (layer.keys, layer.values))
        repeated.layers.append(view)
    return repeated
