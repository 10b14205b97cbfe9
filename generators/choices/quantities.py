"""Numbers and clock times read from plain text, without knowing the story, and what their numerals look like.

A clock time counts as minutes after midnight, a decimal as a float, a number word as its value. Numerals are scored by
roundness, digits, parity, and where they lie among each other.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache, reduce
from math import log
from operator import add

DAY = 24 * 60
HALF_DAY = DAY // 2
CLOCK = re.compile(r"\b(1[0-2]|[1-9]):([0-5][0-9]) ([ap])\.m\.")
Number = float  # whole numbers are kept as int
# What is longer is an identifier, not a quantity, and Python refuses to read thousands of digits.
MAX_LENGTH = 24
_SMALL = re.findall(
    r"\w+",
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen",
)
_TENS_WORDS = re.findall(r"\w+", "twenty thirty forty fifty sixty seventy eighty ninety")
WORDS = {word: value for value, word in enumerate(_SMALL, 2)} | {
    "zero": 0,
    "half": 2,
    "twice": 2,
    "double": 2,
    "triple": 3,
    "quarter": 4,
    "dozen": 12,
    "noon": 720,
    "midnight": 0,
}
TENS = {word: 10 * value for value, word in enumerate(_TENS_WORDS, 2)}
_CLOCK = r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?:\s*(?P<half>[ap])\.?m\b)?"
_DIGITS = r"(?P<digits>(?<![\w.])[-−]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|\d+(?:\.\d+)?)"
_TENS = rf"\b(?P<tens>{'|'.join(TENS)})(?:-(?P<ones>{'|'.join(['one', *_SMALL[:8]])}))?\b"
_WORD = rf"\b(?P<word>{'|'.join(WORDS)})\b"
_QUANTITY = re.compile("|".join((_CLOCK, _DIGITS, _TENS, _WORD)), re.ASCII | re.IGNORECASE)
Scores = Sequence[Number]
# The scores of the options, and whether the lowest one makes a strategy of its own beside the highest.
Look = tuple[Scores, bool]


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


def _number(text: str) -> Number | None:
    plain = text.replace(",", "").replace("−", "-")
    if len(plain) > MAX_LENGTH:
        return None
    if "." not in plain:
        return int(plain)
    value = float(plain)
    return int(value) if value.is_integer() else value


def _value(match: re.Match[str]) -> Number | None:
    if match["digits"]:
        return _number(match["digits"])
    if match["hour"]:
        hour, half = int(match["hour"]), (match["half"] or "").lower()
        return ((hour % 12) + 12 * (half == "p") if half else hour) * 60 + int(match["minute"])
    if match["tens"]:
        ones = (match["ones"] or "").lower()
        return TENS[match["tens"].lower()] + (1 if ones == "one" else WORDS.get(ones, 0))
    return WORDS[match["word"].lower()]


def numbers_in(text: str) -> tuple[Number, ...]:
    """Every number of ``text`` in reading order.

    >>> numbers_in("Two vans left at 1:05 p.m. with 1,200 boxes, 12.50 dollars and twenty-five men")
    (2, 785, 1200, 12.5, 25)
    """
    found = map(_value, _QUANTITY.finditer(text))
    return tuple(value for value in found if value is not None)


def first_number(text: str) -> Number | None:
    """The first number of ``text``, or None.

    >>> first_number(" 12:15 a.m."), first_number(" -7 degrees."), first_number(" none of these")
    (15, -7, None)
    """
    return next(iter(numbers_in(text)), None)


def is_clock(text: str) -> bool:
    """Whether ``text`` holds a clock time such as ``9:45 a.m.``"""
    match = _QUANTITY.search(text)
    return match is not None and (match["hour"] is not None or (match["word"] or "").lower() in ("noon", "midnight"))


def added(values: Iterable[float]) -> float:
    """The values added one after the other: ``sum`` rounds otherwise from Python 3.12 on, and a set must not.

    >>> added([0.5, 0.25])
    0.75
    """
    return reduce(add, values)


def trailing_zeros(value: Number) -> int:
    """Decimal zeros at the end of a whole number; 0 itself and fractions have none.

    >>> trailing_zeros(1200), trailing_zeros(0)
    (2, 0)
    """
    count = 0
    while value and value % 10 == 0:
        value //= 10
        count += 1
    return count


@lru_cache(maxsize=8192)
def roundness(value: Number, clock: bool = False) -> int:
    """How round a number looks: two per trailing zero, one more for a 5 before them; a clock time by its minutes.

    >>> roundness(470), roundness(450), roundness(43), roundness(9 * 60 + 45, clock=True)
    (2, 3, 0, 2)
    """
    if clock:
        return sum(value % part == 0 for part in (5, 15, 30, 60))
    zeros = trailing_zeros(value)
    return 2 * zeros + (value // 10**zeros % 10 == 5)


def look_scores(values: Sequence[Number], clock: bool) -> list[Look]:
    """How the options look as numerals: roundness, digits, parity, digits shared with the other options."""
    round_scores = [roundness(value, clock) for value in values]
    digits, sums, leading = zip(*[_numeral(value) for value in values], strict=True)
    parities = [value % 2 for value in values]
    shared = [0] * len(values)
    places = [0] * len(values)
    for i, left in enumerate(digits):
        for j in range(i):
            common, aligned = _alike(left, digits[j])
            shared[i] += common
            shared[j] += common
            places[i] += aligned
            places[j] += aligned
    return [
        (round_scores, True),
        (sums, True),
        (leading, False),
        ([-parities.count(parity) for parity in parities], False),
        (shared, True),
        (places, False),
    ]


@lru_cache(maxsize=8192)
def _numeral(value: Number) -> tuple[str, int, int]:
    """The digits, their sum, and the first one below nothing: the smaller, the higher."""
    digits = str(abs(int(value)))
    return digits, sum(map(int, digits)), -int(digits[0])


@lru_cache(maxsize=8192)
def _alike(left: str, right: str) -> tuple[int, int]:
    """How many digits two numerals share, and how many of them in the same place."""
    common = sum([min(left.count(digit), right.count(digit)) for digit in set(left)])
    return common, sum([a == b for a, b in zip(left[::-1], right[::-1], strict=False)])


def spread_scores(values: Sequence[Number]) -> list[Look]:
    """Where an option lies among the others."""
    total, count = sum(values), len(values)
    offsets = [abs(count * value - total) for value in values]
    logs = [log(max(abs(value), 1)) for value in values]
    centre = added(logs) / count
    gaps = [min([abs(value - other) for j, other in enumerate(values) if j != i]) for i, value in enumerate(values)]
    middles = {values[i] + values[j]: (i, j) for i in range(count) for j in range(i)}
    midpoints = [2 * value in middles and i not in middles[2 * value] for i, value in enumerate(values)]
    parts = [sum([_divides(value, other) for other in values if other != value]) for value in values]
    return [
        ([-offset for offset in offsets], True),
        ([-round(abs(size - centre), 9) for size in logs], False),
        ([-gap for gap in gaps], True),
        (midpoints, False),
        (parts, False),
    ]


def _divides(left: Number, right: Number) -> bool:
    low, high = (left, right) if left < right else (right, left)
    return low > 0 and high % low == 0
