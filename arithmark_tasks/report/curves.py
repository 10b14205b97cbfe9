"""Checkpoints of one training run: their curve, when chance is left behind, and the last against the best."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..generators.errors import InputError
from ..statistics import Paired, Score, control_gaps, paired_credits, spent
from ..statistics.verdicts import ALPHA
from .entries import CONTROL, DEFAULT, Entry
from .style import FAINT, GRID, LINES, MARKERS, SERIES, WIDTH, Plot, finish, plot_style
from .table import Shown, Table, bits, count, interval_text, label_text, number, p_text, points, score_cell, share

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_STEPS = 2**53


@dataclass(frozen=True, slots=True)
class Run:
    """The checkpoints of one run that were scored on the set in one way, by their steps."""

    name: str
    steps: tuple[int, ...]
    tokens: tuple[int | None, ...]
    entries: tuple[Entry, ...]

    @property
    def metric(self) -> str:
        """The accuracy that is drawn."""
        return str(self.entries[0].groups[DEFAULT]["metric"])

    @property
    def soft(self) -> str:
        """The probability of the right ending, by the same lengths."""
        return "soft_tok" if self.metric == "acc_norm_tok" else "soft"

    def scores(self, metric: str, depth: str | None = None) -> list[Score | None]:
        """The score of each checkpoint, in all or at one depth."""
        if depth is None:
            return [entry.score(DEFAULT, metric) for entry in self.entries]
        return [entry.scores_by(DEFAULT, "depth", metric).get(depth) for entry in self.entries]

    @property
    def depths(self) -> list[str]:
        """The depths that the first checkpoint was scored on."""
        return list(self.entries[0].scores_by(DEFAULT, "depth", self.metric))


def training_runs(entries: Sequence[Entry]) -> list[Run]:
    """The runs of which two checkpoints or more were scored on the set, alike and at different steps.

    ``arithmark eval`` and the callback write into a result which run and step it is of.
    """
    found: dict[Any, dict[int, Entry]] = defaultdict(dict)
    for entry in entries:
        facts = _facts(entry)
        if facts is not None and DEFAULT in entry.groups:
            found[str(facts["run"]), entry.conditions[DEFAULT]].setdefault(facts["step"], entry)
    return [
        Run(
            label_text(name),
            tuple(sorted(by_step)),
            tuple(_tokens(by_step[step]) for step in sorted(by_step)),
            tuple(by_step[step] for step in sorted(by_step)),
        )
        for (name, _), by_step in found.items()
        if len(by_step) > 1
    ]


def _facts(entry: Entry) -> Mapping[str, Any] | None:
    facts = entry.result.model.get("training")
    if not isinstance(facts, dict):
        return None
    step = facts.get("step")
    return facts if type(step) is int and 0 <= step <= _MOST_STEPS and facts.get("run") else None


def _tokens(entry: Entry) -> int | None:
    tokens = (_facts(entry) or {}).get("tokens")
    return tokens if type(tokens) is int and 0 < tokens <= _MOST_STEPS else None


def first_above(run: Run) -> int | None:
    """The place of the first checkpoint that is above chance, tested so that looking again and again is paid for.

    The k-th checkpoint is tested at ``spent(k)``, and its score has to be above chance. It may take any number of
    further checkpoints: all levels together are 5 %.
    """
    for place, entry in enumerate(run.entries):
        score, chance = entry.score(DEFAULT, run.metric), entry.groups[DEFAULT]["chance"]
        if score is None or chance is None or score["p"] is None:
            continue
        p = score["p"] if score["p_wide"] is None else score["p_wide"]
        if p < spent(place + 1) and score["value"] > chance:
            return place
    return None


@dataclass(frozen=True, slots=True)
class Fading:
    """Named mistakes in one step of the solution, ``place``: how often they were taken where offered, by checkpoint."""

    place: str
    offered: tuple[int, ...]
    chosen: tuple[float, ...]
    faded: int | None


def fading(run: Run) -> list[Fading]:
    """The steps of the solutions, those whose mistakes fade first in front.

    The mistakes of a step have faded at the first checkpoint that takes them less often than the first one did, by
    Fisher's exact test at ``spent(k)`` over the number of steps, for the k-th checkpoint after the first.
    """
    tallies: list[dict[str, tuple[int, float]]] = []
    for entry in run.entries:
        sums: dict[str, tuple[int, float]] = defaultdict(lambda: (0, 0.0))
        for row in entry.groups[DEFAULT]["mistake_steps"]:
            name = f"in step {row['step']}"
            offered, chosen = sums[name]
            sums[name] = offered + row["offered"], chosen + row["chosen"]
        tallies.append(dict(sums))
    places = [place for place in tallies[0] if all(place in tally for tally in tallies)]
    found = []
    for place in places:
        asked = tuple(tally[place][0] for tally in tallies)
        taken = tuple(tally[place][1] for tally in tallies)
        found.append(Fading(place, asked, taken, _faded(asked, taken, len(places))))
    return sorted(found, key=lambda one: (one.faded is None, one.faded or 0, one.place))


def _faded(offered: Sequence[int], chosen: Sequence[float], tests: int) -> int | None:
    from scipy.stats import fisher_exact

    first = math.floor(chosen[0])
    for place in range(1, len(offered)):
        now = math.ceil(chosen[place])
        table = [[now, offered[place] - now], [first, offered[0] - first]]
        if min(map(min, table)) >= 0 and fisher_exact(table, alternative="less").pvalue < spent(place) / tests:
            return place
    return None


def best_place(run: Run) -> int:
    """The place of the checkpoint with the highest accuracy, the earliest of them."""
    values = [score["value"] if score else -1.0 for score in run.scores(run.metric)]
    return values.index(max(values))


def last_and_best(run: Run) -> tuple[int, int, Paired | None]:
    """The places of the last and of the best checkpoint, and the former minus the latter item by item.

    The best was picked out of all, so its p is multiplied by how many others there are.
    """
    best, last = best_place(run), len(run.entries) - 1
    if best == last:
        return last, best, None
    try:
        a, b = (run.entries[place].credits(DEFAULT, run.metric) for place in (last, best))
        found = paired_credits(a, b, run.metric)
    except (InputError, KeyError):
        return last, best, None
    return last, best, {**found, "p": min(1.0, found["p"] * last)}


def said(run: Run, steps: Sequence[Fading]) -> tuple[str, ...]:
    """What the curve shows, in sentences; ``steps`` are the mistakes of ``fading``."""
    n, at = len(run.steps), first_above(run)
    rule = (
        f"the k-th checkpoint is tested at {100 * ALPHA:.0f} % · 6/(π²k²), so that a run that never leaves chance is "
        f"said to with a probability of at most {100 * ALPHA:.0f} %, however many checkpoints follow"
    )
    lines = [
        f"First step above chance: {run.steps[at]:,} ({rule})."
        if at is not None
        else f"None of {n} checkpoints is above chance ({rule})."
    ]
    faded = [f"{one.place} of the solution at step {run.steps[one.faded]:,}" for one in steps if one.faded is not None]
    lines.append(
        f"Mistakes that fade, the first in front: {', '.join(faded)}."
        if faded
        else "The mistakes of no step of the solutions are clearly rarer than at the first checkpoint."
    )
    if best_place(run) == n - 1:
        lines.append(f"The last checkpoint, step {run.steps[-1]:,}, is the best.")
    return tuple(lines)


def curve_table(run: Run, name: str) -> Table:
    """One row per checkpoint."""
    depths, gaps = run.depths, [_gap(entry, run.metric) for entry in run.entries]
    rows = []
    for place, entry in enumerate(run.entries):
        chance, by = entry.groups[DEFAULT]["chance"], entry.scores_by(DEFAULT, "depth", run.metric)
        score, soft, gap = entry.score(DEFAULT, run.metric), entry.score(DEFAULT, run.soft), gaps[place]
        cost = entry.groups[DEFAULT]["signals"].get("bits_per_byte")
        rows.append(
            (
                number(run.steps[place], count),
                number(run.tokens[place], count),
                score_cell(score, chance),
                number(soft and soft["value"], share, interval_text(soft["interval"]) if soft else ""),
                number(cost and cost["value"], bits),
                *(score_cell(by.get(depth), chance) for depth in depths),
                number(gap and gap["difference"], points, interval_text(gap["interval"], points) if gap else ""),
            )
        )
    columns = ("step", "tokens", "accuracy", "soft", "bits/byte", *(f"d{depth}" for depth in depths), "set − control")
    caption = (
        f"Percent with 95 % intervals by {run.metric}; soft: the mean probability of the right ending ({run.soft}); "
        "bits/byte: what the right ending costs, less is better; set − control in points."
    )
    return Table(name, caption, columns, tuple(rows), frozenset())


def ends_table(run: Run, name: str) -> Table | None:
    """The last checkpoint against the best; None where it is the best, or the items differ."""
    last, best, paired = last_and_best(run)
    if paired is None:
        return None
    row = (
        number(run.steps[last], count),
        number(run.steps[best], count),
        number(paired["n"], count),
        number(paired["a"], share),
        number(paired["b"], share),
        number(paired["difference"], points, interval_text(paired["interval"], points)),
        number(paired["p"], p_text),
    )
    columns = ("last step", "best step", "n", "last, %", "best, %", "last − best", "p")
    caption = (
        "The last checkpoint against the best, item by item, in points. The best was picked for being best, which "
        f"flatters it: McNemar's exact p is multiplied by the {last} others; the interval is not widened."
    )
    return Table(name, caption, columns, (row,), frozenset())


def _gap(entry: Entry, metric: str) -> Any:
    if CONTROL not in entry.groups:
        return None
    try:
        return control_gaps(entry.items(DEFAULT), entry.items(CONTROL), metric, ())["all"]
    except InputError:
        return None


def fading_table(run: Run, steps: Sequence[Fading], name: str) -> Table | None:
    """One row per step of the solutions, ``steps`` of ``fading``, one column per checkpoint."""
    rows = [
        (
            Shown(one.place),
            Shown("" if one.faded is None else f"{run.steps[one.faded]:,}"),
            *(number(c / o, share, f"of {o:,}") for c, o in zip(one.chosen, one.offered, strict=True)),
        )
        for one in steps
    ]
    columns = ("mistakes", "faded at step", *(f"{step:,}" for step in run.steps))
    caption = (
        "How often an ending that comes of a mistake in this step of the solution was taken where it was offered, in "
        "percent, by step of the training; faded: clearly rarer than at the first checkpoint (Fisher's exact test, its "
        "level spent over checkpoints and divided by the rows)."
    )
    return Table(name, caption, columns, tuple(rows), frozenset({"mistakes"})) if rows else None


def curve_plot(run: Run, name: str) -> Plot:
    """Accuracy and the right ending's probability over the steps, and below accuracy by depth."""
    from matplotlib.figure import Figure

    chance = entry_chance(run)
    with plot_style(name):
        figure = Figure((WIDTH, 5.4), layout="constrained")
        whole, parts = figure.subplots(2, 1, sharex=True)
        _line(whole, run.steps, run.scores(run.metric), 0, "accuracy")
        _line(whole, run.steps, run.scores(run.soft), 1, "soft")
        for place, depth in enumerate(run.depths[: len(SERIES)]):
            _line(parts, run.steps, run.scores(run.metric, depth), place, f"d{depth}")
        for panel in (whole, parts):
            if chance is not None:
                panel.axhline(100 * chance, color=FAINT, linewidth=1, linestyle="--", zorder=1)
            panel.set_ylabel("%")
            panel.grid(axis="y", color=GRID, linewidth=0.6)
            panel.legend(loc="upper left", ncols=3)
            low, high = panel.get_ylim()
            panel.set_ylim(low, high + 0.25 * (high - low))
        parts.set_xlabel("step")
        scored = zip(run.steps, run.scores(run.metric), strict=True)
        values = [f"{step:,}: {100 * score['value']:.1f} %" for step, score in scored if score]
        return finish(
            figure,
            name,
            f"Training of {run.name}",
            "Over the steps, with 95 % intervals: above, accuracy and the right ending's probability (soft); below, "
            "accuracy by depth. The dashed line is guessing.",
            f"Accuracy by step. {', '.join(values)}.",
        )


def entry_chance(run: Run) -> float | None:
    """What guessing scores on the set."""
    found: float | None = run.entries[0].groups[DEFAULT]["chance"]
    return found


def _line(panel: "Axes", steps: Sequence[int], scores: Sequence[Score | None], place: int, label: str) -> None:
    there = [(step, score) for step, score in zip(steps, scores, strict=True) if score is not None]
    if not there:
        return
    at = [step for step, _ in there]
    low, high = ([100 * score["interval"][end] for _, score in there] for end in (0, 1))
    colour = SERIES[place]
    panel.fill_between(at, low, high, color=colour, alpha=0.15, linewidth=0)
    values = [100 * score["value"] for _, score in there]
    panel.plot(at, values, color=colour, linestyle=LINES[place], marker=MARKERS[place], markersize=4, label=label)
