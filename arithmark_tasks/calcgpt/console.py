"""The long commands with their progress bars and tables."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from ..console import own_bars_only, progress_bar
from ..generators.calcgpt import contracts, representations
from ..generators.calcgpt.manifest import load_manifest, roster
from ..generators.errors import InputError
from ..generators.expression import Expression
from .ablation import load_plan, provenance, run_ablation
from .data import RunTasks, load_tasks, read_tasks
from .evaluation import MEASURES, Graded, evaluate_tasks
from .run_folder import RunFolder, load_model
from .settings import RunSettings
from .threads import choose_for_generation
from .trainer import train


@contextmanager
def without_advice() -> Iterator[None]:
    """Silences the libraries' own bars, and the advice of transformers on models as small as ours."""
    from transformers.utils import logging

    level = logging.get_verbosity()
    logging.set_verbosity_error()
    try:
        with own_bars_only():
            yield
    finally:
        logging.set_verbosity(level)


def _bar() -> Progress:
    return progress_bar(transient=False, show=os.environ.get("RANK", "0") == "0")  # one, however many processes


def train_with_progress(settings: RunSettings, out: Path) -> dict[str, Any]:
    """:func:`trainer.train` with a bar over examples."""
    with without_advice(), _bar() as bar:
        row = bar.add_task("starting", total=settings.examples)
        return train(settings, out, lambda done, text: bar.update(row, completed=done, description=text))


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of a model: a split of its own data (the default data where the model is not ours), the roster of a
    manifest, or the tasks of a file; in which form, and what stands around each prompt.
    """

    split: str = "heldout"
    manifest: Path | None = None
    tasks: Path | None = None
    representation: str | None = None
    width: int | None = None
    prefix: str = ""
    suffix: str = ""
    batch: int = 256


def evaluate_with_progress(name: str, question: Question) -> tuple[dict[str, Any], list[Graded]]:
    """The report on a model, and every graded task."""
    if question.manifest is not None and question.tasks is not None:
        raise InputError("--manifest and --tasks do not go together")
    with without_advice(), _bar() as bar:
        loaded = load_model(name)
        choose_for_generation(loaded.model)
        settings = _settings(loaded.settings, question)
        own = RunFolder(loaded.run).tasks(settings) if loaded.run is not None else None
        tasks, contract = _asked(question, settings, own)
        row = bar.add_task("answering", total=len(tasks))
        report, graded = evaluate_tasks(
            loaded.model,
            loaded.tokenizer,
            tasks,
            settings.representation,
            settings.width,
            question.batch,
            lambda done: bar.update(row, completed=done),
            contract=contract,
            prefix=question.prefix,
            suffix=question.suffix,
        )
    asked = {"manifest": question.manifest, "tasks_file": question.tasks}
    told: dict[str, Any] = {"model": name} | {key: str(path) for key, path in asked.items() if path is not None}
    if len(told) == 1:
        told["split"] = question.split
    if own is not None:
        keys = contracts.get(contract).keys(own.train)
        told["tasks_covered_by_training"] = sum(contracts.get(contract).conflicts(task, keys) for task in tasks)
    return told | report, graded


def _settings(own: RunSettings | None, question: Question) -> RunSettings:
    """The run's own data in the form that was asked for; the default data for a model that is not ours."""
    base = own or RunSettings()
    form = representations.get(question.representation or base.representation)
    if own is not None and question.width not in (None, own.width):
        raise InputError(f"the run has the width {own.width}, not {question.width}")
    return replace(base, representation=form.name, width=question.width or base.width)


def _asked(question: Question, settings: RunSettings, own: RunTasks | None) -> tuple[Sequence[Expression], str]:
    """The tasks, and the contract whose classes are the sample."""
    if question.tasks is not None:
        return read_tasks(str(question.tasks), settings), settings.contract
    if question.manifest is None:
        return (own or load_tasks(settings)).of(question.split), settings.contract
    manifest = load_manifest(question.manifest)
    tasks = roster(manifest)
    for task in tasks:
        representations.check_task(task, settings.width)
    contract = contracts.get(str(manifest["policy"].get("contract")))
    return tasks, contract.name


def run_ablation_with_progress(plan: Path, out: Path, retry_failed: bool, parts: Sequence[str]) -> dict[str, Any]:
    """:func:`ablation.run_ablation` with a bar over the examples of all cells."""
    loaded, declared = load_plan(plan), provenance(plan)
    with without_advice(), _bar() as bar:
        row = bar.add_task("starting", total=loaded.examples)
        return run_ablation(
            loaded,
            out,
            retry_failed,
            lambda done, text: bar.update(row, completed=done, description=text),
            parts,
            declared,
        )


def print_report(out: Console, report: dict[str, Any]) -> None:
    """The table of shares, then at most five wrong answers."""
    table = Table("tasks", "of", *(f"{measure} (95 %)".replace("_", " ") for measure in MEASURES))
    groups = {"all": report["overall"]}
    for kind in ("by_bucket", "by_operator", "by_carries"):
        groups |= report[kind]
    for name, shares in groups.items():
        cells = [
            f"{cell['right']} = {cell['share']:.1%} ({cell['low']:.1%} to {cell['high']:.1%})"
            for cell in (shares[measure] for measure in MEASURES)
        ]
        table.add_row(name, str(shares["exact"]["of"]), *cells)
    out.print(table)
    classes = report["overall"]["exact"]["classes"]
    if classes < report["tasks"]:
        out.print(f"the intervals take the {classes} classes of {report['contract']!r} as the sample, not the tasks")
    if report.get("tasks_covered_by_training"):
        out.print(
            f"{report['tasks_covered_by_training']} of {report['tasks']} tasks stand in the run's training under "
            f"{report['contract']!r}: they were not held out"
        )
    for kind, count in report["errors"].items():
        out.print(f"{count} wrong: {kind}")
    for wrong in report["wrong_examples"]:
        out.print(f"wrong: {wrong['task']} expected {wrong['expected']!r} got {wrong['produced']!r}")
    out.print(f"{report['tasks_per_second']} tasks per second")
