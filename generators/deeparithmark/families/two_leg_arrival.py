"""Depth 7: hours of a leg at a speed, a lift over a part of the rest, the last part at a pace, by the clock."""

from ...choices.item import CLOCK_UNIT
from ...choices.problem import Trace
from .clock_sums import carry_slips, end_after, start_slips
from .family import Family, Mistakes, Range, Telling, down_to, misused, whole_for

# Nothing told here takes longer, in minutes.
_LONGEST = 480
_WALK = {"hours": range(2, 5), "speed": range(12, 25), "pace": range(10, 17)}
_CAR = {"hours": range(2, 6), "speed": range(40, 91), "pace": range(3, 7)}
_BOAT = {"hours": range(2, 6), "speed": range(8, 19), "pace": range(8, 14)}
_TELLINGS = tuple(
    Telling(CLOCK_UNIT, text, values)
    for values, text in (
        (
            _WALK,
            "On a route of {route} kilometres, {name} had cycled for {hours} hours at {speed} kilometres an hour when "
            "a tyre burst at {start}. A van carried {name} over {share}% of the rest in {ride} minutes. {name} walked "
            "what was left at {pace} minutes a kilometre and arrived at",
        ),
        (
            _CAR,
            "A trip of {route} kilometres began with {hours} hours of driving at {speed} kilometres an hour, until "
            "the car broke down at {start}. A tow truck covered {share}% of the rest in {ride} minutes. A tractor "
            "then took {pace} minutes a kilometre for what was left. {name} arrived at",
        ),
        (
            _WALK,
            "{name} had a ride of {route} kilometres to make. After {hours} hours at {speed} kilometres an hour, the "
            "horse went lame at {start}. A bus then covered {share}% of the remaining way in {ride} minutes, and "
            "{name} did the last part on foot at {pace} minutes a kilometre, arriving at",
        ),
        (
            _BOAT,
            "A boat tour of {route} kilometres went well for {hours} hours at {speed} kilometres an hour. Then, at "
            "{start}, the engine failed. A tug pulled the boat over {share}% of the rest in {ride} minutes, and with "
            "oars it took {pace} minutes for each kilometre still left. The tour ended at",
        ),
        (
            _CAR,
            "Of the {route} kilometres to {place}, a coach did {hours} hours' worth at {speed} kilometres an hour and "
            "reached a landslide at {start}. A train took the passengers over {share}% of the rest in {ride} minutes, "
            "and taxis needed {pace} minutes a kilometre for what was left. They arrived at",
        ),
        (
            _WALK,
            "A relay of {route} kilometres starts with {hours} hours of cycling at {speed} kilometres an hour, done at "
            "{start}. The second member skates {share}% of the remaining way in {ride} minutes, and the last one runs "
            "what is left at {pace} minutes a kilometre. The relay ends at",
        ),
        (
            _BOAT,
            "To travel {route} kilometres along a canal, {name} paddled for {hours} hours at {speed} kilometres an "
            "hour and left the water at {start}. A motorboat then took the canoe over {share}% of the rest in {ride} "
            "minutes, and the last part took {pace} minutes a kilometre. {name} was there at",
        ),
        (
            _CAR,
            "A delivery route of {route} kilometres begins with {hours} hours on the motorway at {speed} kilometres "
            "an hour, which {name} left at {start}. The main road covers {share}% of the rest and took {ride} "
            "minutes, the lanes after that {pace} minutes for each kilometre. The route was finished at",
        ),
    )
)


def _solve(
    trace: Trace, route: int, hours: int, speed: int, start: int, share: int, ride: int, pace: int,
    times: int = 1, other_part: int = 0, of_route: int = 0, **slips: int,
) -> int:  # fmt: skip
    done = trace.multiply("first leg", hours, speed)
    rest = trace.subtract("rest of the way", route, done)
    lifted = trace.percent("carried", route if of_route else rest, share)
    last = lifted if other_part else trace.subtract("last part", rest, times * lifted)
    walking = trace.multiply("minutes for it", last, pace)
    minutes = trace.add("with the ride", walking, ride)
    return end_after(trace, "arrival", start, minutes, start, **slips)


def _mistakes(route: int, hours: int, speed: int, start: int, share: int, ride: int, pace: int) -> Mistakes:
    return {
        "carried": {
            "forgot the part that was carried": {"times": 0},
            "took the carried part off again": {"times": 2},
            "added the carried part": {"times": -1},
            "went on with the part that was carried": {"other_part": 1},
        },
        "base": {"took the percentage of the whole way": {"of_route": 1}},
        "ride": misused("ride", ride, "forgot the minutes of the ride", "counted the minutes of the ride again",
                        "took the minutes of the ride off"),
        "start": start_slips(start),
        **carry_slips(ride),
    }  # fmt: skip


FAMILY = Family(
    template="two_leg_arrival",
    topic="journeys",
    depth=7,
    share=83,
    ranges={
        "route": Range(range(30, 520), "what is done in a day"),
        "hours": Range(range(2, 6), "until something happens"),
        "speed": Range(range(8, 91), "what such a vehicle goes"),
        "start": Range(range(420, 1321, 5), "by day, noted to five minutes"),
        "share": Range((20, 25, 30, 40, 60, 70, 75, 80), "the greater or the smaller part of the rest"),
        "ride": Range(range(15, 76), "the time of the lift"),
        "pace": Range(range(3, 17), "minutes for a kilometre: on foot, by oar, by tractor"),
    },
    tellings=_TELLINGS,
    solve=_solve,
    mistakes=_mistakes,
    bounds=lambda route, hours, speed, start, share, ride, pace: (
        start + ride,
        start + ride + (route - hours * speed) * pace,
    ),
    contrived=frozenset(
        (
            "took the carried part off again",
            "counted the minutes of the ride again",
            "carried an hour too many",
        )
    ),
    fitted=lambda route, hours, speed, start, share, ride, pace: {
        "route": hours * speed + down_to(route % 60 + 6, whole_for(share))
    },
    sensible=lambda route, hours, speed, start, share, ride, pace: (
        30 <= (route - hours * speed) * (100 - share) // 100 * pace <= _LONGEST - 2 * ride - 60
        and (route - hours * speed) * share * pace >= 60 * ride
    ),
)
