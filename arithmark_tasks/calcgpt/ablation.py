"""The ablation: every representation under every seed, one roster, one split, a plan declared before the first run.

Each cell is a run folder of its own. A cell ends ``completed`` or ``failed`` and is kept either way; a cell that was
interrupted goes on from its checkpoint. Table and curves are made from the results alone.
"""

import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..builders.files import write_json
from ..generators.calcgpt import representations
from ..generators.errors import InputError
from ..generators.intervals import wilson
from .data import load_split, row_task
from .evaluation import evaluate_tasks
from .run_folder import load_model, versions
from .settings import RunSettings, read_settings
from .trainer import train

SCHEMA = "calcgpt-ablation-1"
RECORDED = (
    "task_roster_sha256",
    "excluded_roster_sha256",
    "examples_seen",
    "target_tokens_seen",
    "target_tokens_per_epoch",
    "train_seconds",
    "examples_per_second",
    "threads",
    "device",
    "curve",
)
Notify = Callable[[int, str], None]


@dataclass(frozen=True, slots=True)
class AblationCell:
    """One run of the plan."""

    representation: str
    seed: int

    @property
    def name(self) -> str:
        """The cell's folder."""
        return f"{self.representation}-{self.seed}"


@dataclass(frozen=True, slots=True)
class AblationPlan:
    """Representations x seeds, and the settings that all cells share."""

    representations: tuple[str, ...]
    seeds: tuple[int, ...]
    shared: dict[str, Any]

    @property
    def cells(self) -> list[AblationCell]:
        """Every cell, seed by seed, so that an early stop leaves whole comparisons."""
        return [AblationCell(representation, seed) for seed in self.seeds for representation in self.representations]

    def settings(self, cell: AblationCell) -> RunSettings:
        """The cell's settings."""
        return read_settings(self.shared | {"representation": cell.representation, "seed": cell.seed})

    def as_dict(self) -> dict[str, Any]:
        """The plan as its file has it."""
        return {
            "schema": SCHEMA,
            "representations": list(self.representations),
            "seeds": list(self.seeds),
            "settings": self.shared,
        }

    @property
    def sha256(self) -> str:
        """Identity of the plan."""
        return hashlib.sha256(json.dumps(self.as_dict(), sort_keys=True).encode()).hexdigest()


def load_plan(path: Path) -> AblationPlan:
    """Read a plan file; ``InputError`` names what is missing or wrong."""
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError(f"not JSON ({error})", file=path) from None
    if not isinstance(values, dict) or values.get("schema") != SCHEMA:
        raise InputError(f"not a plan of schema {SCHEMA}", file=path)
    names, seeds, shared = (values.get(key) for key in ("representations", "seeds", "settings"))
    if not (isinstance(names, list) and names and isinstance(seeds, list) and seeds and isinstance(shared, dict)):
        raise InputError("a plan has non-empty lists 'representations' and 'seeds', and 'settings'", file=path)
    if len(set(map(str, names))) < len(names) or len(set(map(str, seeds))) < len(seeds):
        raise InputError("a plan names each representation and seed once", file=path)
    try:
        plan = AblationPlan(tuple(representations.get(name).name for name in names), tuple(seeds), shared)
        for cell in plan.cells:
            plan.settings(cell)
    except (ValueError, TypeError) as error:
        raise InputError(str(error), file=path) from None
    return plan


def run_ablation(
    plan: AblationPlan, out: Path, retry_failed: bool = False, notify: Notify = lambda done, text: None
) -> dict[str, Any]:
    """Run what is not finished yet and return the results, which are also in ``ablation.json`` after every cell.

    ``InputError`` when the folder holds another plan's cells.
    """
    state = _open(plan, out)
    done = {cell["name"]: cell for cell in state["cells"]}
    budget = plan.settings(plan.cells[0]).examples
    for number, cell in enumerate(plan.cells):
        earlier = done.get(cell.name)
        if earlier is not None and (earlier["status"] == "completed" or not retry_failed):
            continue

        def tell(examples: int, text: str, number: int = number, cell: AblationCell = cell) -> None:
            notify(number * budget + examples, f"{cell.name}: {text}")

        done[cell.name] = _run_cell(plan, cell, out, tell)
        state["cells"] = [done[other.name] for other in plan.cells if other.name in done]
        write_json(out / "ablation.json", state)
    rosters = {cell["task_roster_sha256"] for cell in state["cells"] if cell["status"] == "completed"}
    if len(rosters) > 1:
        raise InputError(f"cells were evaluated on different rosters: {', '.join(sorted(rosters))}", file=out)
    notify(len(plan.cells) * budget, "all cells run")
    return state


def _open(plan: AblationPlan, out: Path) -> dict[str, Any]:
    path = out / "ablation.json"
    if not path.exists():
        state = {"plan": plan.as_dict(), "plan_sha256": plan.sha256, "versions": versions(), "cells": []}
        write_json(path, state)
        return state
    try:
        state = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        raise InputError("not JSON", file=path) from None
    if state.get("plan_sha256") != plan.sha256:
        raise InputError("holds the cells of another plan; choose another --out", file=path)
    return state


def _run_cell(plan: AblationPlan, cell: AblationCell, out: Path, notify: Notify) -> dict[str, Any]:
    """Train and evaluate one cell. Whatever stops it, short of the user, makes it ``failed`` with the reason."""
    result: dict[str, Any] = {"name": cell.name, "representation": cell.representation, "seed": cell.seed}
    try:
        settings = plan.settings(cell)
        record = train(settings, out / cell.name, notify)
        loaded = load_model(str(out / cell.name))
        for split in ("heldout", "validation"):
            notify(settings.examples, f"evaluating {split}")
            tasks = [row_task(row) for row in load_split(settings, split)]
            report, _ = evaluate_tasks(loaded.model, loaded.tokenizer, tasks, cell.representation, settings.width)
            result[split] = report
        return result | {"status": "completed"} | {name: record[name] for name in RECORDED}
    except Exception as error:
        return result | {"status": "failed", "error": f"{type(error).__name__}: {error}".splitlines()[0]}


Cells = list[dict[str, Any]]


def by_representation(results: dict[str, Any]) -> dict[str, Cells]:
    """The completed cells of each representation, in the plan's order."""
    groups: dict[str, Cells] = {name: [] for name in results["plan"]["representations"]}
    for cell in results["cells"]:
        if cell["status"] == "completed":
            groups[cell["representation"]].append(cell)
    return groups


def share_over_seeds(shares: Iterable[dict[str, Any]]) -> str:
    """Mean, interval of the mean over tasks, and range over seeds.

    >>> share_over_seeds([{"right": 99, "of": 100}, {"right": 97, "of": 100}])
    '98.0 % (93.0 to 99.4), 97.0 to 99.0'
    """
    shares = list(shares)
    total = shares[0]["of"]
    values = [100 * share["right"] / share["of"] for share in shares]
    low, high = wilson(sum(share["right"] for share in shares) / len(shares), total)
    mean = sum(values) / len(values)
    return f"{mean:.1f} % ({100 * low:.1f} to {100 * high:.1f}), {min(values):.1f} to {max(values):.1f}"


def table(results: dict[str, Any]) -> str:
    """Markdown: held-out accuracy in all and by bucket, validation accuracy, one row per representation."""
    groups = by_representation(results)
    cells = [cell for group in groups.values() for cell in group]
    buckets = sorted({bucket for cell in cells for bucket in cell["heldout"]["by_bucket"]})
    sizes = {key: _of(cells, "heldout", key) for key in ["overall", *buckets]}
    columns = ["representation", "seeds done", f"held-out, all {sizes['overall']}"]
    columns += [f"{bucket} ({sizes[bucket]})" for bucket in buckets]
    columns += [f"validation ({_of(cells, 'validation', 'overall'):,})"]
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    for name, group in groups.items():
        row = [f"`{name}`", f"{len(group)} of {len(results['plan']['seeds'])}"]
        if group:
            row.append(share_over_seeds(cell["heldout"]["overall"]["exact"] for cell in group))
            row += [
                share_over_seeds(cell["heldout"]["by_bucket"][bucket]["exact"] for cell in group) for bucket in buckets
            ]
            row.append(share_over_seeds(cell["validation"]["overall"]["exact"] for cell in group))
        lines.append("| " + " | ".join(row) + " |")
    return "\n".join(lines) + "\n"


def _of(cells: Cells, split: str, group: str) -> int:
    report = cells[0][split]
    shares = report["overall"] if group == "overall" else report["by_bucket"][group]
    return int(shares["exact"]["of"])


def draw_curves(results: dict[str, Any], path: Path) -> None:
    """Validation accuracy over examples seen: the mean over seeds as a line, their range as a band."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4.2), layout="constrained")
    # colour and dash both differ, so that the lines can be told apart in print and by colour-blind readers
    styles = zip(("#0072B2", "#E69F00", "#009E73", "#CC79A7"), ("-", "--", "-.", ":"), strict=True)
    for (name, group), (colour, dash) in zip(by_representation(results).items(), styles, strict=False):
        if not group:
            continue
        examples = [row["examples"] for row in group[0]["curve"]]
        values = [[100 * row["validation_exact"] for row in cell["curve"]] for cell in group]
        columns = list(zip(*values, strict=True))
        axes.plot(examples, [sum(column) / len(column) for column in columns], dash, color=colour, label=name)
        axes.fill_between(examples, [min(c) for c in columns], [max(c) for c in columns], color=colour, alpha=0.2)
    axes.set(xlabel="training examples seen", ylabel="validation tasks exact (%)", ylim=(0, 101))
    axes.grid(alpha=0.3)
    axes.legend(title="representation")
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.stem}.tmp.png")
    figure.savefig(temporary, dpi=150, metadata={"Software": None})
    pyplot.close(figure)
    temporary.replace(path)
