"""``run_end_time`` in closed form."""

from collections.abc import Callable
from fractions import Fraction as F

from .clock_stages import ending_stages, starting_stage
from .recipe import Recipe, used


def run_end_time(start: F, lots: F, size: F, again: F, speed: F, pause: F) -> Recipe:
    """Pieces with a percentage more at a speed, and a pause, after the start."""
    repeats = used(again / 100, "forgot the repeats", "counted the repeats again", "took the repeats off")
    still = used(pause, "forgot the pause", "counted the pause again", "took the pause off")

    def end(begin: F, more: F, idle: F, carried: Callable[..., F], half: Callable[..., F]) -> F:
        return half(carried(begin, lots * size * (1 + more) / speed + idle), begin)

    return Recipe((starting_stage(start), repeats, still, *ending_stages()), (6, 3, 5, 6, 6), end)
