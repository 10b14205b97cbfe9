"""The scanner once more, slowly: Python's ``re`` on a normalised string, one text at a time.

It follows the policy, not the compiled code, and shares nothing with it: what people write is spelt out again in
``reference_tables.py``. A text is rewritten with one character per symbol; expressions are then found with patterns on
what lies before and behind each number.
"""

import html.entities
import re
import unicodedata
from collections import Counter
from dataclasses import dataclass

import reference_tables as tables
from reference_tables import classify

from arithmark_tasks.generators.expression import Expression

LETTER, OTHER, RAISED, THIN, FRAC, COIN, VT, DEGREE = "λ", "☐", "²", "\u2009", "⅟", "€", "\v", "°"
WIDE = str.maketrans("0123456789", "０１２３４５６７８９")
PLUS, MINUS, TIMES, DIVIDE, DASH, LONG_DASH = "⊞", "⊟", "⊠", "⊡", "–", "—"
SIGNS = {"+": PLUS, "-": MINUS, "*": TIMES, "/": DIVIDE}

S = rf"[ \t\n\r\f\v~{THIN}]"
GAP = rf"(?:(?![\n\v]){S})*(?:[\n\v](?:(?![\n\v]){S})*)?"
SPACES = f" \t\r\f~{THIN}"
D = "[0-9０-９]"
LETTERS = f"A-Za-z{LETTER}"
CLOSERS = rf")\]}}%!{RAISED}"
MINUS_SIGNS = f"-{MINUS}{DASH}{LONG_DASH}"
OPERATOR = {
    **dict.fromkeys(f"+{PLUS}", "+"),
    **dict.fromkeys(MINUS_SIGNS, "-"),
    **dict.fromkeys(f"*{TIMES}", "*"),
    **dict.fromkeys(f"/{DIVIDE}", "/"),
}
SEPARATOR = rf"[,'_~{THIN}]"
NUMBER = re.compile(
    rf"(?:(?P<grouped>{D}{{1,3}}(?P<sep>{SEPARATOR}){D}{{3}}(?!{D})(?:(?P=sep){D}{{3}}(?!{D}))*"
    rf"|{D}{{1,3}}(?:\{{[,{THIN}]\}}{D}{{3}}(?!{D}))+"
    rf"|{D}{{1,2}}(?:,{D}{{2}}(?!{D}))+,{D}{{3}}(?!{D}))|{D}+)"
    rf"(?P<fraction>(?:\.{D}+)*)"
)
PART = rf"({D}{{1,4}})"
DATE_SIGN = rf"([-{MINUS}{DASH}{LONG_DASH}/{DIVIDE}])"
DATE = re.compile(rf"{PART}{DATE_SIGN}{PART}{DATE_SIGN}{PART}(?!{D})")


def spelled(words: str) -> str:
    """A pattern of alternatives in which a space is any gap, the longest first."""
    longest_first = sorted(words.split("|"), key=len, reverse=True)
    return "|".join(word.replace(" ", f"(?:{GAP})(?<={S})") for word in longest_first)


NO_LETTER = f"(?![{LETTERS}])"
WORD_SIGNS = {word: sign for sign, words in tables.WORD_OPERATORS.items() for word in words.split("|")}
WORD = re.compile(f"(?:{spelled('|'.join(WORD_SIGNS))}){NO_LETTER}", re.IGNORECASE | re.ASCII)
IGNORING = re.IGNORECASE | re.ASCII
AUXILIARIES = re.compile(rf"(?:(?:{tables.AUXILIARIES}){NO_LETTER}(?:{GAP})(?<={S})){{1,2}}", IGNORING)
DONE = re.compile(f"(?:{tables.DONE}){NO_LETTER}", IGNORING)
ATTACHED = re.compile(f"(?:{tables.ATTACHED_UNITS}){NO_LETTER}", IGNORING)
STOPPER = re.compile(f"(?:{tables.NO_UNITS})\\Z", IGNORING)
DATED = re.compile(f"(?:{tables.DATED}){NO_LETTER}", IGNORING)
LETTER_RUN = re.compile(f"[{LETTERS}]{{1,24}}")
UNIT_SUFFIX = re.compile(rf"[/\-&][{LETTERS}]{{1,24}}|{RAISED}(?=.)|\^{D}|\^\{{.\}}", re.DOTALL)
FILLER_WORDS = f"(?:(?:{GAP})(?:{tables.FILLERS}){NO_LETTER}){{0,3}}"
CONNECTIVE = re.compile(
    rf"(?:(?:equally|evenly|then|another){NO_LETTER}{GAP})?"
    rf"(and|to|from|by|with|into|among|amongst|between){NO_LETTER}{FILLER_WORDS}",
    IGNORING,
)
LISTED = re.compile(rf",(?:{GAP}and{NO_LETTER}{FILLER_WORDS})?", IGNORING)
WORD_BEFORE = re.compile(f"[{LETTERS}]{{1,24}}\\Z")
LABEL = re.compile(
    rf"""(?:(["'])(?=[{LETTERS}])[{LETTERS}0-9０-９_]{{1,16}}\1|(?=[{LETTERS}])[{LETTERS}0-9０-９_]{{1,16}}){GAP}[=:]{GAP}"""
)
LABEL_BEFORE = re.compile(
    rf"""(?:(["'])[{LETTERS}0-9０-９_]{{1,16}}\1|(?<![{LETTERS}0-9０-９_"'])[{LETTERS}0-9０-９_]{{1,16}}){GAP}[=:]{GAP}\Z"""
)
PERCENT_SIGNS = {"2B": "+", "2D": "-", "2A": "*", "2F": "/", "C3%97": "*", "C3%B7": "/", "E2%88%92": "-"}
PERCENT_SIGN = re.compile(f"%({'|'.join(PERCENT_SIGNS)})", re.IGNORECASE)
PERCENT_SPACES = re.compile(r"(?:%20|\+(?=%(?!00)[0-9a-fA-F]{2}))*")


CALL_NAMES = {word for words in tables.CALLS.values() for word in words.split("|")}


@dataclass(frozen=True)
class Found:
    expression: Expression
    surface: str


def escaped(character: str) -> tuple[str, str]:
    """A character written as an entity or ``\\u`` escape."""
    if character in "&\\":
        return OTHER, ""
    if character == "-":
        return DASH, "html"
    if character in SIGNS:
        return SIGNS[character], "html"
    if character in "0123456789":
        return character.translate(WIDE), ""
    symbol, _ = classify(character)
    return symbol, "html"


BARE = sorted((name for name in html.entities.html5 if name.isalpha()), key=len, reverse=True)
BARE_ENTITY = re.compile(rf"&(?:amp;(?=.))*({'|'.join(BARE)})(?![A-Za-z])", re.ASCII | re.DOTALL)
ENTITY = re.compile(
    r"&(?:amp;(?=.))*(?:#([0-9]{1,8})|#[xX]([0-9a-fA-F]{1,8})|([A-Za-z0-9]{1,32}));", re.ASCII | re.DOTALL
)
ESCAPE = re.compile(r"(\\+)(?:u([0-9a-fA-F]{4})|([A-Za-z]+)|([^A-Za-z\\]))?", re.ASCII | re.DOTALL)


def read_entity(text: str, position: int) -> tuple[str, str, int] | None:
    """Symbol, form and length of the entity at an ampersand: the longest reading, with or without a semicolon."""
    readings = []
    if match := ENTITY.match(text, position):
        decimal, hexadecimal, name = match.groups()
        meaning = (
            html.entities.html5.get(f"{name};", "")
            if name
            else chr(min(int(decimal or hexadecimal, 16 if hexadecimal else 10), 0x10FFFF))
        )
        if len(meaning) == 1:
            readings.append((match.end() - position, meaning))
    if match := BARE_ENTITY.match(text, position):
        readings.append((match.end() - position, html.entities.html5[match[1]]))
    if not readings:
        return None
    used, meaning = max(readings)
    return *escaped(meaning), used


def macro_symbol(name: str) -> tuple[str, str] | None:
    """Symbol and form of a macro, ``None`` for one that nobody knows."""
    for sign, names in tables.OPERATOR_MACROS.items():
        if name in names:
            return SIGNS[sign], "latex"
    for names, symbol in (
        (tables.FRACTIONS, FRAC),
        (tables.UNSEEN_MACROS, ""),
        (tables.SYMBOL_MACROS, LETTER),
        (("degree", "textdegree"), DEGREE),
        (("quad", "qquad", "enspace", "space", "t"), " "),
        (("thinspace", "nobreakspace"), THIN),
        (("n", "r", "newline", "par", "cr"), VT),
        (("textendash",), DASH),
        (("textemdash",), LONG_DASH),
    ):
        if name in names:
            return symbol, "unicode"
    return None


MARK_SYMBOLS = {
    **dict.fromkeys(",;: ", THIN),
    "!": "",
    **dict.fromkeys("()[]$", "$"),
    "{": "(",
    "}": ")",
    "-": DASH,
    **{mark: mark for mark in '%_.^"&'},
}


def read_escape(match: re.Match[str]) -> tuple[str, str, int]:
    """Symbol, form, and how many characters of the match were used."""
    slashes, code, name, mark = match.groups()
    start = len(slashes)
    rest = match.string[match.start() + start :]
    broken = "" if re.match(r"[ \r]*\n", rest) else VT
    if code is not None:
        return *escaped(chr(int(code, 16))), match.end() - match.start()
    if name is not None:
        if symbol := macro_symbol(name):
            swallowed = symbol[0] == THIN and match.string.startswith(" ", match.end())
            used = start + len(name) + swallowed
            if symbol[0] == VT and re.match(r"[ \r]*\n", match.string[match.start() + used :]):
                symbol = ("", "")
            return *symbol, used
        if name[0] in "nrt" and name[1:2].isupper():
            return VT, "", start + 1
        return (VT, "", start) if start > 1 else (OTHER, "", start + len(name))
    if mark is not None and mark in "+*/":
        return SIGNS[mark], "latex", start + 1
    if mark is not None and mark in MARK_SYMBOLS:
        return MARK_SYMBOLS[mark], "unicode", start + 1
    if start == 1 and rest[:1] in ("\n", "\r") and rest:
        return "", "", start
    return (broken if start > 1 else OTHER), "", start


FRACTION_NAMES = "|".join(tables.FRACTIONS)
ARGUMENT = r" *(?:([0-9])|\{([0-9, ]+)\})"
BARE_FRACTION = re.compile(rf"(\\+(?:{FRACTION_NAMES})){ARGUMENT}{ARGUMENT}")


def brace_arguments(match: re.Match[str]) -> str:
    """A fraction with braces around both arguments; one that has them already stays as it is."""
    name, bare, braced, second_bare, second_braced = match.groups()
    if braced and second_braced:
        return match.group()
    return f"{name}{{{bare or braced}}}{{{second_bare or second_braced}}}"


def normalise(text: str) -> tuple[str, list[str]]:
    """The text with one character per symbol, and beside each the surface form it stands for."""
    text = BARE_FRACTION.sub(brace_arguments, text)
    symbols: list[str] = []
    forms: list[str] = []
    position = 0
    while position < len(text):
        symbol, form = classify(text[position])
        used = 1
        if text[position] == "&" and (entity := read_entity(text, position)):
            symbol, form, used = entity
        elif text[position] == "^" and (degree := re.compile(r"\^(?:\\+circ|\{\\+circ\})").match(text, position)):
            if re.search(r"[^\0-\x7f]|&|\\", text):
                symbol, used = DEGREE, len(degree.group())
        elif text.startswith("{}", position) and re.search(r"[^\0-\x7f]|&|\\", text):
            symbol, used = "", 2
        elif text[position] == "\\":
            match = ESCAPE.match(text, position)
            assert match is not None
            symbol, form, used = read_escape(match)
        if symbol:
            symbols.append(symbol)
            forms.append(form)
        position += used
    return "".join(symbols), forms


def gap_before(text: str) -> str:
    """The text without the gap at its end: spaces, and at most one line break among them."""
    kept = text.rstrip(SPACES)
    if kept[-1:] in ("\n", VT) and kept:
        kept = kept[:-1].rstrip(SPACES)
    return kept


def gap_end(text: str, position: int) -> int:
    match = re.compile(GAP).match(text, position)
    assert match is not None
    return match.end()


def ascii_digits(text: str) -> str:
    return unicodedata.normalize("NFKC", "".join(re.findall(D, text)))


TAG = re.compile(r"<(/?)([A-Za-z][^<>]{0,63})>")
RAISING = re.compile(r"m?su[pb]", re.IGNORECASE)


class Matcher:
    """Finds the expressions of one normalised text."""

    def __init__(self, text: str) -> None:
        self.text, self.forms = normalise(text)
        self.found: list[Found] = []
        self.left_out: Counter[str] = Counter()

    def run(self) -> None:
        position, expected, literal = 0, -1, -1
        while match := re.compile(D).search(self.text, position):
            start = match.start()
            if start and self.text[start - 1 : start + 2] == "%20":
                position = start + 2
                continue
            if end := self.date(start):
                self.left_out["date"] += 1
                position, expected = end, -1
                continue
            position, right, apart = self.pair(start, expected, start == literal)
            expected = right if right >= 0 else expected
            if apart:
                literal = expected = position

    def date(self, start: int) -> int:
        if month := re.compile(rf"[1１2２]{D}{{3}}[-{MINUS}{DASH}{LONG_DASH}][0０](?![0０]){D}(?!{D})").match(
            self.text, start
        ):
            joined = re.match(rf"[-{MINUS}{DASH}{LONG_DASH}/{DIVIDE}]{D}", self.text[month.end() :])
            if not joined and not re.match(rf"{S}*=", self.text[month.end() :]):
                return month.end()
        match = DATE.match(self.text, start)
        if not match:
            return 0
        one, first, two, second, three = match.groups()
        kind = OPERATOR[first]
        end = match.end()
        followed = end + 1 < len(self.text) and OPERATOR.get(self.text[end]) == kind and re.match(D, self.text[end + 1])
        if kind != OPERATOR[second] or followed or re.match(rf"{S}*=", self.text[end:]):
            return 0
        a, b, c = (int(ascii_digits(part)) for part in (one, two, three))
        padded = any(len(part) == 2 and int(ascii_digits(part)) < 10 for part in (one, two, three))
        widths = (len(one), len(two), len(three))
        if widths[0] == 4 and widths[1] <= 2 and widths[2] <= 2:
            good = 1 <= b <= 12 and 1 <= c <= 31 and (padded or 1900 <= a <= 2099)
        else:
            days = 1 <= a <= 31 and 1 <= b <= 31 and min(a, b) <= 12 and max(widths[:2]) <= 2
            long_year = widths[2] == 4 and (padded or 1000 <= c <= 2999)
            good = days and (long_year or (widths[2] == 2 and (padded or kind == "/")))
            if widths[2] == 2 and not padded:
                around = self.text[max(0, start - 1) : start] + self.text[end : end + 1]
                good = good and around not in ("()", "[]") and not re.search(rf"={S}*\Z", self.text[:start])
        return end if good else 0

    def number(self, start: int) -> tuple[int, str, re.Match[str]]:
        match = NUMBER.match(self.text, start)
        assert match is not None
        return match.end(), ascii_digits(self.text[start : match.start("fraction")]), match

    def unwrap(self, left: int, right: int) -> tuple[int, int]:
        text = self.text
        for _ in range(4):
            before, after = len(gap_before(text[:left])), gap_end(text, right)
            if before == left and text[:left].endswith("(+"):
                before -= 1
            if text[before - 1 : before] + text[after : after + 1] in ("()", "{}"):
                left, right = before - 1, after + 1
                continue
            if text[left - 1 : left] and text[left - 1 : left] == text[right : right + 1] and text[right] in "|\"'":
                left, right = left - 1, right + 1
                continue
            marks = re.compile(r"\*{1,3}|_{1,3}|`{1,3}").match(text, right)
            if marks:
                mark = marks.group()
                opening = left - len(mark)
                if (
                    opening >= 0
                    and text[opening:left] == mark
                    and re.compile(r"\*{1,3}|_{1,3}|`{1,3}").match(text, opening).end() == left  # type: ignore[union-attr]
                    and not re.search(rf"[0-9０-９{CLOSERS}]\Z", text[:opening])
                ):
                    left, right = opening, marks.end()
                    continue
            wider = (
                left - bool(re.search(rf"[${COIN}]\Z", text[:left])),
                right + (text[right : right + 1] in ("$", COIN, DEGREE) and right < len(text)),
            )
            if wider == (left, right):
                break
            left, right = wider
        while re.search(rf"[${COIN}]\Z", text[:left]):
            left -= 1
        return left, right

    def operator(self, end: int) -> tuple[str, str, int] | None:
        """The operator as in ``tables.WORD_OPERATORS``, its form and its end."""
        start = gap_end(self.text, end)
        first = self.text[start : start + 1]
        if first == "{":
            bare = self.bare(gap_end(self.text, start + 1))
            close = gap_end(self.text, bare[2]) if bare else 0
            if bare and self.text.startswith("}", close):
                return *bare[:2], close + 1
            return bare if bare and bare[1] != "word" else None
        if first in ("'", '"') and first:
            bare = self.bare(start + 1)
            return (*bare[:2], bare[2] + 1) if bare and self.text.startswith(first, bare[2]) else None
        if marks := re.compile(r"\*{1,3}|_{1,3}|`{1,3}").match(self.text, start):
            bare = self.bare(marks.end())
            algebra = self.text[marks.end() : marks.end() + 1] in ("x", "X") and start == end
            closing = re.compile(re.escape(marks.group()) + f"(?!{re.escape(first)})" * (len(marks.group()) < 3))
            if bare and not algebra and (closed := closing.match(self.text, bare[2])):
                return (*bare[:2], closed.end())
        return self.bare(start)

    def bare(self, start: int) -> tuple[str, str, int] | None:
        """An operator that begins at ``start``, without braces or emphasis."""
        sign = self.text[start : start + 1]
        if sign in OPERATOR and sign:
            if sign == "-" and (dashes := re.compile(rf"(?<={S})--(?:-(?={S})|(?={S}))").match(self.text, start)):
                return "-", "", dashes.end()
            if sign in "+-*/" and self.text[start + 1 : start + 2] == sign:
                return ("/", "", start + 2) if sign == "/" else None
            return OPERATOR[sign], self.forms[start], start + 1
        if sign in ("x", "X"):
            return "*", "letter_x", start + 1
        match = WORD.match(self.text, start)
        auxiliaries = None if match else AUXILIARIES.match(self.text, start)
        if auxiliaries and DONE.match(self.text, auxiliaries.end()):
            match = WORD.match(self.text, auxiliaries.end())
        if match:
            return WORD_SIGNS[re.sub(rf"{S}+", " ", match.group().lower())], "word", match.end()
        return None

    def marks_end(self, position: int) -> tuple[int, bool]:
        """The end of the currency and percent signs and HTML tags behind a left operand, and whether one is percent."""
        percent = False
        for _ in range(6):
            start = gap_end(self.text, position)
            symbol, tag = self.text[start : start + 1], TAG.match(self.text, start)
            if symbol and (symbol in f"${COIN}{DEGREE}" or (symbol == "%" and not percent)):
                percent, position = percent or symbol == "%", start + 1
            elif tag and not (RAISING.match(tag[2]) and tag[1]):
                position = tag.end()
            else:
                break
        return position, percent

    def open_right(self, after: int) -> tuple[int, str]:
        """Where the right operand's digits begin, and the brackets that must close; -1 and ``negative`` or nothing."""
        brackets = ""
        position = gap_end(self.text, after)
        for _ in range(8):
            rest = self.text[position:]
            if re.match(D, rest):
                return position, brackets
            if rest[:1] in ("(", "{") and rest:
                brackets += rest[0]
                position = gap_end(self.text, position + 1)
            elif rest[:1] in ("$", COIN, "&") and rest:
                position = gap_end(self.text, position + 1)
            elif re.match(rf"[\"']{D}", rest) or (
                re.match(rf"\+{D}", rest) and not re.search(f"[{LETTERS}]\\Z", gap_before(self.text[:position]))
            ):
                position += 1
            elif rest.startswith("<"):
                tag = TAG.match(rest)
                if not tag or (RAISING.match(tag[2]) and not tag[1]):
                    return -1, ""
                position = gap_end(self.text, position + tag.end())
            elif re.match(rf"\|{D}+\|", rest):
                position += 1
            elif match := re.match(r"\*{1,3}|_{1,3}|`{1,3}", rest):
                position += match.end()
                if not re.match(D, self.text[position:]):
                    return -1, ""
            elif rest[:1] in MINUS_SIGNS and rest:
                return -1, "negative" if re.match(rf"{GAP}[${COIN}]?{D}", rest[1:]) else ""
            else:
                return -1, ""
        return -1, ""

    def close_right(self, end: int, brackets: str, with_unit: bool) -> int:
        parens, braces, position = brackets.count("("), brackets.count("{"), end
        if with_unit and brackets:
            for word in range(5):
                at = gap_end(self.text, position)
                unit = self.unit_word(at, attached=at == position, first=word == 0)
                if unit is None:
                    break
                position = unit
        while parens or braces:
            match = re.compile(r"(?:\*{1,3}|_{1,3}|`{1,3})?").match(self.text, position)
            assert match is not None
            position = gap_end(self.text, match.end())
            symbol = self.text[position : position + 1]
            if symbol == ")" and parens:
                parens -= 1
            elif symbol == "}" and braces:
                braces -= 1
            elif symbol not in ("$", COIN, DEGREE):
                return -1
            position += 1
        return position

    def apart(self, start: int) -> int:
        """The end of the number whose digits are written apart from ``start`` on, 0 when there is none."""
        if re.search(rf"{D}[ {THIN}]\Z", self.text[:start]):
            return 0
        match = re.compile(rf"{D}(?:[ {THIN}]{D}(?!{D}))+(?! {D})").match(self.text, start)
        return match.end() if match and match.end() - start < 36 else 0

    def unit_word(self, start: int, attached: bool, first: bool) -> int | None:
        """The end of one word of a unit, ``None`` when it is none."""
        letters = start
        if self.text.startswith("/", start):
            letters, attached = start + 1, False
        match = LETTER_RUN.match(self.text, letters)
        if match is None or STOPPER.match(match.group()):
            return None
        single = len(match.group()) == 1
        if attached:
            if not (single and self.text[:letters].endswith(DEGREE)) and not ATTACHED.match(self.text, letters):
                return None
        elif single and letters == start and match.group() not in tables.SINGLE_UNITS + "aA"[2 * first :]:
            return None
        end = match.end()
        for _ in range(3):
            suffix = UNIT_SUFFIX.match(self.text, end)
            if suffix is None:
                break
            end = suffix.end()
        return end

    def head(self, left: int, connective: str) -> str | None:
        """The operation that the words before an operand give it with a connective behind it."""
        before, particle = re.sub(rf"[${COIN}]+\Z", "", self.text[:left]), False
        between = False
        for number in range(6):
            outside = gap_before(before)
            while outside.endswith((":", "*")):
                outside = gap_before(outside[:-1])
            word = WORD_BEFORE.search(outside)
            if word is None or (number == 0 and len(outside) == left):
                return None
            name, before = word.group().lower(), outside[: word.start()]
            for signs in tables.PHRASES.values():
                if any(name in (entry.rstrip("!") for entry in words.split("|")) for words in signs.values()):
                    break
            else:
                if name in CALL_NAMES:
                    return None
                if name in tables.PARTICLES.split("|"):
                    particle, between = True, between or name == "between"
                elif name not in tables.FILLERS.split("|"):
                    return None
                continue
            if between and name not in ("difference", "distance"):
                return None
            for sign, words in tables.PHRASES[connective].items():
                if name in words.split("|") or (particle and f"{name}!" in words.split("|")):
                    return sign
            return None
        return None

    def named(self, end: int) -> tuple[str | None, int]:
        """The operation of the function name or sign that ends at ``end``, and its start."""
        if self.text[end - 1 : end] in OPERATOR and end > 0:
            return OPERATOR[self.text[end - 1]], end - 1
        word = WORD_BEFORE.search(self.text[:end])
        if word and not re.search(rf"{D}\Z", self.text[: word.start()]):
            for sign, words in tables.CALLS.items():
                if word.group().lower() in words.split("|"):
                    return sign, word.start()
        return None, end

    def call(self, left: int) -> str | None:
        before = self.text[:left]
        if label := LABEL_BEFORE.search(before):
            before = before[: label.start()]
        brackets = re.search(r"[(\[]{1,2}\Z", gap_before(before))
        if brackets is None or not re.search(rf"[{LETTERS}]\Z", gap_before(before)[: brackets.start()]):
            return None
        return self.named(brackets.start())[0]

    def prefix(self, left: int) -> str | None:
        outside = gap_before(self.text[:left])
        if outside.endswith(","):
            outside = gap_before(outside[:-1])
        elif len(outside) == left:
            return None
        quote = outside[-1:] if outside[-1:] in ("'", '"') else ""
        sign, start = self.named(len(outside) - len(quote))
        if quote:
            if not self.text[:start].endswith(quote):
                return None
            start -= 1
        return sign if gap_before(self.text[:start])[-1:] in ("(", "[") and gap_before(self.text[:start]) else None

    def join(self, run_end: int, left: int, right: int) -> tuple[str, str, int, int] | None:
        """What joins two numbers besides a sign between them: operation, form, where the right begins, the left."""
        text = self.text
        position, percent = self.marks_end(right)
        at, first = gap_end(text, position), gap_end(text, right)
        if text[first : first + 1] in ("%", "+") and first < len(text) and (read := self.percent_code(right)):
            return *read, left
        symbol = text[at : at + 1]
        if percent or not symbol:
            return None
        if symbol in ",|;&":
            read = self.cells(at)
            return (*read, left) if read else self.listed(at, left) if symbol == "," else None
        if re.match(D, symbol):
            if position > right and text[position - 1] == ">" and self.in_fraction(left):
                return "/", "latex", at, left
            if at > right and position == right and (sign := self.prefix(left)):
                return sign, "call", at, left
        if (symbol == "(" or (text[left] == "(" and position == right)) and (after := self.factors(left, right)):
            return "*", "factors", after, left
        if re.match(rf"[{LETTERS}{{/]", symbol):
            return self.words(position, right, left)
        return None

    def percent_code(self, right: int) -> tuple[str, str, int] | None:
        spaces = PERCENT_SPACES.match(self.text, right)
        assert spaces is not None
        if sign := PERCENT_SIGN.match(self.text, spaces.end()):
            operator, end = PERCENT_SIGNS[sign.group(1).upper()], sign.end()
        elif spaces.group() and (bare := self.bare(spaces.end())):
            operator, end = bare[0], bare[2]
        else:
            return None
        after = PERCENT_SPACES.match(self.text, end)
        assert after is not None
        return operator, "html", after.end() + (not after.group() and self.text.startswith("+", end))

    def cells(self, at: int) -> tuple[str, str, int] | None:
        separator = self.text[at]
        start = gap_end(self.text, at + 1)
        if label := LABEL.match(self.text, start):
            start = label.end()
        quotes = re.compile("[\"']{0,2}").match(self.text, start)
        assert quotes is not None
        quote = quotes.group()
        bare = self.bare(start + len(quote))
        if bare is None or not self.text.startswith(quote[::-1], bare[2]):
            return None
        if bare[1] == "word" and re.search(f"[^{LETTERS}]", self.text[start + len(quote) : bare[2]]):
            return None
        end = gap_end(self.text, bare[2] + len(quote))
        form = "latex" if separator == "&" else "cells"
        if self.text.startswith(separator, end):
            after = gap_end(self.text, end + 1)
            label = LABEL.match(self.text, after)
            return bare[0], form, label.end() if label else after
        return (bare[0], form, end) if separator == "&" else None

    def listed(self, at: int, left: int) -> tuple[str, str, int, int] | None:
        after = gap_end(self.text, at + 1)
        if label := LABEL.match(self.text, after):
            after = label.end()
        if self.open_right(after)[0] >= 0 and (sign := self.call(left) or self.prefix(left)):
            return sign, "call", after, left
        listed = LISTED.match(self.text, at)
        assert listed is not None
        if self.open_right(listed.end())[0] >= 0 and (sign := self.head(left, ",")):
            return sign, "phrase", listed.end(), left
        return None

    def factors(self, left: int, right: int) -> int:
        after = re.compile(f"{THIN}*").match(self.text, right).end()  # type: ignore[union-attr]
        bracketed = self.text[left] == "(" and self.text[right - 1] == ")"
        opens = self.text.startswith("(", after)
        if bracketed and opens:
            return after
        if opens:
            return after if re.compile(rf"\({D}*\){S}*=").match(self.text, after) else 0
        return after if bracketed and re.compile(rf"{D}+{S}*=").match(self.text, after) else 0

    def in_fraction(self, left: int) -> bool:
        before = self.text[:left]
        for _ in range(6):
            tag = re.search(r"<([^<>/][^<]{0,63})>\Z", gap_before(before))
            if tag is None:
                return False
            if re.match(rf"(?:[{LETTERS}]*:)?mf.{{3}}", f"{tag[1]}>", re.IGNORECASE | re.DOTALL):
                return True
            before = gap_before(before)[: tag.start()]
        return False

    def words(self, start: int, right: int, left: int) -> tuple[str, str, int, int] | None:
        """Words behind a number, and a sign or a connective behind them."""
        text, position, dated = self.text, start, False
        outside = gap_before(text[:left])
        numerator = gap_before(outside[:-1]).endswith(FRAC) and outside.endswith("{")
        for word in range(6):
            at = gap_end(text, position)
            while text[at : at + 1] in ("{", "}") and at < len(text):
                at = gap_end(text, at + 1)
            if at >= len(text):
                return None
            if numerator and word and re.match(D, text[at]):
                return "/", "latex", at, len(gap_before(outside[:-1])) - 1
            if word:
                if text[at] == "." and at == position:
                    after = gap_end(text, at + 1)
                    at = after if text[after : after + 1] in OPERATOR and after < len(text) else at
                found = self.sign_of_units(at, position, left, dated)
                if found != "words":
                    return found  # type: ignore[return-value]
            if at > right and at > position and re.match(f"[{LETTERS}]", text[at]):
                match = CONNECTIVE.match(text, at)
                if match and self.open_right(match.end())[0] >= 0:
                    name = match.group(1).lower()
                    sign = self.head(left, {"amongst": "among", "between": "among"}.get(name, name))
                    return (sign, "phrase", match.end(), left) if sign else None
            end = self.unit_word(at, attached=at == right, first=word == 0)
            if end is None:
                return None
            dated = dated or bool(DATED.match(text, at))
            position = end
        return None

    def sign_of_units(self, at: int, position: int, left: int, dated: bool) -> tuple[str, str, int, int] | str | None:
        """The sign behind a unit that ends at ``position``; ``words`` where more of the unit may follow."""
        text, bracketed = self.text, at
        opening = re.sub(rf"[${COIN}]+\Z", "", gap_before(text[:left]))
        if text.startswith(")", gap_end(text, at)) and opening.endswith("("):
            bracketed, left = gap_end(text, at) + 1, len(opening) - 1
        sign = gap_end(text, bracketed)
        if sign >= len(text):
            return None
        bare = self.bare(sign)
        if bare and bare[1] in ("word", "letter_x") and (sign == position or text[sign] in "oO"):
            bare = None
        if bare is None:
            return "words"
        if self.open_right(bare[2])[0] < 0:
            return "words" if text[sign] == "/" else None
        if text[sign] in f"*{MINUS_SIGNS}" and re.search(r"[\n\v]", text[position:sign]):
            return None
        if (text[sign] in MINUS_SIGNS and sign == position) or (dated and bare[0] in ("-", "-b", "/", "/?")):
            return None
        return bare[0], "unit", bare[2], left

    def pair(self, start: int, expected: int, literal: bool) -> tuple[int, int, bool]:
        """Read the pair whose left operand is at ``start``.

        Where to go on, where its right operand is (or -1), and whether its digits are apart: then the same text is read
        once more as it is written.
        """
        text = self.text
        end, left, left_match = self.number(start)
        run_end = re.compile(rf"{D}+").match(text, start).end()  # type: ignore[union-attr]
        apart = run_end == start + 1 and not literal
        apart_end = self.apart(start) if apart else 0
        if apart_end:
            end, left = apart_end, ascii_digits(text[start:apart_end])
        outer_left, outer_right = self.unwrap(start, end)
        nowhere = run_end if apart_end else end
        operator, fraction, percent = self.sign(outer_left, outer_right)
        marks_end = outer_right
        if operator is None and fraction < 0:
            marks_end, percent = self.marks_end(outer_right)
            operator = self.operator(marks_end)
        right_start, brackets = self.open_right(operator[2]) if operator else (-1, "")
        if right_start < 0 and brackets != "negative" and fraction < 0:
            split = left_match["grouped"] and "." not in left_match["fraction"] and not apart_end and self.call(start)
            whole = (left_match["fraction"], int(left_match["fraction"].replace(".", "") or 0))
            split = bool(left_match["grouped"]) and not apart_end and (whole[0] == "" or whole[1] == 0)
            split = split and left_match["fraction"].count(".") <= 1 and bool(self.call(start))
            bounds = (start, run_end) if split else (outer_left, outer_right)
            if joined := self.join(run_end, *bounds):
                if split:
                    end, left, left_match = run_end, ascii_digits(text[start:run_end]), NUMBER.match("0")  # type: ignore
                operator, percent, outer_left, marks_end = joined[:3], False, joined[3], bounds[1]
                right_start, brackets = self.open_right(operator[2])
        if right_start < 0:
            self.left_out["negative"] += brackets == "negative"
            return nowhere, -1, False
        assert operator is not None
        sign, form, _ = operator
        outer_left = fraction if fraction >= 0 else outer_left
        while re.search(rf"[${COIN}]\Z", text[:outer_left]):
            outer_left -= 1
        right_end, right, right_match = self.number(right_start)
        right_apart = self.apart(right_start) if apart and right_end == right_start + 1 else 0
        if right_apart:
            right_end, right = right_apart, ascii_digits(text[right_start:right_apart])
        if apart_end and not right_apart and right_end > right_start + 1:
            return run_end, -1, False
        has_unit = form in ("unit", "phrase")
        closed = self.close_right(right_end, brackets, has_unit)
        if closed < 0 or (percent and not text.startswith("%", gap_end(text, closed))):
            return nowhere, -1, False
        if form == "letter_x" and end - start == 1 and int(left) == 0 and right_start == start + 2:
            self.left_out["identifier"] += 1
            return end, -1, False
        scales = sign[0] in "*/"
        plain_match = NUMBER.match("0")
        assert plain_match is not None
        left_match = plain_match if apart_end else left_match
        right_match = plain_match if right_apart else right_match
        reason, chained = self.judge_values((left, left_match), (right, right_match)), start == expected
        if reason is None and not chained and form not in ("phrase", "call"):
            reason = self.judge_left(start, end, outer_left, scales)
            if reason == "time" and (scales or re.match(rf"{S}*=", text[closed:])):
                reason = None
            if reason == "chained":
                reason, chained = None, True
        reason = reason or self.judge_right(int(right), right_end, closed, has_unit or scales)
        is_apart = bool(apart_end or right_apart)
        if reason:
            self.left_out[reason] += 1
        else:
            operands = (int(left), int(right))
            if sign.endswith("?"):
                operands = (max(operands), min(operands))
            elif sign.endswith("b"):
                operands = operands[::-1]
            wide = any(re.search("[０-９]", text[a:b]) for a, b in ((start, end), (right_start, right_end)))
            marked = marks_end > end or closed > right_end
            degrees = text[end : end + 1] == DEGREE or text[right_end : right_end + 1] == DEGREE
            form = "spaced_digits" if is_apart else "unit" if form == "" and degrees else form
            surface = self.surface(chained, form, (left_match, right_match), wide, marked)
            self.found.append(Found(Expression(operands[0], sign[0], operands[1]), surface))
        follow = apart_end - 1 if apart_end else start if right_apart else end
        return follow, right_start, is_apart

    def sign(self, left: int, right: int) -> tuple[tuple[str, str, int] | None, int, bool]:
        """The sign behind a number and where its fraction begins (-1 for none)."""
        before = gap_before(self.text[:left])
        if self.text[left : left + 1] == "{" and before.endswith(FRAC):
            if self.operator(right) is None:
                right, _ = self.marks_end(right)
            after = gap_end(self.text, right)
            found = ("/", "latex", after) if self.text[after : after + 1] == "{" else None
            return found, len(before) - 1, False
        return self.operator(right), -1, False

    @staticmethod
    def surface(chained: bool, form: str, numbers: tuple[re.Match[str], ...], wide: bool, marked: bool) -> str:
        if chained:
            return "chained"
        if form not in ("", "fullwidth"):
            return form
        if form == "fullwidth" or wide:
            return "fullwidth"
        if any(number["grouped"] for number in numbers):
            return "grouped"
        if any(number["fraction"] for number in numbers):
            return "zero_fraction"
        return "marked" if marked else "plain"

    @staticmethod
    def judge_values(*operands: tuple[str, re.Match[str]]) -> str | None:
        fractions = [match["fraction"] for _, match in operands]
        if any(fraction.count(".") > 1 for fraction in fractions):
            return "version"
        if any(fraction and int(ascii_digits(fraction)) for fraction in fractions):
            return "decimal"
        return "too_wide" if any(len(digits.lstrip("0")) > 18 for digits, _ in operands) else None

    def judge_left(self, start: int, end: int, left: int, scales: bool) -> str | None:
        text, before = self.text, self.text[:start]
        coded = re.search(rf"%{D}[{LETTERS}]\Z", before)
        if not coded and re.search(rf"[{LETTERS}]\Z|[{LETTERS}0-9０-９]_\Z", before):
            return "identifier"
        if re.search(rf"[\^{RAISED}{FRAC}]\Z", before):
            return "power"
        if re.search(rf"(?<![{LETTERS}0-9０-９{CLOSERS}.{OTHER}])\.\Z", before):
            return "decimal"
        if before.endswith("::"):
            return "version"
        run = re.compile(rf"{D}+").match(text, start)
        assert run is not None
        clock = re.search(rf"(?<!{D})({D}{{1,2}}):\Z", before)
        minutes = len(run.group()) == 2 and int(ascii_digits(run.group())) < 60
        if clock and minutes and (int(ascii_digits(clock[1])) <= 24 or before[: clock.start()].endswith(":")):
            return "time"
        if left < start and text[left] in "({":
            if re.search(rf"[{LETTERS}_]\Z", text[:left]):
                return "identifier"
            if re.search(rf"[\^{RAISED}{FRAC}]\Z", text[:left]):
                return "power"
        return self.judge_sign(left, scales)

    def judge_sign(self, left: int, scales: bool) -> str | None:
        """What a sign before the operand makes of it."""
        text = self.text
        outside = gap_before(text[:left])
        sign = outside[-1:]
        if not sign or sign in "\n\v":
            return None
        attached = len(outside) == left
        doubled = outside.endswith("--")
        if doubled:
            outside = outside.rstrip(sign) + sign
        if sign == "^":
            return "power"
        if sign == "*":
            stars = len(outside) - len(outside.rstrip("*"))
            base = outside.rstrip("*")
            term = gap_before(base)
            is_term = re.search(rf"[{LETTERS}0-9０-９{CLOSERS}]\Z", term)
            if not is_term or (attached and len(term) < len(base)):
                return None
            return "power" if stars > 1 else "chained"
        if sign not in OPERATOR:
            return None
        term = gap_before(outside[:-1])
        if attached and OPERATOR[sign] != "-" and re.search(rf"{D}[eE]\Z", outside[:-1]):
            return "identifier"
        if OPERATOR[sign] != "-":
            return "chained" if re.search(rf"[{LETTERS}0-9０-９{CLOSERS}]\Z", term) else None
        if scales:
            term = gap_before(self.text[: len(gap_before(self.text[:left])) - 1])
            attached_term = len(term) == len(gap_before(self.text[:left])) - 1
            if term.endswith("^"):
                return "power"
            if attached_term and re.search(rf"{D}[eE]\Z", term):
                return "identifier"
            return "chained" if re.search(rf"[0-9０-９{CLOSERS}]\Z", term) else None
        if re.search(rf"[0-9０-９{CLOSERS}]\Z", term):
            return "chained"
        joined = re.search(rf"[{LETTERS}]\Z", outside[:-1])
        if sign == LONG_DASH or (doubled and (joined or not attached)):
            return None
        if re.search(rf"[{LETTERS}]\Z", term):
            if not attached:
                return "chained"
            return "identifier" if len(term) == len(outside) - 1 else "negative"
        at_line_start = not term or term[-1] in "\n\v"
        return None if at_line_start and not attached and sign != MINUS else "negative"

    def is_power(self, position: int) -> bool:
        rest = self.text[position:]
        return bool(
            re.match(rf"[\^{RAISED}{FRAC}]", rest)
            or re.match(rf"{GAP}\^", rest)
            or re.match(rf"\*\*(?!\*){D}", rest)
            or re.match(rf"{S}{GAP}\*\*(?!\*){GAP}{D}", rest)
        )

    def judge_right(self, value: int, end: int, closed: int, with_unit: bool) -> str | None:
        rest = self.text[end:]
        if self.is_power(end) or self.is_power(closed):
            return "power"
        if re.match(rf"[{LETTERS}]", rest):
            if with_unit and ATTACHED.match(rest):
                return None
            operator = self.operator(end)
            follows = operator is not None and self.open_right(operator[2])[0] >= 0
            return None if follows else "identifier"
        if re.match(rf"_[{LETTERS}0-9０-９]", rest):
            return "identifier"
        minutes = re.match(rf":({D}{{2}})(?!{D})", rest)
        return "time" if minutes and value <= 24 and int(ascii_digits(minutes[1])) < 60 else None


def scan_text(text: str) -> tuple[list[Found], Counter[str]]:
    """The expressions of a text with their surface forms, and the number of pairs left out for each reason."""
    matcher = Matcher(text)
    matcher.run()
    return matcher.found, +matcher.left_out
