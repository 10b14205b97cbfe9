"""Draw tasks from what training leaves over: by rank in the allowed space, never by drawing and rejecting.

The blocked classes are sorted once. A rank among the allowed tasks is mapped back past the blocked ones by binary
search, so a nearly full bucket costs the same as an empty one, and the capacity is known before anything is drawn.
Source: CalcGPT's group-space sampler.
"""

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

from ..errors import InputError
from ..expression import Expression
from ..streams import Stream
from .spaces import ListedSpace, Space, WidthSpace


@dataclass(frozen=True, slots=True)
class AllowedSpace:
    """A space without its blocked classes.

    ``starts[j]`` is how many allowed tasks precede blocked class j; ``removed[j]`` how many blocked tasks do.
    """

    space: Space
    blocked: tuple[int, ...]
    starts: tuple[int, ...]
    removed: tuple[int, ...]

    @property
    def capacity(self) -> int:
        """How many tasks may still be drawn."""
        return self.tasks - self.removed[-1]

    @property
    def tasks(self) -> int:
        """How many tasks there are, blocked ones included."""
        return self.space.before(self.space.classes)

    def task(self, rank: int) -> Expression:
        """The allowed task of this rank, 0 to capacity - 1."""
        number = rank + self.removed[bisect_right(self.starts, rank)]
        index = class_of(self.space, number)
        return self.space.task(index, number - self.space.before(index))

    def sample(self, count: int, stream: Stream) -> list[Expression]:
        """``count`` different tasks, each equally likely; the order of an addition is chosen after the task.

        ``ValueError`` with both numbers when fewer remain.
        """
        if count > self.capacity:
            raise InputError(
                f"{count} tasks requested, but only {self.capacity} of {self.tasks} remain for {self.space.bucket}"
            )
        return [_ordered(self.task(rank), stream) for rank in draw_ranks(self.capacity, count, stream)]


def allow(space: Space, training: Iterable[Expression]) -> AllowedSpace:
    """The space without every class that a training task is in."""
    blocked = sorted({index for index in map(space.index, training) if index is not None})
    ordered = isinstance(space, WidthSpace) or (isinstance(space, ListedSpace) and space.contract.ordered)
    if blocked and ordered:
        blocked = list(range(blocked[-1] + 1))
    starts, removed = [], [0]
    for index in blocked:
        before = space.before(index)
        starts.append(before - removed[-1])
        removed.append(removed[-1] + space.before(index + 1) - before)
    return AllowedSpace(space, tuple(blocked), tuple(starts), tuple(removed))


def draw_ranks(capacity: int, count: int, stream: Stream) -> list[int]:
    """``count`` different numbers below ``capacity``: a Fisher-Yates shuffle that stores only the places it touched.

    >>> sorted(draw_ranks(3, 3, Stream("demo", 1, 42, 0)))
    [0, 1, 2]
    """
    moved: dict[int, int] = {}
    ranks = []
    for position in range(count):
        other = position + stream.below(capacity - position)
        ranks.append(moved.get(other, other))
        moved[other] = moved.get(position, position)
    return ranks


def class_of(space: Space, number: int) -> int:
    """The class that task ``number`` lies in, by bisection on the closed-form counts."""
    low, high = 0, space.classes
    while high - low > 1:
        middle = (low + high) // 2
        if space.before(middle) <= number:
            low = middle
        else:
            high = middle
    return low


def _ordered(task: Expression, stream: Stream) -> Expression:
    """An addition in one of its two orders, by one draw even when both look alike, so that streams stay aligned."""
    if task.operator == "+" and stream.below(2):
        return Expression(task.right, "+", task.left)
    return task
