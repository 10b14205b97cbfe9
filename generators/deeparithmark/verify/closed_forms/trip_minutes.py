"""``trip_minutes`` in closed form."""

from fractions import Fraction as F

from .recipe import Recipe, used


def trip_minutes(distance: F, speed: F, stop: F) -> Recipe:
    """Hours at a speed in minutes, and a stop."""
    # How long the way takes, by the minutes that an hour is taken to have.
    moving = {
        "": lambda hour: distance / speed * hour,
        "counted one hour too few": lambda hour: (distance / speed - 1) * hour,
        "counted one hour too many": lambda hour: (distance / speed + 1) * hour,
        "took a kilometre a minute": lambda hour: distance,
    }
    hour = {"": 60, "took an hour as 100 minutes": 100}
    still = used(
        stop,
        "forgot the time standing still",
        "added the time standing still again",
        "took the time standing still off",
    )
    return Recipe((moving, hour, still), (1, 2, 3), lambda way, minutes, pause: way(minutes) + pause)
