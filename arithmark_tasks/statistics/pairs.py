"""Two sets of scores item by item: two models on one set, or one model on a set and on its matched control."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from math import fsum
from typing import Any

from ..generators.errors import InputError
from ..results import ItemScore
from .credit import credits_of, in_order, is_soft
from .differences import hard_difference, soft_difference
from .inference import adjust
from .records import Paired

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
    """The difference a - b on the same items.

    Right and wrong items: McNemar's exact test and Tango's score interval, which holds 0 wherever that test has
    p >= 0.05 (``differences``). Shares of ties count as parts of an item; between whole numbers the test takes the
    larger p. Mean probabilities: the paired t test and its interval.
    Use ``key=control_key`` for a set and its control. ``InputError`` when the items do not match one to one or an item
    lacks the metric.
    """
    return paired_credits(_by_key(a, metric, key), _by_key(b, metric, key), metric)


def paired_credits(left: Mapping[Any, float], right: Mapping[Any, float], metric: str) -> Paired:
    """``paired`` for the credits of items by what the two sides have in common."""
    if unmatched := sorted(map(str, left.keys() ^ right.keys())):
        raise InputError(f"not the same items: {len(unmatched)} are in one only, such as {unmatched[0]}")
    if not left:
        raise InputError("no items to compare")
    # Credits of a third differ by rounding errors between equal items.
    differences = [round(left[name] - right[name], 9) for name in left]
    n = len(differences)
    compared = soft_difference(differences) if is_soft(metric) else hard_difference(differences)
    return Paired(
        n=n,
        a=fsum(left.values()) / n,
        b=fsum(right.values()) / n,
        difference=fsum(differences) / n,
        interval=compared.interval,
        only_a=sum(difference > 0 for difference in differences),
        only_b=sum(difference < 0 for difference in differences),
        test=compared.test,
        p=compared.p,
        p_holm=None,
        detectable=compared.detectable,
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


def control_gaps(
    items: Sequence[ItemScore], control: Sequence[ItemScore], metric: str, traits: Sequence[str] = ("depth",)
) -> dict[str, Any]:
    """What the set's own wrong endings cost: the set minus its control, on the same prompts.

    ``{"all": Paired, "by": {trait: {value: Paired}}}``; the sign is the same wherever the gap is shown.
    """
    by = {trait: paired_by(items, control, metric, trait, control_key) for trait in traits}
    return {"all": paired(items, control, metric, control_key), "by": by}
