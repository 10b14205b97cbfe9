"""The numbers and the times of day in a text that ``text.plain`` has cleaned, with their signs and values."""

import re
from dataclasses import dataclass

# int() refuses longer runs (from 640 digits on, by the interpreter's setting), and no answer is that long.
MAX_DIGITS = 600

_NUMBER = re.compile(r"\d+(?:[.,_']\d+|\u202f\d{3}(?!\d))*(?:[eE][-+]?\d+)?")
_WHOLE = re.compile(
    r"(?P<whole>\d+|[1-9]\d{0,2}(?P<mark>[,_'\u202f])\d{3}(?:(?P=mark)\d{3})*|[1-9]\d?(?:,\d\d)+,\d{3})(?:\.0+)?"
)
_CURRENCY = {"usd", "us", "eur", "gbp", "inr", "rs", "cad", "aud", "jpy"}
_OPENING = "$€£¥₹([{"
_WORD_BEFORE = re.compile(r"[A-Za-z]+\Z")
_SPACED_MINUS = re.compile(r"(?:[=≈:]|\b(?:is|equals|be))[ \t]*-[ \t]+\Z|\b(?:negative|minus)[ \t]+\Z", re.IGNORECASE)
_ORDINAL = re.compile(r"(?:st|nd|rd|th)\b")
_NOT_WHOLE = re.compile(  # what follows makes it another number: 5k, 3 million, 10², 46½, 46 1/2
    r"[kKMBT]\b|[\s-]*(?:hundred|thousand|million|billion|trillion|dozen)\b"
    r"|\s?[²³¹⁰-⁹⁻¼-¾⅐-⅞]|\s+(?:and\s+)?\d+\s?/\s?\d|\s+and\s+a\s+half\b"
)
_OPERATION = re.compile(  # all that stands between two numbers, when it is an operation on them
    r"[\s)\]}%°$]*(?:(?:[a-z]+\s+){0,2}(?:[+*]|//?|plus|minus|times|mod(?:ulo)?|(?:multiplied|divided)\s+(?:by|with)"
    r"|added\s+to|subtracted\s+from|take\s+away)|(?:x|\*\*|[-–^]))[\s(\[{$€£]*[-+]?[\s(\[{$€£]*|:|(?<=\d)~",
    re.IGNORECASE,
)
_LONGEST_OPERATION = 48
_NAMED = re.compile(  # what stands before two numbers that "and", "to", "from", "by" join, when it names an operation
    r"\b(?:(?:sum|difference|product|quotient)\s+(?:of|between)|add(?:ing)?|subtract(?:ing)?|multiply(?:ing)?|divid(?:e|ing))"
    r"[\s(\[{$€£]*-?\Z",
    re.IGNORECASE,
)
_NAMED_JOINT = re.compile(r"[\s)\]}%°$]*\b(?:and|to|from|by)\b[\s(\[{$€£]*-?", re.IGNORECASE)
_UNIT_POWER = re.compile(r"[A-Za-z]\}?\s?\^\s?[{(]?[-+]?\Z")  # cm^2

_HALF = (
    r"(?P<half>[ap])\.?\s?m\b\.?"
    r"|(?:o'clock\s+)?(?:in\s+the\s+(?P<part>morning|afternoon|evening)|at\s+(?P<night>night))"
)
_CLOCK = re.compile(
    r"(?<![\d:.,/])(?P<hour>\d{1,2})"
    r"(?:(?P<mark>\s?:\s?|[.h])(?P<minute>\d{2})(?::(?P<second>\d{2}))?)?(?![\d:])"
    rf"(?:[\s{{}}]*(?:{_HALF})|\s+(?P<twelve>noon|midnight)\b)?"
    r"|\b(?P<word>noon|midday|midnight)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Token:
    """A number or time at ``[start, end)``: its ``value``, ``None`` when it is no integer or no time of day.

    ``operand`` marks a part of a written operation (``12+34``), which is a question rather than an answer.
    """

    start: int
    end: int
    value: int | None
    operand: bool = False


def numbers(text: str) -> list[Token]:
    """Every number of the text, in order; digits inside words (``H2O``) and ordinals (``2nd``) are none.

    >>> [(token.value, token.operand) for token in numbers("10-3 = 7, not 1,2 or 1,234.00")]
    [(10, True), (3, True), (7, False), (None, False), (1234, False)]
    """
    found = []
    for match in _NUMBER.finditer(text):
        if _inside_word(text, match.start()) or _ORDINAL.match(text, match.end()):
            continue
        found.append(Token(match.start(), match.end(), _value(text, match)))
    return _mark_operands(text, found)


def clocks(text: str) -> list[Token]:
    """Every time of day as minutes after midnight; without a.m. or p.m. it is read on the 24-hour clock.

    >>> [token.value for token in clocks("2:45 p.m., 2:45 PM, 14:45, 12:05 a.m., noon, 25:00")]
    [885, 885, 885, 5, 720, None]
    """
    found = []
    for match in _CLOCK.finditer(text):
        qualified = match["half"] or match["part"] or match["night"] or match["twelve"] or match["word"]
        if not qualified and (match["mark"] is None or match["mark"] == "."):
            continue  # "46" and "2.45" are numbers
        if not _inside_word(text, match.start()):
            found.append(Token(match.start(), match.end(), _minutes(match)))
    return _mark_operands(text, found)


def _inside_word(text: str, start: int) -> bool:
    before = text[max(0, start - 4) : start]
    if before.endswith("_"):
        return len(before) > 1 and before[-2].isalnum()
    word = _WORD_BEFORE.search(before)
    return word is not None and word[0].lower() not in _CURRENCY and not _times(text, start)


def _times(text: str, start: int) -> bool:
    # The x of 12x34 is an operator, the x of x34 is a name.
    return text[start - 1] in "xX" and start > 1 and text[start - 2].isdigit()


def _value(text: str, match: re.Match[str]) -> int | None:
    start, end = match.span()
    whole = _WHOLE.fullmatch(match[0])
    if whole is None or _NOT_WHOLE.match(text, end):
        return None
    if text[max(0, start - 3) : start].rstrip("{( ").endswith(("√", "±", "^")):
        return None
    if match[0] == "0" and text[end : end + 1] in ("x", "X"):
        return None
    if text[start - 1 : start] == "." and not (start > 1 and (text[start - 2].isalnum() or text[start - 2] == ".")):
        return None  # ".5"
    digits = re.sub(r"[^0-9]", "", whole["whole"]).lstrip("0")
    return _sign(text, start) * int(digits or "0") if len(digits) <= MAX_DIGITS else None


def _sign(text: str, start: int) -> int:
    edge = start
    while edge and text[edge - 1] in _OPENING:
        edge -= 1
    if edge and text[edge - 1] == "-":
        before = text[edge - 2] if edge > 1 else " "
        joined = before.isdigit() or before.lower() != before.upper()  # in a script without cases, a word may end here
        return 1 if joined or before in ")]}%-" else -1
    return -1 if _SPACED_MINUS.search(text[max(0, start - 24) : edge]) else 1


def _mark_operands(text: str, tokens: list[Token]) -> list[Token]:
    marked = [bool(_UNIT_POWER.search(text[max(0, token.start - 8) : token.start])) for token in tokens]
    for index in range(1, len(tokens)):
        start, end = tokens[index - 1].end, tokens[index].start
        if end - start > _LONGEST_OPERATION:
            continue
        if _OPERATION.fullmatch(text, start, end) or _is_named(text, tokens[index - 1].start, start, end):
            marked[index - 1] = marked[index] = True
    return [Token(token.start, token.end, token.value, mark) for token, mark in zip(tokens, marked, strict=True)]


def _is_named(text: str, first: int, start: int, end: int) -> bool:
    # "the sum of 12 and 34", "subtract 12 from 46"
    return bool(_NAMED_JOINT.fullmatch(text, start, end) and _NAMED.search(text[max(0, first - 32) : first]))


def _minutes(match: re.Match[str]) -> int | None:
    if match["word"]:
        return 0 if match["word"].lower() == "midnight" else 12 * 60
    hour, minute = int(match["hour"]), int(match["minute"] or "0")
    if minute > 59 or int(match["second"] or "0"):
        return None
    if match["twelve"]:
        return (0 if match["twelve"].lower() == "midnight" else 12 * 60) if (hour, minute) == (12, 0) else None
    afternoon = _is_afternoon(match, hour)
    if afternoon is None or (afternoon and 13 <= hour <= 23) or (not afternoon and hour == 0):
        return hour % 24 * 60 + minute if hour < 24 or (hour, minute) == (24, 0) else None
    return (hour % 12 + 12 * afternoon) * 60 + minute if 1 <= hour <= 12 else None


def _is_afternoon(match: re.Match[str], hour: int) -> bool | None:
    """``None`` when the text does not say."""
    if match["half"]:
        return match["half"].lower() == "p"
    if match["part"]:
        return match["part"].lower() != "morning"
    return 5 <= hour < 12 if match["night"] else None
