"""Shares with their uncertainty."""

from math import sqrt

Z95 = 1.959963984540054


def wilson(right: float, total: int) -> tuple[float, float]:
    """The 95 % Wilson interval of a share; it stays inside [0, 1] and is not empty at 0 or 100 %.

    ``right`` may be a mean over seeds and need not be whole. ``ValueError`` for an empty sample.

    >>> [round(bound, 3) for bound in wilson(300, 300)]
    [0.987, 1.0]
    """
    if total < 1 or not 0 <= right <= total:
        raise ValueError(f"no share: {right} of {total}")
    share = right / total
    centre = (share + Z95**2 / (2 * total)) / (1 + Z95**2 / total)
    reach = Z95 / (1 + Z95**2 / total) * sqrt(share * (1 - share) / total + Z95**2 / (4 * total**2))
    return max(0.0, centre - reach), min(1.0, centre + reach)
