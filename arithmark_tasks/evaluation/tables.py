"""A result as tables for a terminal."""

from collections.abc import Iterator, Mapping
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..results import Result
from ..statistics.verdicts import cut_words, p_equals, p_figure, partial_words
from .comparison import ARITHMARK3, CONTROL, DEFAULT, shots_of

Scores = Mapping[str, Mapping[str, Any]]
WIDE = 100
_SHORT = {"control": "control", "arithmark3": "ArithMark-3"}
_SIGNALS = {"bits_per_byte": "bits per byte", "margin": "margin", "log_prob": "log2 of p"}
_GROUPS = {"control": CONTROL, "arithmark3": ARITHMARK3}
_SETS = {"control": "the matched control", "arithmark3": "ArithMark 3.0"}


def print_result(result: Result, console: Console) -> None:
    """Per group its scores, its verdict and its signals, then what spans groups, then what it was scored with."""
    narrow = console.width < WIDE
    for name, group in result.summary["groups"].items():
        partial = _partial(group)
        console.print(_title(name, f": percent; interval and p of {group['metric']}{partial}"), soft_wrap=True)
        console.print(group_table(group, narrow=narrow))
        for line in _findings(group):
            console.print(line, soft_wrap=True)
        console.print()
        if group["signals"]:
            console.print(_title(name, f": bits, with 95 % intervals{partial}"), soft_wrap=True)
            console.print(signals_table(group, narrow=narrow), "")
    _print_comparison(result, console, narrow=narrow)
    corrected = result.summary.get("corrected")
    if corrected and len(corrected["groups"]) > 1:
        mean, interval = _percent(corrected["value"]), _interval(corrected["interval"], signed=True)
        parts = [name + _partial(result.summary["groups"][name]) for name in corrected["groups"]]
        line = f"chance-corrected mean over {'; '.join(parts)}: {mean} ({interval}); 0 is guessing"
        console.print(line, "", soft_wrap=True)
    model, run = result.model, result.run
    shots = " and ".join(map(str, sorted({task["num_fewshot"] or 0 for task in result.tasks.values()})))
    name = model["display_name"] or model["name"]
    facts = f"{name}, {run['model_type']}, {run['dtype']}, batch {run['batch_size']}, {shots}-shot"
    console.print(f"{facts}, {run['seconds']:.0f} s", style="dim", soft_wrap=True)
    for dataset, entry in result.datasets.items():
        line = f"{dataset}: sha256 {entry['sha256'][:16]}, {entry['items']:,} items"
        console.print(line, style="dim", soft_wrap=True)


def _print_comparison(result: Result, console: Console, *, narrow: bool) -> None:
    comparison, groups = result.summary.get("comparison"), result.summary["groups"]
    if not comparison:
        return
    items = {key: [item for item in result.items if item.group == name] for key, name in _GROUPS.items()}
    for key, heading in _SETS.items():
        partial = "".join(dict.fromkeys(_partial(groups[name]) for name in (DEFAULT, _GROUPS[key]) if name in groups))
        if comparison[key]:
            title = _title(f"deeparithmark minus {heading}", f": points of {comparison['metric']}{partial}")
            console.print(title, soft_wrap=True)
            console.print(comparison_table(comparison[key], _SHORT[key], narrow=narrow), "")
        elif items[key]:
            deep = [item for item in result.items if item.group == DEFAULT]
            ours, theirs = ("/".join(map(str, shots_of(found, result.tasks))) for found in (deep, items[key]))
            line = f"deeparithmark minus {heading}: not given, {ours}-shot prompts there and {theirs}-shot here"
            console.print(line, "", soft_wrap=True)


def group_table(group: Mapping[str, Any], *, narrow: bool = False) -> Table:
    """All items, then each depth, template or type: every metric in percent, interval and p of the main one.

    The p of all items is adjusted for the other groups of the run, those of the parts for all parts in the table.
    """
    main, metrics = group["metric"], list(group["metrics"])
    has_p = group["chance"] is not None
    table = _table(narrow)
    for heading in ("n", *(metric.replace("_", "\n") for metric in metrics), "95 %", *("p", "p,\nHolm") * has_p):
        table.add_column(heading, justify="right", no_wrap=True)
    for section in _sections(group):
        for label, scores in section:
            score = scores[main]
            cells = [_percent(scores[metric]["value"]) for metric in metrics]
            p = [_p(score["p"]), _p(score["p_holm"])] if has_p else []
            table.add_row(label, f"{score['n']:,}", *cells, _interval(score["interval"]), *p)
        table.add_section()
    if has_p:
        table.add_row("chance", "", *[_percent(group["chance"])] * len(metrics), "", "", "", style="dim")
    return table


def signals_table(group: Mapping[str, Any], *, narrow: bool = False) -> Table:
    """What moves while accuracy is at chance: cost and margin of the right ending per byte, and its log-probability."""
    table = _table(narrow)
    names = list(group["signals"])
    for name in names:
        table.add_column(_SIGNALS[name], justify="right", no_wrap=True)
    sections = [[("all", group["signals"])]]
    parts = {trait: values for trait, values in group["signals_by"].items() if trait != "template"}
    sections += [[(_label(trait, value), means) for value, means in values.items()] for trait, values in parts.items()]
    for section in sections:
        for label, means in section:
            table.add_row(label, *(_mean(means[name]) for name in names))
        table.add_section()
    return table


def comparison_table(parts: Mapping[str, Any], other: str, *, narrow: bool = False) -> Table:
    """The default set minus another one, in points, over all items and by depth and template."""
    table = _table(narrow)
    paired = "detectable" in parts["all"]
    for heading in ("n", "set", other, "diff.", "95 %", *["detect-\nable"] * paired, "p", "p,\nHolm"):
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
                *([_percent(row["detectable"])] if paired else []),
                _p(row["p"]),
                _p(row["p_holm"]),
            )
        table.add_section()
    return table


def _partial(group: Mapping[str, Any]) -> str:
    words = partial_words(group)
    return f", {words}" if words else ""


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
    if group["cut"] and group["cut"]["prompts"] and (group["verdict"] or {}).get("code") != "withheld":
        yield cut_words(group["cut"])
    if group["depth_trend"] and group["depth_trend"]["p"] is not None:
        slope, p = 100 * group["depth_trend"]["slope"], p_equals(group["depth_trend"]["p"])
        yield f"trend over the depths: {slope:+.1f} points a step (Cochran-Armitage {p})"
    if group["templates"] and group["templates"]["p"] is not None:
        test = group["templates"]
        chi2 = f"chi-square {test['chi2']:.1f}, df {test['df']}"
        yield f"one rate for all templates or types: {chi2}, {p_equals(test['p'])}"


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _interval(bounds: list[float] | None, *, signed: bool = False) -> str:
    if bounds is None:
        return ""
    low, high = (100 * bound for bound in bounds)
    return f"{low:+.1f} to {high:+.1f}" if signed else f"{low:.1f}-{high:.1f}"


def _mean(mean: Mapping[str, Any]) -> str:
    low_high = mean["interval"]
    return f"{mean['value']:.3f}" + (f" ± {(low_high[1] - low_high[0]) / 2:.3f}" if low_high else "")


def _p(p: float | None) -> str:
    return "" if p is None else p_figure(p)
