"""``run_end_time`` in closed form."""

from fractions import Fraction as F

from .clock_stages import carrying, end_of_day, half_of_day
from .recipe import Recipe, counted


def run_end_time(start: F, lots: F, size: F, again: F, speed: F, pause: F) -> Recipe:
    """Pieces with a percentage more at a speed, and a pause, after the start."""
    repeats = {
        "": 100 + again,
        "forgot the repeats": 100,
        "counted the repeats twice": 100 + again + again,
        "subtracted the repeats": 100 - again,
    }
    still = {
        "": pause,
        "forgot the pause": 0,
        "counted the pause twice": pause + pause,
        "subtracted the pause": -pause,
    }
    end = end_of_day(start, lambda count, percent, idle: count * size * percent / 100 / speed + idle)
    return (counted(lots, "counted one lot"), repeats, still, carrying(start), half_of_day(start)), end
