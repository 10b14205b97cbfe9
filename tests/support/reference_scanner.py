"""The scanner once more, slowly: Python's ``re`` on a normalised string, one text at a time.

It follows the policy, not the compiled code, and shares with it only the lists of what people write (which characters,
macros and words are operators). A text is rewritten with one character per symbol; expressions are then found with
patterns on what lies before and behind each number.
"""

import html.entities
import re
import unicodedata
from collections import Counter
from dataclasses import dataclass

from arithmark_tasks.builders.contamination.kernel import alphabet, characters
from arithmark_tasks.builders.contamination.kernel.words import WORDS
from arithmark_tasks.generators.expression import Expression

LETTER, OTHER, RAISED, THIN, FRAC, COIN, VT = "λ", "☐", "²", "\u2009", "⅟", "€", "\v"
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
WORD = re.compile("|".join(word.replace(" ", f"(?:{GAP})(?<={S})") for word in WORDS), re.IGNORECASE | re.ASCII)


@dataclass(frozen=True)
class Found:
    expression: Expression
    surface: str


def classify(character: str) -> tuple[str, str]:
    """A character as one symbol and the surface form it would give an operator or number."""
    code = ord(character)
    symbol = int(characters.character_table()[code]) if code < characters.CHARACTERS else alphabet.OTHER
    if symbol == alphabet.DROPPED:
        return "", ""
    if alphabet.WIDE_DIGIT <= symbol < alphabet.WIDE_DIGIT + 10:
        return "０１２３４５６７８９"[symbol - alphabet.WIDE_DIGIT], ""
    named = {
        alphabet.LETTER: LETTER,
        alphabet.OTHER: OTHER,
        alphabet.RAISED: RAISED,
        alphabet.THIN: THIN,
        alphabet.CURRENCY: COIN,
        alphabet.DASH: DASH,
        alphabet.DASH_WIDE: DASH,
        alphabet.EM_DASH: LONG_DASH,
    }
    if symbol in named:
        return named[symbol], "fullwidth" if symbol == alphabet.DASH_WIDE else "unicode"
    for base, form in ((alphabet.UNICODE, "unicode"), (alphabet.WIDE, "fullwidth")):
        if base <= symbol < base + 4:
            return SIGNS["+-*/"[symbol - base]], form
    return chr(symbol), ""


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


def read_escape(match: re.Match[str]) -> tuple[str, str, int]:
    """Symbol, form, and how many characters of the match were used."""
    slashes, code, name, mark = match.groups()
    start = len(slashes)
    if code is not None:
        return *escaped(chr(int(code, 16))), match.end() - match.start()
    if name is not None:
        symbol = characters.MACROS.get(name)
        if symbol is not None:
            swallowed = symbol == alphabet.THIN and match.string.startswith(" ", match.end())
            return *backslash_symbol(symbol), start + len(name) + swallowed
        if name[0] in "nrt" and name[1:2].isupper():
            return VT, "", start + 1
        return (VT, "", start) if start > 1 else (OTHER, "", start + len(name))
    if mark is not None and mark in characters.ESCAPES:
        return *backslash_symbol(characters.ESCAPES[mark]), start + 1
    return (VT if start > 1 else OTHER), "", start


def backslash_symbol(symbol: int) -> tuple[str, str]:
    if alphabet.LATEX <= symbol < alphabet.LATEX + 4:
        return SIGNS["+-*/"[symbol - alphabet.LATEX]], "latex"
    named = {
        alphabet.DROPPED: "",
        alphabet.LETTER: LETTER,
        alphabet.FRACTION: FRAC,
        alphabet.THIN: THIN,
        alphabet.BREAK: VT,
        alphabet.DASH: DASH,
        alphabet.EM_DASH: LONG_DASH,
    }
    return named.get(symbol) if symbol in named else chr(symbol), "unicode"


FRACTION_NAMES = "|".join(name for name, symbol in characters.MACROS.items() if symbol == alphabet.FRACTION)
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
RAISING = re.compile(r"su[pb]", re.IGNORECASE)


class Matcher:
    """Finds the expressions of one normalised text."""

    def __init__(self, text: str) -> None:
        self.text, self.forms = normalise(text)
        self.found: list[Found] = []
        self.left_out: Counter[str] = Counter()

    def run(self) -> None:
        position, expected = 0, -1
        while match := re.compile(D).search(self.text, position):
            start = match.start()
            if end := self.date(start):
                self.left_out["date"] += 1
                position, expected = end, -1
                continue
            position, right = self.pair(start, expected)
            expected = right if right >= 0 else expected

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
        return end if good else 0

    def number(self, start: int) -> tuple[int, str, re.Match[str]]:
        match = NUMBER.match(self.text, start)
        assert match is not None
        return match.end(), ascii_digits(self.text[start : match.start("fraction")]), match

    def unwrap(self, left: int, right: int) -> tuple[int, int]:
        text = self.text
        for _ in range(4):
            before, after = len(gap_before(text[:left])), gap_end(text, right)
            if text[before - 1 : before] + text[after : after + 1] in ("()", "{}"):
                left, right = before - 1, after + 1
                continue
            if text[:left].endswith("|") and text.startswith("|", right):
                left, right = left - 1, right + 1
                continue
            marks = re.compile(r"\*{1,3}|_{1,3}|`{1,3}").match(text, right)
            if marks:
                mark = marks.group()
                opening = left - len(mark)
                if (
                    opening >= 0
                    and text[opening:left] == mark
                    and not re.search(rf"[0-9０-９{CLOSERS}]\Z", text[:opening])
                ):
                    left, right = opening, marks.end()
                    continue
            wider = (
                left - bool(re.search(rf"[${COIN}]\Z", text[:left])),
                right + (text[right : right + 1] in ("$", COIN) and right < len(text)),
            )
            if wider == (left, right):
                break
            left, right = wider
        while re.search(rf"[${COIN}]\Z", text[:left]):
            left -= 1
        return left, right

    def operator(self, end: int) -> tuple[str, str, int] | None:
        """The operator (``swap`` marks swapped operands), its form and its end."""
        start = gap_end(self.text, end)
        first = self.text[start : start + 1]
        if first == "{":
            bare = self.bare(gap_end(self.text, start + 1))
            close = gap_end(self.text, bare[2]) if bare else 0
            return (*bare[:2], close + 1) if bare and self.text.startswith("}", close) else None
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
        if match := WORD.match(self.text, start):
            code = WORDS[re.sub(rf"{S}+", " ", match.group().lower())]
            name = "+-*/"[abs(code) - 1]
            return (f"swap{name}" if code < 0 else name), "word", match.end()
        return None

    def marks_end(self, position: int) -> tuple[int, bool]:
        """The end of the currency and percent signs and HTML tags behind a left operand, and whether one is percent."""
        percent = False
        for _ in range(4):
            start = gap_end(self.text, position)
            symbol, tag = self.text[start : start + 1], TAG.match(self.text, start)
            if symbol and (symbol in f"${COIN}" or (symbol == "%" and not percent)):
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
        for _ in range(6):
            rest = self.text[position:]
            if re.match(D, rest):
                return position, brackets
            if rest[:1] in ("(", "{") and rest:
                brackets += rest[0]
                position = gap_end(self.text, position + 1)
            elif rest[:1] in ("$", COIN) and rest:
                position = gap_end(self.text, position + 1)
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

    def close_right(self, end: int, brackets: str) -> int:
        parens, braces, position = brackets.count("("), brackets.count("{"), end
        while parens or braces:
            match = re.compile(r"(?:\*{1,3}|_{1,3}|`{1,3})?").match(self.text, position)
            assert match is not None
            position = gap_end(self.text, match.end())
            symbol = self.text[position : position + 1]
            if symbol == ")" and parens:
                parens -= 1
            elif symbol == "}" and braces:
                braces -= 1
            elif symbol not in ("$", COIN):
                return -1
            position += 1
        return position

    def pair(self, start: int, expected: int) -> tuple[int, int]:
        """Read the pair whose left operand is at ``start``: where to go on, where its right operand is (or -1)."""
        text = self.text
        end, left, left_match = self.number(start)
        outer_left, outer_right = self.unwrap(start, end)
        fraction = gap_before(text[:outer_left])
        is_fraction = text[outer_left : outer_left + 1] == "{" and fraction.endswith(FRAC)
        operator, percent = self.operator(outer_right), False
        if operator is None:
            outer_right, percent = self.marks_end(outer_right)
            operator = self.operator(outer_right)
        if is_fraction:
            outer_left = len(fraction) - 1
            while re.search(rf"[${COIN}]\Z", text[:outer_left]):
                outer_left -= 1
            after = gap_end(text, outer_right)
            operator = ("/", "latex", after) if text[after : after + 1] == "{" else None
        if operator is None:
            return end, -1
        sign, form, after = operator
        right_start, brackets = self.open_right(after)
        if right_start < 0:
            self.left_out["negative"] += brackets == "negative"
            return end, -1
        right_end, right, right_match = self.number(right_start)
        closed = self.close_right(right_end, brackets)
        if closed < 0 or (percent and not self.text.startswith("%", gap_end(self.text, closed))):
            return end, -1
        if form == "letter_x" and end - start == 1 and int(left) == 0 and right_start == start + 2:
            self.left_out["identifier"] += 1
            return end, -1
        reason = self.judge_values((left, left_match), (right, right_match))
        chained = start == expected
        if reason is None and not chained:
            reason = self.judge_left(start, end, outer_left)
            if reason == "time" and (sign in "*/" or re.match(rf"{S}*=", text[closed:])):
                reason = None
            if reason == "chained":
                reason, chained = None, True
        reason = reason or self.judge_right(right_end, closed)
        if reason:
            self.left_out[reason] += 1
        else:
            operands = (int(left), int(right))
            if sign == "swap/":
                operands = (max(operands), min(operands))
            elif sign.startswith("swap"):
                operands = operands[::-1]
            surface = self.surface(chained, form, (left_match, right_match), outer_right > end or closed > right_end)
            self.found.append(Found(Expression(operands[0], sign[-1], operands[1]), surface))
        return end, right_start

    @staticmethod
    def surface(chained: bool, form: str, numbers: tuple[re.Match[str], ...], marked: bool) -> str:
        if chained:
            return "chained"
        if form in ("word", "html", "latex", "unicode", "letter_x"):
            return form
        if form == "fullwidth" or any(re.search("[０-９]", number.group()) for number in numbers):
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

    def judge_left(self, start: int, end: int, left: int) -> str | None:
        text, before = self.text, self.text[:start]
        if re.search(rf"[{LETTERS}]\Z|[{LETTERS}0-9０-９]_\Z", before):
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
        return self.judge_sign(left)

    def judge_sign(self, left: int) -> str | None:
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

    def judge_right(self, end: int, closed: int) -> str | None:
        rest = self.text[end:]
        if self.is_power(end) or self.is_power(closed):
            return "power"
        if re.match(rf"[{LETTERS}]", rest):
            operator = self.operator(end)
            follows = operator is not None and self.open_right(operator[2])[0] >= 0
            return None if follows else "identifier"
        if re.match(rf"_[{LETTERS}0-9０-９]", rest):
            return "identifier"
        return "time" if re.match(rf":{D}{{2}}(?!{D})", rest) else None


def scan_text(text: str) -> tuple[list[Found], Counter[str]]:
    """The expressions of a text with their surface forms, and the number of pairs left out for each reason."""
    matcher = Matcher(text)
    matcher.run()
    return matcher.found, +matcher.left_out
