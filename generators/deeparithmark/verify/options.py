"""Claims on the four options of an item: unit, text, value, label, rank, roundness."""

import re
from collections.abc import Iterator

from ...claims import Item
from ..schema import CLOCK_UNIT
from ..shortcuts import roundness
from .recompute import CORRECT, prompt_numbers

_CLOCK_ENDING = re.compile(r" (?:[1-9]|1[0-2]):[0-5]\d [ap]\.m\.", re.ASCII)


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
