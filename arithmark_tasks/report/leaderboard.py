"""The leaderboard: the user's models among the published rows, in the columns of the published table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..statistics import Score, Verdict, credits_of, holm, score, unpaired, verdict
from .entries import ARITHMARK3, DEFAULT, METRIC, SOFT, Entry, size_text
from .published import Published, PublishedRow
from .table import Shown, Table, interval_text, number, p_text, points, score_cell, share

DEPTHS = (2, 3, 4, 5)
CHANCE, SIZE = 0.25, 1000
MARK = "published, not ours"


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


def leaderboard(entries: Sequence[Entry], table: Published) -> list[Row]:
    """Every model that was scored on DeepArithmark and every published row, best first."""
    scored = [(entry, found.copy()) for entry in entries if (found := entry.score(DEFAULT, METRIC))]
    for (_, found), adjusted in zip(scored, holm([found["p"] for _, found in scored]), strict=True):
        found["p_holm"] = adjusted
    rows = [_own_row(entry, deep) for entry, deep in scored]
    rows += [_published_row(row, table.items) for row in table.rows]
    return sorted(rows, key=lambda row: (-row.deep["value"], row.published, row.model))


def _own_row(entry: Entry, deep: Score) -> Row:
    other, parameters = entry.score(ARITHMARK3, METRIC), entry.result.model.get("parameters")
    parameters = parameters if isinstance(parameters, int) else None
    soft = entry.score(DEFAULT, SOFT)
    return Row(
        model=entry.label,
        published=False,
        release=None,
        params=size_text(parameters),
        parameters=parameters,
        deep=deep,
        soft=soft and soft["value"],
        depths=entry.scores_by(DEFAULT, "depth", METRIC),
        arithmark3=other,
        delta=None if other is None else deep["value"] - other["value"],
        delta_test=None if other is None else unpaired(_credits(entry, DEFAULT), _credits(entry, ARITHMARK3)),
        verdict=verdict(deep, CHANCE, entry.groups[DEFAULT]["templates"]),
        file=entry.file,
    )


def _credits(entry: Entry, group: str) -> list[float]:
    return [credits_of(item)[METRIC] for item in entry.items(group)]


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


def placement(rows: Sequence[Row], row: Row) -> str:
    """Where a model stands among the published rows, in words; nowhere with another number of items than theirs."""
    if row.deep["n"] != SIZE:
        return f"not placed among the published rows ({items_text(row.deep['n'])}, theirs are {SIZE:,})"
    published = [other for other in rows if other.published]
    better = [other for other in published if other.deep["value"] > row.deep["value"]]
    worse = [other for other in published if other.deep["value"] <= row.deep["value"]]
    if not better or not worse:
        return f"{'below' if better else 'above'} all {len(published)} published rows"
    above, below = (f"{other.model} ({share(other.deep['value'])} %)" for other in (better[-1], worse[0]))
    return f"below {len(better)} of {len(published)} published rows, between {above} and {below}"


def leaderboard_table(rows: Sequence[Row]) -> Table:
    """The published columns, with the interval, p and Holm-adjusted p of the main score."""
    depths = tuple(f"d{depth}" for depth in DEPTHS)
    return Table(
        "leaderboard",
        "Percent with 95 % intervals; Δ in points. Guessing gives 25 %.",
        ("Model", "Params", "Deep", "p", "p (Holm)", "soft", *depths, "ArithMark-3", "Δ"),
        tuple(_cells(row) for row in rows),
        frozenset({"Model"}),
        frozenset(place for place, row in enumerate(rows) if row.published),
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

    >>> items_text(40), items_text(10_000)
    ('40 items only', '10,000 items')
    """
    return f"{n:,} items only" if n < SIZE else f"{n:,} items"


def _notes(*parts: str) -> str:
    return ", ".join(filter(None, parts))
