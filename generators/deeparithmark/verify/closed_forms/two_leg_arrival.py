"""``two_leg_arrival`` in closed form."""

from fractions import Fraction as F

from .clock_stages import carrying, end_of_day, half_of_day
from .recipe import Recipe


def two_leg_arrival(start: F, first: F, speed: F, stop: F, second: F, next_speed: F) -> Recipe:
    """The times of two legs and a stop after the start."""
    # The hours of both legs.
    legs = {
        "": first / speed + second / next_speed,
        "left out the first leg": second / next_speed,
        "left out the next leg": first / speed,
        "kept the first speed": (first + second) / speed,
        "used the next speed from the start": (first + second) / next_speed,
        "swapped the speeds": first / next_speed + second / speed,
    }
    hours = {"": 60, "took an hour as 100 minutes": 100}
    rest = {"": stop, "forgot the stop": 0, "counted the stop twice": stop + stop, "subtracted the stop": -stop}
    end = end_of_day(start, lambda moving, hour, idle: moving * hour + idle)
    return (legs, hours, rest, carrying(start), half_of_day(start)), end
