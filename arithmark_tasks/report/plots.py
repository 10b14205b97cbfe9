"""Accuracy by depth: the curve of each model, and what adjacent endings add to it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .entries import CONTROL, DEEP_TIER, DEFAULT, Entry
from .leaderboard import MARK, Row, unless_whole
from .style import FAINT, GRID, INK, LINES, MARKERS, PAPER, SERIES, WIDTH, Plot, finish, plot_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# More lines than this in one panel cannot be told apart.
_PER_PANEL = len(SERIES)
Points = list[tuple[int, float, float, float]]


def depth_points(entry: Entry, *groups: str) -> Points:
    """Depth, accuracy and the bounds of its interval, in percent, for each depth of the groups that was scored."""
    scored = [group for group in groups if group in entry.groups]
    found = [entry.scores_by(group, "depth", entry.groups[group]["metric"]) for group in scored]
    scores = {int(depth): score for by_depth in found for depth, score in by_depth.items() if depth.isdecimal()}
    points = []
    for depth, score in sorted(scores.items()):
        low, high = score["interval"]
        points.append((depth, 100 * score["value"], 100 * low, 100 * high))
    return points


def depth_curve(entries: Sequence[Entry], name: str = "depth-curve") -> Plot | None:
    """Accuracy against depth with 95 % intervals and the line of guessing; None where no model has depths."""
    from matplotlib.figure import Figure

    shown = [(entry.label, depth_points(entry, DEFAULT, DEEP_TIER)) for entry in entries]
    shown = [(label, points) for label, points in shown if points]
    if not shown:
        return None
    panels = [shown[start : start + _PER_PANEL] for start in range(0, len(shown), _PER_PANEL)]
    with plot_style(name):
        columns = 1 if max(len(label) for label, _ in shown) > 24 else 2
        heights = [2.9 + 0.2 * -(-len(models) // columns) for models in panels]
        figure = Figure((WIDTH, sum(heights)), layout="constrained")
        parts = figure.subfigures(len(panels), squeeze=False, height_ratios=heights)[:, 0]
        for part, models in zip(parts, panels, strict=True):
            panel = part.subplots()
            depth_axes(panel, [depth for _, points in models for depth, *_ in points])
            for place, (_, points) in enumerate(models):
                shift = 0.08 * (place - (len(models) - 1) / 2)
                edge: dict[str, Any] = {"markeredgecolor": PAPER, "markeredgewidth": 0.8, "markersize": 6.5}
                lines: dict[str, Any] = {"linestyle": LINES[place], "linewidth": 1.6, "elinewidth": 1}
                draw_points(panel, points, shift, place, label=str(place), **lines, **edge)
            panel.set_ylim(0, _ceiling(shown))
            panel.set_ylabel("accuracy, %")
            panel.set_xlabel("depth: dependent steps per problem")
            legend = part.legend(loc="outside lower center", ncols=columns)
            # Only now by name: an entry whose label begins with an underscore is left out.
            for entry, (label, _) in zip(legend.get_texts(), models, strict=True):
                entry.set_text(label)
        said = "; ".join(f"{label}: " + ", ".join(f"d{d} {v:.1f} %" for d, v, *_ in p) for label, p in shown)
        return finish(
            figure,
            name,
            "Accuracy by depth",
            "Each point is one depth, with its 95 % Wilson interval; the dashed line at 25 % is guessing.",
            f"Accuracy by number of dependent steps. {said}.",
        )


def control_gap(entries: Sequence[Entry]) -> Plot | None:
    """Accuracy by depth on the set and on its control, model by model; None where no model was scored on both."""
    from matplotlib.figure import Figure

    both = [(entry.label, depth_points(entry, DEFAULT), depth_points(entry, CONTROL)) for entry in entries]
    both = [(label, deep, control) for label, deep, control in both if deep and control]
    if not both:
        return None
    with plot_style("control-gap"):
        columns = min(2, len(both))
        rows = -(-len(both) // columns)
        figure = Figure((WIDTH, 0.9 + 2.1 * rows), layout="constrained")
        axes = figure.subplots(rows, columns, squeeze=False, sharey=True)
        for panel, (label, deep, control) in zip(axes.flat, both, strict=False):
            _gap_panel(panel, deep, control)
            panel.set_title(label)
        for panel in axes.flat[len(both) :]:
            panel.set_visible(False)
        for panel in axes[:, 0]:
            panel.set_ylabel("accuracy, %")
        for panel in axes.flat[max(0, len(both) - columns) : len(both)]:
            panel.set_xlabel("depth")
        handles, named = axes[0, 0].get_legend_handles_labels()
        figure.legend(handles, named, loc="outside lower center", ncols=2, title="wrong endings", handlelength=1)
        said = "; ".join(f"{label}: {_gaps(deep, control)}" for label, deep, control in both)
        return finish(
            figure,
            "control-gap",
            "What adjacent endings add",
            "The same prompts and answers with two kinds of wrong endings; bars are 95 % Wilson intervals. The "
            "distance between the two is caused by the endings alone.",
            f"Accuracy on DeepArithmark and on its control by depth. {said}.",
        )


def placement_plot(rows: Sequence[Row], name: str = "placement") -> Plot:
    """Every row of a leaderboard with its interval, the published ones hollow and in grey."""
    from matplotlib.figure import Figure

    with_published = any(row.published for row in rows)
    with plot_style(name):
        names = [_with_size(row) for row in rows]
        # A long name may not leave the dots without room.
        wider = 0.07 * max(0, max(map(len, names)) - 36)
        figure = Figure((WIDTH + wider, 0.9 + 0.19 * len(rows)), layout="constrained")
        axes = figure.subplots()
        axes.axvline(25, color=FAINT, linewidth=1, linestyle="--", zorder=1)
        for published, color, marker, label in ((False, SERIES[0], "o", "scored here"), (True, FAINT, "s", MARK)):
            places = [place for place, row in enumerate(rows) if row.published == published]
            if not places:
                continue
            values = [100 * rows[place].deep["value"] for place in places]
            bounds = reach(values, [[100 * bound for bound in rows[place].deep["interval"]] for place in places])
            face = PAPER if published else color
            style: dict[str, Any] = {
                "color": color,
                "marker": marker,
                "markerfacecolor": face,
                "markersize": 5,
                "linestyle": "none",
            }
            axes.errorbar(values, places, xerr=bounds, elinewidth=1, label=label, **style)
        axes.set_yticks(range(len(rows)), names)
        for tick, row in zip(axes.get_yticklabels(), rows, strict=True):
            tick.set(color=FAINT if row.published else INK, weight="normal" if row.published else "bold")
        axes.tick_params(axis="y", length=0)
        axes.set_ylim(len(rows) - 0.4, -0.6)
        axes.set_xlabel("accuracy, %")
        axes.grid(axis="x", color=GRID, linewidth=0.6)
        axes.set_axisbelow(True)
        figure.legend(loc="outside lower center", ncols=2, handlelength=1)
        said = ", ".join(f"{_with_size(r)} {100 * r.deep['value']:.1f} %{' (published)' * r.published}" for r in rows)
        return finish(
            figure,
            name,
            "Among the published models" if with_published else "Accuracy over all depths",
            "Accuracy over all depths with 95 % Wilson intervals; the dashed line is guessing."
            + " Hollow squares are published, not ours: scored by others on the original items." * with_published,
            f"Accuracy of each model, best first: {said}.",
        )


def _with_size(row: Row) -> str:
    items = unless_whole(row.deep)
    return f"{row.model} ({items})" if items else row.model


def _gaps(deep: Points, control: Points) -> str:
    other = {depth: value for depth, value, *_ in control}
    return ", ".join(f"d{depth} {value:.1f} and {other[depth]:.1f} %" for depth, value, *_ in deep if depth in other)


def _gap_panel(panel: "Axes", deep: Points, control: Points) -> None:
    depth_axes(panel, [depth for depth, *_ in (*deep, *control)])
    other = {depth: value for depth, value, *_ in control}
    for depth, value, *_ in deep:
        if depth in other:
            panel.plot([depth - 0.09, depth + 0.09], [value, other[depth]], color=FAINT, linewidth=0.8, linestyle=":")
    dots: dict[str, Any] = {"linestyle": "none", "elinewidth": 1, "markersize": 6}
    draw_points(panel, deep, -0.09, 0, label="named mistakes", **dots)
    draw_points(panel, control, 0.09, 1, label="adjacent integers (control)", markerfacecolor=PAPER, **dots)
    panel.set_ylim(0, 100)


def depth_axes(panel: "Axes", depths: list[int]) -> None:
    """A tick for each depth, and the line of guessing."""
    panel.axhline(25, color=FAINT, linewidth=1, linestyle="--", zorder=1)
    where: dict[str, Any] = {"xycoords": ("axes fraction", "data"), "textcoords": "offset points", "va": "center"}
    panel.annotate("25", (1, 25), (3, 0), color=FAINT, size=8.5, **where)
    panel.set_xticks(sorted(set(depths)))
    panel.set_xlim(min(depths) - 0.4, max(depths) + 0.4)
    panel.grid(axis="y", color=GRID, linewidth=0.6)
    panel.set_axisbelow(True)


def draw_points(panel: "Axes", points: Points, shift: float, place: int, **style: Any) -> None:
    """Points with their intervals, beside their depth by ``shift``, in the looks of the series at ``place``."""
    depths, values, *bounds = (list(column) for column in zip(*points, strict=True))
    intervals = reach(values, list(zip(*bounds, strict=True)))
    looks: dict[str, Any] = {"color": SERIES[place], "marker": MARKERS[place], "clip_on": False, **style}
    panel.errorbar([depth + shift for depth in depths], values, yerr=intervals, **looks)


def reach(values: Sequence[float], bounds: Sequence[Sequence[float]]) -> list[list[float]]:
    """How far intervals reach below and above their values."""
    pairs = list(zip(values, bounds, strict=True))
    # A bound that equals its value may miss it by a rounding error, and reaches may not be negative.
    return [[max(0.0, v - low) for v, (low, _) in pairs], [max(0.0, high - v) for v, (_, high) in pairs]]


def _ceiling(shown: Sequence[tuple[str, Points]]) -> float:
    return min(100.0, max(60.0, 10 * (max(high for _, points in shown for *_, high in points) // 10 + 1)))
