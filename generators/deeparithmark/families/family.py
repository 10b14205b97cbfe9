"""What a family is: the ranges of its numbers, the tellings of its story, its steps and its mistakes.

With what all families draw on: the cast of the stories, numbers that make steps come out whole, the commonest mistakes
as changes of one operand.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import gcd
from typing import NamedTuple

from ...choices.item import CLOCK_UNIT
from ...choices.problem import Changes, Problem, Trace, UnusableError
from ...choices.quantities import clock_text
from ...streams import Stream

_NAMES = (
    "Ada", "Amir", "Anna", "Ben", "Carla", "Chen", "Clara", "Daniel", "Diego", "Elena", "Emma", "Farid", "Grace",
    "Hana", "Hugo", "Ines", "Isaac", "Ivan", "Jonas", "Julia", "Kofi", "Lars", "Leila", "Lena", "Lucas", "Maya",
    "Milo", "Nadia", "Noah", "Olga", "Omar", "Petra", "Priya", "Rosa", "Ruth", "Samir", "Sofia", "Tariq", "Theo",
    "Vera", "Yara", "Zoe",
)  # fmt: skip
_PLACES = (
    "Aarhus", "Bath", "Bergen", "Bilbao", "Bologna", "Bruges", "Cardiff", "Cork", "Dresden", "Dundee", "Exeter",
    "Galway", "Genoa", "Ghent", "Graz", "Krakow", "Leeds", "Leiden", "Lille", "Lyon", "Malaga", "Nantes", "Oslo",
    "Padua", "Porto", "Quebec", "Riga", "Salem", "Tampere", "Tartu", "Turin", "Utrecht", "Verona", "York",
    "Zadar",
)  # fmt: skip
# Of the training tier: no name and no place of a test tier.
_PEOPLE = (
    "Aisha", "Boris", "Celia", "Dario", "Edith", "Felix", "Greta", "Henrik", "Irina", "Jorge", "Keiko", "Linus",
    "Mabel", "Niko", "Oscar", "Paula", "Quentin", "Rafael", "Selma", "Tomas", "Ursula", "Viktor", "Wanda", "Xenia",
    "Yusuf", "Zelda",
)  # fmt: skip
_TOWNS = (
    "Antwerp", "Basel", "Coimbra", "Delft", "Evora", "Faro", "Gdansk", "Halifax", "Innsbruck", "Jena", "Kiel",
    "Lucerne", "Maribor", "Narvik", "Odense", "Pisa", "Reims", "Siena", "Trondheim", "Uppsala", "Vaduz", "Weimar",
    "Ypres", "Zwolle",
)  # fmt: skip
_CHOICE = re.compile(r"<([^<>]+)>")
Mistakes = Mapping[str, Mapping[str, Changes]]
Numbers = Mapping[str, int]


class Cast(NamedTuple):
    """Who the stories are about and where they happen."""

    names: Sequence[str]
    places: Sequence[str]


CAST, TRAINING_CAST = Cast(_NAMES, _PLACES), Cast(_PEOPLE, _TOWNS)


def told(draw: Stream, text: str, cast: Cast, numbers: Mapping[str, object]) -> str:
    """A wording with its choices made and its cast and numbers filled in."""
    name, other = draw.sample(cast.names, 2)
    chosen = _CHOICE.sub(lambda match: draw.choice(match[1].split("|")), text)
    filled = chosen.format(name=name, other=other, place=draw.choice(cast.places), **numbers)
    return filled.replace("m..", "m.")  # the point of "p.m." ends a sentence, too


class Range(NamedTuple):
    """The values that a number of a story can have, and why these."""

    values: Sequence[int]
    why: str


@dataclass(frozen=True, slots=True)
class Telling:
    """One wording: its unit, its text, and where its scene asks for other values than the family's ranges.

    The text names the family's numbers in braces, its cast as ``{name}``, ``{other}`` and ``{place}``, and gives a
    choice of things as ``<a kettle|a lamp>``. ``signs`` turns a number round, where the scene moves the clock back.
    """

    unit: str
    text: str
    values: Mapping[str, Sequence[int]] = field(default_factory=dict)
    signs: Mapping[str, int] = field(default_factory=dict)


def _always(**_: int) -> bool:
    return True


def _unchanged(**_: int) -> Numbers:
    return {}


@dataclass(frozen=True, slots=True, eq=False)
class Family:
    """A parameterised story; ``share`` is its count among the 250 items of its depth.

    ``ranges`` are in the order in which every telling names the numbers. ``mistakes`` and ``bounds`` take the numbers
    of a story by name, as ``Problem`` wants them; ``fitted`` rounds some so that the steps come out whole, ``sensible``
    says whether they make a story together. ``contrived`` are
    the mistakes that nobody makes for a reason: something done twice, an operand one off. ``training`` are the tellings
    of the training tier, ``apart`` its ranges where no test tier may draw, with
    ``sensible_apart`` in the place of ``sensible`` where that says no.
    """

    template: str
    topic: str
    depth: int
    share: int
    ranges: Mapping[str, Range]
    tellings: Sequence[Telling]
    solve: Callable[..., int]
    mistakes: Callable[..., Mistakes]
    bounds: Callable[..., tuple[int, int]]
    contrived: frozenset[str]
    fitted: Callable[..., Numbers] = _unchanged
    sensible: Callable[..., bool] = _always
    training: Sequence[Telling] = ()
    apart: Mapping[str, Range] = field(default_factory=dict)
    sensible_apart: Callable[..., bool] | None = None
    cast: Cast = CAST

    def draw(self, stream: Stream) -> Problem:
        """A story; ``UnusableError`` for numbers that give none."""
        telling = stream.choice(self.tellings)
        shown = {name: stream.choice(telling.values.get(name, self.ranges[name].values)) for name in self.ranges}
        shown |= self.fitted(**shown)
        numbers = {name: value * telling.signs.get(name, 1) for name, value in shown.items()}
        if not self.sensible(**numbers):
            raise UnusableError(f"{self.template}: {numbers} make no story")
        self.solve(Trace(recording=False), **numbers)
        clock = telling.unit == CLOCK_UNIT
        written = {name: clock_text(value) if clock and name == "start" else value for name, value in shown.items()}
        mistakes = self.mistakes(**numbers)
        return Problem(
            prompt=told(stream, telling.text, self.cast, written),
            unit=telling.unit,
            operands=numbers,
            solve=self.solve,
            mistakes=mistakes,
            bounds=self.bounds(**numbers),
            natural=frozenset(name for named in mistakes.values() for name in named) - self.contrived,
        )

    def for_training(self) -> "Family":
        """The same family as the training tier tells it."""
        return replace(
            self,
            ranges={**self.ranges, **self.apart},
            tellings=self.training,
            sensible=self.sensible_apart or self.sensible,
            cast=TRAINING_CAST,
        )


def whole_for(percentage: int) -> int:
    """The smallest whole of which ``percentage`` per cent is an integer.

    >>> whole_for(15), whole_for(40)
    (20, 5)
    """
    return 100 // gcd(100, percentage)


def down_to(value: int, step: int) -> int:
    """The largest multiple of ``step`` up to ``value``, and ``step`` itself where there is none.

    >>> down_to(17, 5), down_to(3, 5)
    (15, 5)
    """
    return max(value // step, 1) * step


def off_by_one(key: str, value: int, what: str) -> dict[str, Changes]:
    """One too few and one too many of an operand.

    >>> off_by_one("rows", 8, "counted one row")
    {'counted one row too few': {'rows': 7}, 'counted one row too many': {'rows': 9}}
    """
    return {f"{what} too few": {key: value - 1}, f"{what} too many": {key: value + 1}}


def misused(key: str, value: int, forgot: str, again: str, turned: str = "") -> dict[str, Changes]:
    """An amount left out, used again, and, where ``turned`` names it, used the wrong way round.

    >>> misused("cost", 40, "forgot the cost", "paid the cost again", "added the cost")
    {'forgot the cost': {'cost': 0}, 'paid the cost again': {'cost': 80}, 'added the cost': {'cost': -40}}
    """
    slips: dict[str, Changes] = {forgot: {key: 0}, again: {key: 2 * value}}
    return {**slips, turned: {key: -value}} if turned else slips


def mistaken(forgot: str, again: str, turned: str = "", key: str = "times") -> dict[str, Changes]:
    """As ``misused`` for a step that is made ``key`` times: not at all, once more, the wrong way round.

    >>> mistaken("forgot the tax", "took the tax off again")
    {'forgot the tax': {'times': 0}, 'took the tax off again': {'times': 2}}
    """
    return misused(key, 1, forgot, again, turned)
