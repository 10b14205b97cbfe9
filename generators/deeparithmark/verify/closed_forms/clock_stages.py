"""How a solver goes wrong when minutes are added to a clock time, for every story that ends by the clock."""

from collections.abc import Callable
from fractions import Fraction

from ....choices.reread import RecomputeError
from .recipe import Stage

DAY, HALF = 1440, 720


def carrying(start: Fraction | int) -> Stage:
    """What the sum of ``start`` and the minutes that follow becomes."""
    return {
        "": lambda total: total,
        "lost an hour in carrying": lambda total: total - 60,
        "carried an hour too many": lambda total: total + 60,
        "carried at 100 minutes instead of 60": lambda total: _hundred(start, total - start),
    }


def half_of_day(start: Fraction | int) -> Stage:
    """What the half of the day of the sum becomes."""
    return {
        "": lambda total: total,
        "kept the half of the day of the start": lambda total: total % HALF + start // HALF * HALF,
    }


def _hundred(start: Fraction | int, minutes: Fraction | int) -> Fraction | int:
    """Add minutes to the digits of a clock time as if an hour had 100 of them."""
    hour, minute = divmod(start // 60 * 100 + start % 60 + minutes, 100)
    if minute >= 60:
        raise RecomputeError(f"carrying at 100 leaves {minute} minutes, which is no clock time")
    return hour * 60 + minute


def end_of_day(start: Fraction, minutes: Callable[..., Fraction]) -> Callable[..., Fraction]:
    """The time of day after the minutes that the stages but the last two give."""

    def end(*stages: Fraction | Callable[[Fraction], Fraction]) -> Fraction:
        *quantities, carried, kept = stages
        return kept(carried(start + minutes(*quantities))) % DAY  # type: ignore[operator]

    return end
