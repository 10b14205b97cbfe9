"""Everything about one model's scores in one JSON-able dictionary."""

from collections.abc import Container, Mapping, Sequence
from typing import Any

from ..results import ItemScore
from .corrected import corrected
from .credit import credits_of, headline, in_order, is_soft, kind_of
from .inference import adjust, homogeneity, mean, score, trend
from .mistakes import mistake_steps, mistakes
from .preference import preference
from .records import Cut, Homogeneity, Mean, Score, Trend
from .scatter import excess
from .signals import SIGNALS, signals_of
from .verdicts import verdict, withheld_because

Credits = Sequence[Mapping[str, float]]


def summarise(items: Sequence[ItemScore], limited: Container[str] = ()) -> dict[str, Any]:
    """``{"groups": {GROUP: {...}}, "corrected": ...}``, the groups in the order of their first items.

    Of each group: ``n``, ``kind``, ``chance`` (None without options), ``metric`` (the one on which the statistics
    below are made), ``metrics`` (a ``Score`` by metric), ``by`` (trait -> value, as text -> metric -> ``Score``),
    ``signals`` (a ``Mean`` in bits by name) and ``signals_by``, ``cut`` (a ``Cut``, None where that was not recorded),
    ``limited`` (whether only its first items were scored: the groups of which ``limited`` says so),
    ``depth_trend``, ``templates`` (by template, else by type), ``preference`` (``rank`` and ``slot``), ``mistakes``,
    ``mistake_steps`` and ``verdict``. What does not apply is None or empty. ``corrected`` is the ``Corrected`` mean
    over the groups, None without any.

    ``p_holm`` adjusts for what is shown together: of a whole group, for the file's other groups; of a part, for all
    parts of its group. ``judge`` does it again for several files.
    """
    members: dict[str, list[ItemScore]] = {}
    for item in items:
        members.setdefault(item.group, []).append(item)
    groups = {name: _group(name, group, name in limited) for name, group in members.items()}
    for group in groups.values():
        for metric in group["metrics"]:
            adjust(part.get(metric) for parts in group["by"].values() for part in parts.values())
    judge(list(groups.values()))
    return {"groups": groups, "corrected": corrected(groups)}


def judge(groups: Sequence[dict[str, Any]]) -> None:
    """Adjust the tests of whole groups for each other, and give each group the verdict that follows.

    The main score of every group is one family; so are the scores by each other metric, the trends, the templates and
    the preferences.
    """
    for metric in dict.fromkeys(metric for group in groups for metric in group["metrics"]):
        adjust(group["metrics"].get(metric) for group in groups)
    adjust(group["metrics"].get(group["metric"]) for group in groups)
    for test in ("depth_trend", "templates"):
        adjust(group[test] for group in groups)
    for axis in ("rank", "slot"):
        adjust(group["preference"][axis] for group in groups)
    for group in groups:
        if main := group["metrics"].get(group["metric"]):
            withheld = withheld_because(group["cut"], group["limited"])
            said = verdict(main, group["chance"], group["templates"], withheld)
            group["verdict"] = said


def _group(name: str, items: Sequence[ItemScore], limited: bool) -> dict[str, Any]:
    kind, chance = kind_of(items[0]), _chance(items)
    credit, metric = [credits_of(item) for item in items], headline(items)
    signals = [signals_of(item) for item in items]
    parts = {trait: parts_of(items, trait) for trait in items[0].traits}
    by = {
        trait: {value: _scores(name, *_at(places, items, credit)) for value, places in found.items()}
        for trait, found in parts.items()
    }
    template_trait = next((trait for trait in ("template", "type") if trait in by), None)
    applies = all(metric in each for each in credit)
    return {
        "n": len(items),
        "kind": kind,
        "chance": chance,
        "metric": metric,
        "metrics": _scores(name, items, credit),
        "by": by,
        "signals": _means(signals),
        "signals_by": {
            trait: {value: _means([signals[place] for place in places]) for value, places in found.items()}
            for trait, found in parts.items()
        },
        "cut": _cut(items),
        "limited": limited,
        "depth_trend": _depth_trend(by.get("depth"), metric) if applies else None,
        "templates": _templates(by[template_trait], metric) if template_trait and applies else None,
        "preference": preference(items, metric) if kind == "choice" and applies else {"rank": None, "slot": None},
        "mistakes": mistakes(items, metric) if kind == "choice" and applies else [],
        "mistake_steps": mistake_steps(items, metric) if kind == "choice" and applies else [],
        "verdict": None,
    }


def parts_of(items: Sequence[ItemScore], trait: str) -> dict[str, list[int]]:
    """The places of the items with each value of a trait, the values as text and in order."""
    places: dict[str | int, list[int]] = {}
    for place, item in enumerate(items):
        if trait in item.traits:
            places.setdefault(item.traits[trait], []).append(place)
    return {str(value): places[value] for value in in_order(places)}


def _at(places: Sequence[int], items: Sequence[ItemScore], credit: Credits) -> tuple[list[ItemScore], Credits]:
    return [items[place] for place in places], [credit[place] for place in places]


def _means(signals: Credits) -> dict[str, Mean]:
    """A mean for every signal that all items have."""
    return {name: mean([each[name] for each in signals]) for name in SIGNALS if all(name in each for each in signals)}


def _cut(items: Sequence[ItemScore]) -> Cut | None:
    cuts = [item.cut for item in items if item.cut is not None]
    if not cuts:
        return None
    return Cut(known=len(cuts), prompts=sum(cut > 0 for cut in cuts), tokens=sum(cuts))


def _chance(items: Sequence[ItemScore]) -> float | None:
    """What guessing scores on average; None where there is nothing to choose from."""
    if any(kind_of(item) != "choice" for item in items):
        return None
    return sum(1 / len(item.loglikelihoods) for item in items) / len(items)


def _scores(name: str, items: Sequence[ItemScore], credit: Credits) -> dict[str, Score]:
    """A score for every metric that all items have."""
    chance = _chance(items)
    unequal = len({len(item.loglikelihoods) for item in items}) > 1
    scores = {}
    for metric in credit[0]:
        if all(metric in each for each in credit):
            values = [each[metric] for each in credit]
            against = None if unequal else chance
            scores[metric] = score(values, against, soft=is_soft(metric), excess=excess(name, against))
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
