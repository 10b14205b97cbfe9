"""The claims of the matched control: adjacent options, named by their distance, on the items of the set it controls.

Nothing of the generator of the control is used: what an item should be follows from its prompt and its partner.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...choices.claims import CORRECT, RecomputeError
from ...choices.item import CLOCK_UNIT
from ...claims import Failure, Item, NumberedItem
from .recompute import value_of

# Every other field is that of the partner.
_OWN_FIELDS = ("activity_label", "endings", "source_id", "metadata")
_OWN_METADATA = ("option_values", "option_sources", "option_steps")
_SOURCE = re.compile(r"answer ([-+]) ([123])(| minutes?)", re.ASCII)


def adjacent(item: Item) -> Iterator[str]:
    """The four options follow each other without a gap."""
    values = item["metadata"]["option_values"]
    if sorted(values) != list(range(min(values), min(values) + len(values))):
        yield f"the options are {values}, not four adjacent integers"


def offsets(item: Item) -> Iterator[str]:
    """Every source names the distance of its option from the right one, which the prompt's numbers give."""
    metadata = item["metadata"]
    clock = metadata["unit"] == CLOCK_UNIT
    try:
        answer = value_of(metadata["template"], item["ctx"], CORRECT)
    except RecomputeError as error:
        yield str(error)
        return
    for slot, (source, value) in enumerate(zip(metadata["option_sources"], metadata["option_values"], strict=True)):
        named = _offset(source, clock)
        if named is None:
            yield f"option {slot}: unknown source {source!r}"
        elif answer + named != value:
            yield f"option {slot} is {value}, but {source!r} of {answer} is {answer + named}"


def _offset(source: str, clock: bool) -> int | None:
    if source == CORRECT:
        return 0
    match = _SOURCE.fullmatch(source)
    unit = "" if not clock else " minute" if match and match[2] == "1" else " minutes"
    return int(match[1] + match[2]) if match and match[3] == unit else None


def partners(items: Sequence[NumberedItem], controlled: Sequence[NumberedItem]) -> Iterator[Failure]:
    """Items that differ from the item in the same place of the set by more than endings and names."""
    if len(items) != len(controlled):
        yield Failure(None, f"{len(items)} items for a set of {len(controlled)}")
    for (line, item), (_, partner) in zip(items, controlled, strict=False):
        changed = _changed(item, partner, _OWN_FIELDS)
        data, other = item.get("metadata"), partner.get("metadata")
        if isinstance(data, dict) and isinstance(other, dict):
            changed += [f"metadata.{key}" for key in _changed(data, other, _OWN_METADATA)]
            if _order(data) != _order(other):
                changed.append("the order of the options by size")
        if changed:
            yield Failure(line, f"not as in the set that is controlled: {', '.join(changed)}")


def _changed(item: Mapping[str, Any], partner: Mapping[str, Any], own: Sequence[str]) -> list[str]:
    return [key for key in partner if key not in own and item.get(key) != partner[key]]


def _order(data: Mapping[str, Any]) -> list[int]:
    values = data.get("option_values")
    return sorted(range(len(values)), key=values.__getitem__) if isinstance(values, list) else []
