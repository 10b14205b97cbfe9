"""The value of an option from the prompt's numbers and the name of its mistake, by a path of its own."""

import re
from fractions import Fraction

from .clock_stages import DAY, carrying, half_of_day
from .formulas import FORMULAS
from .recipe import JOIN, Recipe, RecomputeError, Stage

CORRECT = "correct"
# Longer ones are no operands, and Python refuses to read them.
MAX_DIGITS = 18
_NUMBER = re.compile(r"(\d{1,2}):(\d\d) ([ap])\.m\.|(\d+)", re.ASCII)
_MARKS = re.compile(r"\d+|\b[ap](?=\.m\.)", re.ASCII)
# Words around a number of minutes that say it moves the clock back.
_BACKWARDS = re.compile(r"saved \d+ minutes|\d+ minutes (?:early|fast|before|ahead)", re.ASCII)


def clock_value(hour: str, minute: str, half: str) -> int:
    """Minutes after midnight of a twelve-hour clock time.

    >>> clock_value("12", "05", "a"), clock_value("12", "05", "p"), clock_value("3", "10", "p")
    (5, 725, 910)
    """
    if not (1 <= int(hour) <= 12 and int(minute) < 60):
        raise RecomputeError(f"not a clock time: {hour}:{minute}")
    return (int(hour) % 12 + (12 if half == "p" else 0)) * 60 + int(minute)


def prompt_numbers(prompt: str) -> list[int]:
    """Digits and clock times of a prompt in reading order; number words such as "two" are not operands."""
    return [_number(match) for match in _NUMBER.finditer(prompt)]


def _number(match: re.Match[str]) -> int:
    if not match[4]:
        return clock_value(match[1], match[2], match[3])
    if len(match[4]) > MAX_DIGITS:
        raise RecomputeError(f"a number of {len(match[4])} digits")
    return int(match[4])


def identity(template: str, prompt: str) -> str:
    """What makes two items the same task: the template and the digits of the prompt, whatever they mean."""
    return " ".join([template, *_MARKS.findall(prompt)])


def value_of(template: str, prompt: str, source: str) -> int:
    """What a solver gets who makes the mistakes of ``source`` ("correct", a name, or two names joined by "; ").

    >>> value_of("trip_minutes", "Ada drove 120 kilometres at 60 kilometres an hour, stop 15 minutes.", "correct")
    135
    """
    names = [] if source == CORRECT else source.split(JOIN)
    if template == "time_clock_end":
        return _clock_end(prompt, names)
    if template not in FORMULAS:
        raise RecomputeError(f"unknown template {template!r}")
    numbers = prompt_numbers(prompt)
    try:
        stages, combine = FORMULAS[template](*map(Fraction, numbers))
        value = Fraction(combine(*_choose(stages, names)))
    except TypeError:
        raise RecomputeError(f"{len(numbers)} numbers do not fit {template}: {numbers}") from None
    except ZeroDivisionError:
        raise RecomputeError(f"{source!r} divides by zero") from None
    if value.denominator != 1:
        raise RecomputeError(f"{source!r} gives {float(value):.3f}, not a whole number")
    return value.numerator


def _choose(stages: tuple[Stage, ...], names: list[str]) -> list[object]:
    """The quantity of each stage under the named mistakes; every name must belong to a stage of its own."""
    chosen = [[name for name in names if name in stage] for stage in stages]
    known = [name for found in chosen for name in found]
    unknown = [name for name in names if name not in known or not name]
    if unknown:
        raise RecomputeError(f"unknown mistake {unknown[0]!r}")
    if any(len(found) > 1 for found in chosen):
        raise RecomputeError(f"two mistakes at one stage: {names}")
    return [stage[found[0] if found else ""] for stage, found in zip(stages, chosen, strict=True)]


def _clock_recipe(prompt: str) -> Recipe:
    numbers = prompt_numbers(prompt)
    if len(numbers) != 3:
        raise RecomputeError(f"{len(numbers)} numbers do not fit time_clock_end: {numbers}")
    start = numbers[0]
    backwards = [match.start() for match in _BACKWARDS.finditer(prompt)]
    stretches: list[Stage] = []
    for name, minutes, match in zip(("first", "second"), numbers[1:], list(_NUMBER.finditer(prompt))[1:], strict=True):
        back = any(place <= match.start() < place + len("saved ") + 1 for place in backwards)
        signed = -minutes if back else minutes
        stretches.append(
            {
                "": signed,
                f"left out the {name} stretch": 0,
                f"counted the {name} stretch twice": 2 * signed,
                f"{'added' if back else 'subtracted'} the {name} stretch": -signed,
            }
        )
    carry, half = carrying(start), half_of_day(start)
    return (*stretches, carry, half), lambda first, second, carried, kept: kept(carried(start + first + second)) % DAY


def _clock_end(prompt: str, names: list[str]) -> int:
    stages, combine = _clock_recipe(prompt)
    return int(combine(*_choose(stages, names)))
