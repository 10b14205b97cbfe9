"""``schedule_sessions`` in closed form."""

from fractions import Fraction as F

from .recipe import Recipe


def schedule_sessions(weekly: F, weeks: F, cancelled: F, length: F) -> Recipe:
    """Sessions held times their length."""
    span = {"": weeks, "left out one week": weeks - 1, "counted one week too many": weeks + 1}
    each = {
        "": weekly,
        "counted one session a week too few": weekly - 1,
        "counted one session a week too many": weekly + 1,
    }
    missed = {
        "": cancelled,
        "forgot the cancelled sessions": 0,
        "added the cancelled sessions": -cancelled,
        "took off the cancelled sessions twice": cancelled + cancelled,
    }
    minutes = {"": length, "took a session as a full hour": 60}
    return (span, each, missed, minutes), lambda w, n, off, long: (w * n - off) * long
