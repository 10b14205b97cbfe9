"""The long commands with their progress bars and tables."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from ..console import own_bars_only, progress_bar
from ..generators.calcgpt import representations
from ..generators.errors import InputError
from .ablation import load_plan, run_ablation
from .data import load_split, row_task
from .evaluation import MEASURES, evaluate_tasks
from .run_folder import load_model
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


def evaluate_with_progress(name: str, representation: str | None, split: str, batch: int) -> dict[str, Any]:
    """Evaluate a model on a split of its own data set, or of the default one where the model is not ours."""
    if split not in ("train", "validation", "heldout"):
        raise InputError(f"no split {split!r}: choose from heldout, validation, train")
    with without_advice(), _bar() as bar:
        loaded = load_model(name)
        choose_for_generation(loaded.model)
        base = loaded.settings or RunSettings()
        form = representations.get(
            representation or (base.representation if loaded.settings else representations.DEFAULT)
        )
        settings = RunSettings(
            representation=form.name,
            data_seed=base.data_seed,
            width=base.width,
            tasks=base.tasks,
            fraction=base.fraction,
            per_bucket=base.per_bucket,
        )
        rows = load_split(settings, split)
        row = bar.add_task("answering", total=len(rows))
        report, _ = evaluate_tasks(
            loaded.model,
            loaded.tokenizer,
            [row_task(item) for item in rows],
            form.name,
            settings.width,
            batch,
            lambda done: bar.update(row, completed=done),
        )
    return {"model": name, "split": split} | report


def run_ablation_with_progress(plan: Path, out: Path, retry_failed: bool) -> dict[str, Any]:
    """:func:`ablation.run_ablation` with a bar over the examples of all cells."""
    loaded = load_plan(plan)
    with without_advice(), _bar() as bar:
        row = bar.add_task("starting", total=len(loaded.cells) * loaded.settings(loaded.cells[0]).examples)
        return run_ablation(
            loaded, out, retry_failed, lambda done, text: bar.update(row, completed=done, description=text)
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
    for wrong in report["wrong_examples"]:
        out.print(f"wrong: {wrong['task']} expected {wrong['expected']!r} got {wrong['produced']!r}")
    out.print(f"{report['tasks_per_second']} tasks per second")
