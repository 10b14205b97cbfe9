"""Read the final integer, or time of day, out of generated text. Pure functions of one string; none raises.

The policy: work on the text after the thoughts (thoughts that never end are no answer); cut at the next question; leave
out how sure the model is; then the last explicit marker that has a number (``The answer is``, ``####``, ``Answer:``,
``\\boxed{}``), else the last number. A question that is only repeated (``12+34``) and a hedge (``12 or 46``) are not an
integer.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Literal

from .text import after_thinking, characters, first_turn, markup
from .tokens import Token, clocks, numbers

Status = Literal["ok", "no_answer", "unclosed_think", "not_an_integer"]
Reading = tuple[int | None, Status]

_BE = r"(?:is|are|was|were|would be|should be|must be|will be|equals|comes to|comes out to)"
_ASIDE = r"\s+(?:to|for|of|in|here)\b[^.\n:=]{0,80}?|\s*\([^()\n]{0,40}\)|,[^.,\n:=]{0,20},"
_MARKER = re.compile(
    rf"(?<![A-Za-z0-9])answers?\b(?:{_ASIDE})?(?:\s*\b{_BE}\b|'s\b|[\"'\])]{{0,2}}\s*[:=])"
    r"|^\W{0,8}(?:final\s+)?ans(?:wer)?\b[^\w\n]{0,12}(?=\d+(?!\d|\s*[:)]))"  # "Ans. 46", but not "Answer 2:"
    r"|\bfinal answer\b(?=[^\w\n]{0,4}\d)"
    r"|^\W{0,8}(?:final\s+)?answer\W{0,8}$"
    r"|<(?:final_?)?answer>"
    r"|^[ \t]*A[ \t]*:"
    r"|\#{4,}[ \t]*(?=[-+(\[$€£\\ ]{0,6}\d)"
    r"|\\boxed",
    re.IGNORECASE | re.MULTILINE,
)
_FILLER = re.compile(
    r"[\W_]*(?:\b(?:an?|the|about|approximately|approx|around|roughly|exactly|just|only|simply|equal|equals|to|is|be|"
    r"therefore|thus|so|then|now|indeed|clearly|hence|total|of|value|number|result|integer|usd|us|eur|gbp|rs|[b-z]|"
    r"negative|minus)\b[\W_]*)*",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"(?<!\bi\.e)(?<!\be\.g)(?<!\bapprox)[.!?;](?=\s|$)|\n", re.IGNORECASE)
_REMARK = re.compile(r"\b(?:check|verif|explanation|note|because|since|proof|alternative)", re.IGNORECASE)
_EQUALS = re.compile(r"[^\d\n]{0,24}?(?:[=≈→]|\b(?:is|equals|equal to|gives|makes|to get|which is)\b)[^\w\n]*", re.I)
_OR = re.compile(r"[\s\w$)\]}]{0,24}?,?\s*\bor\b[\s\w$(\[{=-]{0,24}", re.I)
_LIST_JOINT = re.compile(r"[\s$)\]}]*(?:[,;&]|\b(?:and|or|to|through)\b)[\s,]*(?:\b(?:and|or)\b)?[\s$(\[{-]*", re.I)
_REFUSED = re.compile(r"(?:\bnot|n't)\s+\W{0,4}\Z", re.I)
_BETWEEN = re.compile(
    r"\b(?:between\b[^.\n]{0,40}\band|rang(?:es?|ing)\s+from\b[^.\n]{0,40}\bto)\b[\s$(\[{-]*\Z", re.IGNORECASE
)


_PERCENT = r"\d+(?:[.,]\d+)?\s?(?:%|percent\b)"
_CERTAINTY = re.compile(  # "Confidence: 95%", "(confidence 0.9)", "95% sure", "46 (95%)"
    r"<confidence\b[^<>\n]{0,40}>[^<\n]{0,40}</confidence>"
    r"|\b(?:confidence|certainty)\b[^\d\n.:=(\[]{0,40}(?:[(\[][^()\[\]\n]{0,30}[)\]][^\d\n.:=(\[]{0,10})?"
    r"(?:[:=]|\b(?:is|of|at)\b|(?=[\s(]\d))\s{0,4}(?:(?:very\s)?(?:high|medium|moderate|low)\b)?[^\w\n]{0,8}"
    r"\d+(?:[.,]\d+)?\s?(?:%|percent\b)?(?:\s?(?:/|-|out\sof|to)\s?\d+(?:[.,]\d+)?\s?%?)?\)?"
    rf"|\b{_PERCENT}\s(?:\w+\s)?(?:confiden(?:t|ce)|certain(?:ty)?|sure)\b"
    rf"|\b(?:confident|certain|sure)\s?\({_PERCENT}\)"
    rf"|(?<=\d)\s?\({_PERCENT}\)[ \t.]*$",
    re.IGNORECASE | re.MULTILINE,
)


def extract(text: str) -> Reading:
    """The integer that the text gives as its answer, and how the reading went.

    >>> extract("The answer is 72, in total, so fine."), extract("10-3 = 7"), extract("It is −5")
    ((72, 'ok'), (7, 'ok'), (-5, 'ok'))
    >>> extract("12+34"), extract("46.5"), extract("I cannot say."), extract("<think> 12+34 is 46")
    ((None, 'not_an_integer'), (None, 'not_an_integer'), (None, 'no_answer'), (None, 'unclosed_think'))
    """
    return _read(text, numbers)


def extract_clock(text: str) -> Reading:
    """The time of day that the text gives as its answer, in minutes after midnight; same policy and statuses.

    A number that is no time of day has the status ``not_an_integer``.

    >>> extract_clock("The film ended at 2:45 p.m."), extract_clock("14:45"), extract_clock("45 minutes")
    ((885, 'ok'), (885, 'ok'), (None, 'not_an_integer'))
    """
    reading = _read(text, clocks)
    if reading[1] == "no_answer" and _read(text, numbers)[1] != "no_answer":
        return None, "not_an_integer"
    return reading


def _read(text: str, scan: Callable[[str], list[Token]]) -> Reading:
    text = characters(text)
    spoken = after_thinking(text)
    if spoken is None:
        return None, "unclosed_think"
    # A question at the very start repeats the one that was asked; after a blank line, it is the next one.
    turn = first_turn(markup(spoken), echo=len(spoken) < len(text) or not text.startswith("\n"))
    body = _CERTAINTY.sub("", turn)
    tokens = scan(body)
    if not tokens:
        return None, "no_answer"
    starts = [token.start for token in tokens]
    for begin, end, heads in _marked(body):
        inside = tokens[bisect_left(starts, begin) : bisect_left(starts, end)]
        if inside:
            return _after_marker(body, begin, end, inside, heads=heads)
    return _settle(body, _last(body, tokens), tokens, body.rfind("\n", 0, starts[0]) + 1, len(body))


def _marked(body: str) -> Iterator[tuple[int, int, bool]]:
    """The spans that answer markers speak of, last one first, and whether the marker is a heading (``Answer:``)."""
    markers = list(_MARKER.finditer(body))
    end = len(body)
    for marker in reversed(markers):
        if marker[0] == "\\boxed":
            yield marker.end(), min(end, _closing_brace(body, marker.end())), False
        else:
            yield marker.end(), end, marker[0].endswith((":", "="))
        end = marker.start()


def _closing_brace(body: str, start: int) -> int:
    """Where the brace group from ``start`` ends; without a brace, or a closing one, the line's end."""
    depth = 0
    for match in re.finditer(r"[{}\n]", body[start:]):
        if match[0] == "\n":
            return start + match.start()
        depth += 1 if match[0] == "{" else -1
        if depth <= 0:
            return start + match.start()
    return len(body)


def _after_marker(body: str, begin: int, end: int, tokens: list[Token], *, heads: bool) -> Reading:
    first = tokens[0]
    stop = _SENTENCE_END.search(body, first.end, end)
    sentence = _before(tokens, stop.start() if stop else end)
    chosen: Token | None = None
    if _FILLER.fullmatch(body, begin, first.start):  # "is about $46", rather than "is what 46 people ..."
        chosen = first if not first.operand else None if heads else _result(body, tokens)
    if chosen is None and heads:  # "Answer: 12 * 3 = 36. 36 + 10 = 46." heads a whole solution
        remark = _REMARK.search(body, first.end, end)
        chosen = _last_result(body, _before(tokens, remark.start() if remark else end))
    chosen = chosen or _last(body, sentence)
    if chosen is None and not all(token.operand for token in sentence):  # "The answer is not 45. It is 46."
        return _settle(body, _last(body, tokens), tokens, begin, end)
    return _settle(body, chosen, tokens, begin, stop.start() if stop else end)


def _before(tokens: list[Token], end: int) -> list[Token]:
    return [token for token in tokens if token.start < end]


def _result(body: str, tokens: list[Token]) -> Token | None:
    """What ``12+34 = 46`` comes to: the first lone number that an equals sign joins to the operation."""
    for left, right in pairwise(tokens):
        joined = right.start - left.end <= 48 and _EQUALS.fullmatch(body, left.end, right.start)
        if joined and not right.operand:
            return right
        if not joined and not (left.operand and right.operand):
            return None
    return None


def _last_result(body: str, tokens: list[Token]) -> Token | None:
    """What the last of the equations comes to: the last lone number that an equals sign joins to a number before it."""
    found: Token | None = None
    for left, right in pairwise(tokens):
        if (left.operand or left is found) and not right.operand and right.start - left.end <= 48:
            found = right if _EQUALS.fullmatch(body, left.end, right.start) else found
    return found


def _last(body: str, tokens: list[Token]) -> Token | None:
    """The last number that stands alone and is not refused (``not 46``)."""
    for token in reversed(tokens):
        if not token.operand and not _REFUSED.search(body[max(0, token.start - 12) : token.start]):
            return token
    return None


def _settle(body: str, chosen: Token | None, tokens: list[Token], begin: int, end: int) -> Reading:
    if chosen is None or chosen.value is None or _is_hedged(body, chosen, tokens, begin, end):
        return None, "not_an_integer"
    return chosen.value, "ok"


def _is_hedged(body: str, chosen: Token, tokens: list[Token], begin: int, end: int) -> bool:
    """Whether several numbers are offered: ``12 or 46``, ``between 12 and 46``, or nothing but a list."""
    if _BETWEEN.search(body[max(0, chosen.start - 64) : chosen.start]):
        return True
    index = tokens.index(chosen)
    pairs = list(pairwise(tokens))
    for left, right in pairs[max(0, index - 1) : index + 1]:
        if left.operand and not right.operand:
            continue  # "12+34, or 46" says one thing twice
        if right.start - left.end <= 64 and _OR.fullmatch(body, left.end, right.start):
            return True
    offered = _before(tokens, end)
    return (
        len(offered) > 1
        and not re.search(r"\w", body[offered[-1].end : end])
        and _FILLER.fullmatch(body, begin, offered[0].start) is not None
        and all(_LIST_JOINT.fullmatch(body, left.end, right.start) for left, right in pairs[: len(offered) - 1])
    )
