"""The option sets of a problem: the right value and three that are one or two slips away from it.

If all three wrong options were always one mistake away from the right one, the right one would be the hub from which
the others are reached, and no arithmetic would be needed to find it. So the four options are a square (no mistake, A,
B, A and B together), where every option has the same neighbours, or a star whose centre is the right option or another
one, or, where a story has few of these, any four. How often the right one is the centre is for the ledger to balance.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from ..streams import Stream
from .item import CLOCK_UNIT, numbers_in
from .problem import Changes, Problem, UnusableError
from .quantities import HALF_DAY
from .shortcuts import roundness

CORRECT = "correct"
JOIN = "; "
OPTIONS = 4
# An option further off than this factor (or, for times, this many minutes) would be rejected at a glance.
MAX_FACTOR = 3
MAX_MINUTES = 420
# Sets of one rank that leave the ledger a choice, and draws for each that is missing.
ENOUGH, _TRIES = 24, 3
# Nothing or a single thing left is no amount that a story asks for.
_LEAST = 2


@dataclass(frozen=True, slots=True)
class Slip:
    """One mistake of a problem: the stage it is made at, its name, and whether it raises or lowers the result."""

    stage: str
    name: str
    sign: int


# A wrong option: the slips behind it, and its value.
Wrong = tuple[tuple[Slip, ...], int]


@dataclass(frozen=True, slots=True)
class OptionSet:
    """Four values, the right one first; ``made_of`` holds the slips behind each wrong one.

    ``hubs`` are the places of the options from which most others are one slip away: all four in a square.
    """

    values: tuple[int, ...]
    made_of: tuple[tuple[Slip, ...], ...]
    hubs: tuple[int, ...]

    @property
    def centre(self) -> float:
        """The credit of someone who knows the graph and picks its hub: 1/4 in a square."""
        return (0 in self.hubs) / len(self.hubs)

    @property
    def sources(self) -> tuple[str, ...]:
        """What ``metadata.option_sources`` says of each value."""
        return (CORRECT, *(JOIN.join(slip.name for slip in slips) for slips in self.made_of))

    @property
    def slips(self) -> tuple[Slip, ...]:
        """Every slip of the set once."""
        return tuple(dict.fromkeys(slip for slips in self.made_of for slip in slips))


@dataclass(frozen=True, slots=True)
class Choices:
    """Everything that can be an option of a problem: the right value, and the wrong ones below and above it."""

    right: int
    clock: bool
    below: list[Wrong]
    above: list[Wrong]
    graphs: list[tuple[Wrong, ...]]

    def allow(self, rank: int) -> bool:
        """Whether ``rank`` of three wrong options can be smaller than the right one: those next to it are tried."""
        nearest = self._nearest(rank)
        values = [value for _, value in nearest]
        return len(nearest) == OPTIONS - 1 and _close((self.right, *values), self.clock)

    def _nearest(self, rank: int) -> list[Wrong]:
        low, high = ({value: (slips, value) for slips, value in side} for side in (self.below, self.above))
        return [low[value] for value in sorted(low)[len(low) - rank :]] + [
            high[value] for value in sorted(high)[: OPTIONS - 1 - rank]
        ]

    def sets(self, rank: int, stream: Stream) -> list[OptionSet]:
        """The option sets in which ``rank`` options are smaller than the right one.

        All squares and stars, and as many others, drawn from ``stream``, as make ``ENOUGH``. The four options of each
        look alike: distinct, same roundness, same size, none ruled out by a glance at the story.
        """
        found: dict[frozenset[int], OptionSet] = {}
        for trio in self.graphs:
            if sum([value < self.right for _, value in trio]) == rank:
                self._keep(found, trio)
        sides = (rank, _weighted(self.below)), (OPTIONS - 1 - rank, _weighted(self.above))
        if all(count <= len(side) for count, side in sides):
            for _ in range(_TRIES * (ENOUGH - len(found))):
                self._keep(found, [one for count, side in sides for one in stream.sample(side, count)])
                if len(found) >= ENOUGH:
                    break
            self._keep(found, self._nearest(rank))
        return list(found.values())

    def _keep(self, found: dict[frozenset[int], OptionSet], trio: Sequence[Wrong]) -> None:
        values = (self.right, *[value for _, value in trio])
        key = frozenset(values)
        if len(key) == OPTIONS and key not in found and _close(values, self.clock):
            made_of = tuple([slips for slips, _ in trio])
            found[key] = OptionSet(values, made_of, _hubs(made_of))


def _weighted(side: Sequence[Wrong]) -> list[Wrong]:
    """Single slips thrice and joined ones once, of which there are more."""
    return [one for one in side for _ in range(3 if len(one[0]) == 1 else 1)]


def choices(problem: Problem) -> Choices:
    """What can be an option of a problem; nothing beside the right value where that is no answer to ask for."""
    right = problem.value({})
    clock = problem.unit == CLOCK_UNIT
    if (not clock and right < _LEAST) or right in numbers_in(problem.prompt):
        return Choices(right, clock, [], [], [])
    if not problem.allows(right):
        raise ValueError(f"{right} is outside {problem.bounds}: {problem.prompt}")
    slips, values, pairs = _slip_values(problem, right, clock)
    wrong: list[Wrong] = [((slip,), value) for slip, value in zip(slips, values, strict=True) if value is not None]
    wrong += [((slips[first], slips[second]), value) for (first, second), value in pairs.items()]
    below, above = [one for one in wrong if one[1] < right], [one for one in wrong if one[1] > right]
    return Choices(right, clock, below, above, list(_graphs(slips, values, pairs)))


def _hubs(made_of: Sequence[tuple[Slip, ...]]) -> tuple[int, ...]:
    """The places of the options with the most others one slip away, the right one being at place 0."""
    nodes = [set[Slip](), *map(set, made_of)]
    near = [sum([len(one ^ other) == 1 for other in nodes]) for one in nodes]
    return tuple([place for place, count in enumerate(near) if count == max(near)])


def _slip_values(
    problem: Problem, right: int, clock: bool
) -> tuple[list[Slip], list[int | None], dict[tuple[int, int], int]]:
    """The problem's slips, what each leads to (None where that can be no option), and each pair that can be one.

    Every wrong option has one cause: two slips of one value are none, nor is a pair that is void or has the value of
    a slip alone. A number of the story is no option.
    """
    look, shown = roundness(right, clock), set(numbers_in(problem.prompt))
    named = [(stage, name, change) for stage, named in problem.mistakes.items() for name, change in named.items()]
    found = [_value(problem, change) for *_, change in named]
    # A slip that gives no clean amount explains a value as well as any other.
    alone = Counter(value for value, _ in found)

    def fits(value: int) -> bool:
        return value not in shown and _alike(value, right, look, clock) and problem.allows(value)

    slips: list[Slip] = []
    values: list[int | None] = []
    changes: list[Changes] = []
    for (stage, name, change), (value, clean) in zip(named, found, strict=True):
        if clean and value is not None and value != right:
            slips.append(Slip(stage, name, 1 if value > right else -1))
            values.append(value if alone[value] == 1 and fits(value) else None)
            changes.append(change)
    pairs = {}
    for first, second in combinations(range(len(slips)), 2):
        if slips[first].stage != slips[second].stage:
            value, clean = _value(problem, {**changes[first], **changes[second]})
            if clean and value is not None and value != right and value not in alone and fits(value):
                pairs[first, second] = value
    return slips, values, pairs


def _value(problem: Problem, changes: Changes) -> tuple[int | None, bool]:
    """What slips lead to, and whether that and all before it are clean amounts; None where it is no value at all."""
    try:
        return problem.value(changes), True
    except UnusableError:
        pass
    try:
        return problem.value(changes, strict=False), False
    except UnusableError:
        return None, False


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
) -> Iterator[tuple[Wrong, ...]]:
    """The wrong options of every square and star."""
    partners: list[list[tuple[int, int]]] = [[] for _ in slips]
    for (first, second), both in pairs.items():
        partners[first].append((second, both))
        partners[second].append((first, both))
        one, other = values[first], values[second]
        if one is not None and other is not None:
            yield ((slips[first],), one), ((slips[second],), other), ((slips[first], slips[second]), both)
    single = [(slip, value) for slip, value in zip(slips, values, strict=True) if value is not None]
    for trio in combinations(single, 3):
        if len({slip.stage for slip, _ in trio}) == 3:
            yield tuple([((slip,), value) for slip, value in trio])
    for centre, value, leaves in zip(slips, values, partners, strict=True):
        if value is None:
            continue
        for (one, first), (two, second) in combinations(leaves, 2):
            if slips[one].stage != slips[two].stage:
                yield ((centre,), value), ((centre, slips[one]), first), ((centre, slips[two]), second)
