"""The data and metrics of the lm-eval task ``calcgpt_heldout``, named by its YAML."""

from dataclasses import fields
from typing import Any

import datasets

from ..builders.loading import load_dataset
from ..generators.calcgpt import representations
from ..generators.calcgpt.dataset import Recipe
from ..generators.expression import Expression
from .evaluation import grade

_OPTIONS = [field.name for field in fields(Recipe)]


def heldout(representation: str = representations.DEFAULT, **options: Any) -> dict[str, datasets.Dataset]:
    """The roster and, as the few-shot pool, the validation split, each row with ``prompt`` and ``target``.

    ``options`` of the recipe are used; what else lm-eval passes (metadata, model arguments) is not ours.
    """
    recipe = {name: options[name] for name in _OPTIONS if name in options}
    form = representations.get(representation)
    width = Recipe(**recipe).width
    loaded: Any = load_dataset("calcgpt", form.name, **recipe)

    def row(text: str) -> dict[str, Any]:
        question, sign, answer = text.partition("=")
        return {"prompt": question + sign, "target": answer, "representation": form.name, "width": width}

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
    (response,) = responses
    task = Expression(doc["left"], doc["operator"], doc["right"])
    graded = grade(task, response.strip(), True, doc["representation"], doc["width"])
    return {
        "exact_match": float(graded.exact),
        "numerically_correct": float(graded.numerically_correct),
        "format_valid": float(graded.format_valid),
    }
