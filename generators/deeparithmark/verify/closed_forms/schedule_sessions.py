"""``schedule_sessions`` in closed form."""

from collections.abc import Callable
from fractions import Fraction as F

from .recipe import Recipe


def schedule_sessions(weekly: F, weeks: F, cancelled: F, length: F) -> Recipe:
    """Sessions held times their length."""
    span = {"": weeks, "counted one week too few": weeks - 1, "counted one week too many": weeks + 1}
    each = {"": weekly, "counted one a week": F(1)}
    # The sessions taken off, by the weeks that are counted, and the minutes taken off.
    missed = {
        "": lambda count: (cancelled, 0),
        "forgot those cancelled": lambda count: (0, 0),
        "took off those cancelled again": lambda count: (2 * cancelled, 0),
        "added those cancelled": lambda count: (-cancelled, 0),
        "took those cancelled off every week": lambda count: (count * cancelled, 0),
        "took whole weeks off for those cancelled": lambda count: (weekly * cancelled, 0),
        "took those cancelled off the minutes": lambda count: (0, cancelled),
    }
    minutes = {"": length, "took each one as a full hour": F(60)}

    def total(count: F, times: F, off: Callable[[F], tuple[F, F]], long: F) -> F:
        return (count * times - off(count)[0]) * long - off(count)[1]

    return Recipe((span, each, missed, minutes), (1, 1, 2, 3), total)
