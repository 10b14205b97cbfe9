"""The leaderboard: the user's models among the 17 rows of the published DeepArithmark-1 table, in its columns."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from typing import Any

from ..console import natural
from ..statistics import Score, Verdict, adjust, score, unpaired
from .conditions import is_placed, unlike_published
from .entries import ARITHMARK3, DEFAULT, Cohort, Entry, cohorts, size_text
from .table import Shown, Table, interval_text, number, p_text, points, score_cell, share

DEPTHS = (2, 3, 4, 5)
CHANCE, SIZE = 0.25, 1000
MARK = "published, not ours"
SOFT_OF = {"acc_norm_tok": "soft_tok", "acc_norm": "soft"}


@dataclass(frozen=True, slots=True)
class PublishedRow:
    """One row as printed: percentages, ``delta`` in points, None where the table has a dash or no date."""

    model: str
    release: str | None
    params: str
    parameters: int
    deep: float
    soft: float
    d2: float
    d3: float
    d4: float
    d5: float
    arithmark3: float | None
    delta: float | None


@dataclass(frozen=True, slots=True)
class Published:
    """The table with its source, the protocol it was scored under, and the number of items behind each column."""

    title: str
    source: dict[str, str]
    protocol: str
    items: dict[str, int]
    rows: tuple[PublishedRow, ...]


@cache
def published() -> Published:
    """The table that is installed with the package.

    >>> row = published().rows[7]
    >>> row.model, row.deep, row.d2, row.delta
    ('Qwen3-0.6B-Base', 29.2, 37.6, -39.2)
    """
    text = files("arithmark_tasks.published").joinpath("deeparithmark_17models.json").read_text(encoding="utf-8")
    content: dict[str, Any] = json.loads(text)
    rows = tuple(PublishedRow(**row) for row in content["rows"])
    return Published(**{field.name: content[field.name] for field in fields(Published)} | {"rows": rows})


@dataclass(frozen=True, slots=True)
class Row:
    """One model; scores are shares, None where it was not scored; ``delta`` is ``deep`` minus ``arithmark3``.

    ``delta_test`` is that difference as ``evaluation.comparison.unpaired`` gives it, because the items are others.
    ``published`` rows are copied; their intervals and p are worked out from the counts behind the percentages.
    """

    model: str
    published: bool
    release: str | None
    params: str
    parameters: int | None
    deep: Score
    soft: float | None
    depths: dict[str, Score]
    arithmark3: Score | None
    delta: float | None
    delta_test: dict[str, Any] | None
    verdict: Verdict | None
    file: str | None


@dataclass(frozen=True, slots=True)
class Board:
    """The rows of models that were scored alike; the published rows are among them where they may be (``placed``)."""

    cohort: Cohort
    rows: tuple[Row, ...]
    placed: bool

    @property
    def own(self) -> list[Row]:
        """The rows of models that are at home here: neither copied nor guests."""
        return [row for row in self.rows if row.verdict]

    @property
    def ranked(self) -> list[Entry]:
        """The models that are at home here, best first."""
        by_label = {entry.label: entry for entry in self.cohort.entries}
        return [by_label[row.model] for row in self.own]


def boards(entries: Sequence[Entry], table: Published) -> list[Board]:
    """A leaderboard for every cohort of models scored on DeepArithmark.

    Holm's adjustment of the depths is over all that are shown; the whole scores were adjusted before (``judge``).
    """
    found = cohorts(entries, DEFAULT)
    adjust(depth for cohort in found for entry in cohort.entries for depth in _depths(entry, cohort.metric).values())
    return [leaderboard(cohort, table) for cohort in found]


def leaderboard(cohort: Cohort, table: Published) -> Board:
    """Every model of a cohort, and every published row where the conditions are theirs, best first."""
    placed = is_placed(cohort.conditions, SIZE)
    rows = [_own_row(entry, cohort, guest=False) for entry in cohort.entries]
    rows += [_own_row(entry, cohort, guest=True) for entry in cohort.guests]
    rows += published_rows(table) if placed else []
    ordered = sorted(rows, key=lambda row: (-row.deep["value"], row.published, natural(row.model)))
    return Board(cohort, tuple(ordered), placed)


def published_rows(table: Published) -> list[Row]:
    """The copied rows; their tests are adjusted for each other."""
    rows = [_published_row(row, table.items) for row in table.rows]
    adjust(row.deep for row in rows)
    adjust(depth for row in rows for depth in row.depths.values())
    return rows


def _depths(entry: Entry, metric: str) -> dict[str, Score]:
    return entry.scores_by(DEFAULT, "depth", metric)


def _own_row(entry: Entry, cohort: Cohort, *, guest: bool) -> Row:
    metric, parameters = cohort.metric, entry.result.model.get("parameters")
    deep = entry.groups[DEFAULT]["metrics"][metric]
    soft = entry.score(DEFAULT, SOFT_OF[metric])
    other = entry.score(ARITHMARK3, metric)
    # Its items are others; its conditions may not be.
    if other and entry.conditions[ARITHMARK3].differences(entry.conditions[DEFAULT], ("tasks", "data", "items")):
        other = None
    return Row(
        model=entry.label,
        published=False,
        release=None,
        params=size_text(parameters),
        parameters=parameters,
        deep=deep,
        soft=soft and soft["value"],
        depths=_depths(entry, metric),
        arithmark3=other,
        delta=None if other is None else deep["value"] - other["value"],
        delta_test=None if other is None else unpaired(*(_credits(entry, g, metric) for g in (DEFAULT, ARITHMARK3))),
        verdict=None if guest else entry.groups[DEFAULT]["verdict"],
        file=entry.file,
    )


def _credits(entry: Entry, group: str, metric: str) -> list[float]:
    return list(entry.credits(group, metric).values())


def _published_row(row: PublishedRow, items: Mapping[str, int]) -> Row:
    return Row(
        model=row.model,
        published=True,
        release=row.release,
        params=row.params,
        parameters=row.parameters,
        deep=_counted(row.deep, items["deep"]),
        soft=row.soft / 100,
        depths={str(depth): _counted(getattr(row, f"d{depth}"), items[f"d{depth}"]) for depth in DEPTHS},
        arithmark3=None if row.arithmark3 is None else _counted(row.arithmark3, items["arithmark3"]),
        delta=None if row.delta is None else row.delta / 100,
        delta_test=None,
        verdict=None,
        file=None,
    )


def _counted(percentage: float, n: int) -> Score:
    """The score of the whole number of right items that gives a published percentage."""
    right = round(percentage * n / 100)
    return score([1.0] * right + [0.0] * (n - right), CHANCE)


def placement(board: Board, row: Row) -> str:
    """Where a model stands among the published rows, in words, or why it has no place there."""
    if not board.placed:
        return f"not placed among the published rows: {'; '.join(unlike_published(board.cohort.conditions, SIZE))}"
    published = [other for other in board.rows if other.published]
    better = [other for other in published if other.deep["value"] > row.deep["value"]]
    worse = [other for other in published if other.deep["value"] < row.deep["value"]]
    level = [other.model for other in published if other.deep["value"] == row.deep["value"]]
    if level:
        return f"level with {', '.join(level)}, below {len(better)} and above {len(worse)} of the published rows"
    if not better or not worse:
        return f"{'below' if better else 'above'} all {len(published)} published rows"
    above, below = (f"{other.model} ({share(other.deep['value'])} %)" for other in (better[-1], worse[0]))
    return f"below {len(better)} of {len(published)} published rows, between {above} and {below}"


def leaderboard_table(board: Board, name: str) -> Table:
    """The published columns, with the interval, p and Holm-adjusted p of the main score."""
    depths = tuple(f"d{depth}" for depth in DEPTHS)
    return Table(
        name,
        f"Percent by {board.cohort.metric} with 95 % intervals; Δ in points. Guessing gives 25 %.",
        ("Model", "Params", "DeepArithmark", "p", "p (Holm)", "soft", *depths, "ArithMark-3", "Δ"),
        tuple(_cells(row) for row in board.rows),
        frozenset({"Model"}),
        frozenset(place for place, row in enumerate(board.rows) if row.published),
    )


def _cells(row: Row) -> tuple[Shown, ...]:
    name = row.model + (f" ({row.release})" if row.release else "")
    other = row.arithmark3
    return (
        Shown(name, MARK if row.published else unless_whole(row.deep)),
        number(row.parameters, lambda _: row.params),
        score_cell(row.deep, CHANCE),
        number(row.deep["p"], p_text),
        number(row.deep["p_holm"], p_text),
        number(row.soft, lambda value: f"{100 * value:.2f}"),
        *(score_cell(row.depths.get(str(depth)), CHANCE) for depth in DEPTHS),
        number(
            other and other["value"], share, _notes(interval_text(other and other["interval"]), unless_whole(other))
        ),
        number(row.delta, points, _delta_note(row)),
    )


def _delta_note(row: Row) -> str:
    test = row.delta_test
    if test is None:
        return ""
    sizes = {test["n_a"], test["n_b"]} == {SIZE}
    counts = "" if sizes else f"{test['n_a']:,} and {test['n_b']:,} items only"
    return _notes(interval_text(test["interval"], points), f"p {p_text(test['p'])}", counts)


def unless_whole(found: Score | None) -> str:
    """How many items a score is made on, where that is not the published number."""
    return "" if found is None or found["n"] == SIZE else items_text(found["n"])


def items_text(n: int) -> str:
    """A number of items, and whether it is less than the published one.

    >>> items_text(40), items_text(1), items_text(10_000)
    ('40 items only', '1 item only', '10,000 items')
    """
    return f"{n:,} item{'s' * (n != 1)}{' only' * (n < SIZE)}"


def _notes(*parts: str) -> str:
    return ", ".join(filter(None, parts))
