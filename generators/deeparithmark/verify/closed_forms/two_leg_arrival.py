"""``two_leg_arrival`` in closed form."""

from collections.abc import Callable
from fractions import Fraction as F

from .clock_stages import ending_stages, starting_stage
from .recipe import Recipe, used


def two_leg_arrival(route: F, hours: F, speed: F, start: F, share: F, ride: F, pace: F) -> Recipe:
    """The time for what a first leg and a lift leave of a route, and for the lift, after the start."""
    rest = route - hours * speed
    carried_part = {
        "": lambda lift: rest - lift,
        "forgot the part that was carried": lambda lift: rest,
        "took the carried part off again": lambda lift: rest - 2 * lift,
        "added the carried part": lambda lift: rest + lift,
        "went on with the part that was carried": lambda lift: lift,
    }
    base = {"": rest, "took the percentage of the whole way": route}
    lifted = used(
        ride,
        "forgot the minutes of the ride",
        "counted the minutes of the ride again",
        "took the minutes of the ride off",
    )

    def end(
        begin: F, last: Callable[[F], F], of: F, sitting: F, carried: Callable[..., F], half: Callable[..., F]
    ) -> F:
        return half(carried(begin, last(of * share / 100) * pace + sitting), begin)

    return Recipe((starting_stage(start), carried_part, base, lifted, *ending_stages()), (7, 4, 3, 6, 7, 7), end)
