"""Everything about one model's scores in one JSON-able dictionary.

A model that cannot calculate does not draw an ending at random for each item: it has preferences (small numbers, round
ones, words), and a set of items favours some of them by luck. Over many random preferences the scores on one set can
therefore scatter more than the binomial says. ``SCATTER`` holds what was measured, and ``excess`` the part of it that
the binomial does not explain; a test against chance adds it (``inference.score``), so a verdict goes by the wider one.
"""

import json
import math
from collections.abc import Container, Mapping, Sequence
from importlib.resources import files
from math import fsum, sqrt
from typing import Any, NamedTuple

from ..metrics import SIGNALS, choice_signals, target_signals
from ..results import ItemScore
from .credit import chosen, credits_of, headline, in_order, is_soft, kind_of
from .inference import Z95, adjust, chi_square, homogeneity, mean, score, trend
from .mistakes import mistake_steps, mistakes
from .records import Corrected, Cut, Homogeneity, Mean, Preference, Score, Trend
from .verdicts import verdict, withheld_because

# Groups that are there to be compared with another one, and would count its prompts twice.
CONTROLS = ("deeparithmark_control", "arithmark3")
Credits = Sequence[Mapping[str, float]]


class Scatter(NamedTuple):
    """The standard deviation of the scores of random preferences on ``items`` items, as a share of right ones."""

    deviation: float
    items: int


def measured(text: str) -> dict[str, Scatter]:
    """By group of tasks, what ``benchmarks/preference_noise.py --out`` wrote.

    >>> measured('{"tiers": [{"tier": "deep", "spread": 0.0095, "items": 750}]}')
    {'deeparithmark_deep': Scatter(deviation=0.0095, items=750)}
    """
    rows = json.loads(text)["tiers"]
    return {
        "deeparithmark" + f"_{row['tier']}" * (row["tier"] != "default"): Scatter(row["spread"], row["items"])
        for row in rows
    }


# A group that is not in the file is tested by the binomial alone.
SCATTER = measured((files(__package__) / "scatter.json").read_text("utf-8"))


def excess(group: str, chance: float | None) -> float:
    """The standard deviation beyond the binomial's that random preferences have on a group of tasks, 0 if not known.

    Preferences meet the templates of the set and not single items, so the excess does not shrink with their number and
    is taken for its parts alike.
    """
    if chance is None or group not in SCATTER:
        return 0.0
    deviation, items = SCATTER[group]
    return math.sqrt(max(0.0, deviation**2 - chance * (1 - chance) / items))


def preference(items: Sequence[ItemScore], metric: str = "acc_norm_tok") -> dict[str, Preference | None]:
    """Preference by ``"rank"`` (position 0 is the smallest value) and by ``"slot"`` (position 0 is the first option).

    None where items differ in the number of options, or (for rank) lack values or have equal ones. The expected counts
    are those of a model that is right as often and spreads its wrong choices evenly; on a set balanced over positions
    that is the same count for each.
    """
    counts = {len(item.loglikelihoods) for item in items}
    if len(counts) != 1 or counts <= {0, 1}:
        return {"rank": None, "slot": None}
    picks = [chosen(item, metric) for item in items]
    ranked = all(len(set(item.values)) == len(picks[0]) for item in items)
    return {
        "rank": _preference([_by_rank(item, pick) for item, pick in zip(items, picks, strict=True)])
        if ranked
        else None,
        "slot": _preference([(pick, item.gold or 0) for item, pick in zip(items, picks, strict=True)]),
    }


def _by_rank(item: ItemScore, pick: Sequence[float]) -> tuple[list[float], int]:
    order = sorted(range(len(pick)), key=item.values.__getitem__)
    return [pick[slot] for slot in order], order.index(item.gold or 0)


def _preference(picks: Sequence[tuple[Sequence[float], int]]) -> Preference:
    """From each item's credit by position and the position of its right option."""
    n, positions = len(picks), range(len(picks[0][0]))
    counts = [sum(pick[position] for pick, _ in picks) for position in positions]
    right = sum(pick[gold] for pick, gold in picks)
    golds = [sum(gold == position for _, gold in picks) for position in positions]
    elsewhere = (n - right) / n / (len(positions) - 1)
    expected = [right / n * here + elsewhere * (n - here) for here in golds]
    test = chi_square(counts, expected, len(positions) - 1)
    return Preference(
        counts=counts,
        shares=[count / n for count in counts],
        expected=expected,
        chi2=test["chi2"],
        df=test["df"],
        p=test["p"],
        p_holm=None,
    )


def corrected(groups: Mapping[str, Mapping[str, Any]]) -> Corrected | None:
    """The mean of (score - chance) / (1 - chance) over the groups, each with the same weight; None without any.

    The score is each group's main one; without options there is nothing to guess, and chance is 0. The interval is the
    normal one of a mean of independent scores. Controls are left out: what they add over their set is no skill.

    >>> score = {"value": 0.4, "stderr": 0.01}
    >>> found = corrected({"a": {"metric": "acc", "metrics": {"acc": score}, "chance": 0.25}})
    >>> round(found["value"], 2), [round(bound, 3) for bound in found["interval"]]
    (0.2, [0.174, 0.226])
    """
    values, errors = {}, []
    for name, group in groups.items():
        main = group["metrics"].get(group["metric"])
        if main is not None and name not in CONTROLS:
            chance = group["chance"] or 0.0
            values[name] = (main["value"] - chance) / (1 - chance)
            errors.append((main["stderr"] or 0.0) / (1 - chance))
    if not values:
        return None
    value = fsum(values.values()) / len(values)
    reach = Z95 * sqrt(fsum(error**2 for error in errors)) / len(values)
    return Corrected(value=value, interval=[value - reach, value + reach], groups=values)


def signals_of(item: ItemScore) -> dict[str, float]:
    """The signals of one item, from its log-likelihoods; empty for a generated answer or unknown lengths in bytes."""
    kind = kind_of(item)
    if kind == "generated" or not item.bytes:
        return {}
    if kind == "target":
        return target_signals(item.loglikelihoods[0], item.bytes[0])
    return choice_signals(item.loglikelihoods, item.bytes, item.gold or 0)


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
