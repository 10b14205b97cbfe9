"""Claims on the fields of an item: names, order, types, and those that repeat each other."""

from collections.abc import Iterator

from ...choices.item import CLOCK_UNIT
from ...choices.reread import RecomputeError
from ...claims import Item
from ..edition import DIFFICULTY, VERSION
from .expected import SHAPES, prefix_of, shape_of, tier_of_item
from .recompute import value_of
from .training_names import published_source


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
