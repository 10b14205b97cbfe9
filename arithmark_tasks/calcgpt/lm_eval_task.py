"""The data and metrics of the lm-eval tasks ``calcgpt_heldout*``, named by their YAML files."""

from dataclasses import fields
from difflib import get_close_matches
from typing import Any

import datasets

from ..builders.loading import load_dataset
from ..generators.calcgpt import representations
from ..generators.calcgpt.dataset import Recipe
from ..generators.errors import InputError
from ..generators.expression import Expression
from .evaluation import grade

_OPTIONS = [field.name for field in fields(Recipe)]
# what the tasks of this process were loaded with: requests that lm-eval cached may be of another roster
_LOADED: dict[str, str] = {}


def heldout(form: str, representation: str | None = None, **options: Any) -> dict[str, datasets.Dataset]:
    """The roster and, as the few-shot pool, the validation split, each row with ``prompt`` and ``target``.

    ``form`` is the representation of the task. ``options`` of the recipe are used; lm-eval also passes metadata and the
    arguments of the model, which are not ours. ``InputError`` for another ``representation``, because lm-eval caches
    requests by the name of the task, and for what looks like a misspelt option.
    """
    if representation not in (None, form):
        name = f"calcgpt_heldout_{representations.get(representation).name.replace('-', '_')}"
        raise InputError(f"the task of representation {representation!r} is {name.removesuffix('_plain')}")
    for name in options:
        close = get_close_matches(name, [*_OPTIONS, "representation"], n=1, cutoff=0.75)
        if name not in _OPTIONS and close:
            raise InputError(f"unknown metadata key {name!r}: did you mean {close[0]!r}?")
    recipe = {name: options[name] for name in _OPTIONS if name in options}
    loaded: Any = load_dataset("calcgpt", representations.get(form).name, **recipe)
    whole = Recipe(**recipe)
    _LOADED[form] = str(whole)

    def row(text: str) -> dict[str, Any]:
        question, sign, answer = text.partition("=")
        facts = {"representation": form, "width": whole.width, "recipe": str(whole)}
        return {"prompt": question + sign, "target": answer} | facts

    return {
        split: datasets.Dataset.from_list([columns | row(columns["text"]) for columns in loaded[split].to_list()])
        for split in ("validation", "heldout")
    }


def results(doc: dict[str, Any], responses: list[str]) -> dict[str, float]:
    """``exact_match``, ``numerically_correct`` and ``format_valid`` of one answer, each 0 or 1.

    >>> doc = {"left": 12, "operator": "+", "right": 34, "representation": "reversed", "width": 3}
    >>> results(doc, ["64"])
    {'exact_match': 1.0, 'numerically_correct': 1.0, 'format_valid': 1.0}
    """
    asked = _LOADED.get(doc["representation"], doc.get("recipe"))
    if doc.get("recipe") != asked:
        raise InputError(f"cached requests of {doc['recipe']}, not of {asked}: run with --cache_requests refresh")
    (response,) = responses
    task = Expression(doc["left"], doc["operator"], doc["right"])
    graded = grade(task, response.strip(), True, doc["representation"], doc["width"])
    return {
        "exact_match": float(graded.exact),
        "numerically_correct": float(graded.numerically_correct),
        "format_valid": float(graded.format_valid),
    }
