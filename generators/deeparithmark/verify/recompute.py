"""The value of an option from the prompt's numbers and the name of its mistake, by a path of its own."""

import re
from fractions import Fraction

from ...choices.reread import CORRECT, RecomputeError, prompt_numbers
from .closed_forms.recipe import JOIN, Stage
from .closed_forms.registry import FORMULAS
from .closed_forms.time_clock_end import time_clock_end

_MARKS = re.compile(r"\d+|\b[ap](?=\.m\.)", re.ASCII)


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


def _clock_end(prompt: str, names: list[str]) -> int:
    stages, combine = time_clock_end(prompt)
    return int(combine(*_choose(stages, names)))
