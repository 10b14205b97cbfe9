"""Claims on any four-way item: its fields, and its options' unit, text, value, label, rank and roundness.

The numbers of a prompt or an ending are read here a second time, by nothing that builds them.
"""

import re
from collections.abc import Iterator
from typing import Any

from ..claims import Item
from .item import CLOCK_UNIT, ITEM_KEYS, METADATA_KEYS
from .shortcuts import roundness

CORRECT = "correct"
# Longer ones are no operands, and Python refuses to read them.
MAX_DIGITS = 18
NUMBER = re.compile(r"(\d{1,2}):(\d\d) ([ap])\.m\.|(\d+)", re.ASCII)
OPTIONS = 4
_TEXT = (
    *("activity_label", "ctx", "label", "source_id", "split", "split_type"),
    *("answer", "unit", "topic", "template"),
)
_NUMBER = ("ind", "depth", "answer_rank")
_TEXTS = {"endings": OPTIONS, "option_sources": OPTIONS, "solution_steps": None}
_CLOCK_ENDING = re.compile(r" (?:[1-9]|1[0-2]):[0-5]\d [ap]\.m\.", re.ASCII)


class RecomputeError(ValueError):
    """The prompt or the name of a mistake does not fit the template, or the value is not whole."""


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
    return [_number(match) for match in NUMBER.finditer(prompt)]


def _number(match: re.Match[str]) -> int:
    if not match[4]:
        return clock_value(match[1], match[2], match[3])
    if len(match[4]) > MAX_DIGITS:
        raise RecomputeError(f"a number of {len(match[4])} digits")
    return int(match[4])


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
    elif name == "option_steps":
        if (
            type(value) is not list
            or len(value) != OPTIONS
            or any(type(entry) not in (int, type(None)) for entry in value)
        ):
            yield f"option_steps are not {OPTIONS} numbers of steps, or null: {value!r}"
    elif name in _TEXTS:
        count = _TEXTS[name]
        if type(value) is not list or any(type(entry) is not str for entry in value):
            yield f"{name} are not a list of strings: {value!r}"
        elif count is not None and len(value) != count:
            yield f"{name} hold {len(value)} entries, not {count}"


def ending_value(ending: str, unit: str) -> int | None:
    """The value of an ending of the one allowed text form, None for any other text.

    >>> ending_value(" 26 crates.", "crates"), ending_value(" 2:45 p.m.", "clock"), ending_value(" 26.", "crates")
    (26, 885, None)
    """
    if unit == CLOCK_UNIT:
        return prompt_numbers(ending)[0] if _CLOCK_ENDING.fullmatch(ending) else None
    match = re.fullmatch(rf" (0|[1-9]\d{{0,17}}) {re.escape(unit)}\.", ending, re.ASCII)
    return int(match[1]) if match else None


def unit(item: Item) -> Iterator[str]:
    """Every ending is the value followed by the item's unit, in one text form."""
    wanted = item["metadata"]["unit"]
    for slot, ending in enumerate(item["endings"]):
        if ending_value(ending, wanted) is None:
            yield f"ending {slot} is not a value in {wanted!r}: {ending!r}"


def values(item: Item) -> Iterator[str]:
    """``option_values`` are the values that the endings show."""
    metadata = item["metadata"]
    shown = [ending_value(ending, metadata["unit"]) for ending in item["endings"]]
    if shown != metadata["option_values"]:
        yield f"the endings show {shown}, option_values say {metadata['option_values']}"


def distinct(item: Item) -> Iterator[str]:
    """No two options have the same value or the same text."""
    for name, options in (("option_values", item["metadata"]["option_values"]), ("endings", item["endings"])):
        if len(set(options)) < len(options):
            yield f"{name} hold one option twice: {options}"


def label(item: Item) -> Iterator[str]:
    """Label, answer, the source "correct" and the rank all point at the same option."""
    metadata = item["metadata"]
    options, sources = metadata["option_values"], metadata["option_sources"]
    if item["label"] not in ("0", "1", "2", "3"):
        yield f"label is not 0, 1, 2 or 3: {item['label']!r}"
        return
    slot = int(item["label"])
    marked = [place for place, source in enumerate(sources) if source == CORRECT]
    if marked != [slot]:
        yield f"the label is {slot}, but option_sources have {CORRECT!r} at {marked}"
    text = item["endings"][slot]
    wanted = metadata["answer"] if metadata["unit"] == CLOCK_UNIT else f"{metadata['answer']} {metadata['unit']}."
    if text != f" {wanted}":
        yield f"the label points at {text!r}, but the answer is {metadata['answer']!r}"
    rank = sum(value < options[slot] for value in options)
    if rank != metadata["answer_rank"]:
        yield f"the label points at the option of rank {rank}, answer_rank is {metadata['answer_rank']}"


def one_look(item: Item) -> Iterator[str]:
    """All four options are equally round."""
    metadata = item["metadata"]
    looks = [roundness(value, metadata["unit"] == CLOCK_UNIT) for value in metadata["option_values"]]
    if len(set(looks)) > 1:
        yield f"the options differ in roundness: {metadata['option_values']} are {looks}"
