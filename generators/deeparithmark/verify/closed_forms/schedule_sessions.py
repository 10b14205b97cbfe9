"""``schedule_sessions`` in closed form."""

from collections.abc import Callable
from fractions import Fraction as F

from .recipe import Recipe


def schedule_sessions(weekly: F, weeks: F, cancelled: F, length: F) -> Recipe:
    """Sessions held times their length."""
    span = {"": weeks, "counted one week too few": weeks - 1, "counted one week too many": weeks + 1}
    each = {"": weekly, "counted one a week": F(1)}
    # The sessions taken off by the weeks that are counted, how long one planned is and one that is taken off; None
    # stands for the length that the last stage gives.
    missed = {
        "": lambda count: (cancelled, None, None),
        "forgot those cancelled": lambda count: (0, None, None),
        "took off those cancelled again": lambda count: (2 * cancelled, None, None),
        "added those cancelled": lambda count: (-cancelled, None, None),
        "took those cancelled off every week": lambda count: (count * cancelled, None, None),
        "took whole weeks off for those cancelled": lambda count: (weekly * cancelled, None, None),
        "took those cancelled off the minutes": lambda count: (cancelled, length, F(1)),
        "took a full hour off for each one cancelled": lambda count: (cancelled, length, F(60)),
        "took each one planned as a full hour": lambda count: (cancelled, F(60), length),
        "took off a single one": lambda count: (F(1), None, None),
    }
    minutes = {"": length, "took each one as a full hour": F(60)}

    def total(count: F, times: F, off: Callable[[F], tuple[F, F | None, F | None]], long: F) -> F:
        gone, planned, lost = off(count)
        return count * times * (long if planned is None else planned) - gone * (long if lost is None else lost)

    return Recipe((span, each, missed, minutes), (1, 1, 2, 3), total)
