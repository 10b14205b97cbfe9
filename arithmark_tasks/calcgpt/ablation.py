"""The ablation: a plan declared before the first run, its cells trained and evaluated one by one, and what they give.

A plan has parts. Each asks one question: it varies some settings, all combinations, each under every seed. Each cell is
a run folder of its own with its result beside it, ``completed`` or ``failed``, and is kept either way; a cell that was
interrupted goes on from its checkpoint. Several processes may work on one folder. Tables and curves are made from the
results alone.
"""

import hashlib
import json
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from itertools import product
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from ..builders.files import write_json
from ..generators.errors import InputError
from .data import load_tasks
from .evaluation import evaluate_tasks
from .run_folder import FolderInUse, load_model, versions
from .settings import RunSettings, read_settings
from .trainer import train

SCHEMA = "calcgpt-ablation-2"
_PLAN_KEYS = {"schema": str, "question": str, "measure": str, "settings": dict, "parts": list}
_PART_KEYS = {"name": str, "question": str, "settings": dict, "vary": dict, "seeds": list}
RECORDED = (
    "excluded_roster_sha256",
    "train_examples",
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
Values = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class AblationCell:
    """One run of the plan: its part, the varied settings, the seed, and all settings."""

    part: str
    variant: dict[str, Any]
    seed: int
    settings: RunSettings

    @property
    def name(self) -> str:
        """The cell's folder."""
        words = {"+": "additions", "-": "subtractions", "+-": "both"}
        values = [words.get(str(value), str(value)) for value in self.variant.values()]
        return f"{self.part}/{'-'.join([*values, str(self.seed)])}"


@dataclass(frozen=True, slots=True)
class AblationPlan:
    """The plan as its file has it, every key of it, and the cells that follow."""

    values: dict[str, Any]
    cells: tuple[AblationCell, ...]

    @property
    def sha256(self) -> str:
        """Identity of the plan: of every key."""
        return hashlib.sha256(json.dumps(self.values, sort_keys=True).encode()).hexdigest()

    @property
    def examples(self) -> int:
        """Training examples of all cells."""
        return sum(cell.settings.examples for cell in self.cells)


def load_plan(path: Path) -> AblationPlan:
    """Read a plan file; ``InputError`` names what is missing, unknown or wrong."""
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError(f"not JSON ({error})", file=path) from None
    if not isinstance(values, dict) or values.get("schema") != SCHEMA:
        raise InputError(f"not a plan of schema {SCHEMA}", file=path)
    try:
        _check_keys("the plan", values, _PLAN_KEYS)
        cells = tuple(cell for part in values["parts"] for cell in _part_cells(values["settings"], part))
    except (ValueError, TypeError) as error:
        raise InputError(str(error), file=path) from None
    if len({cell.name for cell in cells}) < len(cells) or not cells:
        raise InputError("a plan has cells, each once, in parts of different names", file=path)
    return AblationPlan(values, cells)


def _check_keys(what: str, values: object, keys: Mapping[str, type]) -> None:
    if not isinstance(values, dict):
        raise InputError(f"{what} is {values!r}, not an object")
    for name in sorted({*values, *keys}):
        if name not in keys:
            raise InputError(f"{what} has an unknown key {name!r}: it has {', '.join(keys)}")
        if not isinstance(values.get(name), keys[name]):
            raise InputError(f"{what} has no {name!r}, or it is not {keys[name].__name__}")


def _part_cells(shared: Values, part: Any) -> Iterator[AblationCell]:
    """Every cell of a part, seed by seed, so that an early stop leaves whole comparisons."""
    _check_keys("a part", part, _PART_KEYS)
    vary, seeds = part["vary"], part["seeds"]
    lists = [*vary.values(), seeds]
    if not vary or not all(isinstance(values, list) and values for values in lists):
        raise InputError(f"part {part['name']!r} varies something, each by a list of values, under a list of seeds")
    if any(len(set(map(str, values))) < len(values) for values in lists):
        raise InputError(f"part {part['name']!r} names each value and seed once")
    if not part["name"].replace("-", "").isalnum():
        raise InputError(f"the name of a part is letters, digits and -, not {part['name']!r}")
    for seed in seeds:
        for values in product(*vary.values()):
            variant = dict(zip(vary, values, strict=True))
            settings = read_settings({**shared, **part["settings"], **variant, "seed": seed})
            yield AblationCell(part["name"], variant, seed, settings)


def run_ablation(
    plan: AblationPlan,
    out: Path,
    retry_failed: bool = False,
    notify: Notify = lambda done, text: None,
    parts: Sequence[str] = (),
    declared: Values | None = None,
) -> dict[str, Any]:
    """Run what is not finished yet, of these ``parts`` or all, and return the results: also in ``ablation.json``.

    ``declared`` is :func:`provenance` of the plan. ``InputError`` when the folder holds another plan's cells. A cell in
    which another process is at work is left to it.
    """
    unknown = sorted(set(parts) - {cell.part for cell in plan.cells})
    if unknown:
        raise InputError(f"the plan has no part {unknown[0]!r}")
    _open(plan, out, declared or {})
    done = 0
    for cell in plan.cells:
        if not parts or cell.part in parts:
            earlier = _result(out, cell)
            if earlier is None or (earlier["status"] == "failed" and retry_failed):

                def tell(examples: int, text: str, start: int = done, cell: AblationCell = cell) -> None:
                    notify(start + examples, f"{cell.name}: {text}")

                _run_cell(cell, out, tell)
                collect(plan, out)
        done += cell.settings.examples
    notify(plan.examples, "all cells run")
    return collect(plan, out)


def _open(plan: AblationPlan, out: Path, declared: Values) -> None:
    path = out / "plan.json"
    if not path.exists():
        opened = {"plan_sha256": plan.sha256, "started": _now(), **declared, "versions": versions()}
        write_json(path, {**opened, "plan": plan.values})
        return
    try:
        state = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        raise InputError("not JSON", file=path) from None
    if not isinstance(state, dict) or state.get("plan_sha256") != plan.sha256:
        raise InputError("holds the cells of another plan; choose another --out", file=path)


def collect(plan: AblationPlan, out: Path) -> dict[str, Any]:
    """Every finished cell of the folder in the plan's order, written to ``ablation.json``."""
    state = json.loads((out / "plan.json").read_text(encoding="utf-8"))
    state["cells"] = [found for cell in plan.cells if (found := _result(out, cell)) is not None]
    write_json(out / "ablation.json", state)
    return dict(state)


def _result(out: Path, cell: AblationCell) -> dict[str, Any] | None:
    path = out / f"{cell.name}.json"
    if not path.is_file():
        return None
    try:
        return dict(json.loads(path.read_text(encoding="utf-8")))
    except ValueError:
        raise InputError("not JSON; delete it to run the cell again", file=path) from None


def provenance(plan: Path) -> dict[str, Any]:
    """The commit that declared the plan and the one checked out, with their times; empty outside of a repository.

    ``InputError`` when the file differs from what was committed: a plan that can be changed declares nothing.
    """

    def git(*words: str) -> str:
        command = ["git", "-C", str(plan.resolve().parent), *words]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    try:
        declared = git("log", "-1", "--format=%H %cI", "--", plan.name)
        if not declared:
            return {}
        if git("status", "--porcelain", "--", plan.name):
            raise InputError("differs from the committed plan; commit it before its runs", file=plan)
        return {
            name: {"commit": commit, "time": time}
            for name, (commit, time) in (
                ("plan_declared", declared.split()),
                ("code", git("log", "-1", "--format=%H %cI").split()),
            )
        }
    except (OSError, subprocess.CalledProcessError):
        return {}


def _now() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="seconds")


def _run_cell(cell: AblationCell, out: Path, notify: Notify) -> None:
    """Train and evaluate one cell. Whatever stops it, short of the user, makes it ``failed`` with the reason."""
    folder, settings = out / cell.name, cell.settings
    result: dict[str, Any] = {"name": cell.name, "part": cell.part, "variant": cell.variant, "seed": cell.seed}
    result |= {"settings": settings.as_dict(), "started": _now()}
    try:
        record = train(settings, folder, notify)
        loaded, tasks = load_model(str(folder)), load_tasks(settings)
        for split, limit in (("heldout", None), ("validation", settings.monitor)):
            notify(settings.examples, f"evaluating {split}")
            report, _ = evaluate_tasks(
                loaded.model,
                loaded.tokenizer,
                tasks.of(split)[:limit],
                settings.representation,
                settings.width,
                contract=settings.contract,
            )
            result[split] = report
        result |= {"status": "completed"} | {name: record[name] for name in RECORDED}
    except FolderInUse:
        return
    except Exception as error:
        result |= {"status": "failed", "error": f"{type(error).__name__}: {error}".splitlines()[0]}
    write_json(out / f"{cell.name}.json", result | {"finished": _now()})


Cells = list[dict[str, Any]]


def by_variant(results: Values, part: Values) -> dict[str, Cells]:
    """The completed cells of each variant of a part, those of other parts with the same settings included."""
    wanted = {
        ", ".join(f"{value}" for value in cell.variant.values()): cell.settings.as_dict() | {"seed": 0}
        for cell in _part_cells(results["plan"]["settings"], part)
    }
    return {
        name: [
            cell
            for cell in results["cells"]
            if cell["status"] == "completed" and cell["settings"] | {"seed": 0} == settings
        ]
        for name, settings in wanted.items()
    }


def share_over_seeds(shares: Iterable[Values]) -> str:
    """Mean, 95 % interval of the mean with the seeds as the sample (Student's t), and range.

    >>> share_over_seeds([{"right": 99, "of": 100}, {"right": 97, "of": 100}, {"right": 98, "of": 100}])
    '98.0 % (95.5 to 100.0), 97.0 to 99.0'
    >>> share_over_seeds([{"right": 99, "of": 100}])
    '99.0 % (one seed)'
    """
    from scipy.stats import t

    values = [100 * share["right"] / share["of"] for share in shares]
    middle = mean(values)
    if len(values) < 2:
        return f"{middle:.1f} % (one seed)"
    reach = float(t.ppf(0.975, len(values) - 1)) * stdev(values) / len(values) ** 0.5
    low, high = max(0.0, middle - reach), min(100.0, middle + reach)
    return f"{middle:.1f} % ({low:.1f} to {high:.1f}), {min(values):.1f} to {max(values):.1f}"


def tables(results: Values) -> str:
    """Markdown: for each part its question, and a row for each variant that any seed has completed.

    A part that only repeats an earlier one under more seeds stands in that one's table.
    """
    shown: dict[str, str] = {}
    for part in results["plan"]["parts"]:
        groups = by_variant(results, part)
        example = next((group[0] for group in groups.values() if group), None)
        key = json.dumps([part["settings"], part["vary"]])
        if example is not None and key not in shown:
            shown[key] = f"### {part['question']}\n\n" + _table(groups, example, ", ".join(part["vary"]))
    return "\n".join(shown.values())


def _table(groups: Mapping[str, Cells], example: Values, varied: str) -> str:
    buckets = sorted({bucket for group in groups.values() for cell in group for bucket in cell["heldout"]["by_bucket"]})
    columns = [varied, "seeds", "training tasks", f"held out ({example['heldout']['tasks']})"]
    columns += [f"{bucket} ({_size(groups, bucket)})" for bucket in buckets]
    columns += [f"validation ({example['validation']['tasks']:,})", "wrong held-out answers by kind"]
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    for name, group in groups.items():
        if group:
            row = [f"`{name}`", str(len(group)), f"{group[0]['train_examples']:,}"]
            row.append(share_over_seeds(cell["heldout"]["overall"]["exact"] for cell in group))
            row += [_bucket_share(group, bucket) for bucket in buckets]
            row.append(share_over_seeds(cell["validation"]["overall"]["exact"] for cell in group))
            lines.append("| " + " | ".join([*row, _kinds(group)]) + " |")
    return "\n".join(lines) + "\n"


def _size(groups: Mapping[str, Cells], bucket: str) -> int:
    reports = [cell["heldout"]["by_bucket"] for group in groups.values() for cell in group]
    return int(next(report[bucket]["exact"]["of"] for report in reports if bucket in report))


def _bucket_share(group: Cells, bucket: str) -> str:
    reports = [cell["heldout"]["by_bucket"] for cell in group]
    return share_over_seeds(report[bucket]["exact"] for report in reports) if bucket in reports[0] else ""


def _kinds(group: Cells) -> str:
    """How many answers of all seeds are wrong in which way."""
    counts: dict[str, int] = {}
    for cell in group:
        for kind, count in cell["heldout"]["errors"].items():
            counts[kind] = counts.get(kind, 0) + count
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return ", ".join(f"{kind} {count}" for kind, count in ordered) or "none"


def draw_curves(results: Values, path: Path) -> None:
    """Validation accuracy over examples seen in the first part: mean over seeds as a line, their range as a band.

    One panel for each value of the first setting that is varied, one line for each combination of the others.
    """
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    part = results["plan"]["parts"][0]
    groups = by_variant(results, part)
    titles = [str(value) for value in next(iter(part["vary"].values()))]
    figure, panels = pyplot.subplots(
        1, len(titles), figsize=(5 * len(titles), 4.2), layout="constrained", sharey=True, squeeze=False
    )
    for title, axes in zip(titles, panels[0], strict=True):
        # colour and dash both differ, so that the lines can be told apart in print and by colour-blind readers
        styles = zip(("#0072B2", "#E69F00", "#009E73", "#CC79A7"), ("-", "--", "-.", ":"), strict=True)
        mine = {name: group for name, group in groups.items() if name.split(", ")[0] == title}
        for (name, group), (colour, dash) in zip(mine.items(), styles, strict=False):
            if not group:
                continue
            examples = [row["examples"] for row in group[0]["curve"]]
            values = [[100 * row["validation_exact"] for row in cell["curve"]] for cell in group]
            columns = list(zip(*values, strict=True))
            label = name.partition(", ")[2] or name
            axes.plot(examples, [sum(column) / len(column) for column in columns], dash, color=colour, label=label)
            axes.fill_between(examples, [min(c) for c in columns], [max(c) for c in columns], color=colour, alpha=0.2)
        axes.set(title=title, xlabel="training examples seen", ylim=(0, 101))
        axes.grid(alpha=0.3)
    panels[0][0].set_ylabel("validation tasks exact (%)")
    panels[0][-1].legend()
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.stem}.tmp.png")
    figure.savefig(temporary, dpi=150, metadata={"Software": None})
    pyplot.close(figure)
    temporary.replace(path)
