"""The uncertainty of a share."""

from math import sqrt

_Z95 = 1.959963984540054


def wilson(right: float, total: int) -> tuple[float, float]:
    """The 95 % Wilson interval of a share; it stays inside [0, 1] and is not empty at 0 or 100 %.

    ``right`` need not be whole: it may be a mean over seeds, or a sum of credits that ties share; for that the interval
    is wider than needed, never narrower. ``ValueError`` for an empty sample.

    >>> [round(bound, 3) for bound in wilson(300, 300)]
    [0.987, 1.0]
    """
    if total < 1 or not 0 <= right <= total:
        raise ValueError(f"no share: {right} of {total}")
    share = right / total
    centre = (share + _Z95**2 / (2 * total)) / (1 + _Z95**2 / total)
    reach = _Z95 / (1 + _Z95**2 / total) * sqrt(share * (1 - share) / total + _Z95**2 / (4 * total**2))
    return max(0.0, centre - reach), min(1.0, centre + reach)
