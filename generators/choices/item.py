"""The schema of a four-way item, one JSON object per line, and how its text carries numbers.

Source: the worked item of DeepArithmark-1; ``metadata.template`` is added, because per-template reports need it.
"""

import re

from .quantities import CLOCK, clock_minutes, clock_text

CLOCK_UNIT = "clock"

ITEM_KEYS = ("ind", "activity_label", "ctx", "endings", "label", "source_id", "split", "split_type", "metadata")
METADATA_KEYS = (
    "answer",
    "unit",
    "topic",
    "template",
    "depth",
    "option_values",
    "option_sources",
    "answer_rank",
    "solution_steps",
    "option_steps",
)
_NUMBER = re.compile(CLOCK.pattern + r"|([0-9]+)")


def numbers_in(text: str) -> tuple[int, ...]:
    """Every number of a text in reading order; a clock time is one number, its minutes after midnight.

    >>> numbers_in("The 9:30 p.m. film ran 95 minutes")
    (1290, 95)
    """
    return tuple(
        int(match[4]) if match[4] else clock_minutes(match[1], match[2], match[3]) for match in _NUMBER.finditer(text)
    )


def ending_text(value: int, unit: str) -> str:
    """The ending that offers ``value``, leading space included.

    >>> ending_text(26, "crates"), ending_text(13 * 60 + 5, "clock")
    (' 26 crates.', ' 1:05 p.m.')
    """
    return f" {clock_text(value)}" if unit == CLOCK_UNIT else f" {value} {unit}."


def answer_text(value: int, unit: str) -> str:
    """``metadata.answer``: the number alone, or the clock time."""
    return clock_text(value) if unit == CLOCK_UNIT else str(value)
