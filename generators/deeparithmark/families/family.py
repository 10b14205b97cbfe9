"""What a family is: the ranges of its numbers, the tellings of its story, its steps and its mistakes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from ...choices.clock import clock_text
from ...choices.item import CLOCK_UNIT
from ...choices.problem import Changes, Problem, Trace, UnusableError
from ...streams import Stream
from .words import CAST, TRAINING_CAST, Cast, told

Mistakes = Mapping[str, Mapping[str, Changes]]
Numbers = Mapping[str, int]


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
