"""The default set against its matched control and against ArithMark 3.0, on one model."""

from collections.abc import Sequence
from math import fsum, sqrt
from typing import Any

from ..generators.intervals import wilson
from ..results import ItemScore
from ..statistics import control_key, credits_of, headline, holm, paired, paired_by

DEFAULT, CONTROL, ARITHMARK3 = "deeparithmark", "deeparithmark_control", "arithmark3"
TRAITS = ("depth", "template")
Items = Sequence[ItemScore]


def compare(items: Items) -> dict[str, Any] | None:
    """``{"metric", "control", "arithmark3"}``: the difference to each set that was scored; None without any.

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
    return {
        "metric": metric,
        "control": _against_control(deep, control, metric) if control else None,
        "arithmark3": _against_other(deep, other, metric) if other else None,
    }


def _against_control(deep: Items, control: Items, metric: str) -> dict[str, Any]:
    by = {trait: paired_by(deep, control, metric, trait, control_key) for trait in TRAITS}
    return {"all": paired(deep, control, metric, control_key), "by": by}


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


def unpaired(a: Sequence[float], b: Sequence[float]) -> dict[str, Any]:
    """The difference of two shares of different items: Newcombe's 95 % interval and Fisher's exact test.

    >>> row = unpaired([1.0] * 56 + [0.0] * 14, [1.0] * 48 + [0.0] * 32)
    >>> round(row["difference"], 2), [round(bound, 4) for bound in row["interval"]]
    (0.2, [0.0524, 0.3339])
    """
    from scipy.stats import fisher_exact

    (share_a, low_a, high_a), (share_b, low_b, high_b) = ((fsum(c) / len(c), *wilson(fsum(c), len(c))) for c in (a, b))
    difference = share_a - share_b
    table = [[round(fsum(credits)), len(credits) - round(fsum(credits))] for credits in (a, b)]
    return {
        "n_a": len(a),
        "n_b": len(b),
        "a": share_a,
        "b": share_b,
        "difference": difference,
        "interval": [
            difference - sqrt((share_a - low_a) ** 2 + (high_b - share_b) ** 2),
            difference + sqrt((high_a - share_a) ** 2 + (share_b - low_b) ** 2),
        ],
        "p": float(fisher_exact(table).pvalue),
        "p_holm": None,
    }
