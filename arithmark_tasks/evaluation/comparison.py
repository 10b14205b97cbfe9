"""The default set against its matched control and against ArithMark 3.0, on one model."""

from collections.abc import Mapping, Sequence
from typing import Any

from ..results import ItemScore
from ..statistics import control_gaps, credits_of, headline, holm, unpaired

DEFAULT, CONTROL, ARITHMARK3 = "deeparithmark", "deeparithmark_control", "arithmark3"
TRAITS = ("depth", "template")
Items = Sequence[ItemScore]


def compare(items: Items, tasks: Mapping[str, Mapping[str, Any]]) -> dict[str, Any] | None:
    """``{"metric", "control", "arithmark3"}``: the difference to each set that was scored; None without any.

    A set whose prompts had another number of examples is not compared: its difference would be theirs. ``tasks`` are
    those of the result.

    Each holds the difference over all items (``all``) and ``by`` depth and template. The control has the same prompts
    and answers, so it is compared item by item (``statistics.paired``). ArithMark 3.0 has other items: each part of the
    default set is compared with all of it.
    """
    groups: dict[str, list[ItemScore]] = {name: [] for name in (DEFAULT, CONTROL, ARITHMARK3)}
    for item in items:
        if item.group in groups:
            groups[item.group].append(item)
    deep, control, other = groups.values()
    if not deep or not (control or other):
        return None
    metric = headline([*deep, *control, *other])
    control, other = (part if shots_of(part, tasks) == shots_of(deep, tasks) else [] for part in (control, other))
    return {
        "metric": metric,
        "control": control_gaps(deep, control, metric, TRAITS) if control else None,
        "arithmark3": _against_other(deep, other, metric) if other else None,
    }


def shots_of(items: Items, tasks: Mapping[str, Mapping[str, Any]]) -> list[int]:
    """The numbers of examples that the prompts of some items had."""
    return sorted({tasks[name].get("num_fewshot") or 0 for name in {item.task for item in items}})


def _against_other(deep: Items, other: Items, metric: str) -> dict[str, Any]:
    right = _credits(other, metric)
    by: dict[str, dict[str, dict[str, Any]]] = {}
    for trait in TRAITS:
        parts: dict[str, list[ItemScore]] = {}
        for item in sorted(deep, key=lambda item: item.traits[trait]):
            parts.setdefault(str(item.traits[trait]), []).append(item)
        by[trait] = {value: unpaired(_credits(part, metric), right) for value, part in parts.items()}
        adjusted = holm([row["p"] for row in by[trait].values()])
        for row, p in zip(by[trait].values(), adjusted, strict=True):
            row["p_holm"] = p
    return {"all": unpaired(_credits(deep, metric), right), "by": by}


def _credits(items: Items, metric: str) -> list[float]:
    return [credits_of(item)[metric] for item in items]
