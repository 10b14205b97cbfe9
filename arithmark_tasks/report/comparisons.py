"""Scores of the same items side by side: two models, or one model on the set and on its matched control."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from ..generators.errors import InputError
from ..statistics import Paired, adjust, control_gaps, paired_credits
from .cohorts import Cohort, cohorts
from .entries import CONTROL, DEFAULT, Entry
from .table import Shown, Table, count, interval_text, number, p_text, points, share


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
