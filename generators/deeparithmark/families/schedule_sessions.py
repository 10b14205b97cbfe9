"""Depth 3, sessions a week, some of them cancelled, in minutes."""

from ...choices.problem import Problem, Trace
from ...streams import Stream
from .words import Wordings, fill

_SESSION_WORDINGS = (
    (
        "minutes",
        "A choir in {place} plans {weekly} rehearsals a week for {weeks} weeks, but {cancelled} are called off. Each "
        "rehearsal lasts {length} minutes. The total rehearsal time is",
    ),
    (
        "minutes",
        "{name} booked {weekly} language lessons a week for {weeks} weeks and missed {cancelled} of them. Each "
        "lesson takes {length} minutes. The time that {name} spent in lessons was",
    ),
    (
        "minutes",
        "A dance class has {weekly} meetings a week. Over {weeks} weeks, {cancelled} meetings fell through, and "
        "every other one ran for {length} minutes. The class danced for",
    ),
    (
        "minutes",
        "{name} teaches {weekly} sessions a week for {weeks} weeks, except for {cancelled} that fall on holidays. At "
        "{length} minutes a session, {name} teaches for",
    ),
)


def _sessions(trace: Trace, weekly: int, weeks: int, cancelled: int, length: int) -> int:
    planned = trace.multiply("planned", weekly, weeks)
    held = trace.subtract("held", planned, cancelled)
    return trace.multiply("total minutes", held, length)


def schedule_sessions(draw: Stream, wordings: Wordings = _SESSION_WORDINGS, times: tuple[int, int] = (2, 5)) -> Problem:
    """Sessions a week over some weeks, some cancelled, each of one length."""
    weekly, weeks = draw.integer(*times), draw.integer(4, 16)
    cancelled, length = draw.integer(2, min(8, weekly * weeks // 3)), draw.integer(20, 95)
    unit, prompt = fill(draw, wordings, weekly=weekly, weeks=weeks, cancelled=cancelled, length=length)
    return Problem(
        prompt=prompt,
        unit=unit,
        operands={"weekly": weekly, "weeks": weeks, "cancelled": cancelled, "length": length},
        solve=_sessions,
        bounds=(length, weekly * weeks * length),
        mistakes={
            "weeks": {
                "left out one week": {"weeks": weeks - 1},
                "counted one week too many": {"weeks": weeks + 1},
            },
            "each week": {
                "counted one session a week too few": {"weekly": weekly - 1},
                "counted one session a week too many": {"weekly": weekly + 1},
            },
            "cancellations": {
                "forgot the cancelled sessions": {"cancelled": 0},
                "added the cancelled sessions": {"cancelled": -cancelled},
                "took off the cancelled sessions twice": {"cancelled": 2 * cancelled},
            },
            "length": {"took a session as a full hour": {"length": 60}},
        },
    )
