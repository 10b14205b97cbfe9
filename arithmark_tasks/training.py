"""A model scored while it is trained: ``ArithmarkCallback`` for ``transformers.Trainer``.

>>> from arithmark_tasks.training import ArithmarkCallback
>>> # trainer.add_callback(ArithmarkCallback(trainer, every=2, items=200))
"""

import copy
import hashlib
import logging
import math
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import numpy as np
import torch
from lm_eval.evaluator import evaluate
from transformers import PreTrainedModel, TrainerCallback

from .builders.machine import versions
from .evaluation.items import traits
from .evaluation.progress import without_tqdm_of_prompts
from .evaluation.provenance import PACKAGES, device_name, threads
from .evaluation.run import Prepared, scored_items
from .evaluation.settings import Settings
from .generators.errors import InputError
from .results import ItemScore, write_result
from .scoring.shared_prefix import SharedPrefixHFLM
from .statistics import credits_of

logger = logging.getLogger(__name__)


class ArithmarkCallback(TrainerCallback):
    """Scores the trainer's model in place after every ``every``-th of its evaluations, on steps of their own.

    ``tasks`` are names of lm-eval tasks. ``items`` chooses a fixed subset of each group of them, as many of each depth
    and template as can be; a line says how noisy scores on it are. Of groups with the same prompts it is the same.
    ``out`` is a folder for a result file a step, ``step-N.json``, which ``arithmark report`` draws as a curve; it takes
    all items. Every process scores its share with ``every_rank``, else the first scores all while the others wait.

    The metrics are named ``eval_GROUP_METRIC`` and by depth ``eval_GROUP_METRIC_dN``. They go to ``trainer.log``, and
    into the metrics of the evaluation, so that ``metric_for_best_model`` may name one where ``every`` is 1. The
    training takes no notice: modes, buffers, and the random states of python, numpy and torch are put back. The model
    is computed in the precision of its weights, without the trainer's autocast. A model divided by FSDP or DeepSpeed
    ZeRO-3 is refused.
    """

    def __init__(
        self,
        trainer: Any,
        *,
        every: int = 1,
        tasks: Sequence[str] = ("deeparithmark",),
        items: int | None = None,
        batch_size: int = 8,
        every_rank: bool = True,
        out: Path | None = None,
    ) -> None:
        if every < 1 or (items is not None and items < 1):
            raise InputError(f"every and items count from 1, not {every} and {items}")
        if items is not None and out is not None:
            raise InputError("a result file holds all items: leave out either items or out")
        if trainer.processing_class is None:
            raise InputError("the trainer has no tokenizer: give it as processing_class")
        self.trainer, self.every, self.items, self.batch_size, self.out = trainer, every, items, batch_size, out
        self.every_rank = every_rank
        self._settings = Settings(tasks=tuple(tasks))
        self._prepared: Prepared | None = None
        self._samples: dict[str, list[int]] | None = None
        self._lengths: dict[tuple[str, str], int] = {}
        self._lm: Any = None
        self._seen: set[int] = set()

    def on_evaluate(
        self, args: Any, state: Any, control: Any, metrics: dict[str, float] | None = None, **_: Any
    ) -> None:
        """Score, if it is the turn of this step, and log; a second evaluation of the same step is none of its own."""
        if state.global_step in self._seen:
            return
        self._seen.add(state.global_step)
        if len(self._seen) % self.every:
            return
        with untouched(self.trainer.model):
            found = self._shared(self._score(state))
        if metrics is not None:
            metrics.update(found)
        self.trainer.log(dict(found))

    def _score(self, state: Any) -> dict[str, float]:
        lm = self._model()
        if not self.every_rank and not state.is_world_process_zero:
            return {}
        if self._prepared is None:
            self._prepare()
        prepared = self._prepared
        assert prepared is not None  # made just above
        started = datetime.now(timezone.utc)
        prepared.reset()
        with without_tqdm_of_prompts():
            results: Any = evaluate(lm, prepared.chosen.loaded, samples=self._samples, bootstrap_iters=0)
        if results is None:
            return {}
        scored = tuple(scored_items(results["samples"], prepared.chosen, self._length))
        if self.out is not None:
            self._write(self.out, prepared, scored, state, started)
        return logged(scored)

    def _model(self) -> Any:
        """lm-eval's model around the trainer's own weights, made once."""
        model = self.trainer.model
        if getattr(self.trainer, "is_fsdp_enabled", False) or _is_divided():
            raise InputError("a model divided by FSDP or ZeRO-3 is not scored in place: score its checkpoints instead")
        if not isinstance(model, PreTrainedModel) and not hasattr(model, "get_output_embeddings"):
            raise InputError(f"only a causal language model of transformers is scored, not {type(model).__name__}")
        if self._lm is None or self._lm.model is not model:
            # A copy of the tokenizer: lm-eval may set its padding.
            tokenizer = copy.deepcopy(self.trainer.processing_class)
            with _without_warnings("lm_eval.models.huggingface"):  # that the model is loaded already, which is meant
                self._lm = SharedPrefixHFLM(pretrained=model, tokenizer=tokenizer, batch_size=self.batch_size)
            if self.every_rank and self.trainer.args.world_size > 1:
                self._lm.accelerator = self.trainer.accelerator
                self._lm._rank, self._lm._world_size = self.trainer.args.process_index, self.trainer.args.world_size
            score = self._lm.loglikelihood
            self._lm.loglikelihood = lambda requests, **_: score(requests, disable_tqdm=True)
        return self._lm

    def _prepare(self) -> None:
        self._prepared = Prepared(self._settings)
        self._prepared.lend(self._lm)
        encode = self._lm._encode_pair

        def encode_and_count(context: str, continuation: str) -> Any:
            found = encode(context, continuation)
            self._lengths[context, continuation] = len(found[1])
            return found

        self._lm._encode_pair = encode_and_count
        if self.items is not None:
            self._samples = balanced(self._prepared.chosen, self.items)
            if self.trainer.is_world_process_zero():
                for line in noise(self._prepared.chosen, self._samples):
                    logger.warning(line)

    def _length(self, context: str, continuation: str) -> tuple[int | None, int | None]:
        return self._lengths.get((context, continuation)), None

    def _shared(self, found: dict[str, float]) -> dict[str, float]:
        """The first process's metrics, in every process."""
        if self.trainer.args.world_size == 1:
            return found
        from accelerate.utils import broadcast_object_list

        box = [found]
        broadcast_object_list(box, from_process=0)
        return box[0]

    def _write(
        self, out: Path, prepared: Prepared, scored: tuple[ItemScore, ...], state: Any, started: datetime
    ) -> None:
        lm, model, run_name = self._lm, self.trainer.model, Path(self.trainer.args.output_dir).resolve().name
        counted = self.trainer.args.include_num_input_tokens_seen != "no"
        facts = {
            "name": f"{run_name} at step {state.global_step}",
            "display_name": None,
            "pretrained": str(self.trainer.args.output_dir),
            "revision": None,
            "files_sha256": None,
            "weights_sha256": None,
            "parameters": model.num_parameters(),
            "architecture": type(model).__name__,
            "training": {
                "run": run_name,
                "step": state.global_step,
                "tokens": int(state.num_input_tokens_seen) if counted else None,
            },
        }
        run = {
            "command": "ArithmarkCallback",
            "started": started.isoformat(timespec="seconds"),
            "seconds": round((datetime.now(timezone.utc) - started).total_seconds(), 1),
            "limit": None,
            "num_fewshot": prepared.chosen.num_fewshot(),
            "gen_kwargs": {},
            "trust_remote_code": False,
            "chat_template": False,
            "model_type": "hf-shared",
            "dtype": str(model.dtype).removeprefix("torch."),
            "batch_size": lm.batch_size_per_gpu,
            "max_context": lm.max_length,
            "device": device_name(lm),
            "versions": versions(*PACKAGES),
            "threads": threads(),
            "processes": lm.world_size,
        }
        write_result(out / f"step-{state.global_step}.json", prepared.result(facts, run, scored))


@contextmanager
def _without_warnings(name: str) -> Iterator[None]:
    of_library = logging.getLogger(name)
    level = of_library.level
    of_library.setLevel(logging.ERROR)
    try:
        yield
    finally:
        of_library.setLevel(level)


def _is_divided() -> bool:
    from transformers.integrations import is_deepspeed_zero3_enabled

    return bool(is_deepspeed_zero3_enabled())


@contextmanager
def untouched(model: torch.nn.Module) -> Iterator[None]:
    """The model in eval mode without gradients; afterwards its modes, buffers and every random state are as before."""
    modes = [(module, module.training) for module in model.modules()]
    buffers = [(module, dict(module._buffers)) for module in model.modules()]
    numbers = random.getstate(), np.random.get_state(), torch.get_rng_state()
    devices = torch.cuda.get_rng_state_all() if torch.cuda.is_available() else []
    model.eval()
    try:
        with torch.no_grad():
            yield
    finally:
        for module, mode in modes:
            module.training = mode
        for module, own in buffers:  # rotary factors that were computed for longer prompts, under inference mode
            module._buffers.clear()
            module._buffers.update(own)
        random.setstate(numbers[0])
        np.random.set_state(numbers[1])
        torch.set_rng_state(numbers[2])
        if devices:
            torch.cuda.set_rng_state_all(devices)


def logged(items: Sequence[ItemScore]) -> dict[str, float]:
    """The means of what the items earn, by the names under which a trainer logs them; of accuracies the standard error.

    >>> item = ItemScore("t", "g", "1", {"depth": 2}, {}, gold=0, loglikelihoods=(-1.0, -2.0), characters=(2, 2))
    >>> logged([item])["eval_g_acc_norm_d2"]
    1.0
    """
    values: dict[str, list[float]] = defaultdict(list)
    for item in items:
        for metric, value in credits_of(item).items():
            values[f"eval_{item.group}_{metric}"].append(value)
            if "depth" in item.traits:
                values[f"eval_{item.group}_{metric}_d{item.traits['depth']}"].append(value)
    means = {name: math.fsum(found) / len(found) for name, found in values.items()}
    errors = {
        f"{name}_stderr": math.sqrt(means[name] * (1 - means[name]) / len(found))
        for name, found in values.items()
        if name.endswith(("_acc", "_acc_norm", "_acc_norm_tok"))
    }
    return means | errors


def balanced(chosen: Any, number: int) -> dict[str, list[int]]:
    """Places of so many items of each group, by task: as many of each depth, and in it of each template, as can be.

    Within a template the order is that of the prompts' SHA-256, so that sets with the same prompts give the same items.
    ``InputError`` where a group has fewer.
    """
    groups: dict[str, list[tuple[tuple[str, str], str, str, int]]] = defaultdict(list)
    for name, task in chosen.tasks.items():
        for place, doc in enumerate(task.eval_docs):
            groups[chosen.group_of[name]].append((_cell(doc), _digest(doc), name, place))
    samples: dict[str, list[int]] = {name: [] for name in chosen.tasks}
    for group, docs in groups.items():
        if number > len(docs):
            raise InputError(f"items={number}: {group} has {len(docs):,}")
        for _, _, name, place in _dealt(docs)[:number]:
            samples[name].append(place)
    if empty := [name for name, places in samples.items() if not places]:
        raise InputError(f"items={number} leaves none of {empty[0]}")
    return {name: sorted(places) for name, places in samples.items()}


def _dealt(docs: Sequence[tuple[tuple[str, str], str, str, int]]) -> list[tuple[tuple[str, str], str, str, int]]:
    """Depth by depth in turn, and in each depth template by template."""
    in_cell: Counter[tuple[str, str]] = Counter()
    rounds = []
    for doc in sorted(docs, key=lambda doc: doc[:2]):
        rounds.append((in_cell[doc[0]], doc))
        in_cell[doc[0]] += 1
    in_depth: Counter[str] = Counter()
    turns = []
    for _, doc in sorted(rounds, key=lambda found: (found[0], _hash(found[1][0][1]), found[1][1])):
        turns.append((in_depth[doc[0][0]], doc[0][0], doc))
        in_depth[doc[0][0]] += 1
    return [doc for *_, doc in sorted(turns, key=lambda turn: turn[:2])]


def _cell(doc: Mapping[str, Any]) -> tuple[str, str]:
    found = traits(doc)
    return str(found.get("depth", "")), str(found.get("template", found.get("type", "")))


def _digest(doc: Mapping[str, Any]) -> str:
    return _hash(str(doc.get("ctx") or doc))


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def noise(chosen: Any, samples: Mapping[str, Sequence[int]]) -> list[str]:
    """A line for each group: how far an accuracy on the subset lies from that on all items, as two standard errors."""
    taken, whole = Counter[str](), Counter[str]()
    for name, task in chosen.tasks.items():
        taken[chosen.group_of[name]] += len(samples[name])
        whole[chosen.group_of[name]] += len(task.eval_docs)
    lines = []
    for group, n in taken.items():
        own = 200 * math.sqrt(0.1875 / n)  # of a share of a quarter, in points
        of_all = own * math.sqrt((whole[group] - n) / max(1, whole[group] - 1))
        lines.append(
            f"{group}: {n:,} of {whole[group]:,} items, balanced over depths and templates: in 19 of 20 such subsets "
            f"an accuracy near 25 % lies within {of_all:.1f} points of that on all items, and within {own:.1f} points "
            "of what the model would have on items without end"
        )
    return lines
