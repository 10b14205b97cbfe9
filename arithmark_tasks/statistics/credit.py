"""What an item earns: the credit of each option by each metric."""

import math
from collections.abc import Iterable, Sequence

from ..metrics import per_unit, share_of_best, softmax_probability
from ..results import ItemScore

# Metrics of items with options, by what log-likelihoods are divided by.
METRICS = ("acc", "acc_norm", "acc_norm_tok", "soft", "soft_tok")
_PER = {"acc": None, "acc_norm": "characters", "acc_norm_tok": "tokens", "soft": "characters", "soft_tok": "tokens"}
_HEADLINES = {"target": "acc", "generated": "exact_match"}


def is_soft(metric: str) -> bool:
    """Whether a metric is a probability rather than a share of right items."""
    return metric.startswith("soft")


def kind_of(item: ItemScore) -> str:
    """``"choice"`` for an item with options, ``"target"`` for one with a single target, else ``"generated"``."""
    options = len(item.loglikelihoods)
    return "choice" if options > 1 else "target" if options else "generated"


def headline(items: Sequence[ItemScore]) -> str:
    """The metric on which the trend, template, preference and mistake statistics of a group are made.

    For items with options it is ``acc_norm_tok``, the published protocol, or ``acc_norm`` where token counts are not
    known.
    """
    kind = kind_of(items[0])
    if kind == "choice":
        return "acc_norm_tok" if all(item.tokens for item in items) else "acc_norm"
    return _HEADLINES[kind]


def in_order(values: Iterable[str | int]) -> list[str | int]:
    """Values of a trait in the order of tables: numbers by size, then names by the alphabet.

    >>> in_order(["trip", 10, 9, "mix"])
    [9, 10, 'mix', 'trip']
    """
    return sorted(
        values, key=lambda value: (isinstance(value, str), value if isinstance(value, int) else 0, str(value))
    )


def chosen(item: ItemScore, metric: str) -> tuple[float, ...]:
    """The credit of every option; it sums to 1.

    For ``acc``, ``acc_norm`` and ``acc_norm_tok`` the best option takes all and ties share; for ``soft`` and
    ``soft_tok`` it is the softmax of the log-likelihoods per character or token. ``ValueError`` when the item lacks
    what the metric needs.

    >>> item = ItemScore("t", "g", "1", {}, {}, gold=1, loglikelihoods=(-4.0, -6.0, -6.0), characters=(2, 3, 4))
    >>> chosen(item, "acc"), chosen(item, "acc_norm")
    ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0))
    """
    if metric not in _PER:
        raise ValueError(f"unknown metric of options: {metric!r}")
    if not item.loglikelihoods:
        raise ValueError(f"item {item.id} of {item.task} has no options")
    scores: Sequence[float] = item.loglikelihoods
    if unit := _PER[metric]:
        lengths = getattr(item, unit)
        if not lengths:
            raise ValueError(f"item {item.id} of {item.task} has no lengths in {unit}")
        scores = per_unit(scores, lengths)
    credit = softmax_probability if is_soft(metric) else share_of_best
    return tuple(credit(scores, option) for option in range(len(scores)))


def credits_of(item: ItemScore) -> dict[str, float]:
    """What the item earns by every metric that applies to it.

    Items with options are scored anew from their log-likelihoods, those with one target from its log-likelihood;
    generated answers keep their task's metrics, as far as these are shares.
    """
    kind = kind_of(item)
    if kind == "generated":
        return {name: float(value) for name, value in item.metrics.items() if 0 <= value <= 1}
    if kind == "target":
        greedy = bool(item.greedy and item.greedy[0])
        return {"acc": float(greedy), "soft": math.exp(item.loglikelihoods[0])}
    gold = item.gold or 0
    return {metric: chosen(item, metric)[gold] for metric, unit in _PER.items() if unit is None or getattr(item, unit)}
