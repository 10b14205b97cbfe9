"""``trip_minutes`` in closed form."""

from fractions import Fraction as F

from .recipe import Recipe


def trip_minutes(distance: F, speed: F, stop: F) -> Recipe:
    """Hours at a speed in minutes, and a stop."""
    hours = {
        "": distance / speed,
        "counted one hour too few": distance / speed - 1,
        "counted one hour too many": distance / speed + 1,
    }
    hour = {"": 60, "took an hour as 100 minutes": 100, "took an hour as 50 minutes": 50}
    pause = {
        "": stop,
        "forgot the stop": 0,
        "counted the stop twice": stop + stop,
        "subtracted the stop": -stop,
    }
    return (hours, hour, pause), lambda moving, minutes, still: moving * minutes + still
