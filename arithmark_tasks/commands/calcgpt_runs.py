"""``arithmark calcgpt train``, ``evaluate`` and ``ablation``."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from ..builders.files import write_json
from ..console import plain_console
from ..generators.calcgpt import dataset, representations
from ..generators.errors import InputError

out = plain_console(soft_wrap=True)


def train(
    to: Annotated[Path, typer.Option("--out", help="Run folder; an unfinished run there goes on.")],
    representation: Annotated[
        str, typer.Option(help=f"Text form: {', '.join(representations.REPRESENTATIONS)}.")
    ] = representations.DEFAULT,
    seed: Annotated[int, typer.Option(help="Seed of the weights and the order of examples.")] = 41,
    data_seed: Annotated[int, typer.Option(help="Seed of the tasks, the split and the roster.")] = dataset.SEED,
    width: Annotated[
        int, typer.Option(min=1, max=representations.MAX_WIDTH, help="Digits per operand.")
    ] = dataset.WIDTH,
    tasks: Annotated[int, typer.Option(min=2, help="Distinct tasks to train and validate on.")] = dataset.TASKS,
    setting: Annotated[
        list[str] | None, typer.Option("--set", help="Any other setting as NAME=VALUE, such as examples=64000.")
    ] = None,
) -> None:
    """Train a GPT-2 of 535 thousand parameters; a killed run goes on to the same weights.

    Example: arithmark calcgpt train --out runs/pr41 --representation padded-reversed --seed 41
    """
    from ..calcgpt.console import train_with_progress
    from ..calcgpt.settings import read_settings

    values = _assignments(setting or [])
    values |= {"representation": representation, "seed": seed, "data_seed": data_seed, "width": width, "tasks": tasks}
    record = train_with_progress(read_settings(values), to)
    last = record["curve"][-1]
    out.print(
        f"{record['examples_seen']:,} examples in {record['train_seconds']} s; "
        f"{last['validation_exact']:.2%} of the monitored validation tasks exact; model in {to / 'model'}"
    )


def evaluate(
    model: Annotated[str, typer.Argument(help="Run folder, model folder or Hub id.")],
    representation: Annotated[
        str | None, typer.Option(help="Text form; the run's own by default, plain for other models.")
    ] = None,
    split_name: Annotated[str, typer.Option("--split", help="heldout, validation or train.")] = "heldout",
    batch: Annotated[int, typer.Option(min=1, help="Prompts at a time.")] = 256,
    json_file: Annotated[Path | None, typer.Option("--json", help="Also write the report here.")] = None,
) -> None:
    """Score a model by greedy decoding; a low score is a result and exits with status 0.

    Example: arithmark calcgpt evaluate runs/pr41 --json pr41.json
    """
    from ..calcgpt.console import evaluate_with_progress, print_report

    report = evaluate_with_progress(model, representation, split_name, batch)
    if json_file is not None:
        write_json(json_file, report)
    print_report(out, report)


def ablation(
    plan: Annotated[Path, typer.Option(help="The predeclared plan, JSON.")],
    to: Annotated[Path, typer.Option("--out", help="Folder for the runs and ablation.json; goes on where it was.")],
    results: Annotated[Path | None, typer.Option(help="Also write the collected results here.")] = None,
    figure: Annotated[Path | None, typer.Option(help="Also draw the learning curves here, PNG.")] = None,
    retry_failed: Annotated[bool, typer.Option("--retry-failed", help="Run failed cells again.")] = False,
) -> None:
    """Run every cell of a plan: representations x seeds on one roster and one split. Each ends completed or failed.

    Example: arithmark calcgpt ablation --plan benchmarks/calcgpt-ablation-plan.json --out runs/ablation
    """
    from ..calcgpt.ablation import draw_curves, table
    from ..calcgpt.console import run_ablation_with_progress

    summary = run_ablation_with_progress(plan, to, retry_failed)
    if results is not None:
        write_json(results, summary)
    if figure is not None:
        draw_curves(summary, figure)
    for cell in summary["cells"]:
        out.print(f"{cell['name']}: {cell['status']}{': ' + cell['error'] if cell.get('error') else ''}")
    if any(cell["status"] == "completed" for cell in summary["cells"]):
        out.print(table(summary))


def _assignments(pairs: list[str]) -> dict[str, Any]:
    values = {}
    for pair in pairs:
        name, sign, value = pair.partition("=")
        if not sign:
            raise InputError(f"--set takes NAME=VALUE, not {pair!r}")
        try:
            values[name] = json.loads(value)
        except ValueError:
            values[name] = value
    return values
