"""The models of a report: those of the same weights put together, named, summarised; which may stand in one table."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ..console import natural
from ..generators.errors import InputError
from ..results import ItemScore, Result, limited_groups, read_result
from ..statistics import Score, credits_of, summarise
from .conditions import Conditions, conditions
from .harness import is_harness_output, read_harness
from .table import label_text, plain

DEFAULT, CONTROL, ARITHMARK3 = "deeparithmark", "deeparithmark_control", "arithmark3"
# Problems of six steps and more, which continue the curve.
DEEP_TIER = "deeparithmark_deep"
# The published page says "length-normalised"; that it means tokens is our reading.
METRIC, SOFT = "acc_norm_tok", "soft_tok"
# What a model's results must share to be put together.
_SHARED = ("dtype", "chat_template", "max_context", "model_args", "model_type")
CHARACTERS = "acc_norm"


@dataclass(frozen=True, slots=True)
class Entry:
    """One model under one set of conditions: label, files, what was scored and the statistics of it.

    ``runs`` are the results as they were read, by file; ``result`` holds all of their items. ``repeats`` are files that
    only hold the same once more and were left out.
    """

    label: str
    identity: str
    runs: tuple[tuple[str, Result], ...]
    result: Result
    summary: dict[str, Any]
    conditions: dict[str, Conditions]
    repeats: tuple[str, ...] = ()
    _credits: dict[tuple[str, str], dict[Any, float]] = field(default_factory=dict, compare=False, repr=False)

    @property
    def file(self) -> str:
        """The files' names."""
        return ", ".join(file for file, _ in self.runs)

    @property
    def groups(self) -> dict[str, dict[str, Any]]:
        """The summary of each group of tasks, by name."""
        return self.summary["groups"]

    def items(self, group: str) -> list[ItemScore]:
        """The items of one group, in the file's order."""
        return [item for item in self.result.items if item.group == group]

    def credits(self, group: str, metric: str) -> dict[Any, float]:
        """What each item of a group earned, by task and id."""
        if (group, metric) not in self._credits:
            self._credits[group, metric] = {
                (item.task, item.id): credits_of(item)[metric] for item in self.items(group)
            }
        return self._credits[group, metric]

    def score(self, group: str, metric: str) -> Score | None:
        """The ``Score`` of a whole group; None where it was not scored."""
        return self.groups.get(group, {}).get("metrics", {}).get(metric)

    def scores_by(self, group: str, trait: str, metric: str) -> dict[str, Score]:
        """The ``Score`` for each value of a trait; empty where it was not scored."""
        by = self.groups.get(group, {}).get("by", {}).get(trait, {})
        return {str(value): scores[metric] for value, scores in by.items() if metric in scores}


@dataclass(slots=True)
class _Model:
    """Results of the same weights under the same conditions, as they come together."""

    identity: str
    runs: list[tuple[Path, Result]]
    limited: frozenset[str]
    repeats: list[str] = field(default_factory=list)

    @property
    def groups(self) -> set[str]:
        return {item.group for _, result in self.runs for item in result.items}


def read_entries(paths: Sequence[Path]) -> list[Entry]:
    """All results, summarised, in the natural order of their names.

    A path is a file of ``arithmark eval`` or a folder that ``lm_eval --log_samples`` wrote. ``InputError`` names the
    first that cannot be read, is empty or was given twice.
    """
    seen: set[Path] = set()
    models: list[_Model] = []
    for path in paths:
        if path.resolve() in seen:
            raise InputError("given twice", file=path)
        seen.add(path.resolve())
        result = read_harness(path) if is_harness_output(path) else read_result(path)
        if not result.items:
            raise InputError("no scored item in it", file=path)
        _put_together(models, path, result)
    named = zip(labels(models), models, strict=True)
    return [_entry(label, model) for label, model in sorted(named, key=lambda pair: natural(pair[0]))]


def _put_together(models: list[_Model], path: Path, result: Result) -> None:
    """Add a result to the model that it belongs to, or as a new one."""
    identity = _identity(path, result)
    limited = limited_groups(result.items, result.tasks, result.datasets, result.run.get("limit"))
    groups = {item.group for item in result.items}
    for model in (model for model in models if model.identity == identity):
        first = model.runs[0][1]
        if any(first.run.get(name) != result.run.get(name) for name in _SHARED):
            continue
        if not groups & model.groups:
            model.runs.append((path, result))
            model.limited |= limited
            return
        if groups <= model.groups and all(_same_items(model, result, group) for group in groups):
            model.repeats.append(plain(path.name))
            return
    models.append(_Model(identity, [(path, result)], limited))


def _same_items(model: _Model, result: Result, group: str) -> bool:
    """Whether the group was scored in the same way: all but the log-likelihoods, which a batch may round otherwise."""
    (other,) = [run for _, run in model.runs if any(item.group == group for item in run.items)]
    keys = [{(item.task, item.id) for item in run.items if item.group == group} for run in (other, result)]
    tasks = {task for task, _ in keys[0]}
    facts = [
        [(name, run.tasks.get(name), run.datasets.get(str(run.tasks.get(name, {}).get("dataset")))) for name in tasks]
        for run in (other, result)
    ]
    return keys[0] == keys[1] and facts[0] == facts[1] and other.run.get("num_fewshot") == result.run.get("num_fewshot")


def _identity(path: Path, result: Result) -> str:
    """What says that two results are of one model: the digest of its weights or files, else its revision."""
    model = result.model
    for name in ("weights_sha256", "files_sha256"):
        if model.get(name):
            return f"{name} {model[name]}"
    return f"{model.get('pretrained')} {model['revision']}" if model.get("revision") else str(path.resolve())


def _entry(label: str, model: _Model) -> Entry:
    results = [result for _, result in model.runs]
    whole = replace(
        results[0],
        datasets={name: facts for result in results for name, facts in result.datasets.items()},
        tasks={name: facts for result in results for name, facts in result.tasks.items()},
        items=tuple(item for result in results for item in result.items),
    )
    try:
        summary = summarise(whole.items, model.limited)
    except ValueError as error:  # items that no scorer of ours could have written
        raise InputError(str(error), file=model.runs[0][0]) from error
    found = {
        group: conditions(
            next(result for result in results if any(item.group == group for item in result.items)),
            group,
            [item for item in whole.items if item.group == group],
            facts["metric"],
            facts["limited"],
        )
        for group, facts in summary["groups"].items()
    }
    runs = tuple((plain(path.name), result) for path, result in model.runs)
    return Entry(label, model.identity, runs, whole, summary, found, tuple(model.repeats))


def labels(models: Sequence[_Model]) -> list[str]:
    """The models' names, of paths the last part; those that several share are told apart by the rest of the path, their
    files, or a number."""
    stems = [label_text(model.runs[0][0].stem) for model in models]
    names = [_name(model.runs[0][1]) or [stem] for model, stem in zip(models, stems, strict=True)]
    often = Counter(parts[-1] for parts in names)
    short = [label_text("/".join(parts[-2:] if often[parts[-1]] > 1 else parts[-1:])) for parts in names]
    often = Counter(short)
    unique = [name if often[name] == 1 else f"{name} ({stem})" for name, stem in zip(short, stems, strict=True)]
    often = Counter(unique)
    return [
        name if often[name] == 1 else f"{name} #{unique[: place + 1].count(name)}" for place, name in enumerate(unique)
    ]


def _name(result: Result) -> list[str]:
    """What the user calls the model, else its name; of a path its parts."""
    if given := str(result.model.get("display_name") or ""):
        return [given]
    name = str(result.model.get("name") or "")
    parts = [part for part in re.split(r"[/\\]", name) if part not in ("", ".", "..", "~")]
    is_path = name.startswith(("/", ".", "~")) or len(parts) > 2
    return parts if is_path else [name] * bool(name)


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


@dataclass(frozen=True, slots=True)
class Cohort:
    """Models that were scored alike on one group of tasks, and the metric that all of them have.

    ``apart`` says what is different from the first cohort of the group; it is empty for the first. ``guests`` are
    models that stand in another cohort too, whose metric not all of these have.
    """

    group: str
    conditions: Conditions
    entries: tuple[Entry, ...]
    apart: tuple[str, ...] = ()
    guests: tuple[Entry, ...] = ()

    @property
    def metric(self) -> str:
        """What the scores are normalised by."""
        return self.conditions.normalisation

    @property
    def shown(self) -> tuple[Entry, ...]:
        """All models, the guests last."""
        return self.entries + self.guests


def cohorts(entries: Sequence[Entry], group: str) -> list[Cohort]:
    """The models of one group of tasks by their conditions: the most models first, then the order of names."""
    members: dict[Conditions, list[Entry]] = {}
    for entry in entries:
        if group in entry.conditions:
            members.setdefault(entry.conditions[group], []).append(entry)
    ordered = sorted(members.items(), key=lambda found: (found[0].normalisation != METRIC, -len(found[1])))
    return [
        Cohort(
            group,
            found,
            tuple(alike),
            tuple(found.differences(ordered[0][0])),
            _guests(found, members) if found.normalisation == CHARACTERS else (),
        )
        for found, alike in ordered
    ]


def _guests(found: Conditions, members: dict[Conditions, list[Entry]]) -> tuple[Entry, ...]:
    """Models scored in the same way whose tokens are known, for those whose tokens are not."""
    alike = [own for own in members if own != found and not found.differences(own, ("normalisation",))]
    return tuple(entry for own in alike for entry in members[own])
