"""Depth 2: two stretches of minutes from a clock time, across noon and midnight where the story allows."""

from ...choices.item import CLOCK_UNIT
from ...choices.problem import Changes, Trace
from .clock_sums import carry_slips, end_after, start_slips
from .family import Family, Mistakes, Range, Telling

# Nothing told here takes longer, in minutes.
_LONGEST = 480


def _told(starts: tuple[int, int], first: range, second: range, text: str, *back: str) -> Telling:
    values = {"start": range(*starts, 5), "first": first, "second": second}
    return Telling(CLOCK_UNIT, text, values, dict.fromkeys(back, -1))


# As many tellings lead on from the start as back from it, with either stretch: else the sum would be the answer.
_TELLINGS = (
    _told(
        (630, 1371), range(5, 46), range(84, 166),
        "A film in {place} was due to start at {start} but began {first} minutes late. It ran for {second} minutes "
        "without a break. The film ended at",
    ),
    _told(
        (330, 1401), range(35, 191), range(6, 31),
        "At {start}, {name} boarded a train. The ride to {place} took {first} minutes, and the walk to the hotel "
        "another {second} minutes. {name} reached the hotel at",
    ),
    _told(
        (510, 841), range(45, 121), range(35, 96),
        "A mock exam in {place} began at {start} with part one, which lasted {first} minutes. Part two followed at "
        "once and took {second} minutes. The exam finished at",
    ),
    _told(
        (600, 1391), range(5, 31), range(50, 161),
        "A concert in {place} was planned for {start} but began {first} minutes early. It lasted {second} minutes. "
        "The concert ended at",
        "first",
    ),
    _told(
        (420, 1291), range(5, 31), range(45, 151),
        "{name}'s watch showed {start}, but it runs {first} minutes fast. At that moment a play began, and it lasted "
        "{second} minutes. By the correct time, the play ended at",
        "first",
    ),
    _told(
        (480, 1321), range(15, 76), range(60, 181),
        "A shop in {place} was to open at {start}, but {name} opened {first} minutes early. It stayed open for "
        "{second} minutes and then closed. The shop closed at",
        "first",
    ),
    _told(
        (345, 1411), range(80, 211), range(5, 46),
        "{name} set off from {place} at {start} on a ride that should take {first} minutes, but arrived {second} "
        "minutes early. {name} arrived at",
        "second",
    ),
    _told(
        (1080, 1426), range(95, 231), range(5, 46),
        "An evening flight took off at {start} with {first} minutes of flying planned. A tailwind saved {second} "
        "minutes. By the clock at the departure airport, it landed at",
        "second",
    ),
    _told(
        (400, 1181), range(50, 136), range(5, 36),
        "At {start}, {name} put a roast in the oven for {first} minutes but took it out {second} minutes before the "
        "time was up. The roast came out at",
        "second",
    ),
    _told(
        (420, 1351), range(20, 91), range(10, 61),
        "{name}'s train left {place} at {start}. {name} had come to the station {first} minutes before that, after a "
        "ride of {second} minutes from home. {name} had left home at",
        "first", "second",
    ),
    _told(
        (660, 1381), range(84, 166), range(8, 31),
        "A film in {place} ended at {start}. It had run for {first} minutes, and trailers had filled the {second} "
        "minutes before it. The trailers had begun at",
        "first", "second",
    ),
    _told(
        (690, 1321), range(45, 151), range(15, 61),
        "Guests come at {start}. By then a stew has to simmer for {first} minutes, and preparing it takes {second} "
        "minutes before that. At the latest, {name} begins to prepare it at",
        "first", "second",
    ),
)  # fmt: skip
_TRAINING = (
    _told(
        (330, 1401), range(231, 401), range(5, 51),
        "At {start}, a <snowplough|caravan|tram> rolled out of {place}. It crept along for {first} minutes and was "
        "then stuck {second} minutes in mud. It got loose at",
    ),
    _told(
        (420, 1381), range(6, 41), range(231, 381),
        "An operation in {place} was put down for {start} but was put off by {first} minutes. Then the surgeon "
        "operated for {second} minutes. The patient was wheeled away at",
    ),
    _told(
        (300, 1401), range(240, 411), range(5, 41),
        "At {start}, a <balloon|glider> rose from a meadow outside {place} on a voyage of {first} minutes, but touched "
        "down {second} minutes early. Touchdown was at",
        "second",
    ),
    _told(
        (400, 1381), range(4, 26), range(231, 391),
        "A <marathon|regatta> in {place}, meant for {start}, got under way {first} minutes early. Slowest was "
        "{name}, who needed {second} minutes and came in at",
        "first",
    ),
)  # fmt: skip


def _solve(trace: Trace, start: int, first: int, second: int, **slips: int) -> int:
    middle = trace.shift("after the first stretch", start, first)
    return end_after(trace, "after the second stretch", middle, second, start, **slips)


def _stretch(name: str, minutes: int) -> dict[str, Changes]:
    wrong_way = "took off" if minutes > 0 else "added"
    return {
        f"left out the {name} stretch": {name: 0},
        f"counted the {name} stretch again": {name: 2 * minutes},
        f"{wrong_way} the {name} stretch": {name: -minutes},
    }


def _mistakes(start: int, first: int, second: int) -> Mistakes:
    return {
        "start": start_slips(start),
        "first stretch": _stretch("first", first),
        "second stretch": _stretch("second", second),
        **carry_slips(second),
    }


def _bounds(start: int, first: int, second: int) -> tuple[int, int]:
    return (start, start + _LONGEST) if first + second > 0 else (start - _LONGEST, start)


FAMILY = Family(
    template="time_clock_end",
    topic="time_clock",
    depth=2,
    share=128,
    ranges={
        "start": Range(range(300, 1430, 5), "appointments are made for five minutes; the hour fits the scene"),
        "first": Range(range(5, 231), "how long such a thing takes"),
        "second": Range(range(5, 166), "how long such a thing takes"),
    },
    tellings=_TELLINGS,
    solve=_solve,
    mistakes=_mistakes,
    bounds=_bounds,
    contrived=frozenset(
        (*(f"counted the {name} stretch again" for name in ("first", "second")), "carried an hour too many")
    ),
    training=_TRAINING,
)
