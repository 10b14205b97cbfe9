"""Claims on the fields of an item: names, order, types, and those that repeat each other."""

from collections.abc import Iterator

from ...choices.claims import CORRECT, RecomputeError, prompt_numbers
from ...choices.item import CLOCK_UNIT
from ...claims import Item
from ..edition import DIFFICULTY, VERSION
from .expected import SHAPES, prefix_of, shape_of, tier_of_item
from .recompute import singles, step_of, value_of


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
    metadata = item["metadata"]
    for slot, (source, value) in enumerate(zip(metadata["option_sources"], metadata["option_values"], strict=True)):
        try:
            again = value_of(metadata["template"], item["ctx"], source)
        except RecomputeError as error:
            yield f"option {slot}: {error}"
            continue
        if again != value:
            unit = " minutes" if metadata["unit"] == CLOCK_UNIT else ""
            yield f"option {slot} is {value}{unit}, but {source!r} gives {again}{unit}"


def option_steps(item: Item) -> Iterator[str]:
    """For every option the step at which its mistakes first show, null for the right one and for one without a step."""
    metadata = item["metadata"]
    control = tier_of_item(item) == "control"
    for slot, (source, step) in enumerate(zip(metadata["option_sources"], metadata["option_steps"], strict=True)):
        try:
            wanted = None if control else step_of(metadata["template"], item["ctx"], source)
        except RecomputeError as error:
            yield f"option {slot}: {error}"
            continue
        if step != wanted:
            yield f"option_steps say {step} of option {slot}, but {source!r} first shows at {wanted}"


def causes(item: Item) -> Iterator[str]:
    """No ending is a number of the prompt, and every wrong one has a single cause.

    Two mistakes joined lead neither to the right value nor to that of one mistake alone.
    """
    metadata = item["metadata"]
    try:
        shown = prompt_numbers(item["ctx"])
        alone = singles(metadata["template"], item["ctx"])
        right = value_of(metadata["template"], item["ctx"], CORRECT)
    except RecomputeError as error:
        yield str(error)
        return
    for slot, (source, value) in enumerate(zip(metadata["option_sources"], metadata["option_values"], strict=True)):
        if value in shown:
            yield f"option {slot} is {value}, a number of the prompt"
        if source == CORRECT:
            continue
        if value == right:
            yield f"option {slot}: {source!r} makes no difference"
        others = [name for name, found in alone.items() if found == value and name != source]
        if others:
            yield f"option {slot}: {source!r} comes to the same as {others[0]!r}"
