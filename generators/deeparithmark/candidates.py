"""Draws the candidates for one item: stories of its family with the option sets that its place in the plan allows."""

from collections.abc import Sequence, Set
from dataclasses import dataclass
from zlib import crc32

from ..choices.item import CLOCK_UNIT, ending_text, numbers_in
from ..choices.ledger import Entry, entry
from ..choices.options import OPTIONS, OptionSet, option_sets
from ..choices.problem import Problem, UnusableError
from ..choices.spellings import Text, text
from ..choices.watched import Watch
from ..errors import InputError
from ..streams import Stream
from .families.registry import Family
from .plan import Cell

# Candidates weighed for one item, from at most so many stories.
_CANDIDATES, _STORIES, _DRAWS = 24, 4, 2000
# So many stories are passed over while each of their option sets holds a value that a glance rules out.
_PATIENCE = 24
# A rank that a family's numbers seldom allow may need more draws than that for its first candidate.
_MOST_DRAWS = 200_000
# One in so many (template, numbers) belongs to the few-shot split, the others to the test split: no test item can
# share its numbers, or its context, with an exemplar.
_FEWSHOT_PART = 16


@dataclass(frozen=True, slots=True)
class Candidate:
    """A story, its steps and one of its option sets; what they add to the totals."""

    problem: Problem
    steps: tuple[str, ...]
    options: OptionSet
    identity: str
    entry: Entry

    def text(self) -> Text:
        """What the endings add to the totals of ``spellings.py``."""
        return text([ending_text(value, self.problem.unit) for value in self.options.values])


def identity(template: str, numbers: Sequence[int]) -> str:
    """What makes two items the same task: the template and the prompt's numbers.

    >>> identity("trip_minutes", (120, 60, 15))
    'trip_minutes 120 60 15'
    """
    return f"{template} {' '.join(map(str, numbers))}"


def candidates(stream: Stream, cell: Cell, split: str, taken: Set[str], watch: Watch) -> list[Candidate]:
    """At least one candidate, none of an identity that is taken; ``InputError`` when none is found."""
    found: list[Candidate] = []
    stories = weighed = 0
    for drawn in range(_MOST_DRAWS):
        if found and drawn >= _DRAWS:
            break
        story = _story(stream, cell.family, split, taken)
        if story is None:
            continue
        problem, steps, numbers = story
        sets = option_sets(problem, cell.rank)
        stories += bool(sets)
        allowed = [options for options in sets if options.allowed == OPTIONS]
        if not sets or (stories < _PATIENCE and not allowed):
            continue
        sets = allowed or sets
        weighed += 1
        first, name = _first_result(steps), identity(cell.family.template, numbers)
        for options in stream.sample(sets, min(len(sets), _CANDIDATES // _STORIES)):
            leans = watch.find(options, numbers, problem.unit == CLOCK_UNIT)
            made = entry(options, numbers, problem.unit, first, leans)
            found.append(Candidate(problem, tuple(steps), options, name, made))
        if weighed == _STORIES:
            return found
    if not found:
        raise InputError(
            f"{cell.family.template}: no new story whose right option has rank {cell.rank} in {_MOST_DRAWS:,} draws; "
            "ask for fewer items"
        )
    return found


def _story(
    stream: Stream, family: Family, split: str, taken: Set[str]
) -> tuple[Problem, list[str], tuple[int, ...]] | None:
    """One story with its steps and numbers, or None when it is of no use here."""
    try:
        problem = family.draw(stream)
        _, steps = problem.solution()
    except UnusableError:
        return None
    numbers = numbers_in(problem.prompt)
    name = identity(family.template, numbers)
    if name in taken or (crc32(name.encode()) % _FEWSHOT_PART == 0) != (split == "fewshot"):
        return None
    if len(steps) != family.depth:
        raise ValueError(f"{family.template}: {len(steps)} steps at depth {family.depth}: {steps}")
    return problem, steps, numbers


def _first_result(steps: Sequence[str]) -> int:
    return numbers_in(steps[0].rpartition(" = ")[2])[0]
