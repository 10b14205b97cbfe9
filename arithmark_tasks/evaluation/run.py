"""One evaluation from its settings to its result."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from ..builders.machine import versions
from ..generators.errors import InputError
from ..results import ItemScore, Result, limited_groups, write_result
from ..scoring import models
from ..statistics import credits_of, summarise
from .arithmark3 import NAME, ArithMark3, as_task, read_file, read_hub
from .comparison import compare
from .item_log import ItemLog, LoggedLM, log_paths
from .items import TokenCounts, item_score
from .progress import without_tqdm_of_prompts
from .provenance import PACKAGES, device_name, digest_of, model_facts, threads
from .settings import Settings
from .tasks import FEWSHOT_SEED, TaskSet, dataset_facts, dataset_name

Notify = Callable[[str], None]


def run(
    settings: Settings,
    *,
    out: Path | None = None,
    force: bool = False,
    notify: Notify = lambda stage: None,
    tell: Notify = lambda fact: None,
    prepared: "Prepared | None" = None,
) -> Result | None:
    """Score the model and return the result, or None in every process of a parallel run but the first.

    With ``out``, answers are logged beside it as they come, and those of a run that was stopped are used; ``save``
    writes the file itself. ``notify`` is told each stage, and "" when a progress bar begins; ``tell`` what a user wants
    to know before there is a result: the model and its device, what was found of an earlier run, how long this one
    takes. ``prepared`` is what an earlier run with the same tasks has made. ``InputError`` for an unknown task or
    model, before anything is scored, for a log of another run (unless ``force``), and for an item without a score.
    """
    started = datetime.now(timezone.utc)
    if prepared is None:
        notify("loading the tasks")
        prepared = Prepared(settings)
    chosen = prepared.chosen
    notify("loading the model")
    pretrained, label = models.resolve_model(settings.model, notify=notify)
    lm = settings.load(pretrained)
    prepared.lend(lm)
    settings = replace(settings, batch_size=str(lm.batch_size_per_gpu))
    model, scoring = model_facts(lm, pretrained, label, settings.display_name), _scoring(lm, settings)
    chosen_device = "" if settings.device else ", the best device here"
    tell(f"{label}: {model['parameters']:,} parameters in {scoring['dtype']} on {scoring['device']}{chosen_device}")
    notify("building prompts")
    scorer = {"model": model["files_sha256"] or f"{pretrained} {model['revision']}", **scoring}
    with closing(ItemLog(out, scorer, process=lm.rank, restart=force)) as log:
        if log.answers:
            tell(f"{len(log.answers):,} answers of a run that was stopped were found beside {out}")
        logged = LoggedLM(lm, log, show=lm.rank == 0, notify=notify, tell=tell)
        results = _scored(logged, chosen, settings)
        logged.gather()
    prepared.keep(lm)
    if results is None:
        return None
    notify("computing statistics")
    items = tuple(scored_items(results["samples"], chosen, logged.tokens))
    facts = {**_conditions(settings, chosen, started), **scoring, "threads": threads(), "processes": lm.world_size}
    return prepared.result(model, facts, items)


class Prepared:
    """What the scoring of one model leaves for the next with the same tasks: the data, what is known of them, the
    tokens of each prompt with each option, and whether options may share a row.

    Tokens go over to a model whose tokenizer is the same to the byte, the finding on rows to one of the same
    configuration, precision and device.
    """

    def __init__(self, settings: Settings) -> None:
        self.arithmark3 = _arithmark3(settings)
        self.chosen = TaskSet(settings.task_names(), [as_task(self.arithmark3.rows)] if self.arithmark3 else [])
        self.chosen.set_fewshot(settings.num_fewshot)
        self.chosen.set_generation(settings.gen_kwargs)
        self._datasets: dict[str, dict[str, Any]] | None = None
        self._pairs: dict[str, dict[tuple[str, str], Any]] = {}
        self._findings: dict[str, tuple[Any, int]] = {}

    def lend(self, lm: Any) -> None:
        """Give a model what is known from earlier ones that are like it."""
        self.reset()
        known = self._pairs.setdefault(_tokenizer_digest(lm), {})
        encode = lm._encode_pair

        def encode_once(context: str, continuation: str) -> Any:
            pair = context, continuation
            if pair not in known:
                known[pair] = encode(context, continuation)
            return tuple(map(list, known[pair]))

        lm._encode_pair = encode_once
        if found := self._findings.get(_architecture(lm)):
            lm.verdict, lm._checked_length = found

    def reset(self) -> None:
        """Let the next prompts have the same examples as the last."""
        for task in self.chosen.tasks.values():
            task.set_fewshot_seed(FEWSHOT_SEED)

    def keep(self, lm: Any) -> None:
        """Remember what was found out with a model."""
        if getattr(lm, "verdict", None) is not None:
            self._findings[_architecture(lm)] = lm.verdict, lm._checked_length

    def result(self, model: dict[str, Any], facts: dict[str, Any], items: tuple[ItemScore, ...]) -> Result:
        """The result of a model's answers, with its statistics."""
        if self._datasets is None:
            self._datasets = _datasets(self.chosen, self.arithmark3)
        tasks = _tasks(self.chosen, items)
        limited = limited_groups(items, tasks, self._datasets, facts["limit"])
        summary = {**summarise(items, limited), "comparison": compare(items, tasks)}
        return Result(model=model, run=facts, datasets=self._datasets, tasks=tasks, items=items, summary=summary)


def _tokenizer_digest(lm: Any) -> str:
    """The same for tokenizers that make the same tokens; one of its own for each where that cannot be seen."""
    inner = getattr(lm.tokenizer, "backend_tokenizer", None)
    said = inner.to_str() if inner is not None else id(lm)
    settings = {name: repr(value) for name, value in sorted(lm.tokenizer.init_kwargs.items()) if "path" not in name}
    return digest_of([type(lm.tokenizer).__name__, said, lm.add_bos_token, lm.backend, settings])


def _architecture(lm: Any) -> str:
    config = {name: value for name, value in lm.config.to_dict().items() if name != "_name_or_path"}
    return digest_of([repr(sorted(config.items())), str(lm.model.dtype), str(lm.device), lm.max_length])


def save(out: Path, result: Result) -> None:
    """Write the result file and remove the logs that led to it."""
    write_result(out, result)
    for path in log_paths(out):
        path.unlink()


def _arithmark3(settings: Settings) -> ArithMark3 | None:
    if settings.arithmark3 is not None:
        return read_file(settings.arithmark3)
    return read_hub() if settings.compare else None


def _scoring(lm: Any, settings: Settings) -> dict[str, Any]:
    """What the numbers depend on beside the weights and the items."""
    return {
        "model_type": settings.model_type,
        "dtype": str(lm.model.dtype).removeprefix("torch."),
        "batch_size": lm.batch_size_per_gpu,
        "max_context": lm.max_length,
        "device": device_name(lm),
        **({"model_args": dict(settings.model_args)} if settings.model_args else {}),
        "versions": versions(*PACKAGES),
    }


def _conditions(settings: Settings, chosen: TaskSet, started: datetime) -> dict[str, Any]:
    return {
        "command": settings.command(),
        "started": started.isoformat(timespec="seconds"),
        "seconds": round((datetime.now(timezone.utc) - started).total_seconds(), 1),
        "limit": settings.limit,
        "num_fewshot": chosen.num_fewshot(),
        "gen_kwargs": dict(settings.gen_kwargs),
        "trust_remote_code": settings.trust_remote_code,
        "chat_template": settings.apply_chat_template,
    }


def _scored(lm: LoggedLM, chosen: TaskSet, settings: Settings) -> Any:
    """lm-eval's results with their samples, None in every process but the first.

    This is the part of ``lm_eval.simple_evaluate`` that scores; the rest of it asks git, pip and the Hub.
    """
    import torch
    from lm_eval.evaluator import evaluate

    try:
        with without_tqdm_of_prompts():
            return evaluate(
                lm,
                chosen.loaded,
                limit=settings.limit,
                bootstrap_iters=0,
                apply_chat_template=settings.apply_chat_template,
                fewshot_as_multiturn=True,
            )
    except torch.OutOfMemoryError as error:
        raise InputError(f"out of memory with batches of {settings.batch_size}: try a smaller --batch-size") from error
    except (ValueError, AssertionError) as error:  # an item without a score, or a window too short to generate in
        raise InputError(str(error)) from error


def scored_items(samples: Mapping[str, Any], chosen: TaskSet, tokens: TokenCounts) -> Iterator[ItemScore]:
    """The items of lm-eval's samples, task by task, with every credit that applies."""
    for name, task in chosen.tasks.items():
        first = samples[name][0]["filter"]
        mine = [sample for sample in samples[name] if sample["filter"] == first]
        for sample in sorted(mine, key=lambda sample: sample["doc_id"]):
            item = item_score(sample, name, chosen.group_of[name], task.OUTPUT_TYPE, tokens)
            yield replace(item, metrics={**item.metrics, **credits_of(item)})


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
            "num_fewshot": task.get_config("num_fewshot"),
            "chance": 1 / max(options[name]) if len(options[name]) == 1 and max(options[name]) > 1 else None,
        }
        for name, task in chosen.tasks.items()
    }
