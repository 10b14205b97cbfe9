"""How a solver goes wrong when minutes are added to a clock time, for every story that ends by the clock."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from ....choices.claims import RecomputeError
from .recipe import Stage

DAY, HALF = 1440, 720


def starting_stage(start: Fraction) -> Stage:
    """The start, or the full hour that it is taken for."""
    past = start % 60
    return {
        "": start,
        "forgot the minutes past the hour of the start": start - past,
        "rounded the start up to the full hour": start - past + 60,
    }


def ending_stages(back: bool = False) -> tuple[Stage, Stage]:
    """What the sum of a start and the minutes after it becomes, and then its half of the day.

    Each is a function of the start of the last stretch, its minutes, and the time that gives the half of the day;
    ``back`` says that the last stretch goes back.
    """
    hour = -60 if back else 60
    carried: dict[str, Callable[..., Any]] = {
        "": lambda start, minutes: start + minutes,
        "forgot the hour to carry": lambda start, minutes: start + minutes - hour * _carry(start, minutes),
        "carried an hour too many": lambda start, minutes: start + minutes + hour * _carry(start, minutes),
        "carried at 100 minutes instead of 60": _hundred,
    }
    half: dict[str, Callable[..., Any]] = {
        "": lambda end, morning: end % DAY,
        "kept the half of the day of the start": lambda end, morning: end % HALF + morning % DAY // HALF * HALF,
    }
    return carried, half


def _carry(start: Fraction | int, minutes: Fraction | int) -> int:
    """1 where the minutes past the hour go over it, in either direction; there is no slip where they do not."""
    past = start % 60 + (minutes % 60 if minutes > 0 else -(-minutes % 60))
    if 0 <= past < 60:
        raise RecomputeError(f"{minutes} minutes after {start}, nothing carries")
    return 1


def _hundred(start: Fraction | int, minutes: Fraction | int) -> Fraction | int:
    """Add minutes to the digits of a clock time as if an hour had 100 of them."""
    hour, minute = divmod(start // 60 * 100 + start % 60 + minutes, 100)
    if minute >= 60:
        raise RecomputeError(f"carrying at 100 leaves {minute} minutes, which is no clock time")
    return hour * 60 + minute
