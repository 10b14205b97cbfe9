"""Numbers and clock times read from plain text, without knowing the story.

A clock time counts as minutes after midnight, a decimal as a float, a number word as its value.
"""

import re

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
