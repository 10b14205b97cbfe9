"""The README's figure and tables, from the stored result of one model; nothing is scored here.

Run: python benchmarks/readme_figure.py, after
arithmark eval --model SmolLM2-135M-Instruct --tasks deeparithmark,zenyx_arith --compare
  --out benchmarks/results/smollm2-135m-instruct.json
It writes docs/smollm2.svg and prints the tables in Markdown.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arithmark_tasks.builders.files import write_text
from arithmark_tasks.report.comparisons import control_comparisons
from arithmark_tasks.report.entries import CONTROL, DEEP_TIER, DEFAULT, METRIC, SOFT, Entry, read_entries
from arithmark_tasks.report.plots import Points, depth_axes, depth_points, draw_points
from arithmark_tasks.report.style import INK, PAPER, Plot, finish, plot_style
from arithmark_tasks.report.table import (
    Shown,
    Table,
    count,
    interval_text,
    number,
    p_text,
    points,
    score_cell,
    share,
)
from arithmark_tasks.statistics import Score, chosen, holm

if TYPE_CHECKING:
    from matplotlib.axes import Axes

REPOSITORY = Path(__file__).resolve().parent.parent
RESULT = REPOSITORY / "benchmarks" / "results" / "smollm2-135m-instruct.json"
FIGURE = REPOSITORY / "docs" / "smollm2.svg"
METRICS = ("acc", "acc_norm", METRIC, SOFT)


def figure(entry: Entry) -> Plot:
    """Accuracy by depth with 95 % intervals and, where it was scored, the control's beside it; every point labelled."""
    from matplotlib.figure import Figure

    series: tuple[tuple[Points, str, str, dict[str, Any]], ...] = (
        (depth_points(entry, DEFAULT, DEEP_TIER), "named mistakes", "-", {}),
        (depth_points(entry, CONTROL), "adjacent integers (control)", "none", {"markerfacecolor": PAPER}),
    )
    with plot_style("smollm2"):
        drawn = Figure((4.8, 3.0), layout="constrained")
        panel = drawn.subplots()
        depth_axes(panel, [depth for found, *_ in series for depth, *_ in found])
        for place, (found, label, line, looks) in enumerate(series):
            if found:
                shift = 0.07 * (2 * place - 1)
                draw_points(panel, found, shift, place, label=label, linestyle=line, linewidth=1.2, **looks)
                others = {depth: value for depth, value, *_ in series[1 - place][0]}
                _write_values(panel, found, others, shift)
        panel.set_ylim(0, 60 if max(high for found, *_ in series for *_, high in found) < 60 else 100)
        panel.set_xlabel("depth: dependent steps per problem")
        panel.set_ylabel(f"{METRIC}, %")
        panel.set_title(entry.label)
        drawn.legend(loc="outside lower center", ncols=2, title="wrong endings", handlelength=2)
        return finish(drawn, "smollm2", entry.label, "", "Accuracy by depth on the set and on its control.")


def _write_values(panel: "Axes", found: Points, others: Mapping[int, float], shift: float) -> None:
    """Each value at the end of its interval that points away from the other series."""
    looks: dict[str, Any] = {"textcoords": "offset points", "ha": "center", "size": 8, "color": INK}
    for depth, value, low, high in found:
        # Of two equal values, the one on the right stands above.
        above = (value, shift) > (others.get(depth, 100), -shift)
        end, reach, side = (high, 2, "bottom") if above else (low, -2, "top")
        panel.annotate(f"{value:.1f}", (depth + shift, end), (0, reach), va=side, **looks)


def depth_table(entry: Entry) -> Table:
    """One row per depth and one for all: the set by every metric, then the control and the difference it makes."""
    gaps = {gap.part: gap.paired for gap in control_comparisons([entry]) if gap.paired}
    rows = []
    parts = _parts(entry)
    adjusted = holm([scores[METRIC]["p"] for _, _, scores in parts])
    for (part, group, scores), p_holm in zip(parts, adjusted, strict=True):
        gap = gaps.get(part) if group == DEFAULT else None
        main = scores[METRIC]
        cells = [number(scores[metric]["value"], share) if metric in scores else Shown() for metric in METRICS]
        cells[METRICS.index(METRIC)] = score_cell(main, None)
        rows.append(
            (
                Shown("all" if part == "all" else f"depth {part[1:]}"),
                number(main["n"], count),
                *cells,
                number(main["p"], p_text),
                number(p_holm, p_text),
                number(gap and gap["b"], share),
                number(gap and gap["difference"], points, interval_text(gap and gap["interval"], points)),
                number(gap and gap["p"], p_text),
            )
        )
    run = entry.result.run
    name = f"{entry.label}, {run.get('num_fewshot') or 0}-shot, {run.get('dtype')}"
    columns = (name, "n", *METRICS, "p", "p (Holm)", "control", "set − control", "p of that")
    return Table("depths", "", columns, tuple(rows), frozenset({name}))


def _parts(entry: Entry) -> list[tuple[str, str, dict[str, Score]]]:
    """Name, group and scores of each row: the depths of the set, all of it, and deeper ones."""
    by = {group: entry.groups[group]["by"].get("depth", {}) for group in (DEFAULT, DEEP_TIER) if group in entry.groups}
    rows = [(f"d{depth}", DEFAULT, scores) for depth, scores in by[DEFAULT].items()]
    rows.append(("all", DEFAULT, entry.groups[DEFAULT]["metrics"]))
    return rows + [(f"d{depth}", DEEP_TIER, scores) for depth, scores in by.get(DEEP_TIER, {}).items()]


def groups_table(entry: Entry) -> Table:
    """Every other group of tasks by its headline metric."""
    rows = []
    for group, summary in entry.groups.items():
        main = summary["metrics"].get(summary["metric"])
        if group not in (DEFAULT, CONTROL, DEEP_TIER) and main:
            cells = number(main["n"], count), score_cell(main, None), number(summary["chance"], share)
            rows.append((Shown(group), Shown(summary["metric"]), *cells))
    return Table("groups", "", ("tasks", "metric", "n", "score", "chance"), tuple(rows), frozenset({"tasks", "metric"}))


def tables(entry: Entry) -> str:
    """The README's tables in Markdown; the second is left out where nothing else was scored."""
    other = groups_table(entry)
    return depth_table(entry).markdown() + ("\n" + other.markdown() if other.rows else "")


def multiples_of_five(entry: Entry) -> tuple[int, int, int]:
    """Of the control's items: how many offer one multiple of five, in how many the model takes it, and is right."""
    offered = taken = right = 0
    for item in entry.result.items:
        round_ones = [option for option, value in enumerate(item.values) if value % 5 == 0]
        if item.group == CONTROL and len(round_ones) == 1:
            offered += 1
            taken += chosen(item, METRIC)[round_ones[0]] == 1
            right += item.gold == round_ones[0]
    return offered, taken, right


def main() -> None:
    """Write the figure, print the tables and what the model does with round numbers."""
    (entry,) = read_entries([RESULT])
    write_text(FIGURE, figure(entry).svg)
    print(tables(entry))
    print(
        "control, one multiple of five among the endings: {} items, taken in {}, right in {}".format(
            *multiples_of_five(entry)
        )
    )
    smallest = entry.groups[DEFAULT]["preference"]["rank"]["shares"][0]
    print(f"set: the smallest ending is taken in {100 * smallest:.1f} %")


if __name__ == "__main__":
    main()
