"""Two sets of scores item by item: two models on one set, or one model on a set and on its matched control."""

from collections.abc import Callable, Hashable, Sequence
from math import fsum

from ..generators.errors import InputError
from ..results import ItemScore
from .credit import credits_of, in_order
from .inference import adjust
from .records import Paired

RESAMPLES = 10_000
SEED = 20261027
# Resamples at a time: 16,000 items take 30 MB.
_ROWS = 250
Key = Callable[[ItemScore], Hashable]


def item_key(item: ItemScore) -> Hashable:
    """What two models' scores of one item share: its task and id."""
    return item.task, item.id


def control_key(item: ItemScore) -> Hashable:
    """What an item and its matched control share: the id, which in the control says so.

    >>> ids = ("deeparithmark_v1_mixtures_depth4_0003", "deeparithmark_control_v1_mixtures_depth4_0003")
    >>> len({control_key(ItemScore("t", "g", name, {}, {})) for name in ids})
    1
    """
    return item.id.replace("_control_", "_", 1)


def paired(a: Sequence[ItemScore], b: Sequence[ItemScore], metric: str, key: Key = item_key) -> Paired:
    """The difference a - b on the same items, by McNemar's exact test and a seeded percentile bootstrap over items.

    Ties count as a difference in credit like any other, so McNemar is the sign test of who did better on an item.
    Use ``key=control_key`` for a set and its control. ``InputError`` when the items do not match one to one or an item
    lacks the metric.
    """
    left, right = _by_key(a, metric, key), _by_key(b, metric, key)
    if unmatched := sorted(map(str, left.keys() ^ right.keys())):
        raise InputError(f"not the same items: {len(unmatched)} are in one only, such as {unmatched[0]}")
    if not left:
        raise InputError("no items to compare")
    differences = [left[name] - right[name] for name in left]
    # Credits of a third differ by rounding errors between equal items.
    only_a, only_b = (sum(sign * difference > 1e-9 for difference in differences) for sign in (1, -1))
    from scipy.stats import binomtest

    n, discordant = len(differences), only_a + only_b
    return Paired(
        n=n,
        a=fsum(left.values()) / n,
        b=fsum(right.values()) / n,
        difference=fsum(differences) / n,
        interval=_bootstrap(differences) if n > 1 else None,
        only_a=only_a,
        only_b=only_b,
        p=float(binomtest(only_a, discordant).pvalue) if discordant else 1.0,
        p_holm=None,
    )


def _by_key(items: Sequence[ItemScore], metric: str, key: Key) -> dict[Hashable, float]:
    scores: dict[Hashable, float] = {}
    for item in items:
        name, credit = key(item), credits_of(item)
        if metric not in credit:
            raise InputError(f"item {item.id} of {item.task} has no {metric}: {', '.join(credit)}")
        if name in scores:
            raise InputError(f"item {item.id} of {item.task} is there twice")
        scores[name] = credit[metric]
    return scores


def paired_by(
    a: Sequence[ItemScore], b: Sequence[ItemScore], metric: str, trait: str, key: Key = item_key
) -> dict[str, Paired]:
    """``paired`` for every value of a trait, by the value as text; ``p_holm`` adjusts for the other values."""
    parts: dict[str | int, tuple[list[ItemScore], list[ItemScore]]] = {}
    for side, items in enumerate((a, b)):
        for item in items:
            if trait in item.traits:
                parts.setdefault(item.traits[trait], ([], []))[side].append(item)
    compared = {str(value): paired(*parts[value], metric, key) for value in in_order(parts)}
    adjust(list(compared.values()))
    return compared


def _bootstrap(differences: Sequence[float]) -> list[float]:
    import numpy as np

    values, draw = np.sort(differences), np.random.default_rng(SEED)
    n, means = len(differences), []
    for start in range(0, RESAMPLES, _ROWS):
        rows = min(_ROWS, RESAMPLES - start)
        means.append(values[draw.integers(0, n, (rows, n))].mean(axis=1))
    return [float(bound) for bound in np.quantile(np.concatenate(means), (0.025, 0.975))]
