"""Which option a model takes whatever the question: the smallest, the largest, the first."""

from collections.abc import Sequence

from ..results import ItemScore
from .credit import chosen
from .inference import chi_square
from .records import Preference


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
