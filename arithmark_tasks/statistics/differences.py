"""Two scores or two sets of scores compared: tests, intervals, and the smallest difference that could have been found.

For the same items: T. Tango, Equivalence test and confidence interval for the difference in proportions for the
paired-sample design, Statistics in Medicine 17 (1998), 891-908, and R. J. Connor, Sample size for testing differences
in proportions for the paired-sample design, Biometrics 43 (1987), 207-211. For different items: R. G. Newcombe,
Interval estimation for the difference between independent proportions, Statistics in Medicine 17 (1998), 873-890.
"""

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import product
from math import fsum
from statistics import fmean, stdev
from typing import Any, NamedTuple

from ..generators.errors import InputError
from ..generators.intervals import wilson
from ..results import ItemScore
from .credit import credits_of, in_order, is_soft
from .inference import Z95, adjust, t_quantile
from .records import Paired
from .verdicts import ALPHA

# A true difference of the detectable size is found in four of five samples.
_Z80 = 0.8416212335729143
_HALVINGS = 60
Key = Callable[[ItemScore], Hashable]


class Difference(NamedTuple):
    """The test of paired differences by its name and p, the 95 % interval of their mean, and what was detectable."""

    test: str
    p: float
    interval: list[float] | None
    detectable: float | None


def hard_difference(differences: Sequence[float]) -> Difference:
    """Of right and wrong items, whose differences are -1, 0, 1, or parts of that where options tied."""
    n = len(differences)
    better, worse = (math.fsum(max(0.0, sign * difference) for difference in differences) for sign in (1, -1))
    p = mcnemar_p(better, worse)
    low, high = tango_interval(better, worse, n)
    if p >= ALPHA:
        # The score test has no continuity correction and so is bolder than McNemar's: 4 against 0 of 1,000.
        low, high = min(low, 0.0), max(high, 0.0)
    return Difference("mcnemar", p, [low, high], detectable_difference(better + worse, n))


def soft_difference(differences: Sequence[float]) -> Difference:
    """Of probabilities: the paired t test, its interval, and the mean that it finds in four of five samples."""
    n = len(differences)
    if n < 2:
        return Difference("t", 1.0, None, None)
    mean, stderr = fmean(differences), stdev(differences) / math.sqrt(n)
    if not stderr:
        return Difference("t", 1.0 if mean == 0 else 0.0, [mean, mean], None)
    from scipy.stats import t

    reach = t_quantile(n - 1) * stderr
    p = float(2 * t.sf(abs(mean) / stderr, n - 1))
    return Difference("t", p, [mean - reach, mean + reach], (Z95 + _Z80) * stderr)


def mcnemar_p(better: float, worse: float) -> float:
    """McNemar's exact two-sided p; of broken counts, the largest of the whole numbers around them.

    >>> mcnemar_p(4, 0), mcnemar_p(0, 0), mcnemar_p(5.5, 0)
    (0.125, 1.0, 0.0625)
    """
    from scipy.stats import binomtest

    whole = [{math.floor(count), math.ceil(count)} for count in (round(better, 6), round(worse, 6))]
    return max(float(binomtest(up, up + down).pvalue) if up + down else 1.0 for up, down in product(*whole))


def tango_interval(better: float, worse: float, n: int) -> tuple[float, float]:
    """Tango's 95 % score interval of the difference (better - worse) / n of two paired shares.

    It holds the differences that a score test does not refuse, so no difference of 0 is certain: 0 against 0 of 1,000
    leaves 0.4 points to either side.

    >>> [round(bound, 4) for bound in tango_interval(0, 0, 1000)]
    [-0.0038, 0.0038]
    """
    estimate = (better - worse) / n

    def too_low(delta: float) -> bool:
        return _tango_score(better, worse, n, delta) > Z95

    def too_high(delta: float) -> bool:
        return _tango_score(better, worse, n, delta) < -Z95

    return _edge(too_low, outside=-1.0, inside=estimate), _edge(too_high, outside=1.0, inside=estimate)


def _tango_score(better: float, worse: float, n: int, delta: float) -> float:
    """The score statistic of a true difference ``delta``, with the discordant share that is likeliest under it."""
    b = -better - worse + (2 * n - better + worse) * delta
    c = -worse * delta * (1 - delta)
    # The likeliest share of items that only the second got right.
    q = (math.sqrt(max(0.0, b * b - 8 * n * c)) - b) / (4 * n)
    variance = n * (2 * q + delta * (1 - delta))
    distance = better - worse - n * delta
    if variance <= 1e-12:
        return math.copysign(math.inf, distance) if abs(distance) > 1e-9 else 0.0
    return distance / math.sqrt(variance)


def _edge(refuses: Callable[[float], bool], *, outside: float, inside: float) -> float:
    """Where a range ends that holds one value and not another; the other where it holds that too."""
    if not refuses(outside):
        return outside
    for _ in range(_HALVINGS):
        middle = (outside + inside) / 2
        outside, inside = (middle, inside) if refuses(middle) else (outside, middle)
    return inside


def detectable_difference(discordant: float, n: int) -> float:
    """The smallest true difference that McNemar's test finds at 5 % in four of five samples of ``n`` items.

    ``discordant`` is how many of them went to one side only; a difference makes at least itself of them.

    >>> round(detectable_difference(300, 1000), 3), round(detectable_difference(0, 1000), 4)
    (0.048, 0.0078)
    """

    def missed(delta: float) -> bool:
        share = max(discordant / n, delta)
        return delta * math.sqrt(n) <= Z95 * math.sqrt(share) + _Z80 * math.sqrt(max(0.0, share - delta**2))

    return _edge(missed, outside=0.0, inside=1.0)


def unpaired(a: Sequence[float], b: Sequence[float]) -> dict[str, Any]:
    """The difference of two shares of different items: Newcombe's 95 % interval and Fisher's exact test.

    The interval is widened to 0 where the test does not refuse 0.

    >>> row = unpaired([1.0] * 56 + [0.0] * 14, [1.0] * 48 + [0.0] * 32)
    >>> round(row["difference"], 2), [round(bound, 4) for bound in row["interval"]]
    (0.2, [0.0524, 0.3339])
    """
    from scipy.stats import fisher_exact

    (share_a, low_a, high_a), (share_b, low_b, high_b) = (
        (math.fsum(c) / len(c), *wilson(math.fsum(c), len(c))) for c in (a, b)
    )
    difference = share_a - share_b
    table = [[round(math.fsum(credits)), len(credits) - round(math.fsum(credits))] for credits in (a, b)]
    p = float(fisher_exact(table).pvalue)
    low = difference - math.sqrt((share_a - low_a) ** 2 + (high_b - share_b) ** 2)
    high = difference + math.sqrt((high_a - share_a) ** 2 + (share_b - low_b) ** 2)
    if p >= ALPHA:
        low, high = min(low, 0.0), max(high, 0.0)
    return {
        "n_a": len(a),
        "n_b": len(b),
        "a": share_a,
        "b": share_b,
        "difference": difference,
        "interval": [low, high],
        "p": p,
        "p_holm": None,
    }


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
