"""Draws the candidates for one item: stories of its family with the option sets that its place in the plan allows."""

from collections.abc import Sequence, Set
from dataclasses import dataclass
from zlib import crc32

from ..choices.forced import forced
from ..choices.item import CLOCK_UNIT, ending_text, numbers_in
from ..choices.ledger import Entry, Ledger, Text, entry, text
from ..choices.options import OPTIONS, Choices, OptionSet, choices
from ..choices.problem import Problem, UnusableError
from ..choices.watched import Lens
from ..errors import InputError
from ..streams import Stream
from .families import Family

# Stories drawn for one item (more while each would bring what stories force further from chance), and option sets
# weighed of the one taken.
_STORIES, _MOST_STORIES, WEIGHED = 2, 8, 16
# Where stories run out, the first one found is taken after so many draws; to find it may take more.
_DRAWS = 400
_MOST_DRAWS = 200_000
# One in so many (template, numbers) belongs to the few-shot split, the others to the test split: no test item can
# share its numbers, or its context, with an exemplar.
_FEWSHOT_PART = 16


@dataclass(frozen=True, slots=True)
class Story:
    """A story with its steps, the numbers of its prompt, and what can be an option of it."""

    problem: Problem
    steps: tuple[str, ...]
    numbers: tuple[int, ...]
    identity: str
    choices: Choices


@dataclass(frozen=True, slots=True)
class Candidate:
    """A story with one of its option sets, and what they add to the totals."""

    story: Story
    options: OptionSet
    entry: Entry

    def text(self) -> Text:
        """What the endings add to the totals of ``texts.py``."""
        return text([ending_text(value, self.story.problem.unit) for value in self.options.values])


def identity(template: str, numbers: Sequence[int]) -> str:
    """What makes two items the same task: the template and the prompt's numbers.

    >>> identity("trip_minutes", (120, 60, 15))
    'trip_minutes 120 60 15'
    """
    return f"{template} {' '.join(map(str, numbers))}"


def near(template: str, numbers: Sequence[int]) -> list[str]:
    """The identities of all stories that differ from one in a single number, with a star for that number.

    >>> near("trip_minutes", (120, 60))
    ['trip_minutes * 60', 'trip_minutes 120 *']
    """
    shown = [str(number) for number in numbers]
    return [" ".join([template, *shown[:place], "*", *shown[place + 1 :]]) for place in range(len(shown))]


def story(stream: Stream, family: Family, split: str, taken: Set[str], ledger: Ledger) -> Story:
    """A story in which the right option can have every rank, of an identity that is not taken, itself or by a star.

    The rank that the plan deals plays no part in it: if stories were drawn until one fits, their numbers would betray
    the rank. ``InputError`` when none is found.
    """
    best, least, seen = None, 0.0, 0
    for number in range(_MOST_DRAWS):
        if best is not None and (number > _DRAWS or seen == _MOST_STORIES or (seen >= _STORIES and least <= 0)):
            return best
        drawn = _story(stream, family, split, taken)
        if drawn is not None and all(map(drawn.choices.allow, range(OPTIONS))):
            seen += 1
            cost = ledger.cost(family.template, forced(drawn.choices, drawn.numbers, _first_result(drawn.steps)))
            if best is None or cost < least:
                best, least = drawn, cost
    raise InputError(
        f"{family.template}: no new story whose right option can have every rank in {_MOST_DRAWS:,} draws; ask for "
        "fewer items"
    )


def _story(stream: Stream, family: Family, split: str, taken: Set[str]) -> Story | None:
    """One story, or None when it is of no use here."""
    try:
        problem = family.draw(stream)
        _, steps = problem.solution()
    except UnusableError:
        return None
    numbers = numbers_in(problem.prompt)
    name = identity(family.template, numbers)
    if name in taken or (crc32(name.encode()) % _FEWSHOT_PART == 0) != (split == "fewshot"):
        return None
    if not taken.isdisjoint(near(family.template, numbers)):
        return None
    if len(steps) != family.depth:
        raise ValueError(f"{family.template}: {len(steps)} steps at depth {family.depth}: {steps}")
    return Story(problem, tuple(steps), numbers, name, choices(problem))


def candidates(stream: Stream, story: Story, rank: int) -> list[Candidate]:
    """At most ``WEIGHED`` of a story's option sets in which ``rank`` options are smaller than the right one.

    Those of the most natural mistakes and the fewest joined ones, by lot among equals.
    """
    sets = story.choices.sets(rank, stream)
    stream.shuffle(sets)
    sets.sort(key=lambda options: _strained(story.problem, options))
    unit, first = story.problem.unit, _first_result(story.steps)
    lens = Lens(story.numbers, unit == CLOCK_UNIT)
    return [
        Candidate(story, options, entry(options, story.numbers, unit, first, lens.leans(options)))
        for options in sets[:WEIGHED]
    ]


def _strained(problem: Problem, options: OptionSet) -> int:
    """How many endings of a set have a slip that nobody makes for a reason, and how many beyond one join two."""
    contrived = sum([any(slip.name not in problem.natural for slip in slips) for slips in options.made_of])
    return contrived + max(0, sum([len(slips) > 1 for slips in options.made_of]) - 1)


def _first_result(steps: Sequence[str]) -> int:
    return numbers_in(steps[0].rpartition(" = ")[2])[0]
