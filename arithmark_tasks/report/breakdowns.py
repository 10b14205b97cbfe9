"""Tables of one model's behaviour, and of the same items side by side: two models, or a set and its matched control."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any

from ..generators.errors import InputError
from ..statistics import Mean, Paired, adjust, control_gaps, paired_credits
from ..statistics.verdicts import partial_words
from .entries import CONTROL, DEFAULT, Cohort, Entry, cohorts
from .table import Shown, Table, bits, count, interval_text, number, p_text, points, score_cell, share, signed


def scores_table(entries: Sequence[Entry]) -> Table:
    """The main score of every group of tasks of every model."""
    rows = []
    for entry in entries:
        for group, summary in entry.groups.items():
            if score := summary["metrics"].get(summary["metric"]):
                cells = score_cell(score, summary["chance"]), number(summary["chance"], share)
                ps = number(score["p"], p_text), number(score["p_holm"], p_text)
                names = Shown(entry.label), _tasks(entry, group), Shown(summary["metric"])
                rows.append((*names, number(score["n"], count), *cells, *ps))
    columns = ("model", "tasks", "metric", "n", "score", "chance", "p", "p (Holm)")
    caption = (
        "Percent with 95 % intervals; p against chance, adjusted over all models and groups of tasks shown. Every "
        "other metric stands in scores.md."
    )
    return Table("scores", caption, columns, tuple(rows), frozenset(columns[:3]))


def _tasks(entry: Entry, group: str) -> Shown:
    return Shown(group, partial_words(entry.groups[group]))


def _partly(entry: Entry, groups: Iterable[str]) -> str:
    words = [(group, partial_words(entry.groups[group])) for group in groups]
    return "; ".join(f"{group}: {said}" for group, said in words if said)


def metrics_table(entries: Sequence[Entry]) -> Table:
    """Every group and metric of every model."""
    rows = [
        (
            Shown(entry.label),
            _tasks(entry, group),
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
    caption = "Percent with 95 % intervals; p against chance, adjusted over all models and groups of tasks shown."
    return Table("metrics", caption, columns, tuple(rows), frozenset(columns[:3]))


def signals_table(entries: Sequence[Entry]) -> Table | None:
    """What moves below emergence: each signal of each group of tasks, in all and by depth or type."""
    traits = ("depth", "type")
    found = [
        (entry, group, summary, next((trait for trait in traits if trait in summary["signals_by"]), None))
        for entry in entries
        for group, summary in entry.groups.items()
        if summary["signals"]
    ]
    named = [found_summary["signals_by"][trait] for _, _, found_summary, trait in found if trait]
    parts = list(dict.fromkeys(part for by in named for part in by))
    rows = []
    for entry, group, summary, trait in found:
        for name, whole in summary["signals"].items():
            by = summary["signals_by"][trait] if trait else {}
            cells = [_bits(whole), *(_bits(by.get(part, {}).get(name)) for part in parts)]
            rows.append((Shown(entry.label), _tasks(entry, group), Shown(SIGNAL_NAMES[name]), *cells))
    columns = ("model", "tasks", "signal", "all", *(f"d{part}" if part.isdecimal() else part for part in parts))
    caption = (
        "Bits, with 95 % t intervals. Cost: bits per byte of the right ending, less is better. Margin: by how many "
        "bits per byte the cheapest wrong ending costs more. Log-probability: log2 of the right ending's probability "
        "among the options (of a single target: its own), −2 when four are alike."
    )
    return Table("signals", caption, columns, tuple(rows), frozenset(columns[:3])) if rows else None


SIGNAL_NAMES = {"bits_per_byte": "cost", "margin": "margin", "log_prob": "log-probability"}


def _bits(mean: Mean | None) -> Shown:
    if mean is None:
        return Shown()
    return number(mean["value"], bits, interval_text(mean["interval"], bits))


def summary_table(entries: Sequence[Entry]) -> Table | None:
    """The chance-corrected mean over groups of tasks, for models with more than one."""
    found = [(entry, entry.summary["corrected"]) for entry in entries if entry.summary["corrected"]]
    found = [(entry, corrected) for entry, corrected in found if len(corrected["groups"]) > 1]
    groups = list(dict.fromkeys(group for _, corrected in found for group in corrected["groups"]))
    rows = [
        (
            Shown(entry.label, _partly(entry, corrected["groups"])),
            number(corrected["value"], share, interval_text(corrected["interval"])),
            number(len(corrected["groups"]), count),
            *(number(corrected["groups"].get(group), share) for group in groups),
        )
        for entry, corrected in found
    ]
    caption = (
        "(score − chance) / (1 − chance) in percent: 0 is guessing, 100 everything right. The mean gives each group of "
        "tasks the same weight; means over other groups are no comparison. Controls are left out."
    )
    return Table("summary", caption, ("model", "mean", "groups", *groups), tuple(rows)) if rows else None


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
        rows.append((Shown(entry.label), _tasks(entry, group), Shown(metric), score_cell(whole, chance), *cells))
    columns = ("model", "tasks", "metric", "all", *types)
    return Table("types", "Percent right with 95 % intervals.", columns, tuple(rows), frozenset(columns[:3]))


def tests_table(entries: Sequence[Entry]) -> Table | None:
    """Trend over depth, templates and preferences of each model on DeepArithmark."""
    rows = []
    for entry in _on_set(entries):
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
    for entry in _on_set(entries):
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
        for row in entry.groups[DEFAULT]["mistakes"]
    ]
    columns = ("template", "mistake", "step", "offered", "chosen", "of offered, %", "of wrong, %", "expected, %")
    caption = (
        "Of offered: how often it was chosen where it was an option. Of wrong: the same among the items answered "
        "wrongly. Expected: the latter if every wrong option were as likely."
    )
    return Table(name, caption, columns, tuple(rows), frozenset(columns[:2])) if rows else None


def _on_set(entries: Sequence[Entry]) -> list[Entry]:
    return [entry for entry in entries if DEFAULT in entry.groups]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two scores of the same items; ``paired`` is None, and ``reason`` says why, where items do not match.

    For models ``a`` and ``b`` are labels and ``part`` is the group of tasks; for the control they are groups, ``model``
    is the label and ``part`` the depth or ``"all"``.
    """

    a: str
    b: str
    part: str
    metric: str
    model: str | None = None
    paired: Paired | None = None
    reason: str | None = None


def compare_models(entries: Sequence[Entry], *, every: bool = False) -> list[Comparison]:
    """Models that were scored alike, two by two on every group of tasks: neighbours in rank, or ``every`` two.

    Holm's adjustment is over the pairs of a group of tasks.
    """
    comparisons = []
    for group in dict.fromkeys(name for entry in entries for name in entry.groups):
        family = [pair for cohort in cohorts(entries, group) for pair in _pairs(cohort, every)]
        adjust(comparison.paired for comparison in family if comparison.paired)
        comparisons += family
    return comparisons


def _pairs(cohort: Cohort, every: bool) -> list[Comparison]:
    group, metric = cohort.group, cohort.metric
    scored = [entry for entry in cohort.shown if entry.score(group, metric)]
    ranked = sorted(scored, key=lambda entry: -(entry.groups[group]["metrics"][metric]["value"]))
    pairs = combinations(ranked, 2) if every else pairwise(ranked)
    # Two guests are compared where they are at home.
    return [_two_models(a, b, group, metric) for a, b in pairs if not {a.label, b.label} <= _labels(cohort.guests)]


def _labels(entries: Sequence[Entry]) -> set[str]:
    return {entry.label for entry in entries}


def _two_models(a: Entry, b: Entry, group: str, metric: str) -> Comparison:
    try:
        found = paired_credits(a.credits(group, metric), b.credits(group, metric), metric)
    except (InputError, KeyError) as error:
        return Comparison(a.label, b.label, group, metric, reason=str(error))
    return Comparison(a.label, b.label, group, metric, paired=found)


def control_comparisons(entries: Sequence[Entry]) -> list[Comparison]:
    """The set minus its control, in all and by depth, for each model scored on both.

    Holm's adjustment is over all that are shown.
    """
    both = [entry for entry in entries if DEFAULT in entry.groups and CONTROL in entry.groups]
    gaps = [gap for entry in both for gap in _gaps(entry)]
    adjust(gap.paired for gap in gaps if gap.paired)
    return gaps


def _gaps(entry: Entry) -> list[Comparison]:
    metric = entry.groups[DEFAULT]["metric"]
    unlike = entry.conditions[DEFAULT].differences(entry.conditions[CONTROL], ("tasks", "data"))
    try:
        if unlike:
            raise InputError(f"scored otherwise: {'; '.join(unlike)}")
        gaps = control_gaps(entry.items(DEFAULT), entry.items(CONTROL), metric)
    except InputError as error:
        return [Comparison(DEFAULT, CONTROL, "all", metric, entry.label, reason=str(error))]
    parts = {"all": gaps["all"]} | {f"d{depth}": part for depth, part in gaps["by"]["depth"].items()}
    return [Comparison(DEFAULT, CONTROL, part, metric, entry.label, found) for part, found in parts.items()]


def models_table(comparisons: Sequence[Comparison]) -> Table:
    """One row per pair of models and group."""
    columns = ("A", "B", "tasks", "n", "A, %", "B, %", "A − B", "only A", "only B", "detectable", "p", "p (Holm)")
    rows = tuple((Shown(row.a), Shown(row.b), Shown(row.part, row.metric), *_figures(row)) for row in comparisons)
    caption = (
        "A − B in points with Tango's 95 % score interval; only A: items that A did better on; detectable: the "
        "smallest true difference that as many items show in four of five times; p: McNemar's exact test, adjusted by "
        "Holm over the pairs of the same tasks."
    )
    return Table("comparisons", caption, columns, rows, frozenset({"A", "B", "tasks"}))


def control_table(gaps: Sequence[Comparison]) -> Table:
    """One row per model and depth."""
    scores = ("set, %", "control, %", "set − control", "set only", "control only", "detectable")
    columns = ("model", "depth", "n", *scores, "p", "p (Holm)")
    rows = tuple((Shown(row.model or ""), Shown(row.part), *_figures(row)) for row in gaps)
    caption = (
        "Set − control: DeepArithmark minus its control on the same prompts, in points with Tango's 95 % score "
        "interval; set only: items done better with the set's own endings; detectable: the smallest true difference "
        "that as many items show in four of five times; p: McNemar's exact test, adjusted by Holm over the rows."
    )
    return Table("control", caption, columns, rows, frozenset({"model", "depth"}))


def _figures(row: Comparison) -> tuple[Shown, ...]:
    found = row.paired
    if found is None:
        return (Shown("", row.reason or ""), *[Shown()] * 8)
    return (
        number(found["n"], count),
        number(found["a"], share),
        number(found["b"], share),
        number(found["difference"], points, interval_text(found["interval"], points)),
        number(found["only_a"], count),
        number(found["only_b"], count),
        number(found["detectable"], share),
        number(found["p"], p_text),
        number(found["p_holm"], p_text),
    )
