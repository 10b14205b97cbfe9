"""``trip_minutes`` in closed form."""

from fractions import Fraction as F

from .recipe import Recipe


def trip_minutes(distance: F, speed: F, stop: F) -> Recipe:
    """Hours at a speed in minutes, and a stop."""
    # The kilometres that give the hours on the move, and the minutes where no hours are counted: then the way is one
    # stretch to stop in.
    moving = {
        "": (distance, None),
        "counted one hour too few": (distance - speed, None),
        "counted one hour too many": (distance + speed, None),
        "took a kilometre a minute": (speed, distance),
    }
    hour = {"": 60, "took an hour as 100 minutes": 100}
    # The time standing still, and what is added for each further hour on the move.
    still = {
        "": (stop, 0),
        "forgot the time standing still": (0, 0),
        "added the time standing still again": (2 * stop, 0),
        "took the time standing still off": (-stop, 0),
        "counted a full hour of standing still": (60, 0),
        "added the time standing still for every hour": (stop, stop),
    }

    def lasted(way: tuple[F, F | None], minutes: F, pause: tuple[F, F]) -> F:
        hours = way[0] / speed
        return (hours * minutes if way[1] is None else way[1]) + pause[0] + (hours - 1) * pause[1]

    return Recipe((moving, hour, still), (1, 2, 3), lasted)
