"""Claims on the fields of an item: names, order, types, and those that repeat each other."""

from collections.abc import Iterator
from typing import Any

from ...claims import Item
from ..schema import CLOCK_UNIT, DIFFICULTY, ITEM_KEYS, METADATA_KEYS, VERSION
from .expected import SHAPES, prefix_of, shape_of, tier_of_item
from .recompute import RecomputeError, value_of
from .training_names import published_source

OPTIONS = 4
_TEXT = (
    *("activity_label", "ctx", "label", "source_id", "split", "split_type"),
    *("answer", "unit", "topic", "template"),
)
_NUMBER = ("ind", "depth", "answer_rank")
_TEXTS = {"endings": OPTIONS, "option_sources": OPTIONS, "solution_steps": None}


def schema(item: Item, metadata_keys: tuple[str, ...] = METADATA_KEYS) -> Iterator[str]:
    """Exactly the published fields in the published order, each of its type."""
    yield from _keys(item, ITEM_KEYS, "")
    metadata = item.get("metadata", {})
    if not isinstance(metadata, dict):
        yield f"metadata is not an object: {metadata!r}"
        return
    if "metadata" in item:
        yield from _keys(metadata, metadata_keys, "metadata.")
    for name, value in [*item.items(), *metadata.items()]:
        yield from _type(name, value)


def _keys(found: Item, wanted: tuple[str, ...], prefix: str) -> Iterator[str]:
    missing = [key for key in wanted if key not in found]
    extra = [key for key in found if key not in wanted]
    for key in missing:
        yield f"no field {prefix}{key}"
    for key in extra:
        yield f"unknown field {prefix}{key}"
    if not missing and not extra and tuple(found) != wanted:
        yield f"fields of {prefix or 'the item'} out of order: {', '.join(found)}"


def _type(name: str, value: Any) -> Iterator[str]:
    if name in _TEXT and type(value) is not str:
        yield f"{name} is not a string: {value!r}"
    elif name in _NUMBER and (type(value) is not int or value < 0):
        yield f"{name} is not a whole number: {value!r}"
    elif name == "option_values":
        if type(value) is not list or len(value) != OPTIONS or any(type(entry) is not int for entry in value):
            yield f"option_values are not {OPTIONS} whole numbers: {value!r}"
    elif name in _TEXTS:
        count = _TEXTS[name]
        if type(value) is not list or any(type(entry) is not str for entry in value):
            yield f"{name} are not a list of strings: {value!r}"
        elif count is not None and len(value) != count:
            yield f"{name} hold {len(value)} entries, not {count}"


def names(item: Item) -> Iterator[str]:
    """``activity_label``, ``source_id`` and ``split_type`` repeat the topic, the depth and the number of the item."""
    metadata = item["metadata"]
    topic, depth = metadata["topic"], metadata["depth"]
    if depth not in DIFFICULTY:
        yield f"depth {depth} is not one of {', '.join(map(str, DIFFICULTY))}"
        return
    tier = tier_of_item(item)
    if tier is None:
        yield f"activity_label names none of the tiers {', '.join(SHAPES)}: {item['activity_label']!r}"
        return
    prefix = "deeparithmark" if tier == "default" else f"deeparithmark_{tier}"
    wanted = {
        "activity_label": f"deeparithmark::{prefix_of(tier)}::{topic}::depth{depth}::{DIFFICULTY[depth]}",
        "source_id": f"{prefix}_v{VERSION}_{topic}_depth{depth}_{item['ind']:04d}",
        "split_type": "synthetic",
    }
    for field, value in wanted.items():
        if item[field] != value:
            yield f"{field} is {item[field]!r}, not {value!r}"


def prompt_form(item: Item) -> Iterator[str]:
    """The prompt is one unfinished text, no longer than the tier allows, without doubled spaces or stops."""
    prompt, longest = item["ctx"], shape_of([item]).max_words
    words = len(prompt.split())
    if words > longest:
        yield f"the prompt has {words} words, more than {longest}"
    if prompt != " ".join(prompt.split()):
        yield f"the prompt has spaces at an end or doubled: {prompt!r}"
    if ".." in prompt or " ." in prompt or " ," in prompt:
        yield f"the prompt has a misplaced stop: {prompt!r}"
    if prompt[-1:] in ".?!":
        yield f"the prompt is already a whole sentence: {prompt!r}"


def decoys(item: Item) -> Iterator[str]:
    """Every option is the value that its source names, recomputed from the prompt's numbers alone."""
    metadata, training = item["metadata"], tier_of_item(item) == "train"
    for slot, (source, value) in enumerate(zip(metadata["option_sources"], metadata["option_values"], strict=True)):
        try:
            known = published_source(metadata["template"], source) if training else source
            again = value_of(metadata["template"], item["ctx"], known)
        except RecomputeError as error:
            yield f"option {slot}: {error}"
            continue
        if again != value:
            unit = " minutes" if metadata["unit"] == CLOCK_UNIT else ""
            yield f"option {slot} is {value}{unit}, but {source!r} gives {again}{unit}"
