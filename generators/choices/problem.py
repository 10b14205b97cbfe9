"""A problem and the trace that solves it: steps are executed and recorded in one place.

A family draws operands and says how they lead to the answer (``solve``) and how a solver goes wrong (``mistakes``): a
mistake is a change of the operands, so its value is the exact result of the same steps after that one slip, and two
slips at different stages combine into one well-defined value.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from .clock import DAY, clock_text
from .item import CLOCK_UNIT

Changes = Mapping[str, int]


class UnusableError(ValueError):
    """These operands give no clean value: a remainder where none may be, or a negative amount."""


@dataclass(slots=True)
class Trace:
    """Executes arithmetic and, when ``recording``, keeps one line of text per step.

    >>> trace = Trace()
    >>> trace.divide_down("full crates", trace.add("after delivery", 420, 260), 16)
    42
    >>> trace.steps
    ['after delivery: 420 + 260 = 680', 'full crates: 680 / 16 = 42 (remainder 8)']
    """

    recording: bool = True
    steps: list[str] = field(default_factory=list)
    unused: list[int] = field(default_factory=list)

    def add(self, label: str, left: int, right: int) -> int:
        """``left + right``."""
        return self._record(label, left, "+", right, left + right)

    def subtract(self, label: str, left: int, right: int) -> int:
        """``left - right``."""
        return self._record(label, left, "-", right, left - right)

    def multiply(self, label: str, left: int, right: int) -> int:
        """``left * right``."""
        return self._record(label, left, "*", right, left * right)

    def divide(self, label: str, left: int, right: int) -> int:
        """``left / right``; ``UnusableError`` when it is not exact."""
        if right < 1 or left % right:
            raise UnusableError(f"{left} / {right} is not exact")
        return self._record(label, left, "/", right, left // right)

    def divide_down(self, label: str, left: int, right: int) -> int:
        """The whole quotient, with the remainder written down."""
        if right < 1:
            raise UnusableError(f"cannot divide by {right}")
        quotient, remainder = divmod(left, right)
        return self._record(label, left, "/", right, quotient, f" (remainder {remainder})" if remainder else "")

    def percent(self, label: str, whole: int, percentage: int) -> int:
        """``percentage`` per cent of ``whole``; ``UnusableError`` when that is not an integer."""
        if whole * percentage % 100:
            raise UnusableError(f"{percentage}% of {whole} is not an integer")
        return self._record(label, whole, "*", f"{percentage} / 100", whole * percentage // 100)

    def shift(self, label: str, start: int, minutes: int) -> int:
        """The time of day ``minutes`` after ``start`` (before it, when negative), both in minutes after midnight."""
        end = (start + minutes) % DAY
        if self.recording:
            self._use(start, abs(minutes))
            sign = "-" if minutes < 0 else "+"
            self.steps.append(f"{label}: {clock_text(start)} {sign} {abs(minutes)} min = {clock_text(end)}")
            self.unused.append(end)
        return end

    def _record(self, label: str, left: int, operator: str, right: int | str, result: int, note: str = "") -> int:
        if result < 0:
            raise UnusableError(f"{label}: {result} is negative")
        if self.recording:
            self._use(left, right)
            self.steps.append(f"{label}: {left} {operator} {right} = {result}{note}")
            self.unused.append(result)
        return result

    def _use(self, *operands: int | str) -> None:
        for operand in operands:
            if operand in self.unused:
                self.unused.remove(operand)


@dataclass(frozen=True, slots=True)
class Problem:
    """One story with its operands, its solution and its possible mistakes.

    ``mistakes`` maps a stage of the solution to its named slips; slips of different stages can be made together.
    ``bounds`` are the least and the greatest value that a glance at the story allows (a share is at most the total by
    the number of people), for a clock time counted onwards through midnight.
    """

    prompt: str
    unit: str
    operands: Mapping[str, int]
    solve: Callable[..., int]
    mistakes: Mapping[str, Mapping[str, Changes]]
    bounds: tuple[int, int]

    def value(self, changes: Changes) -> int:
        """The result after the slips in ``changes``; ``UnusableError`` when it is not a clean amount."""
        return self.solve(Trace(recording=False), **{**self.operands, **changes})

    def allows(self, value: int) -> bool:
        """Whether ``value`` lies within the bounds."""
        low, high = self.bounds
        return (value - low) % DAY <= high - low if self.unit == CLOCK_UNIT else low <= value <= high

    def solution(self) -> tuple[int, list[str]]:
        """The answer and its steps; ``ValueError`` when a step's result is used by no later step."""
        trace = Trace()
        answer = self.solve(trace, **self.operands)
        if trace.unused != [answer]:
            raise ValueError(f"steps whose result no later step uses: {trace.unused} in {trace.steps}")
        return answer, trace.steps
