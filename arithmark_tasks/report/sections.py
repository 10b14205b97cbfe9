"""A report from its models: every plot and table that applies, in the order of reading, and notes on its methods."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from ..statistics import chosen, judge
from ..statistics.summary import SCATTER
from ..statistics.verdicts import ALPHA, TEMPLATE_ALPHA, cut_words
from .breakdowns import (
    Comparison,
    compare_models,
    control_comparisons,
    control_table,
    metrics_table,
    mistakes_table,
    models_table,
    preference_table,
    scores_table,
    signals_table,
    summary_table,
    tests_table,
    types_table,
)
from .curves import Run, curve_plot, curve_table, ends_table, fading, fading_table, said, training_runs
from .entries import DEEP_TIER, DEFAULT, METRIC, Cohort, Entry, cohorts
from .leaderboard import Board, Published, boards, leaderboard_table, published
from .plots import control_gap, depth_curve, placement_plot
from .style import Plot
from .table import Table, plain
from .template_plots import mistake_bars, template_heat_map

Notes = tuple[tuple[str, str], ...]
# What one page can show of many models; the rest stands in files.
_MOST_FOLDS, _MOST_TABLES, _MOST_PANELS, _MOST_PAIRS = 4, 3, 6, 60
Notify = Callable[[str], None]
Found = TypeVar("Found", Plot, Table)
Facts = tuple[tuple[str, str], ...]


def methods(entries: Sequence[Entry]) -> Notes:
    """How the figures of a report were made, by heading."""
    return (("The score", _score_note(entries)), *_METHODS, ("Scatter", _scatter_note()))


def _score_note(entries: Sequence[Entry]) -> str:
    words = (
        "“DeepArithmark” and d2 to d5 are acc_norm_tok: the option with the highest log-likelihood per token is the "
        "model's answer. The published page says “length-normalised”; that it means tokens is our reading. lm-eval's "
        "own acc_norm divides by characters."
    )
    both = [item for entry in entries for item in entry.result.items if item.group == DEFAULT and item.tokens]
    if both:
        differ = sum(chosen(item, METRIC) != chosen(item, "acc_norm") for item in both)
        words += f" In this report {differ:,} of {len(both):,} answers to DeepArithmark differ between the two."
    return words + " soft is the right option's mean probability in a softmax over the same four scores."


def _scatter_note() -> str:
    if not SCATTER:
        return (
            "Models without arithmetic have preferences, and scores of random preferences scatter more on one set than "
            "a coin's throws. How much more is not measured for these sets, and p does not count it: read a p a little "
            "below the limit with care."
        )
    known = ", ".join(f"{100 * found.deviation:.2f} points on {name}" for name, found in SCATTER.items())
    return (
        "Models without arithmetic have preferences, and scores of random preferences can scatter more on one set than "
        f"a coin's throws: their standard deviation is {known}. Verdicts and p (Holm) use the larger p that follows."
    )


_METHODS: Notes = (
    (
        "Ties",
        "Options that tie share the credit: with two best options the right one earns a half. A test takes the less "
        "significant of the two whole counts around such a sum.",
    ),
    (
        "Intervals",
        "Shares of right items have 95 % Wilson intervals, mean probabilities the mean ± 1.96 standard errors, means "
        "in bits t intervals, differences on the same items Tango's score interval, widened to 0 where McNemar's exact "
        "test does not refuse 0.",
    ),
    (
        "Chance and several tests",
        f"p is the exact two-sided binomial test against 25 %. Verdicts and ▲ ▼ go by p (Holm) < {ALPHA}, adjusted for "
        "all that is shown together: the main scores over all models and groups of tasks of this report, depths over "
        "all depths shown, templates over all cells, pairs over the pairs of the same tasks, control gaps over all "
        "gaps. The published rows are adjusted among themselves.",
    ),
    (
        "Verdicts",
        "Above or below chance, or at chance: neither. Stable wrong path: templates differ (chi-square, adjusted "
        f"p < {TEMPLATE_ALPHA}) while the whole is not above chance: right in some templates and wrong in others. "
        "Withheld: prompts were cut, or only the first items scored.",
    ),
    (
        "Like with like",
        "Models stand in one table, and are paired, only where tasks, data, items, shots, chat template, precision, "
        "normalisation and what the window cut are the same. Different windows that cut nothing make no difference. "
        "The published rows were scored in bfloat16; a float32 score is placed among them, differing by rounding.",
    ),
    (
        "Two models",
        "Compared on the same items: McNemar's exact test counts the items that only one of the two did better on. Two "
        "overlapping intervals do not show that models are equal, and a difference below the detectable one may well "
        "be missed.",
    ),
    (
        "The control",
        "deeparithmark_control has the same prompts, answers, slots and ranks with adjacent integers as wrong endings. "
        "The gap is the set minus its control: what the set's own wrong endings cost (−) or give (+).",
    ),
    (
        "Δ",
        "DeepArithmark minus ArithMark-3, on which the items are others: Newcombe's 95 % interval and Fisher's exact "
        "test, not adjusted; empty where the two were scored under other conditions.",
    ),
    (
        "Mistakes",
        "Every wrong ending is the exact result of one or two named mistakes; one made by two counts for both. A "
        "mistake that lies above the upright line is chosen more often than the other wrong options beside it.",
    ),
    (
        "Templates",
        "In the published set the rank of the answer is balanced over the set only. In ours it is balanced within each "
        "template too, so a preference for small or large numbers makes no row high or low; preferences that are not "
        "balanced may. Read a row with its interval.",
    ),
)


def cohort_note(cohort: Cohort) -> list[str]:
    """How the models of one table were scored, and what of that is different from the first."""
    said = [f"Scored alike: {cohort.conditions.text}."]
    if cohort.apart:
        said.insert(0, f"Apart from the first leaderboard: {'; '.join(cohort.apart)}.")
    if cohort.guests:
        names = ", ".join(entry.label for entry in cohort.guests)
        said.append(f"{names} stand here by characters too, because not all token counts are known.")
    return said


def published_note(table: Published) -> str:
    """Where the published rows come from and how far they compare."""
    source = f"{table.source['document']}, {table.source['file']}"
    return (
        f"Rows marked “published, not ours” are copied; source: {source}. They were scored by others on the original "
        f"items. {table.protocol} Models scored here answered other items of the same specification. Intervals and p "
        "of the published rows follow from the counts behind the printed percentages."
    )


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
        *(_run_section(run, number) for number, run in enumerate(training_runs(entries), start=1)),
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


def _run_section(run: Run, number: int) -> Section:
    """The curve of a training run."""
    name = "training" if number == 1 else f"training-{number}"
    steps = fading(run)
    found = curve_table(run, name), ends_table(run, f"{name}-ends"), fading_table(run, steps, f"{name}-mistakes")
    tables = tuple(table for table in found if table)
    return Section(name, f"Training of {run.name}", said(run, steps), tables, (curve_plot(run, f"{name}-curve"),))


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
