"""Two sets of scores item by item: two models on one set, or one model on a set and on its matched control."""

from collections.abc import Callable, Hashable, Sequence
from math import fsum

from ..generators.errors import InputError
from ..results import ItemScore
from .credit import credits_of
from .records import Paired

RESAMPLES = 10_000
SEED = 20261027
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


def _bootstrap(differences: Sequence[float]) -> list[float]:
    import numpy as np

    values, counts = np.unique(np.round(differences, 12), return_counts=True)
    draw, n = np.random.default_rng(SEED), len(differences)
    means = np.empty(RESAMPLES)
    # Resampling items is a multinomial draw over the values they take, of which right and wrong have but three.
    rows = max(1, 2_000_000 // len(values))
    for start in range(0, RESAMPLES, rows):
        part = means[start : start + rows]
        part[:] = draw.multinomial(n, counts / n, size=len(part)) @ values / n
    return [float(bound) for bound in np.quantile(means, (0.025, 0.975))]
