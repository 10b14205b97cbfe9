"""The end of a story by the clock: a stretch added to a starting time, and how that goes wrong."""

from ...choices.clock import DAY, HALF_DAY
from ...choices.problem import Changes, Trace, UnusableError

# Slips of the addition and of its result, by stage; `end_after` takes them.
CARRY_SLIPS: dict[str, Changes] = {
    "lost an hour in carrying": {"carry": -60},
    "carried an hour too many": {"carry": 60},
    "carried at 100 minutes instead of 60": {"hundred": 1},
}
HALF_SLIPS: dict[str, Changes] = {"kept the half of the day of the start": {"same_half": 1}}


def end_after(
    trace: Trace, label: str, start: int, minutes: int, carry: int = 0, hundred: int = 0, same_half: int = 0
) -> int:
    """The time ``minutes`` after ``start`` as one step, with at most one slip of each kind."""
    end = trace.shift(label, start, minutes + carry)
    if hundred:
        end = carried_at_100(start, minutes)
    return end % HALF_DAY + start // HALF_DAY * HALF_DAY if same_half else end


def carried_at_100(start: int, minutes: int) -> int:
    """Add to the digits of a clock time as if an hour had 100 minutes; ``UnusableError`` where that is no clock time.

    >>> carried_at_100(3 * 60 + 50, 75) == 4 * 60 + 25
    True
    """
    hour, minute = divmod(start // 60 * 100 + start % 60 + minutes, 100)
    if minute >= 60:
        raise UnusableError(f"{minute} minutes past the hour is no clock time")
    return (60 * hour + minute) % DAY
