"""The option sets of a problem: four values that are one slip apart from each other in a graph.

If all three wrong options were one mistake away from the right one, the right one would be the hub from which the
others are reached, and no arithmetic would be needed to find it. So the four options are either a square (no mistake,
A, B, A and B together), where every option has the same neighbours, or a star whose centre is the right option one time
in four.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from .clock import HALF_DAY
from .item import CLOCK_UNIT
from .problem import Changes, Problem, UnusableError
from .shortcuts import roundness

CORRECT = "correct"
JOIN = "; "
OPTIONS = 4
# An option further off than this factor (or, for times, this many minutes) would be rejected at a glance.
MAX_FACTOR = 3
MAX_MINUTES = 420
# Nothing or a single thing left is no amount that a story asks for.
_LEAST = 2


@dataclass(frozen=True, slots=True)
class Slip:
    """One mistake of a problem: the stage it is made at, its name, and whether it raises or lowers the result."""

    stage: str
    name: str
    sign: int


@dataclass(frozen=True, slots=True)
class OptionSet:
    """Four values, the right one first; ``made_of`` holds the slips behind each wrong one.

    ``centre`` is the credit of someone who knows the graph and picks its centre: 1/4 in a square. ``allowed`` counts
    the values that a glance at the story cannot rule out.
    """

    values: tuple[int, ...]
    made_of: tuple[tuple[Slip, ...], ...]
    centre: float
    allowed: int = OPTIONS

    @property
    def sources(self) -> tuple[str, ...]:
        """What ``metadata.option_sources`` says of each value."""
        return (CORRECT, *(JOIN.join(slip.name for slip in slips) for slips in self.made_of))

    @property
    def slips(self) -> tuple[Slip, ...]:
        """Every slip of the set once."""
        return tuple(dict.fromkeys(slip for slips in self.made_of for slip in slips))


def option_sets(problem: Problem, rank: int) -> list[OptionSet]:
    """All squares and stars of a problem in which ``rank`` options are smaller than the right one.

    The four options of each look alike: distinct, same roundness, same size.
    """
    right = problem.value({})
    clock = problem.unit == CLOCK_UNIT
    if not clock and right < _LEAST:
        return []
    slips, values, pairs = _slip_values(problem, right, clock)
    if not problem.allows(right):
        raise ValueError(f"{right} is outside {problem.bounds}: {problem.prompt}")
    return [
        OptionSet((right, *wrong), made_of, centre, sum(map(problem.allows, (right, *wrong))))
        for wrong, made_of, centre in _graphs(slips, values, pairs)
        if sum([value < right for value in wrong]) == rank
        and len({right, *wrong}) == OPTIONS
        and _close((right, *wrong), clock)
    ]


def _slip_values(
    problem: Problem, right: int, clock: bool
) -> tuple[list[Slip], list[int | None], dict[tuple[int, int], int]]:
    """The problem's slips, what each leads to (None where that does not look like the right value), and each pair."""
    look = roundness(right, clock)
    slips: list[Slip] = []
    values: list[int | None] = []
    changes: list[Changes] = []
    for stage, named in problem.mistakes.items():
        for name, change in named.items():
            value = _value(problem, change)
            if value is not None and value != right:
                slips.append(Slip(stage, name, 1 if value > right else -1))
                values.append(value if _alike(value, right, look, clock) else None)
                changes.append(change)
    pairs = {}
    for first, second in combinations(range(len(slips)), 2):
        if slips[first].stage != slips[second].stage:
            value = _value(problem, {**changes[first], **changes[second]})
            if value is not None and _alike(value, right, look, clock):
                pairs[first, second] = value
    return slips, values, pairs


def _value(problem: Problem, changes: Changes) -> int | None:
    try:
        return problem.value(changes)
    except UnusableError:
        return None


def _alike(value: int, right: int, look: int, clock: bool) -> bool:
    if clock:
        return roundness(value, clock) == look
    return _LEAST <= value <= MAX_FACTOR * right and right <= MAX_FACTOR * value and roundness(value) == look


def _close(options: Sequence[int], clock: bool) -> bool:
    if not clock:
        return max(options) <= MAX_FACTOR * min(options)
    # Around midnight the clock starts again, and a slip of half a day is as near as the time that it mistakes.
    times = sorted(option % HALF_DAY for option in options)
    widest = max(times[0] + HALF_DAY - times[-1], *(b - a for a, b in pairwise(times)))
    return HALF_DAY - widest <= MAX_MINUTES


def _graphs(
    slips: list[Slip], values: list[int | None], pairs: dict[tuple[int, int], int]
) -> Iterator[tuple[tuple[int, ...], tuple[tuple[Slip, ...], ...], float]]:
    """The wrong values of every square and star, the slips behind each, and the credit of picking the centre."""
    partners: list[list[tuple[int, int]]] = [[] for _ in slips]
    for (first, second), both in pairs.items():
        partners[first].append((second, both))
        partners[second].append((first, both))
        one, other = values[first], values[second]
        if one is not None and other is not None:
            pair = (slips[first], slips[second])
            yield (one, other, both), (pair[:1], pair[1:], pair), 0.25
    single = [(slip, value) for slip, value in zip(slips, values, strict=True) if value is not None]
    for trio in combinations(single, 3):
        if len({slip.stage for slip, _ in trio}) == 3:
            yield tuple(value for _, value in trio), tuple((slip,) for slip, _ in trio), 1.0
    for centre, value, leaves in zip(slips, values, partners, strict=True):
        if value is None:
            continue
        for (one, first), (two, second) in combinations(leaves, 2):
            if slips[one].stage != slips[two].stage:
                yield (value, first, second), ((centre,), (centre, slips[one]), (centre, slips[two])), 0.0
