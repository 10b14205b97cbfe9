"""ArithMark 3.0, or any file of its kind, as an lm-eval task: ctx, endings and label on each line.

The upstream set is read from the Hub when it is asked for; no item of it is part of this package.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..builders.files import hash_file
from ..generators.choices.audit import question
from ..generators.errors import InputError
from ..generators.jsonl import hash_rows, read_items, to_line
from ..metrics import SIGNALS, multiple_choice_results
from ..scoring.weights import reason

if TYPE_CHECKING:
    from lm_eval.api.task import ConfigurableTask

HUB_ID = "AxiomicLabs/Arithmark-3.0"
NAME = "arithmark3"
LARGEST = 2**63 - 1  # what a table of integers holds
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ArithMark3:
    """The rows to score and where they are from: ``source``, ``revision``, ``items`` and ``sha256`` of the JSONL."""

    rows: tuple[Row, ...]
    facts: dict[str, Any]


def read_file(file: Path) -> ArithMark3:
    """The rows of a JSONL file; ``InputError`` names the file, the line and the value that is wrong."""
    rows = _told_apart([_row(item, line, file) for line, item in read_items(file)])
    return ArithMark3(rows, {"source": str(file), "revision": None, "items": len(rows), "sha256": hash_file(file)})


def read_hub() -> ArithMark3:
    """The rows of the published set, in the revision that its repository has now."""
    import datasets
    from huggingface_hub import HfApi

    try:
        revision = HfApi().dataset_info(HUB_ID).sha
        splits = datasets.load_dataset(HUB_ID, revision=revision)
    except Exception as error:  # those libraries and the one that they send requests with have no class in common
        message = f"cannot be read from the Hub ({reason(error)}); name a file of ArithMark 3.0 with --arithmark3"
        raise InputError(message, file=HUB_ID) from error
    items = [item for split in splits.values() for item in split.to_list()]
    rows = _told_apart([_row(item, line, HUB_ID) for line, item in enumerate(items, start=1)])
    if not rows:
        raise InputError("no items", file=HUB_ID)
    facts = {"source": HUB_ID, "revision": revision, "items": len(rows), "sha256": hash_rows(items)}
    return ArithMark3(rows, facts)


def _told_apart(rows: Sequence[Row]) -> tuple[Row, ...]:
    """The rows by ids of their own: splits of which each counts from 0 share theirs, and are numbered anew."""
    if len({row["id"] for row in rows}) == len(rows):
        return tuple(rows)
    return tuple({**row, "id": str(number)} for number, row in enumerate(rows, start=1))


def _row(item: Mapping[str, Any], line: int, file: object) -> Row:
    asked = question(item, line=line, file=file)
    for name, text in [("ctx", item["ctx"]), *(("ending", ending) for ending in item["endings"])]:
        if not isinstance(text, str) or not text.strip():
            raise InputError(f"{name} is not a text: {text!r}", file=file, line=line)
    if asked.texts.count(asked.texts[asked.label]) > 1:
        raise InputError(f"the right ending is there twice: {asked.texts[asked.label]!r}", file=file, line=line)
    spaced = item["ctx"][-1:].isspace()
    values = asked.values or ()
    row = {
        "id": str(item.get("source_id") or item.get("id") or item.get("ind", line)),
        "activity_label": asked.template,
        "ctx": item["ctx"],
        # The contract is a leading space; without one the answer would run into the last word.
        "endings": [text if spaced or text[0].isspace() else f" {text}" for text in asked.texts],
        "label": asked.label,
        "values": list(values) if all(isinstance(one, int) and abs(one) <= LARGEST for one in values) else [],
    }
    try:
        to_line(row).encode()
    except UnicodeEncodeError as error:
        found = error.object[error.start : error.start + 1]
        raise InputError(f"half of a surrogate pair, which is no character: {found!r}", file=file, line=line) from None
    return row


def as_task(rows: Iterable[Row]) -> "ConfigurableTask":
    """The rows as a task scored like ``deeparithmark``, and always without examples: the set has none to show."""
    from datasets import Dataset
    from lm_eval.api.task import ConfigurableTask

    data = {"test": Dataset.from_list(list(rows))}
    metrics = ("acc", "acc_norm", "soft", *SIGNALS)
    return ConfigurableTask(
        config={
            "task": NAME,
            "custom_dataset": lambda **_: data,
            "output_type": "multiple_choice",
            "test_split": "test",
            "num_fewshot": 0,
            "doc_to_text": "ctx",
            "doc_to_choice": "endings",
            "doc_to_target": "label",
            "target_delimiter": "",
            "process_results": multiple_choice_results,
            "metric_list": [
                {"metric": name, "aggregation": "mean", "higher_is_better": name != "bits_per_byte"} for name in metrics
            ],
            "metadata": {"version": 3.0},
        }
    )
