"""The ablation's table and learning curves, computed from its results file alone.

Intervals are Wilson intervals with the tasks as the sample: the seeds answer the same tasks, so they are no larger
sample, and their spread is shown beside it as a range.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from arithmark_tasks.generators.intervals import wilson

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
