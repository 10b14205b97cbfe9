"""Everything about one model's scores in one JSON-able dictionary."""

from collections.abc import Mapping, Sequence
from typing import Any

from ..results import ItemScore
from .credit import credits_of, headline, in_order, is_soft, kind_of
from .inference import adjust, homogeneity, score, trend
from .mistakes import mistake_steps, mistakes
from .preference import preference
from .records import Homogeneity, Score, Trend
from .verdicts import verdict

Credits = Sequence[Mapping[str, float]]


def summarise(items: Sequence[ItemScore]) -> dict[str, Any]:
    """``{"groups": {GROUP: {...}}}``, the groups in the order of their first items.

    Of each group: ``n``, ``kind``, ``chance`` (None without options), ``metric`` (the one on which the statistics
    below are made), ``metrics`` (a ``Score`` by metric), ``by`` (trait -> value, as text -> metric -> ``Score``),
    ``depth_trend``, ``templates`` (by template, else by type), ``preference`` (``rank`` and ``slot``), ``mistakes``,
    ``mistake_steps`` and ``verdict``. What does not apply is None or empty.

    ``p_holm`` adjusts for the same test in the file's other groups; within ``by``, for the trait's other values.
    """
    members: dict[str, list[ItemScore]] = {}
    for item in items:
        members.setdefault(item.group, []).append(item)
    groups = {name: _group(group) for name, group in members.items()}
    _adjust_across(list(groups.values()))
    for group in groups.values():
        if group["metric"] in group["metrics"]:
            main = group["metrics"][group["metric"]]
            group["verdict"] = verdict(main, group["chance"], group["templates"])
    return {"groups": groups}


def _group(items: Sequence[ItemScore]) -> dict[str, Any]:
    kind, chance = kind_of(items[0]), _chance(items)
    credit, metric = [credits_of(item) for item in items], headline(items)
    by = {trait: _by_trait(items, credit, trait) for trait in items[0].traits}
    template_trait = next((trait for trait in ("template", "type") if trait in by), None)
    applies = all(metric in each for each in credit)
    return {
        "n": len(items),
        "kind": kind,
        "chance": chance,
        "metric": metric,
        "metrics": _scores(items, credit),
        "by": by,
        "depth_trend": _depth_trend(by.get("depth"), metric) if applies else None,
        "templates": _templates(by[template_trait], metric) if template_trait and applies else None,
        "preference": preference(items, metric) if kind == "choice" and applies else {"rank": None, "slot": None},
        "mistakes": mistakes(items, metric) if kind == "choice" and applies else [],
        "mistake_steps": mistake_steps(items, metric) if kind == "choice" and applies else [],
        "verdict": None,
    }


def _chance(items: Sequence[ItemScore]) -> float | None:
    """What guessing scores on average; None where there is nothing to choose from."""
    if any(kind_of(item) != "choice" for item in items):
        return None
    return sum(1 / len(item.loglikelihoods) for item in items) / len(items)


def _scores(items: Sequence[ItemScore], credit: Credits) -> dict[str, Score]:
    """A score for every metric that all items have."""
    chance = _chance(items)
    unequal = len({len(item.loglikelihoods) for item in items}) > 1
    scores = {}
    for metric in credit[0]:
        if all(metric in each for each in credit):
            values = [each[metric] for each in credit]
            scores[metric] = score(values, None if unequal else chance, soft=is_soft(metric))
    return scores


def _by_trait(items: Sequence[ItemScore], credit: Credits, trait: str) -> dict[str, dict[str, Score]]:
    parts: dict[str | int, list[int]] = {}
    for index, item in enumerate(items):
        if trait in item.traits:
            parts.setdefault(item.traits[trait], []).append(index)
    scores = {
        str(value): _scores([items[index] for index in parts[value]], [credit[index] for index in parts[value]])
        for value in in_order(parts)
    }
    for metric in credit[0]:
        adjust([by_metric.get(metric) for by_metric in scores.values()])
    return scores


def _depth_trend(by_depth: Mapping[str, Mapping[str, Score]] | None, metric: str) -> Trend | None:
    if not by_depth or len(by_depth) < 2:
        return None
    right, total = _counts(by_depth, metric)
    return trend(right, total, [float(depth) for depth in by_depth])


def _templates(by_template: Mapping[str, Mapping[str, Score]], metric: str) -> Homogeneity | None:
    return homogeneity(*_counts(by_template, metric)) if len(by_template) > 1 else None


def _counts(parts: Mapping[str, Mapping[str, Score]], metric: str) -> tuple[list[float], list[int]]:
    scores = [part[metric] for part in parts.values()]
    return [entry["value"] * entry["n"] for entry in scores], [entry["n"] for entry in scores]


def _adjust_across(groups: Sequence[Mapping[str, Any]]) -> None:
    for metric in dict.fromkeys(metric for group in groups for metric in group["metrics"]):
        adjust([group["metrics"].get(metric) for group in groups])
    for test in ("depth_trend", "templates"):
        adjust([group[test] for group in groups])
    for axis in ("rank", "slot"):
        adjust([group["preference"][axis] for group in groups])
