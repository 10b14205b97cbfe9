"""One evaluation from its settings to its result."""

import os
import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from .. import models
from ..generators.errors import InputError
from ..results import ItemScore, Result, write_result
from ..statistics import summarise
from .arithmark3 import NAME, ArithMark3, as_task, read_file, read_hub
from .comparison import CONTROL, DEEP, compare
from .facts import device_name, model_facts, versions
from .item_log import ItemLog, log_paths
from .items import TokenCount, item_score
from .logged import LoggedLM
from .progress import without_tqdm_of_prompts
from .tasks import TaskSet, dataset_facts, dataset_name

Notify = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Settings:
    """What to score and how: the options of ``arithmark eval`` by their names; None is the model's or task's own."""

    model: str | None = None
    tasks: tuple[str, ...] = (DEEP,)
    dtype: str = "float32"
    batch_size: str = str(models.BATCH_SIZE)
    max_context: int | None = None
    model_type: str = "hf-shared"
    limit: int | None = None
    num_fewshot: int | None = None
    apply_chat_template: bool = False
    compare: bool = False
    arithmark3: Path | None = None

    def task_names(self) -> list[str]:
        """The tasks asked for and, with ``compare``, the default set and its control; ArithMark 3.0 is no named task."""
        return list(dict.fromkeys([*self.tasks, *([DEEP, CONTROL] if self.compare else [])]))

    def command(self) -> str:
        """The command line that repeats this run, without ``--out``."""
        options = {
            "--model": self.model,
            "--tasks": ",".join(self.tasks),
            "--dtype": self.dtype,
            "--batch-size": self.batch_size,
            "--max-context": self.max_context,
            "--model-type": self.model_type,
            "--limit": self.limit,
            "--num-fewshot": self.num_fewshot,
            "--arithmark3": self.arithmark3,
        }
        words = [str(word) for name, value in options.items() if value is not None for word in (name, value)]
        flags = {"--apply-chat-template": self.apply_chat_template, "--compare": self.compare}
        return shlex.join(["arithmark", "eval", *words, *(name for name, given in flags.items() if given)])


def run(
    settings: Settings, *, out: Path | None = None, force: bool = False, notify: Notify = lambda stage: None
) -> Result | None:
    """Score the model and return the result, or None in every process of a parallel run but the first.

    With ``out``, answers are logged beside it as they come and those of a run that was stopped are used; the file itself
    is the caller's to write. ``InputError`` for an unknown task or model, before anything is scored, for a log of
    another run (unless ``force``), and for an item without a score.
    """
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")  # lm-eval starts programs after it has tokenized
    started = datetime.now(timezone.utc)
    notify("finding the tasks")
    arithmark3 = _arithmark3(settings)
    chosen = TaskSet(settings.task_names(), [as_task(arithmark3.rows)] if arithmark3 else [])
    notify("preparing the model")
    pretrained, label = models.resolve_model(settings.model, notify=notify)
    lm = _load(pretrained, settings)
    model, scoring = model_facts(lm, pretrained, label), _scoring(lm, settings)
    notify("")
    scorer = {"model": model["files_sha256"] or f"{pretrained} {model['revision']}", **scoring}
    log = ItemLog(out, scorer, process=lm.rank, restart=force)
    logged = LoggedLM(lm, log, show=lm.rank == 0)
    try:
        results = _scored(logged, chosen, settings)
    finally:
        log.close()
    if results is None:
        return None
    notify("computing statistics")
    items = tuple(_items(results["samples"], chosen, logged.tokens))
    datasets = _datasets(chosen, arithmark3)
    run = {
        "command": settings.command(),
        "started": started.isoformat(timespec="seconds"),
        "seconds": round((datetime.now(timezone.utc) - started).total_seconds(), 1),
        **scoring,
        "limit": settings.limit,
        "num_fewshot": settings.num_fewshot,
        "chat_template": settings.apply_chat_template,
    }
    summary = {**summarise(items), "comparison": compare(items)}
    return Result(model, run, datasets, _tasks(chosen, items), items, summary)


def save(out: Path, result: Result) -> None:
    """Write the result file and remove the logs that led to it."""
    write_result(out, result)
    for path in log_paths(out):
        path.unlink()


def _arithmark3(settings: Settings) -> ArithMark3 | None:
    if settings.arithmark3 is not None:
        return read_file(settings.arithmark3)
    return read_hub() if settings.compare else None


def _load(pretrained: str, settings: Settings) -> Any:
    if not re.fullmatch(r"[1-9]\d*|auto(:\d+)?", settings.batch_size, re.ASCII):
        raise InputError(f"a batch size is a number or auto, not {settings.batch_size!r}")
    size: int | str = int(settings.batch_size) if settings.batch_size.isdigit() else settings.batch_size
    options = {} if settings.max_context is None else {"max_length": settings.max_context}
    lm = models.load(pretrained, settings.model_type, dtype=settings.dtype, batch_size=size, **options)
    accelerator = getattr(lm, "accelerator", None)
    if accelerator is not None and lm.world_size == 1:  # lm-eval divides the work among GPUs, not among processors
        lm._rank, lm._world_size = accelerator.process_index, accelerator.num_processes
    return lm


def _scoring(lm: Any, settings: Settings) -> dict[str, Any]:
    """What the numbers depend on beside the weights and the items."""
    return {
        "model_type": settings.model_type,
        "dtype": str(lm.model.dtype).removeprefix("torch."),
        "batch_size": settings.batch_size,
        "max_context": lm.max_length,
        "device": device_name(lm),
        "processes": lm.world_size,
        "versions": versions(),
    }


def _scored(lm: LoggedLM, chosen: TaskSet, settings: Settings) -> Any:
    import torch
    from lm_eval import simple_evaluate

    try:
        with without_tqdm_of_prompts():
            return simple_evaluate(
                model=lm,
                tasks=chosen.specs,
                task_manager=chosen.manager,
                limit=settings.limit,
                num_fewshot=settings.num_fewshot,
                apply_chat_template=settings.apply_chat_template,
                bootstrap_iters=0,
            )
    except torch.OutOfMemoryError as error:
        raise InputError(f"out of memory with batches of {settings.batch_size}: try a smaller --batch-size") from error
    except ValueError as error:  # an item without a score
        raise InputError(str(error)) from error


def _items(samples: Mapping[str, Any], chosen: TaskSet, tokens: TokenCount) -> Iterator[ItemScore]:
    for name, task in chosen.tasks.items():
        first = samples[name][0]["filter"]
        mine = [sample for sample in samples[name] if sample["filter"] == first]
        for sample in sorted(mine, key=lambda sample: sample["doc_id"]):
            yield item_score(sample, name, chosen.group_of[name], task.OUTPUT_TYPE, tokens)


def _datasets(chosen: TaskSet, arithmark3: ArithMark3 | None) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for name, task in chosen.tasks.items():
        key = dataset_name(name) or name
        if name == NAME and arithmark3 is not None:
            found[key] = {"version": None, "seed": None, **arithmark3.facts}
        elif key not in found:
            found[key] = dataset_facts(key, task)
    return found


def _tasks(chosen: TaskSet, items: Sequence[ItemScore]) -> dict[str, dict[str, Any]]:
    options: dict[str, set[int]] = {name: set() for name in chosen.tasks}
    for item in items:
        options[item.task].add(len(item.loglikelihoods))
    return {
        name: {
            "version": task.VERSION,
            "group": chosen.group_of[name],
            "dataset": dataset_name(name) or name,
            "output_type": task.OUTPUT_TYPE,
            "chance": 1 / max(options[name]) if len(options[name]) == 1 and max(options[name]) > 1 else None,
        }
        for name, task in chosen.tasks.items()
    }
