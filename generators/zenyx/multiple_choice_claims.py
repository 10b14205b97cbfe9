"""What the four-way form claims of its items, checked on the items: each option calculated anew from its slips."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial

from ..choices import claims
from ..choices.item import METADATA_KEYS
from ..claims import Failure, Item, NumberedItem, Result, per_item, result
from ..expression import Expression, evaluate
from .recompute import CORRECT, value_of
from .types import DEFAULT_TYPES, TYPES

_NAME = "zenyx-arithmetic-mc"
_VERSION = 2
_METADATA = tuple(key for key in METADATA_KEYS if not key.endswith("_steps"))
_PROMPT = re.compile(r"Question: (What is (\d{1,18}) ([-+*/]) (\d{1,18})\?)\nAnswer:", re.ASCII)
_FACTOR = 3


def check_choices(split: str, items: Sequence[NumberedItem]) -> list[Result]:
    """The claims of one split."""
    complete = per_item("fields", partial(claims.schema, metadata_keys=_METADATA), items)
    if not complete.holds:
        return [complete]
    results = [
        complete,
        per_item("activity_label, split, topic and unit agree with the type", partial(_names, split), items),
        per_item("options differ by value and by text", claims.distinct, items),
        per_item("label, answer, source and rank point at the exact result", _label, items),
        per_item("every option recomputed from the slips that its source names", _slips, items),
        per_item("all options of an item are equally round", claims.one_look, items),
        per_item("all options end in the same digit, none is over three times another", _likeness, items),
        result("ind counts from 0, no question twice", _numbering(items)),
    ]
    return [*results, result("balance: slot x rank within each type", _balance(items))] if split == "test" else results


def _names(split: str, item: Item) -> Iterator[str]:
    metadata = item["metadata"]
    kind = TYPES.get(metadata["template"])
    if kind is None or kind.code not in DEFAULT_TYPES:
        yield f"unknown type {metadata['template']!r}"
        return
    label = f"zenyx::{_NAME}::{kind.operation}::{kind.code}"
    wanted = (label, split, "synthetic", "", kind.operation, 1)
    found = (item["activity_label"], item["split"], item["split_type"], metadata["unit"], metadata["topic"])
    if (*found, metadata["depth"]) != wanted:
        yield f"{(*found, metadata['depth'])!r}, not {wanted!r}"


def _operands(item: Item) -> tuple[int, str, int] | None:
    match = _PROMPT.fullmatch(item["ctx"])
    return (int(match[2]), match[3], int(match[4])) if match else None


def _label(item: Item) -> Iterator[str]:
    metadata, asked = item["metadata"], _operands(item)
    values = metadata["option_values"]
    if asked is None:
        yield f"not a prompt of the bench: {item['ctx']!r}"
        return
    if item["endings"] != [f" {value}" for value in values]:
        yield f"the endings {item['endings']} are not the option_values {values}"
    if item["label"] not in ("0", "1", "2", "3"):
        yield f"label is not 0, 1, 2 or 3: {item['label']!r}"
        return
    slot = int(item["label"])
    try:
        answer = evaluate(Expression(*asked))
    except ValueError as error:
        yield str(error)
        return
    if values[slot] != answer or metadata["answer"] != str(answer):
        yield f"label and answer say {values[slot]} and {metadata['answer']!r}, calculated {answer}"
    marked = [place for place, source in enumerate(metadata["option_sources"]) if source == CORRECT]
    if marked != [slot]:
        yield f"the label is {slot}, but option_sources have {CORRECT!r} at {marked}"
    rank = sum(value < values[slot] for value in values)
    if rank != metadata["answer_rank"]:
        yield f"the label points at the option of rank {rank}, answer_rank is {metadata['answer_rank']}"


def _slips(item: Item) -> Iterator[str]:
    metadata, asked = item["metadata"], _operands(item)
    if asked is None:
        return
    for slot, (source, value) in enumerate(zip(metadata["option_sources"], metadata["option_values"], strict=True)):
        try:
            again = value_of(*asked, source)
        except (ValueError, IndexError, ZeroDivisionError) as error:
            yield f"option {slot}: {source!r}: {error}"
            continue
        if again != value:
            yield f"option {slot} is {value}, but {source!r} gives {again}"


def _likeness(item: Item) -> Iterator[str]:
    values = item["metadata"]["option_values"]
    if len({value % 10 for value in values}) > 1 or max(values) > _FACTOR * min(values):
        yield f"the options are {values}"


def _numbering(items: Sequence[NumberedItem]) -> Iterator[Failure]:
    first: dict[str, int] = {}
    for place, (line, item) in enumerate(items):
        if item["ind"] != place:
            yield Failure(line, f"ind is {item['ind']}, the item's place is {place}")
        if first.setdefault(item["ctx"], line) != line:
            yield Failure(line, f"the same question as on line {first[item['ctx']]}")


def asked_of(items: Sequence[NumberedItem], questions: Sequence[NumberedItem]) -> Iterator[Failure]:
    """Items that ask another question than the one of the bench whose id they carry."""
    known = {question.get("id"): question for _, question in questions}
    for line, item in items:
        source = known.get(str(item.get("source_id")).removeprefix(f"zenyx_mc_v{_VERSION}_"))
        match = _PROMPT.fullmatch(str(item.get("ctx")))
        if source is None or match is None or source.get("question") != match[1]:
            yield Failure(line, f"{item.get('source_id')} does not ask {item.get('ctx')!r}")
        elif source.get("type") != item["metadata"]["template"]:
            yield Failure(line, f"template {item['metadata']['template']} of a question of type {source.get('type')}")


def _balance(items: Sequence[NumberedItem]) -> Iterator[Failure]:
    cells = Counter((item["metadata"]["template"], item["label"], item["metadata"]["answer_rank"]) for _, item in items)
    for code in DEFAULT_TYPES:
        sizes = [cells[code, slot, rank] for slot in ("0", "1", "2", "3") for rank in range(4)]
        if len(set(sizes)) > 1 or not sizes[0]:
            yield Failure(None, f"slot x rank cells of {code} hold from {min(sizes)} to {max(sizes)} items")
    if len({cells[code, "0", 0] for code in DEFAULT_TYPES}) > 1:
        yield Failure(None, "not as many items of each type")
