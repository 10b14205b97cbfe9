"""The value of an option from the prompt's numbers and the name of its mistake, by a path of its own."""

import re
from collections.abc import Sequence
from fractions import Fraction
from inspect import signature

from ...choices.claims import CORRECT, RecomputeError, prompt_numbers
from .closed_forms import FORMULAS
from .closed_forms.recipe import JOIN, Recipe

_MARKS = re.compile(r"\d+|\b[ap](?=\.m\.)", re.ASCII)


def identity(template: str, prompt: str) -> str:
    """What makes two items the same task: the template and the digits of the prompt, whatever they mean."""
    return " ".join([template, *_MARKS.findall(prompt)])


def value_of(template: str, prompt: str, source: str) -> int:
    """What a solver gets who makes the mistakes of ``source`` ("correct", a name, or two names joined by "; ").

    >>> value_of("trip_minutes", "Ada drove 120 kilometres at 60 kilometres an hour, stop 15 minutes.", "correct")
    135
    """
    return _value(recipe_of(template, prompt), [] if source == CORRECT else source.split(JOIN), source)


def step_of(template: str, prompt: str, source: str) -> int | None:
    """The step, from 1, at which the mistakes of ``source`` first show; None for the right option.

    >>> step_of("trip_minutes", "Ada drove 120 kilometres at 60 kilometres an hour, stop 15 minutes.", "correct")
    """
    if source == CORRECT:
        return None
    recipe = recipe_of(template, prompt)
    return min(recipe.later.get(name, recipe.steps[_stage(recipe, name)]) for name in source.split(JOIN))


def singles(template: str, prompt: str) -> dict[str, int]:
    """What each mistake of a template leads to alone, where that is a whole number."""
    recipe = recipe_of(template, prompt)
    names = [name for stage in recipe.stages for name in stage if name]
    return {name: value for name in names if (value := _whole_value(recipe, name)) is not None}


def recipe_of(template: str, prompt: str) -> Recipe:
    """The closed form of a template on the numbers of a prompt."""
    if template not in FORMULAS:
        raise RecomputeError(f"unknown template {template!r}")
    formula, numbers = FORMULAS[template], prompt_numbers(prompt)
    words = {"prompt": prompt} if "prompt" in signature(formula).parameters else {}
    try:
        return formula(*map(Fraction, numbers), **words)
    except TypeError:
        raise RecomputeError(f"{len(numbers)} numbers do not fit {template}: {numbers}") from None
    except ZeroDivisionError:
        raise RecomputeError(f"{numbers} divide by zero") from None


def _value(recipe: Recipe, names: Sequence[str], source: str) -> int:
    try:
        value = Fraction(recipe.combine(*_choose(recipe, names)))
    except ZeroDivisionError:
        raise RecomputeError(f"{source!r} divides by zero") from None
    if value.denominator != 1:
        raise RecomputeError(f"{source!r} gives {float(value):.3f}, not a whole number")
    return value.numerator


def _whole_value(recipe: Recipe, name: str) -> int | None:
    try:
        return _value(recipe, [name], name)
    except RecomputeError:
        return None


def _stage(recipe: Recipe, name: str) -> int:
    places = [place for place, stage in enumerate(recipe.stages) if name and name in stage]
    if not places:
        raise RecomputeError(f"unknown mistake {name!r}")
    return places[0]


def _choose(recipe: Recipe, names: Sequence[str]) -> list[object]:
    """The quantity of each stage under the named mistakes; every name must belong to a stage of its own."""
    at = {_stage(recipe, name): name for name in names}
    if len(at) < len(names):
        raise RecomputeError(f"two mistakes at one stage: {list(names)}")
    return [stage[at.get(place, "")] for place, stage in enumerate(recipe.stages)]
