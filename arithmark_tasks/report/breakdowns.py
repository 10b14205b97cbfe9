"""Tables of one model's behaviour: every score, scores by type, tests, preferences and mistakes."""

from collections.abc import Sequence
from typing import Any

from .entries import DEFAULT, METRIC, Entry
from .table import Shown, Table, count, interval_text, number, p_text, score_cell, share, signed


def scores_table(entries: Sequence[Entry]) -> Table:
    """Every group and metric of every model."""
    rows = [
        (
            Shown(entry.label),
            Shown(group),
            Shown(metric),
            number(score["n"], count),
            score_cell(score, summary["chance"]),
            number(summary["chance"], share),
            number(score["p"], p_text),
            number(score["p_holm"], p_text),
        )
        for entry in entries
        for group, summary in entry.groups.items()
        for metric, score in summary["metrics"].items()
    ]
    columns = ("model", "tasks", "metric", "n", "score", "chance", "p", "p (Holm)")
    caption = "Percent with 95 % intervals; p against chance, adjusted over the model's groups of tasks."
    return Table("scores", caption, columns, tuple(rows), frozenset(columns[:3]))


def types_table(entries: Sequence[Entry]) -> Table | None:
    """Groups whose items have a type (Zenyx bench): one row per model and group, one column per type."""
    found = [
        (entry, group, entry.scores_by(group, "type", entry.groups[group]["metric"]))
        for entry in entries
        for group in entry.groups
    ]
    found = [(e, group, scores) for e, group, scores in found if scores and e.score(group, e.groups[group]["metric"])]
    if not found:
        return None
    types = list(dict.fromkeys(code for _, _, scores in found for code in scores))
    rows = []
    for entry, group, scores in found:
        chance, metric = entry.groups[group]["chance"], entry.groups[group]["metric"]
        cells = [score_cell(scores[code], chance) if code in scores else Shown() for code in types]
        whole = entry.groups[group]["metrics"][metric]
        rows.append((Shown(entry.label), Shown(group), Shown(metric), score_cell(whole, chance), *cells))
    columns = ("model", "tasks", "metric", "all", *types)
    return Table("types", "Percent right with 95 % intervals.", columns, tuple(rows), frozenset(columns[:3]))


def tests_table(entries: Sequence[Entry]) -> Table | None:
    """Trend over depth, templates and preferences of each model on DeepArithmark."""
    rows = []
    for entry in _on_deep(entries):
        summary = entry.groups[DEFAULT]
        tastes = summary["preference"]
        found: list[Any] = [summary["depth_trend"], summary["templates"], tastes["rank"], tastes["slot"]]
        cells = [number(found[0] and found[0]["z"], signed)]
        cells += [
            number(test and test["chi2"], "{:.1f}".format, f"df {test['df']}" if test else "") for test in found[1:]
        ]
        ps = [number(test and test["p"], p_text) for test in found]
        rows.append((Shown(entry.label), *(cell for pair in zip(cells, ps, strict=True) for cell in pair)))
    columns = (
        "model",
        "depth trend z",
        "p trend",
        "templates χ²",
        "p templates",
        "rank χ²",
        "p rank",
        "slot χ²",
        "p slot",
    )
    caption = "Depth: Cochran-Armitage. Templates, rank and slot: chi-square. No p where fewer than five are expected."
    return Table("tests", caption, columns, tuple(rows)) if rows else None


def preference_table(entries: Sequence[Entry]) -> Table | None:
    """How often each model chose the smallest to the largest value and the first to the last option."""
    rows = []
    for entry in _on_deep(entries):
        for axis, found in entry.groups[DEFAULT]["preference"].items():
            if found is not None and len(found["shares"]) == 4:
                expected = [wanted / sum(found["expected"]) for wanted in found["expected"]]
                pairs = zip(found["shares"], expected, strict=True)
                cells = [number(seen, share, f"exp. {share(wanted)}") for seen, wanted in pairs]
                label = "value, from smallest" if axis == "rank" else "option, from first"
                rows.append((Shown(entry.label), Shown(label), *cells, number(found["p"], p_text)))
    columns = ("model", "by", "1st", "2nd", "3rd", "4th", "p")
    caption = "Percent of items on which it was chosen; exp. is what a model without preference would choose."
    return Table("preference", caption, columns, tuple(rows), frozenset({"model", "by"})) if rows else None


def mistakes_table(entry: Entry, name: str) -> Table | None:
    """Every named mistake that one model was offered."""
    rows = [
        (
            Shown(row["template"] or ""),
            Shown(row["mistake"] or ""),
            number(row["step"], count),
            number(row["offered"], count),
            number(row["chosen"], count),
            number(row["share"], share, interval_text(row["interval"])),
            number(row["given_wrong"], share, interval_text(row["given_wrong_interval"])),
            number(row["expected"], share),
        )
        for row in (entry.groups[DEFAULT]["mistakes"] if entry.score(DEFAULT, METRIC) else [])
    ]
    columns = ("template", "mistake", "step", "offered", "chosen", "of offered, %", "of wrong, %", "expected, %")
    caption = (
        "Of offered: how often it was chosen where it was an option. Of wrong: the same among the items answered "
        "wrongly. Expected: the latter if every wrong option were as likely."
    )
    return Table(name, caption, columns, tuple(rows), frozenset(columns[:2])) if rows else None


def _on_deep(entries: Sequence[Entry]) -> list[Entry]:
    return [entry for entry in entries if entry.score(DEFAULT, METRIC)]
