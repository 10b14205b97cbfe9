"""A problem and the trace that solves it: steps are executed and recorded in one place.

A family draws operands and says how they lead to the answer (``solve``) and how a solver goes wrong (``mistakes``): a
mistake is a change of the operands, so its value is the exact result of the same steps after that one slip, and two
slips at different stages combine into one well-defined value.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import zip_longest

from .item import CLOCK_UNIT
from .quantities import DAY, clock_text

Changes = Mapping[str, int]


class UnusableError(ValueError):
    """These operands give no clean value: a remainder where none may be, or a negative amount."""


@dataclass(slots=True)
class Trace:
    """Executes arithmetic and, when ``recording``, keeps one line of text per step.

    When it is not ``strict``, fractions and negative amounts are values like any other.

    >>> trace = Trace()
    >>> trace.divide_down("full crates", trace.add("after delivery", 420, 260), 16)
    42
    >>> trace.steps
    ['after delivery: 420 + 260 = 680', 'full crates: 680 / 16 = 42 (remainder 8)']
    """

    recording: bool = True
    strict: bool = True
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
        if right < 1:
            raise UnusableError(f"cannot divide by {right}")
        return self._record(label, left, "/", right, self.whole(Fraction(left, right)))

    def divide_down(self, label: str, left: int, right: int) -> int:
        """The whole quotient, with the remainder written down."""
        if right < 1:
            raise UnusableError(f"cannot divide by {right}")
        quotient, remainder = divmod(left, right)
        return self._record(label, left, "/", right, quotient, f" (remainder {remainder})" if remainder else "")

    def divide_up(self, label: str, left: int, right: int) -> int:
        """The whole quotient and one more for the remainder: a slip; ``UnusableError`` where there is none."""
        if right < 1 or (self.strict and left % right == 0):
            raise UnusableError(f"{left} / {right} leaves nothing over")
        return self._record(label, left, "/", right, -(-left // right))

    def percent(self, label: str, whole: int, percentage: int) -> int:
        """``percentage`` per cent of ``whole``; ``UnusableError`` when that is not an integer."""
        hundredfold = whole * percentage
        # Fractions are slow, and most parts are whole.
        part = self.whole(Fraction(hundredfold, 100)) if hundredfold % 100 else int(hundredfold // 100)
        return self._record(label, whole, "*", f"{percentage} / 100", part)

    def whole(self, value: Fraction) -> int:
        """``value`` as an integer; ``UnusableError`` when it is none."""
        if value.denominator == 1:
            return value.numerator
        if self.strict:
            raise UnusableError(f"{value} is not an integer")
        return value  # type: ignore[return-value]

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
        if self.strict and result < 0:
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
    ``natural`` names those that a person makes for a reason: a step left out, a wrong base, an order reversed.
    ``bounds`` are the least and the greatest value for a reader who sees the amounts but not which way each of them
    goes; for a clock time counted onwards through midnight.
    """

    prompt: str
    unit: str
    operands: Mapping[str, int]
    solve: Callable[..., int]
    mistakes: Mapping[str, Mapping[str, Changes]]
    bounds: tuple[int, int]
    natural: frozenset[str] = frozenset()

    def value(self, changes: Changes, strict: bool = True) -> int:
        """The result after the slips in ``changes``; ``UnusableError`` when it is not a clean amount.

        Without ``strict`` it may be a fraction or below nothing, and so may what leads to it.
        """
        return self.solve(Trace(recording=False, strict=strict), **{**self.operands, **changes})

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

    def first_step(self, changes: Changes) -> int | None:
        """The number, from 1, of the first step that comes out differently after the slips; None where none does.

        A slip that ends in no clean value has its step too: the steps before it are compared, and it is the next.
        """
        right, wrong = Trace(), Trace()
        self.solve(right, **self.operands)
        try:
            self.solve(wrong, **{**self.operands, **changes})
        except UnusableError:
            wrong.steps.append("")
        pairs = enumerate(zip_longest(right.steps, wrong.steps), start=1)
        return next((step for step, (one, other) in pairs if one != other), None)
