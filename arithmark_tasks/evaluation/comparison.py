"""The default set against its matched control and against ArithMark 3.0, on one model."""

from collections.abc import Sequence
from math import fsum, sqrt
from typing import Any

from ..generators.intervals import wilson
from ..results import ItemScore
from ..statistics import control_key, credits_of, headline, holm, paired, paired_by

DEEP, CONTROL, ARITHMARK3 = "deeparithmark", "deeparithmark_control", "arithmark3"
METRIC = headline("choice")
TRAITS = ("depth", "template")


def compare(items: Sequence[ItemScore]) -> dict[str, Any] | None:
    """``{"metric", "control", "arithmark3"}``: the difference to each set that was scored; None without any.

    Each holds the difference over all items (``all``) and ``by`` depth and template. The control has the same prompts
    and answers, so it is compared item by item (``statistics.paired``). ArithMark 3.0 has other items: each part of the
    default set is compared with all of it.
    """
    groups: dict[str, list[ItemScore]] = {name: [] for name in (DEEP, CONTROL, ARITHMARK3)}
    for item in items:
        if item.group in groups:
            groups[item.group].append(item)
    deep, control, other = groups.values()
    if not deep or not (control or other):
        return None
    return {
        "metric": METRIC,
        "control": _against_control(deep, control) if control else None,
        "arithmark3": _against_other(deep, other) if other else None,
    }


def _against_control(deep: Sequence[ItemScore], control: Sequence[ItemScore]) -> dict[str, Any]:
    by = {trait: paired_by(deep, control, METRIC, trait, control_key) for trait in TRAITS}
    return {"all": paired(deep, control, METRIC, control_key), "by": by}


def _against_other(deep: Sequence[ItemScore], other: Sequence[ItemScore]) -> dict[str, Any]:
    right = _credits(other)
    by: dict[str, dict[str, dict[str, Any]]] = {}
    for trait in TRAITS:
        values = sorted({item.traits[trait] for item in deep}, key=lambda value: (str(type(value)), value))
        parts = {str(value): [item for item in deep if item.traits[trait] == value] for value in values}
        rows = {value: unpaired(_credits(part), right) for value, part in parts.items()}
        for row, adjusted in zip(rows.values(), holm([row["p"] for row in rows.values()]), strict=True):
            row["p_holm"] = adjusted
        by[trait] = rows
    return {"all": unpaired(_credits(deep), right), "by": by}


def _credits(items: Sequence[ItemScore]) -> list[float]:
    return [credits_of(item)[METRIC] for item in items]


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
