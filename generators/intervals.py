"""The uncertainty of a share."""

from math import sqrt

Z95, Z999 = 1.959963984540054, 3.2905267314918945


def wilson(right: float, total: int, z: float = Z95) -> tuple[float, float]:
    """The 95 % Wilson interval of a share, or that of another ``z``; it stays inside [0, 1] and is never empty.

    ``right`` need not be whole: it may be a mean over seeds, or a sum of credits that ties share; for that the interval
    is wider than needed, never narrower. ``ValueError`` for an empty sample.

    >>> [round(bound, 3) for bound in wilson(300, 300)]
    [0.987, 1.0]
    """
    if total < 1 or not 0 <= right <= total:
        raise ValueError(f"no share: {right} of {total}")
    share = right / total
    centre = (share + z**2 / (2 * total)) / (1 + z**2 / total)
    reach = z / (1 + z**2 / total) * sqrt(share * (1 - share) / total + z**2 / (4 * total**2))
    return max(0.0, centre - reach), min(1.0, centre + reach)
