"""The matched control: the prompts and answers of a set with adjacent wrong options, as in ArithMark 3.0.

What one model scores on a set and on its control differs by the endings alone: prompt, right option, its slot, its rank
and its text are the same item by item, and every other slot holds the option of the same rank among the four.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from ..choices.item import CLOCK_UNIT, ending_text
from ..choices.options import CORRECT

Item = dict[str, Any]


def control(items: Iterable[Item]) -> Iterator[Item]:
    """Each item with four adjacent integers (minutes, for a time of day) around its answer, in order."""
    return map(_adjacent, items)


def _adjacent(item: Item) -> Item:
    data, slot = item["metadata"], int(item["label"])
    old = data["option_values"]
    # Rank r takes r distinct smaller values from 0 on, so the window never reaches below 0, nor past midnight.
    lowest = old[slot] - data["answer_rank"]
    values = [lowest + sum(other < value for other in old) for value in old]
    return item | {
        "endings": [ending_text(value, data["unit"]) for value in values],
        "metadata": data
        | {
            "option_values": values,
            "option_sources": [offset_name(value - old[slot], data["unit"]) for value in values],
            "option_steps": [None] * len(values),
        },
    }


def offset_name(offset: int, unit: str) -> str:
    """What ``metadata.option_sources`` says of an option so far above the answer (below it, when negative).

    >>> offset_name(0, "crates"), offset_name(-2, "crates"), offset_name(1, "clock"), offset_name(3, "clock")
    ('correct', 'answer - 2', 'answer + 1 minute', 'answer + 3 minutes')
    """
    if not offset:
        return CORRECT
    minutes = "" if unit != CLOCK_UNIT else " minute" if abs(offset) == 1 else " minutes"
    return f"answer {'-' if offset < 0 else '+'} {abs(offset)}{minutes}"
