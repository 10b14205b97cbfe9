"""The data of the lm-eval tasks, as functions that the task YAMLs name under ``custom_dataset``.

lm-eval calls them with the task's metadata and the model arguments; these are no options of the data and are ignored.
"""

import logging
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import datasets

from .builders import load_dataset

# One exemplar of each operation first, then the other types: any number of shots shows operations in turn.
_EXTENDED = ("6da", "6ds", "35m", "divr")
_EXEMPLAR_ORDER = ("4da", "3ds", "34m", "div", "5da", "5ds", "4dm", "5dm", *_EXTENDED)
_OURS = ("deeparithmark", "zenyx_arith", "calcgpt_", "arithmark3")


class _NoDatasetOptions(logging.Filter):
    """Drops lm-eval's advice to pass options to a custom dataset by ``--metadata``: ours take none, so it misleads."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Keep everything but that advice for our own tasks."""
        message = record.getMessage()
        return not (message.startswith(_OURS) and "Custom kwargs can be passed to `--metadata`" in message)


logging.getLogger("lm_eval.api.task").addFilter(_NoDatasetOptions())


def deeparithmark(**_: Any) -> dict[str, datasets.Dataset]:
    """All of DeepArithmark-1: 1,000 test items and 40 few-shot items, ``label`` as the index lm-eval expects."""
    return _labelled(load_dataset("deeparithmark"))


def deeparithmark_d2(**_: Any) -> dict[str, datasets.Dataset]:
    """The test items of two steps; the few-shot pool is the same for every depth."""
    return _of_depth(2)


def deeparithmark_d3(**_: Any) -> dict[str, datasets.Dataset]:
    """The test items of three steps; the few-shot pool is the same for every depth."""
    return _of_depth(3)


def deeparithmark_d4(**_: Any) -> dict[str, datasets.Dataset]:
    """The test items of four steps; the few-shot pool is the same for every depth."""
    return _of_depth(4)


def deeparithmark_d5(**_: Any) -> dict[str, datasets.Dataset]:
    """The test items of five steps; the few-shot pool is the same for every depth."""
    return _of_depth(5)


def deeparithmark_control(item_depth: int, **_: Any) -> dict[str, datasets.Dataset]:
    """The matched control of the test items of one depth: the same prompts and answers, adjacent wrong endings."""
    return _of_depth(item_depth, "control")


def deeparithmark_deep(item_depth: int, **_: Any) -> dict[str, datasets.Dataset]:
    """The test items of six, seven or eight steps; the few-shot pool is that of the deep tier, the same for each."""
    return _of_depth(item_depth, "deep")


def zenyx(question_type: str, **_: Any) -> dict[str, datasets.Dataset]:
    """The 2,000 test questions of one type of Zenyx Arithmetic Bench.

    The exemplars are those of all types of its config, in an order whose first four are an addition, a subtraction, a
    multiplication and a division.
    """
    config = "extended" if question_type in _EXTENDED else "default"
    return _of_type(load_dataset("zenyx", config), question_type, lambda split: split["type"])


def zenyx_multiple_choice(question_type: str, **_: Any) -> dict[str, datasets.Dataset]:
    """The test items of one type of the four-way form; ``label`` as the index lm-eval expects."""
    labelled = _labelled(load_dataset("zenyx", "mc"))
    return _of_type(labelled, question_type, lambda split: [row["template"] for row in split["metadata"]])


def worked_solution(doc: dict[str, Any]) -> str:
    """The exemplar of ``deeparithmark_gen``: the steps, one a line, then the answer in the form that is asked for.

    >>> doc = {"metadata": {"solution_steps": ["sum: 2 + 3 = 5"]}, "endings": [" 6 eggs.", " 5 eggs."], "label": 1}
    >>> print(worked_solution(doc))
    sum: 2 + 3 = 5
    The answer is 5 eggs.
    """
    return "\n".join([*doc["metadata"]["solution_steps"], f"The answer is{doc['endings'][int(doc['label'])]}"])


def _of_depth(depth: int, config: str = "default") -> dict[str, datasets.Dataset]:
    splits = _labelled(load_dataset("deeparithmark", config))
    depths = [metadata["depth"] for metadata in splits["test"]["metadata"]]
    rows = [row for row, found in enumerate(depths) if found == depth]
    return {**splits, "test": splits["test"].select(rows)}


def _of_type(
    splits: Mapping[Any, datasets.Dataset], wanted: str, types_of: Callable[[datasets.Dataset], list[str]]
) -> dict[str, datasets.Dataset]:
    test, fewshot = splits["test"], splits["fewshot"]
    rows = [row for row, found in enumerate(types_of(test)) if found == wanted]
    if not rows:
        raise ValueError(f"unknown question type {wanted!r}: choose from {', '.join(_EXEMPLAR_ORDER)}")
    seen: Counter[str] = Counter()
    places = []
    for row, found in enumerate(types_of(fewshot)):
        places.append((seen[found], _EXEMPLAR_ORDER.index(found), row))
        seen[found] += 1
    return {"test": test.select(rows), "fewshot": fewshot.select([row for *_, row in sorted(places)])}


def _labelled(splits: Any) -> dict[str, datasets.Dataset]:
    return {str(name): _with_integer_labels(split) for name, split in splits.items()}


def _with_integer_labels(split: datasets.Dataset) -> datasets.Dataset:
    # Rebuilt in memory rather than cast: a cast would leave one more cache file per task behind.
    labels = [int(label) for label in split["label"]]
    return split.remove_columns("label").add_column("label", labels)
