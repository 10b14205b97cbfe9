"""A report from its models: every plot and table that applies, in the order of reading."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from .breakdowns import mistakes_table, preference_table, scores_table, tests_table, types_table
from .comparisons import Comparison, compare_models, control_comparisons, control_table, models_table
from .entries import DEFAULT, METRIC, Entry
from .escaping import plain
from .leaderboard import Row, leaderboard, leaderboard_table
from .notes import METHODS, missing_rows, published_note
from .plots import control_gap, depth_curve, placement_plot
from .published import published
from .style import Plot
from .table import Table
from .template_plots import mistake_bars, template_heat_map

Notify = Callable[[str], None]
Found = TypeVar("Found", Plot, Table)
Facts = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Fold:
    """A part that opens on a click."""

    title: str
    plot: Plot | None = None
    table: Table | None = None
    facts: Facts = ()


@dataclass(frozen=True, slots=True)
class Section:
    """One section of the page; false when there is nothing in it."""

    name: str
    title: str
    text: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    plots: tuple[Plot, ...] = ()
    folds: tuple[Fold, ...] = ()
    notes: tuple[tuple[str, str], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.text or self.tables or self.plots or self.folds or self.notes)


@dataclass(frozen=True, slots=True)
class Report:
    """What a report is made of; ``rows`` is empty where no model was scored on DeepArithmark."""

    entries: tuple[Entry, ...]
    rows: tuple[Row, ...]
    comparisons: tuple[Comparison, ...]
    gaps: tuple[Comparison, ...]
    sections: tuple[Section, ...]

    @property
    def plots(self) -> list[Plot]:
        """Every plot once, in the order of the sections."""
        found = [plot for section in self.sections for plot in section.plots]
        return found + [fold.plot for section in self.sections for fold in section.folds if fold.plot]


def make_report(entries: Sequence[Entry], notify: Notify = lambda stage: None) -> Report:
    """Compute everything; ``notify`` is told the stage before each."""
    deep = [entry for entry in entries if entry.score(DEFAULT, METRIC)]
    notify("placing the models")
    rows = leaderboard(deep, published()) if deep else []
    notify("comparing the models")
    comparisons, gaps = compare_models(entries), control_comparisons(entries)
    notify("drawing")
    sections = [
        *_deep_sections(entries, deep, rows, gaps, notify),
        Section("comparisons", "Models compared", tables=_some(models_table(comparisons) if comparisons else None)),
        Section("types", "By type of question", tables=_some(types_table(entries))),
        Section("scores", "All scores", tables=(scores_table(entries),)),
        Section("runs", "How each was scored", folds=tuple(Fold(e.label, facts=run_facts(e)) for e in entries)),
        Section("methods", "Methods", notes=METHODS),
    ]
    return Report(tuple(entries), tuple(rows), tuple(comparisons), tuple(gaps), tuple(filter(None, sections)))


def _deep_sections(
    entries: Sequence[Entry], deep: Sequence[Entry], rows: Sequence[Row], gaps: Sequence[Comparison], notify: Notify
) -> list[Section]:
    folds = []
    for number, entry in enumerate(deep, start=1):
        notify(f"mistakes of {entry.label}")
        name = f"mistakes-{number}"
        plot, table = mistake_bars(entry, name), mistakes_table(entry, name)
        if plot or table:
            folds.append(Fold(entry.label, plot, table))
    return [
        Section(
            "leaderboard",
            "Leaderboard",
            (*([published_note(published())] if rows else []), *missing_rows(entries)),
            _some(leaderboard_table(rows) if rows else None),
            _some(placement_plot(rows) if rows else None),
        ),
        Section("depth", "By depth", plots=_some(depth_curve(entries))),
        Section(
            "control",
            "With adjacent endings",
            (),
            _some(control_table(gaps) if gaps else None),
            _some(control_gap(deep)),
        ),
        Section("templates", "Templates and tests", (), _some(tests_table(deep)), _some(template_heat_map(deep))),
        Section("mistakes", "Preferences and mistakes", (), _some(preference_table(deep)), folds=tuple(folds)),
    ]


def _some(found: Found | None) -> tuple[Found, ...]:
    return () if found is None else (found,)


def run_facts(entry: Entry) -> Facts:
    """Everything needed to score a model again, as names and values."""
    found: list[tuple[str, str]] = [("file", entry.file)]
    for section in (entry.result.model, entry.result.run):
        found += [(name.replace("_", " "), _text(value)) for name, value in section.items() if value is not None]
    found += [(f"data: {name}", _text(facts)) for name, facts in entry.result.datasets.items()]
    return tuple((plain(name), plain(value)) for name, value in found)


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_text(entry)}" for name, entry in value.items() if entry is not None)
    return str(value)
