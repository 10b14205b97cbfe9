"""Accuracy by template and model, and the mistakes behind a model's wrong choices."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..statistics import MistakeRow, Score, adjust, is_clear
from ..statistics.verdicts import ALPHA
from .entries import DEFAULT, Entry
from .plots import reach
from .style import FAINT, GRID, INK, SERIES, WIDTH, Plot, finish, plot_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# A mistake with fewer wrong answers behind it has an interval too wide to read.
_LEAST_WRONG = 10
_MOST_BARS = 12
# Colours of figures on the cells, which keep their own colours in both themes of the page.
_ON_DARK, _ON_LIGHT = "#ffffff", "#000000"


def template_heat_map(entries: Sequence[Entry]) -> Plot | None:
    """Templates by models, every cell with its percentage; None where no model has templates."""
    from matplotlib.figure import Figure

    scored = [entry for entry in entries if DEFAULT in entry.groups]
    shown = [(entry, entry.scores_by(DEFAULT, "template", entry.groups[DEFAULT]["metric"])) for entry in scored]
    shown = [(entry, scores) for entry, scores in shown if scores]
    if not shown:
        return None
    depths = _template_depths([entry for entry, _ in shown])
    templates = sorted(depths, key=lambda name: (depths[name], name))
    cells = [[100 * s[name]["value"] if name in s else float("nan") for _, s in shown] for name in templates]
    adjust(score for _, scores in shown for score in scores.values())
    with plot_style("templates"):
        figure = Figure((max(3.8, 2.5 + 0.5 * len(shown)), 1.5 + 0.25 * len(templates)), layout="constrained")
        axes = figure.subplots()
        axes.pcolormesh(cells, cmap="cividis", vmin=0, vmax=100, edgecolors="face", linewidth=0.2)
        for row, name in enumerate(templates):
            for column, (_, scores) in enumerate(shown):
                if name in scores:
                    _figure_in_cell(axes, row, column, scores[name])
        axes.set_yticks([row + 0.5 for row in range(len(templates))], [f"{name}  {depths[name]}" for name in templates])
        names = [entry.label for entry, _ in shown]
        axes.set_xticks([column + 0.5 for column in range(len(shown))], names, rotation=30, ha="right")
        axes.tick_params(length=0)
        axes.invert_yaxis()
        axes.spines[:].set_visible(False)
        worded = "; ".join(
            f"{entry.label}: " + ", ".join(f"{name} {100 * s[name]['value']:.1f} %" for name in templates if name in s)
            for entry, s in shown
        )
        return finish(
            figure,
            "templates",
            "Accuracy by template",
            "Percent right; a figure in bold differs from 25 % by more than luck explains (exact binomial test, "
            f"p < {ALPHA} when adjusted by Holm for all cells). Templates come in order of depth.",
            f"Accuracy by template. {worded}.",
        )


def _template_depths(entries: Sequence[Entry]) -> dict[str, str]:
    items = (item for entry in entries for item in entry.items(DEFAULT) if "template" in item.traits)
    return {str(item.traits["template"]): f"d{item.traits.get('depth', '')}" for item in items}


def _figure_in_cell(axes: "Axes", row: int, column: int, score: Score) -> None:
    value, clear = 100 * score["value"], is_clear(score)
    colour = _ON_LIGHT if value > 48 else _ON_DARK
    weight = "bold" if clear else "normal"
    axes.text(column + 0.5, row + 0.5, f"{value:.0f}", ha="center", va="center", color=colour, weight=weight, size=8.5)


def mistake_bars(entry: Entry, name: str) -> Plot | None:
    """Which step wrong choices fail at, and which named mistakes attract one model; None where nothing is named."""
    from matplotlib.figure import Figure

    summary = entry.groups.get(DEFAULT, {})
    steps = [row for row in summary.get("mistake_steps", []) if row["wrong"] >= _LEAST_WRONG]
    named = most_attractive(summary.get("mistakes", []))
    panels = [
        (steps, "By step", _step_label),
        (named, "By name", _mistake_label),
    ]
    panels = [panel for panel in panels if panel[0]]
    if not panels:
        return None
    with plot_style(name):
        # In lines of text: named mistakes take two.
        lines = [1.5 + len(rows) * (1 if rows is steps else 1.6) for rows, _, _ in panels]
        figure = Figure((WIDTH, 0.8 + 0.23 * sum(lines)), layout="constrained")
        axes = figure.subplots(len(panels), squeeze=False, sharex=True, height_ratios=lines)[:, 0]
        for panel, (rows, title, label_of) in zip(axes, panels, strict=True):
            _bars(panel, rows, [label_of(row) for row in rows])
            panel.set_title(title, loc="left")
        axes[-1].set_xlabel("% of wrong answers where offered", loc="right")
        figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
        worded = ", ".join(f"{label_of(r)} {100 * _made(r):.0f} %" for rows, _, label_of in panels for r in rows)
        return finish(
            figure,
            name,
            f"Mistakes of {entry.label}",
            "Of the items that offer a mistake and were answered wrongly, how many were answered by that mistake, with "
            "95 % Wilson intervals. The upright line is what would be if every wrong option were as likely; "
            "names come in the order of how far they exceed it.",
            f"Mistakes of {entry.label}: {worded}.",
        )


def most_attractive(rows: Sequence[MistakeRow]) -> list[MistakeRow]:
    """The named mistakes whose share among wrong answers lies furthest above the expected one."""
    clear = [row for row in rows if row["wrong"] >= _LEAST_WRONG]
    return sorted(clear, key=lambda row: (_expected(row) - _made(row), row["template"], row["mistake"]))[:_MOST_BARS]


def _made(row: MistakeRow) -> float:
    return row["given_wrong"] or 0.0


def _expected(row: MistakeRow) -> float:
    return row["expected"] or 0.0


def _bars(panel: "Axes", rows: Sequence[MistakeRow], labels: Sequence[str]) -> None:
    places = range(len(rows))
    values = [100 * _made(row) for row in rows]
    bounds = [[100 * bound for bound in row["given_wrong_interval"] or (0, 1)] for row in rows]
    panel.barh(places, values, height=0.66, color=SERIES[-1])
    panel.errorbar(
        values, places, xerr=reach(values, bounds), fmt="none", ecolor=INK, elinewidth=1, label="95 % interval"
    )
    expected = [100 * _expected(row) for row in rows]
    panel.plot(expected, places, "|", color=INK, markersize=11, markeredgewidth=2, label="if evenly spread")
    panel.set_yticks(places, labels)
    panel.tick_params(axis="y", length=0)
    panel.set_xlim(0, 100)
    panel.invert_yaxis()
    panel.grid(axis="x", color=GRID, linewidth=0.6)
    panel.set_axisbelow(True)
    panel.spines["left"].set_color(FAINT)


def _step_label(row: MistakeRow) -> str:
    return f"depth {row['depth']}, step {row['step']}"


def _mistake_label(row: MistakeRow) -> str:
    return f"{row['mistake']}\n{row['template']}"
