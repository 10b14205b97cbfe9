"""What ``make eval`` runs: score a model through lm-eval and print a table.

``python -m arithmark_tasks.quick_eval --model SmolLM2-135M --tasks deeparithmark --limit 20``
"""

import os
import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from .generators.errors import InputError
from .paths import task_folder

if TYPE_CHECKING:
    from lm_eval.tasks import TaskManager

Results = dict[str, Any]

_CHOICE_METRICS = ("acc", "acc_norm", "soft")


def run(
    model: Annotated[
        str | None, typer.Option(help="A folder, a Hub id or a .gguf file; default: SmolLM2-135M.")
    ] = None,
    tasks: Annotated[str, typer.Option(help="lm-eval task names, separated by commas.")] = "deeparithmark",
    limit: Annotated[int | None, typer.Option(min=1, help="Score only the first N items of each task.")] = None,
) -> None:
    """Score MODEL on TASKS and print accuracy by depth, with standard errors."""
    console = Console()
    started = time.perf_counter()
    names = tasks.replace(",", " ").split()
    results, label = evaluate(model, names, limit, console)
    shots = sorted({str(count) for count in results.get("n-shot", {}).values()})
    console.print(table(results, f"{label}, {' or '.join(shots)}-shot, fp32"))
    console.print(f"{time.perf_counter() - started:.0f} s", style="dim")


def evaluate(model: str | None, tasks: list[str], limit: int | None, console: Console) -> tuple[Results, str]:
    """lm-eval's results, samples included, and the model's label. ``InputError`` for unknown tasks or models."""
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")  # lm-eval asks git and pip after tokenizing
    manager = task_manager(tasks)

    from lm_eval import simple_evaluate

    from .models import load, resolve_model

    with console.status("preparing the model") as status:
        pretrained, label = resolve_model(model, notify=status.update)
        lm = load(pretrained)
    console.print(f"scoring {label} on {', '.join(tasks)}")
    try:
        results = simple_evaluate(model=lm, tasks=tasks, limit=limit, task_manager=manager)
    except ValueError as error:  # an item without a score, or a task that is asked for twice
        raise InputError(str(error)) from error
    return dict(results or {}), label


def task_manager(tasks: list[str]) -> "TaskManager":
    """A manager that knows the tasks; lm-eval's own thousands are only read when one of them is asked for."""
    from lm_eval.tasks import TaskManager

    if not tasks:
        raise InputError("no task given")
    manager = TaskManager(include_path=str(task_folder()), include_defaults=False)
    known = list(manager.all_tasks)
    families = {name.split("_")[0] for name in known}
    missing = [name for name in tasks if name not in known]
    if missing and not any(name.split("_")[0] in families for name in missing):
        # In a wheel install our tasks lie among lm-eval's own, and would be read twice.
        installed = "site-packages" in task_folder().parts
        manager = TaskManager(include_path=None if installed else str(task_folder()))
        missing = [name for name in tasks if name not in manager.all_tasks]
    if missing:
        raise InputError(f"no such task: {', '.join(missing)}; ours are {', '.join(known)}")
    return manager


def table(results: Results, title: str) -> Table:
    """One row per task and group: n and each metric in percent with its standard error, chance in the last row."""
    rows = {name: row for name, row in results["results"].items() if row.get("sample_len")}
    metrics = list(dict.fromkeys(metric for row in rows.values() for metric, _, _ in _scores(row)))
    out = Table("task", "n", *metrics, title=title, caption="percent, ± one standard error")
    for column in out.columns[1:]:
        column.justify = "right"
    members = {child for children in results.get("group_subtasks", {}).values() for child in children}
    for name in sorted(rows, key=lambda name: name not in members):
        cells = {metric: _percent(value, error) for metric, value, error in _scores(rows[name])}
        style = None if name in members else "bold"
        out.add_row(name, str(rows[name]["sample_len"]), *(cells.get(metric, "") for metric in metrics), style=style)
    chance = chance_level(results)
    if chance is not None:
        out.add_section()
        guessing = [f"{100 * chance:.1f}" if metric in _CHOICE_METRICS else "" for metric in metrics]
        out.add_row("chance", "", *guessing, style="dim")
    return out


def chance_level(results: Results) -> float | None:
    """What guessing scores: one over the number of options, where every multiple-choice item has the same number."""
    counts = {
        len(sample["arguments"])
        for name, samples in results.get("samples", {}).items()
        if results["configs"][name].get("output_type") == "multiple_choice"
        for sample in samples
    }
    return 1 / counts.pop() if len(counts) == 1 else None


def _scores(row: dict[str, Any]) -> Iterator[tuple[str, float, float | None]]:
    for key, value in row.items():
        metric, _, filter_name = key.partition(",")
        if filter_name and not metric.endswith("_stderr") and isinstance(value, int | float):
            error = row.get(f"{metric}_stderr,{filter_name}")
            yield metric, float(value), error if isinstance(error, float) else None


def _percent(value: float, error: float | None) -> str:
    return f"{100 * value:.1f}" + (f" ± {100 * error:.1f}" if error is not None else "")


def main() -> None:
    """Bad input ends as one clear line on stderr and exit status 1."""
    try:
        typer.run(run)
    except (InputError, OSError) as error:
        Console(stderr=True, soft_wrap=True).print(f"quick_eval: {error}", style="red", markup=False, highlight=False)
        sys.exit(1)


if __name__ == "__main__":
    main()
