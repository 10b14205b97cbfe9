"""Which mistakes a model's wrong choices follow from, and where in a solution they are made.

Items carry a mistake's name but not its place. A family tells the stage of each of its mistakes, and solving a drawn
problem with and without the mistake shows the first step that comes out differently.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from ..generators.choices.options import JOIN
from ..generators.choices.problem import Changes, Problem, Trace, UnusableError
from ..generators.deeparithmark.families import Family
from ..generators.deeparithmark.tiers import TIERS
from ..generators.expression import Expression
from ..generators.intervals import wilson
from ..generators.streams import Stream
from ..generators.zenyx.slips import slips
from ..results import ItemScore
from .credit import chosen
from .records import MistakeRow

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


@dataclass(frozen=True, slots=True)
class _Slip:
    template: str | None
    depth: int | None
    name: str
    place: Place


@dataclass(slots=True)
class _Tally:
    offered: int = 0
    chosen: float = 0.0
    wrong: float = 0.0
    expected: float = 0.0


def mistakes(items: Sequence[ItemScore], metric: str = "acc_norm_tok") -> list[MistakeRow]:
    """One row per template and named mistake, in the order of templates, steps and names.

    An option made by two mistakes together counts for both. Items without sources are passed over.
    """
    tallies = _tally(items, metric, lambda slips: slips)
    rows = [
        _row(tally, slip.template, slip.depth, slip.name, slip.place)
        for slip, tally in tallies.items()
        if isinstance(slip, _Slip)
    ]
    return sorted(rows, key=_order)


def mistake_steps(items: Sequence[ItemScore], metric: str = "acc_norm_tok") -> list[MistakeRow]:
    """One row per depth and step: how often the chosen option leaves the right path at that step.

    That is the first step of its mistakes, as ``metadata.option_steps`` has it. Only for templates whose steps are
    known.
    """
    tallies = _tally(items, metric, _parting)
    rows = [
        _row(tally, None, key[0], None, Place(None, key[1])) for key, tally in tallies.items() if isinstance(key, tuple)
    ]
    return sorted(rows, key=_order)


def _tally(
    items: Sequence[ItemScore], metric: str, keys_of: Callable[[list[_Slip]], Iterable[Hashable]]
) -> Mapping[Hashable, _Tally]:
    tallies: dict[Hashable, _Tally] = defaultdict(_Tally)
    for item in items:
        if len(item.sources) < 2:
            continue
        credit = chosen(item, metric)
        options: dict[Hashable, set[int]] = defaultdict(set)
        for option, source in enumerate(item.sources):
            for key in keys_of(_slips(item, source)) if option != item.gold else ():
                options[key].add(option)
        for key, involved in options.items():
            tally = tallies[key]
            wrong = 1 - credit[item.gold or 0]
            tally.offered += 1
            tally.chosen += sum(credit[option] for option in sorted(involved))
            tally.wrong += wrong
            tally.expected += wrong * len(involved) / (len(item.sources) - 1)
    return tallies


def _parting(slips: list[_Slip]) -> list[tuple[int | None, int]]:
    """The depth and the first step of an option's mistakes; nothing where a step is not known."""
    steps = [slip.place.step for slip in slips if slip.place.step is not None]
    return [(slips[0].depth, min(steps))] if len(steps) == len(slips) else []


def _slips(item: ItemScore, source: str) -> list[_Slip]:
    template, depth = item.traits.get("template", item.traits.get("type")), item.traits.get("depth")
    name = None if template is None else str(template)
    return [
        _Slip(name, None if depth is None else int(depth), mistake, place_of(name, mistake) if name else UNKNOWN)
        for mistake in source.split(JOIN)
    ]


def _row(tally: _Tally, template: str | None, depth: int | None, mistake: str | None, place: Place) -> MistakeRow:
    made = min(tally.chosen, tally.wrong, float(tally.offered))
    # Ties leave a broken count of wrong choices: rounded down, the interval is wider than needed.
    wrong = int(tally.wrong + 1e-9)
    return MistakeRow(
        template=template,
        depth=depth,
        mistake=mistake,
        stage=place.stage,
        step=place.step,
        offered=tally.offered,
        chosen=made,
        wrong=tally.wrong,
        share=made / tally.offered,
        interval=list(wilson(made, tally.offered)),
        given_wrong=made / tally.wrong if tally.wrong else None,
        given_wrong_interval=list(wilson(made / tally.wrong * wrong, wrong)) if wrong else None,
        expected=tally.expected / tally.wrong if tally.wrong else None,
    )


def _order(row: MistakeRow) -> tuple[int, str, int, str]:
    return row["depth"] or 0, row["template"] or "", row["step"] or 0, row["mistake"] or ""
