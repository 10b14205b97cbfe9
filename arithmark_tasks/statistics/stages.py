"""Where in a solution a named mistake is made, worked out from the families and the written operations.

Items carry a mistake's name but not its place. A family tells the stage of each of its mistakes, and solving a drawn
problem with and without the mistake shows the first step that comes out differently.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from ..generators.choices.problem import Changes, Problem, Trace, UnusableError
from ..generators.deeparithmark.families import Family
from ..generators.deeparithmark.tiers import TIERS
from ..generators.expression import Expression
from ..generators.streams import Stream
from ..generators.zenyx.slips import slips

# Some mistakes exist only in some wordings of a family, others change only some numbers: so many problems show all.
_DRAWS = 200


class Place(NamedTuple):
    """The stage of a mistake and its step, counted from 1; None where unknown."""

    stage: str | None
    step: int | None


UNKNOWN = Place(None, None)


def place_of(template: str, mistake: str) -> Place:
    """The place of a mistake in a template of DeepArithmark, or its stage in a written operation of the bench.

    >>> place_of("money_discount_fee", "forgot the charge")
    Place(stage='charge', step=2)
    >>> place_of("4da", "dropped the carry into the hundreds")
    Place(stage='carry 2', step=None)
    >>> place_of("of another set", "typed it wrong")
    Place(stage=None, step=None)
    """
    return places_of(template).get(mistake, UNKNOWN) if template in _families() else _written().get(mistake, UNKNOWN)


@cache
def _families() -> Mapping[str, list[Family]]:
    """All families of a template: tiers may tell its story in other words."""
    families: dict[str, list[Family]] = {}
    for family in dict.fromkeys(family for tier in TIERS.values() for family in tier.families):
        families.setdefault(family.template, []).append(family)
    return families


@cache
def places_of(template: str) -> Mapping[str, Place]:
    """Every named mistake of a template of DeepArithmark with its place; ``KeyError`` for any other template."""
    return {name: place for family in _families()[template] for name, place in family_places(family).items()}


@cache
def family_places(family: Family) -> Mapping[str, Place]:
    """Every named mistake of one family with its place."""
    places: dict[str, Place] = {}
    for index in range(_DRAWS):
        try:
            problem = family.draw(Stream("places of mistakes", 1, 0, index))
            answer, steps = problem.solution()
        except UnusableError:
            continue
        for stage, named in problem.mistakes.items():
            for name, changes in named.items():
                if name not in places and (step := _first_difference(problem, changes, answer, steps)):
                    places[name] = Place(stage, step)
    return places


def _first_difference(problem: Problem, changes: Changes, answer: int, steps: Sequence[str]) -> int | None:
    """None for a mistake that makes no difference to these numbers."""
    trace = Trace()
    try:
        if problem.solve(trace, **{**problem.operands, **changes}) == answer:
            return None
    except UnusableError:  # the next step has no clean result, unless an earlier one differs
        trace.steps.append("")
    pairs = enumerate(zip(steps, trace.steps, strict=False), start=1)
    # A mistake that changes only how the result is told is made in the last step.
    return next((step for step, (good, bad) in pairs if good != bad), len(steps))


@cache
def _written() -> Mapping[str, Place]:
    # Names tell the place of a digit, so operands of the most digits have them all.
    longest = [Expression(999_999, operator, 999_999) for operator in "+-"]
    longest += [Expression(99_999, "*", 99_999), Expression(999_999, "/", 99)]
    return {name: Place(stage, None) for question in longest for _, stage, name, _ in slips(question)}
