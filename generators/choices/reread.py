"""The numbers of a prompt or an ending, read a second time for whoever checks items, by nothing that builds them."""

import re

CORRECT = "correct"
# Longer ones are no operands, and Python refuses to read them.
MAX_DIGITS = 18
NUMBER = re.compile(r"(\d{1,2}):(\d\d) ([ap])\.m\.|(\d+)", re.ASCII)


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
