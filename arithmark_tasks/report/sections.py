"""A report from its models: every plot and table that applies, in the order of reading."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from ..statistics import judge
from ..statistics.verdicts import cut_words
from .breakdowns import (
    metrics_table,
    mistakes_table,
    preference_table,
    scores_table,
    signals_table,
    summary_table,
    tests_table,
    types_table,
)
from .cohorts import cohorts
from .comparisons import Comparison, compare_models, control_comparisons, control_table, models_table
from .entries import DEEP_TIER, DEFAULT, Entry
from .escaping import plain
from .leaderboard import Board, boards, leaderboard_table
from .notes import cohort_note, methods, published_note
from .plots import control_gap, depth_curve, placement_plot
from .published import published
from .style import Plot
from .table import Table
from .template_plots import mistake_bars, template_heat_map

# What one page can show of many models; the rest stands in files.
_MOST_FOLDS, _MOST_TABLES, _MOST_PANELS, _MOST_PAIRS = 4, 3, 6, 60
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
    """One section of the page."""

    name: str
    title: str
    text: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    plots: tuple[Plot, ...] = ()
    folds: tuple[Fold, ...] = ()
    notes: tuple[tuple[str, str], ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing in it to look at."""
        return not (self.tables or self.plots or self.folds or self.notes)


@dataclass(frozen=True, slots=True)
class Report:
    """What a report is made of; ``boards`` is empty where no model was scored on DeepArithmark.

    ``pairs``, ``mistakes`` and ``metrics`` are too long for the page and get files of their own.
    """

    entries: tuple[Entry, ...]
    boards: tuple[Board, ...]
    comparisons: tuple[Comparison, ...]
    gaps: tuple[Comparison, ...]
    sections: tuple[Section, ...]
    pairs: Table | None
    mistakes: tuple[tuple[str, Table], ...]
    metrics: Table

    @property
    def plots(self) -> list[Plot]:
        """Every plot once, in the order of the sections."""
        found = [plot for section in self.sections for plot in section.plots]
        return found + [fold.plot for section in self.sections for fold in section.folds if fold.plot]


def make_report(entries: Sequence[Entry], notify: Notify = lambda stage: None, *, every_pair: bool = False) -> Report:
    """Compute everything; ``notify`` is told the stage before each.

    Pairs are of neighbours in rank, or ``every_pair`` of models that were scored alike.
    """
    judge([group for entry in entries for group in entry.groups.values()])
    scored = [entry for entry in entries if DEFAULT in entry.groups]
    notify("placing the models")
    found = boards(entries, published())
    notify("comparing the models")
    comparisons = compare_models(entries, every=every_pair)
    gaps = control_comparisons(entries)
    pairs = models_table(comparisons) if comparisons else None
    notify("drawing")
    ranked = [entry for board in found for entry in board.ranked]
    tables = [(entry.label, mistakes_table(entry, f"mistakes-{n}")) for n, entry in enumerate(ranked, start=1)]
    sections = [
        *(_board_section(board, number) for number, board in enumerate(found, start=1)),
        *_depth_sections(entries),
        Section(
            "signals",
            "Below emergence",
            ("What the log-likelihoods say while accuracy is at chance; docs/statistics.md shows what moves first.",),
            tables=_some(signals_table(entries)),
        ),
        Section(
            "control",
            "With adjacent endings",
            (f"Plots of the first {_MOST_PANELS} models; the table has all.",) if len(scored) > _MOST_PANELS else (),
            _some(control_table(gaps) if gaps else None),
            _some(control_gap(scored[:_MOST_PANELS])),
        ),
        Section("templates", "Templates and tests", (), _some(tests_table(scored)), _some(template_heat_map(scored))),
        _mistakes_section(scored, ranked, notify),
        Section(
            "comparisons",
            "Models compared",
            _pair_text(comparisons, every_pair),
            _some(_on_page(pairs)),
        ),
        Section("types", "By type of question", tables=_some(types_table(entries))),
        Section("summary", "Over all tasks", tables=_some(summary_table(entries))),
        Section("scores", "Main scores", tables=(scores_table(entries),)),
        Section("runs", "How each was scored", folds=tuple(Fold(e.label, facts=run_facts(e)) for e in entries)),
        Section("methods", "Methods", notes=methods(entries)),
    ]
    return Report(
        tuple(entries),
        tuple(found),
        tuple(comparisons),
        tuple(gaps),
        tuple(section for section in sections if not section.is_empty),
        pairs,
        tuple((label, table) for label, table in tables if table),
        metrics_table(entries),
    )


def _board_section(board: Board, number: int) -> Section:
    name = "leaderboard" if number == 1 else f"leaderboard-{number}"
    title = "Leaderboard" if number == 1 else f"Leaderboard {number}: scored otherwise"
    text = (*cohort_note(board.cohort), *([published_note(published())] if board.placed else []))
    plot = placement_plot(board.rows, "placement" if number == 1 else f"placement-{number}")
    return Section(name, title, text, (leaderboard_table(board, name),), (plot,))


def _depth_sections(entries: Sequence[Entry]) -> list[Section]:
    """A curve for every cohort of the set and, of models without it, of the deep tier."""
    found = cohorts(entries, DEFAULT)
    found += cohorts([entry for entry in entries if DEFAULT not in entry.groups], DEEP_TIER)
    sections = []
    for number, cohort in enumerate(found, start=1):
        end = "" if number == 1 else f"-{number}"
        title = "By depth" if number == 1 else f"By depth, leaderboard {number}"
        sections.append(Section(f"depth{end}", title, plots=_some(depth_curve(cohort.entries, f"depth-curve{end}"))))
    return sections


def _mistakes_section(scored: Sequence[Entry], ranked: Sequence[Entry], notify: Notify) -> Section:
    """The first models in rank; the tables of all stand in a file."""
    folds = []
    for number, entry in enumerate(ranked[:_MOST_FOLDS], start=1):
        notify(f"mistakes of {entry.label}")
        name = f"mistakes-{number}"
        plot, table = mistake_bars(entry, name), mistakes_table(entry, name)
        if plot or table:
            folds.append(Fold(entry.label, plot, table if len(ranked) <= _MOST_TABLES else None))
    text = (f"Plots of the first {_MOST_FOLDS} of the leaderboards. Every named mistake of every model: mistakes.md.",)
    return Section(
        "mistakes",
        "Preferences and mistakes",
        text if len(ranked) > _MOST_TABLES else (),
        _some(preference_table(scored)),
        folds=tuple(folds),
    )


def _on_page(pairs: Table | None) -> Table | None:
    """The first pairs: a page holds no thousands."""
    return pairs and replace(pairs, rows=pairs.rows[:_MOST_PAIRS])


def _pair_text(comparisons: Sequence[Comparison], every: bool) -> tuple[str, ...]:
    if not comparisons:
        return ()
    which = "every two models" if every else "neighbours in rank (all pairs: --pairs all)"
    shown = f" The first {_MOST_PAIRS} are here." if len(comparisons) > _MOST_PAIRS else ""
    return (f"{len(comparisons):,} pairs of {which} that were scored alike, all in pairs.md.{shown}",)


def _some(found: Found | None) -> tuple[Found, ...]:
    return () if found is None else (found,)


def run_facts(entry: Entry) -> Facts:
    """Everything needed to score a model again, as names and values."""
    found: list[tuple[str, str]] = []
    for file, result in entry.runs:
        found.append(("file", file))
        for section in (result.model, result.run):
            found += [(name.replace("_", " "), _text(value)) for name, value in section.items() if value is not None]
        found += [(f"data: {name}", _text(facts)) for name, facts in result.datasets.items()]
    for group, summary in entry.groups.items():
        found.append((f"conditions: {group}", entry.conditions[group].text))
        if summary["cut"] and summary["cut"]["prompts"]:
            found.append((f"cut: {group}", cut_words(summary["cut"])))
    found += [("left out", f"{file}: the same weights, tasks and items once more") for file in entry.repeats]
    return tuple((plain(name), plain(value)) for name, value in found)


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_text(entry)}" for name, entry in value.items() if entry is not None)
    return str(value)
