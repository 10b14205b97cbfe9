"""A result as tables for a terminal."""

from collections.abc import Iterator, Mapping
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..results import Result

Scores = Mapping[str, Mapping[str, Any]]
WIDE = 100
_SETS = {"control": "the matched control", "arithmark3": "ArithMark 3.0"}


def print_result(result: Result, console: Console) -> None:
    """One table per group with its verdict, then the differences between sets, then what it was scored with."""
    narrow = console.width < WIDE
    for name, group in result.summary["groups"].items():
        console.print(_title(name, f": percent; interval and p of {group['metric']}"))
        console.print(group_table(group, narrow=narrow))
        for line in _findings(group):
            console.print(line, soft_wrap=True)
        console.print()
    comparison = result.summary.get("comparison")
    for key, heading in _SETS.items():
        if comparison and comparison[key]:
            console.print(_title(f"deeparithmark minus {heading}", f": points of {comparison['metric']}"))
            console.print(comparison_table(comparison[key], narrow=narrow), "")
    model, run = result.model, result.run
    shots = " and ".join(map(str, sorted({task["num_fewshot"] or 0 for task in result.tasks.values()})))
    facts = f"{model['name']}, {run['model_type']}, {run['dtype']}, batch {run['batch_size']}, {shots}-shot"
    console.print(f"{facts}, {run['seconds']:.0f} s", style="dim", soft_wrap=True)
    for dataset, entry in result.datasets.items():
        line = f"{dataset}: sha256 {entry['sha256'][:16]}, {entry['items']:,} items"
        console.print(line, style="dim", soft_wrap=True)


def group_table(group: Mapping[str, Any], *, narrow: bool = False) -> Table:
    """All items, then each depth, template or type: every metric in percent, interval and p of the main one."""
    main, metrics = group["metric"], list(group["metrics"])
    has_p = group["chance"] is not None
    table = _table(narrow)
    for heading in ("n", *(metric.replace("_", "\n") for metric in metrics), "95 %"):
        table.add_column(heading, justify="right", no_wrap=True)
    if has_p:
        table.add_column("p", justify="right", no_wrap=True)
    for section in _sections(group):
        for label, scores in section:
            score = scores[main]
            cells = [_percent(scores[metric]["value"]) for metric in metrics]
            p = [_p(score["p"])] if has_p else []
            table.add_row(label, f"{score['n']:,}", *cells, _interval(score["interval"]), *p)
        table.add_section()
    if has_p:
        table.add_row("chance", "", *[_percent(group["chance"])] * len(metrics), "", "", style="dim")
    return table


def comparison_table(parts: Mapping[str, Any], *, narrow: bool = False) -> Table:
    """The default set minus another one, in points, over all items and by depth and template."""
    table = _table(narrow)
    for heading in ("n", "deep", "other", "diff.", "95 %", "p", "p, Holm"):
        table.add_column(heading, justify="right", no_wrap=True)
    sections = [[("all", parts["all"])]]
    sections += [[(_label(trait, value), row) for value, row in rows.items()] for trait, rows in parts["by"].items()]
    for section in sections:
        for label, row in section:
            table.add_row(
                label,
                f"{row.get('n', row.get('n_a')):,}",
                _percent(row["a"]),
                _percent(row["b"]),
                f"{100 * row['difference']:+.1f}",
                _interval(row["interval"], signed=True),
                _p(row["p"]),
                _p(row["p_holm"]),
            )
        table.add_section()
    return table


def _title(name: str, rest: str) -> Text:
    return Text.assemble((name, "bold"), rest)


def _table(narrow: bool) -> Table:
    table = Table(box=SIMPLE_HEAD, show_edge=False, padding=(0, 0 if narrow else 1))
    table.add_column("", overflow="fold")
    return table


def _sections(group: Mapping[str, Any]) -> Iterator[list[tuple[str, Scores]]]:
    yield [("all", group["metrics"])]
    for trait, values in group["by"].items():
        yield [(_label(trait, value), scores) for value, scores in values.items()]


def _label(trait: str, value: str) -> str:
    return f"depth {value}" if trait == "depth" else value


def _findings(group: Mapping[str, Any]) -> Iterator[str]:
    if group["verdict"]:
        yield group["verdict"]["text"]
    if group["depth_trend"] and group["depth_trend"]["p"] is not None:
        slope, p = 100 * group["depth_trend"]["slope"], _p(group["depth_trend"]["p"])
        yield f"trend over the depths: {slope:+.1f} points a step (Cochran-Armitage p = {p})"
    if group["templates"] and group["templates"]["p"] is not None:
        test = group["templates"]
        chi2 = f"chi-square {test['chi2']:.1f}, df {test['df']}"
        yield f"one rate for all templates or types: {chi2}, p = {_p(test['p'])}"


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _interval(bounds: list[float] | None, *, signed: bool = False) -> str:
    if bounds is None:
        return ""
    low, high = (100 * bound for bound in bounds)
    return f"{low:+.1f} to {high:+.1f}" if signed else f"{low:.1f}-{high:.1f}"


def _p(p: float | None) -> str:
    return "" if p is None else f"{p:.2g}"
