"""The models of a report: each result file read, named apart from the others, and summarised from its items."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..generators.errors import InputError
from ..results import ItemScore, Result, read_result
from ..statistics import Score, summarise
from .escaping import label_text, plain

DEFAULT, CONTROL, ARITHMARK3 = "deeparithmark", "deeparithmark_control", "arithmark3"
# Problems of six steps and more, which continue the curve.
DEEP_TIER = "deeparithmark_deep"
# The published table divides log-likelihoods by tokens.
METRIC, SOFT = "acc_norm_tok", "soft_tok"


@dataclass(frozen=True, slots=True)
class Entry:
    """One model: its label in the report, the file's name, what was scored and the statistics of it."""

    label: str
    file: str
    result: Result
    summary: dict[str, Any]

    @property
    def groups(self) -> dict[str, dict[str, Any]]:
        """The summary of each group of tasks, by name."""
        return self.summary["groups"]

    def items(self, group: str) -> list[ItemScore]:
        """The items of one group, in the file's order."""
        return [item for item in self.result.items if item.group == group]

    def score(self, group: str, metric: str) -> Score | None:
        """The ``Score`` of a whole group; None where it was not scored."""
        return self.groups.get(group, {}).get("metrics", {}).get(metric)

    def scores_by(self, group: str, trait: str, metric: str) -> dict[str, Score]:
        """The ``Score`` for each value of a trait; empty where it was not scored."""
        by = self.groups.get(group, {}).get("by", {}).get(trait, {})
        return {str(value): scores[metric] for value, scores in by.items() if metric in scores}


def read_entries(paths: Sequence[Path]) -> list[Entry]:
    """All files, summarised; ``InputError`` names the first that cannot be read, is empty or was given twice."""
    seen: set[Path] = set()
    results = []
    for path in paths:
        if path.resolve() in seen:
            raise InputError("given twice", file=path)
        seen.add(path.resolve())
        result = read_result(path)
        if not result.items:
            raise InputError("no scored item in it", file=path)
        results.append(result)
    return [
        Entry(label, plain(path.name), result, _summary(path, result))
        for label, path, result in zip(labels(paths, results), paths, results, strict=True)
    ]


def _summary(path: Path, result: Result) -> dict[str, Any]:
    try:
        return summarise(result.items)
    except ValueError as error:  # items that no scorer of ours could have written
        raise InputError(str(error), file=path) from error


def labels(paths: Sequence[Path], results: Iterable[Result]) -> list[str]:
    """The models' names; those that several files share are told apart by their file."""
    stems = [label_text(path.stem) for path in paths]
    given = (label_text(str(result.model.get("name") or "")) for result in results)
    names = [name or stem for name, stem in zip(given, stems, strict=True)]
    often = Counter(names)
    unique = [name if often[name] == 1 else f"{name} ({stem})" for name, stem in zip(names, stems, strict=True)]
    often = Counter(unique)
    return [
        name if often[name] == 1 else f"{name} #{unique[: place + 1].count(name)}" for place, name in enumerate(unique)
    ]


def size_text(parameters: int | None) -> str:
    """A number of parameters as the published table writes it.

    >>> size_text(134_515_008), size_text(3_080_000_000), size_text(535_000), size_text(None)
    ('135 M', '3.08 B', '535 K', '')
    """
    if not parameters:
        return ""
    for unit, name in ((10**9, "B"), (10**6, "M"), (10**3, "K")):
        if parameters >= unit:
            return f"{parameters / unit:.2f} {name}" if name == "B" else f"{parameters / unit:.0f} {name}"
    return str(parameters)
