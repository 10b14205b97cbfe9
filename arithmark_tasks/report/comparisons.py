"""Scores of the same items side by side: two models, or one model on the set and on its matched control."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from ..generators.errors import InputError
from ..statistics import Paired, control_gaps, paired
from ..statistics.inference import adjust
from .entries import CONTROL, DEFAULT, METRIC, Entry
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


def compare_models(entries: Sequence[Entry]) -> list[Comparison]:
    """Every two models on every group that both were scored on; Holm's adjustment is over the pairs of a group."""
    comparisons = []
    for group in dict.fromkeys(name for entry in entries for name in entry.groups):
        scored = [entry for entry in entries if group in entry.groups]
        family = [_two_models(a, b, group) for a, b in combinations(scored, 2)]
        adjust([comparison.paired for comparison in family if comparison.paired])
        comparisons += family
    return comparisons


def _two_models(a: Entry, b: Entry, group: str) -> Comparison:
    metric, found, reason = a.groups[group]["metric"], None, None
    if _data(a, group) != _data(b, group):
        reason = "scored on different data"
    else:
        try:
            found = paired(a.items(group), b.items(group), metric)
        except InputError as error:
            reason = str(error)
    return Comparison(a.label, b.label, group, metric, paired=found, reason=reason)


def _data(entry: Entry, group: str) -> set[str]:
    """What a group's tasks were read from: digests, because two seeds give equal ids to different items."""
    result = entry.result
    names = {str(task.get("dataset")) for task in result.tasks.values() if task.get("group") == group}
    return {str(result.datasets.get(name, {}).get("sha256")) for name in names}


def control_comparisons(entries: Sequence[Entry]) -> list[Comparison]:
    """The set minus its control, in all and by depth, for each model scored on both.

    Holm's adjustment is over the models for the whole, and over its depths within a model.
    """
    both = [entry for entry in entries if entry.score(DEFAULT, METRIC) and entry.score(CONTROL, METRIC)]
    gaps = [gap for entry in both for gap in _gaps(entry)]
    adjust(gap.paired for gap in gaps if gap.part == "all" and gap.paired)
    return gaps


def _gaps(entry: Entry) -> list[Comparison]:
    try:
        gaps = control_gaps(entry.items(DEFAULT), entry.items(CONTROL), METRIC)
    except InputError as error:
        return [Comparison(DEFAULT, CONTROL, "all", METRIC, entry.label, reason=str(error))]
    parts = {"all": gaps["all"]} | {f"d{depth}": part for depth, part in gaps["by"]["depth"].items()}
    return [Comparison(DEFAULT, CONTROL, part, METRIC, entry.label, found) for part, found in parts.items()]


def models_table(comparisons: Sequence[Comparison]) -> Table:
    """One row per pair of models and group."""
    columns = ("A", "B", "tasks", "n", "A, %", "B, %", "A − B", "only A", "only B", "p", "p (Holm)")
    rows = tuple((Shown(row.a), Shown(row.b), Shown(row.part, row.metric), *_figures(row)) for row in comparisons)
    caption = (
        "A − B in points with Tango's 95 % score interval; only A: items that A did better on; p: McNemar's exact "
        "test, adjusted by Holm over the pairs of models."
    )
    return Table("comparisons", caption, columns, rows, frozenset({"A", "B", "tasks"}))


def control_table(gaps: Sequence[Comparison]) -> Table:
    """One row per model and depth."""
    columns = (
        "model",
        "depth",
        "n",
        "set, %",
        "control, %",
        "set − control",
        "set only",
        "control only",
        "p",
        "p (Holm)",
    )
    rows = tuple((Shown(row.model or ""), Shown(row.part), *_figures(row)) for row in gaps)
    caption = (
        "Set − control: DeepArithmark minus its control on the same prompts, in points with Tango's 95 % interval; set "
        "only: items done better with the set's own endings; p: McNemar's exact test."
    )
    return Table("control", caption, columns, rows, frozenset({"model", "depth"}))


def _figures(row: Comparison) -> tuple[Shown, ...]:
    found = row.paired
    if found is None:
        return (Shown("", row.reason or ""), *[Shown()] * 7)
    return (
        number(found["n"], count),
        number(found["a"], share),
        number(found["b"], share),
        number(found["difference"], points, interval_text(found["interval"], points)),
        number(found["only_a"], count),
        number(found["only_b"], count),
        number(found["p"], p_text),
        number(found["p_holm"], p_text),
    )
