"""Minutes added to a clock time as the last step of a story, and how that goes wrong."""

from ...choices.problem import Changes, Trace, UnusableError
from ...choices.quantities import DAY, HALF_DAY


def end_after(
    trace: Trace,
    label: str,
    start: int,
    minutes: int,
    morning: int,
    carry: int = 0,
    hundred: int = 0,
    same_half: int = 0,
) -> int:
    """The time ``minutes`` after ``start`` as one step, with at most one slip of each kind.

    ``morning`` is a time of the half of the day that ``same_half`` keeps.
    """
    if carry and not carries(start, minutes):
        raise UnusableError(f"nothing carries when {minutes} minutes are added to {start}")
    if hundred:
        minutes = carried_at_100(start, minutes) - start
    minutes += carry
    if same_half:
        end = (start + minutes) % HALF_DAY + morning % DAY // HALF_DAY * HALF_DAY
        minutes = (end - start) % DAY
    return trace.shift(label, start, minutes)


def carries(start: int, minutes: int) -> bool:
    """Whether the minutes carry into the hours (or borrow from them, when negative).

    >>> carries(9 * 60 + 50, 75), carries(9 * 60 + 10, 75), carries(9 * 60 + 10, -75)
    (True, False, True)
    """
    return start % 60 + minutes % 60 >= 60 if minutes > 0 else start % 60 < -minutes % 60


def start_slips(start: int) -> dict[str, Changes]:
    """The start taken at a full hour: its minutes forgotten, or rounded up."""
    hour = start // 60 * 60
    return {
        "forgot the minutes past the hour of the start": {"start": hour},
        "rounded the start up to the full hour": {"start": hour + 60},
    }


def carry_slips(minutes: int) -> dict[str, dict[str, Changes]]:
    """The slips that can be made when ``minutes`` are added at the end of a story, by stage."""
    hour = -60 if minutes < 0 else 60
    carry: dict[str, Changes] = {
        "forgot the hour to carry": {"carry": -hour},
        "carried an hour too many": {"carry": hour},
    }
    if minutes > 0:
        carry["carried at 100 minutes instead of 60"] = {"hundred": 1}
    return {"carry": carry, "half of the day": {"kept the half of the day of the start": {"same_half": 1}}}


def carried_at_100(start: int, minutes: int) -> int:
    """Add to the digits of a clock time as if an hour had 100 minutes; ``UnusableError`` where that is no clock time.

    >>> carried_at_100(3 * 60 + 50, 75) == 4 * 60 + 25
    True
    """
    hour, minute = divmod(start // 60 * 100 + start % 60 + minutes, 100)
    if minute >= 60:
        raise UnusableError(f"{minute} minutes past the hour is no clock time")
    return 60 * hour + minute
