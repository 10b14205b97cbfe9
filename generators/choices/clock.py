"""Times of day as minutes after midnight, read and written on the twelve-hour clock."""

import re

DAY = 24 * 60
HALF_DAY = DAY // 2
CLOCK = re.compile(r"\b(1[0-2]|[1-9]):([0-5][0-9]) ([ap])\.m\.")


def clock_text(minutes: int) -> str:
    """Write a time of day.

    >>> clock_text(0), clock_text(750), clock_text(13 * 60 + 5)
    ('12:00 a.m.', '12:30 p.m.', '1:05 p.m.')
    """
    hour, minute = divmod(minutes % DAY, 60)
    return f"{(hour - 1) % 12 + 1}:{minute:02d} {'ap'[hour >= 12]}.m."


def clock_minutes(hour: str, minute: str, half: str) -> int:
    """The minutes after midnight of a match of ``CLOCK``.

    >>> clock_minutes(*CLOCK.search("It began at 12:05 a.m. sharp.").groups())
    5
    """
    return int(hour) % 12 * 60 + int(minute) + HALF_DAY * (half == "p")
