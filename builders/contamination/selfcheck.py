"""A positive control of recall: plant known expressions in every surface form among real text and look for each."""

import json
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import polars as pl
import pyarrow as pa

from ...generators.errors import InputError
from ...generators.expression import OPERATORS, Expression, SemanticKey, semantic_key
from ...generators.streams import Stream
from .cutting import cut_sources
from .index import find_hits
from .readers import read_piece
from .scan import scan
from .sources import find_sources

SEED = 20261027
NOT_AN_EXPRESSION = "not an expression"
COLUMNS = "columns"
UNREAD = "not read: "  # before the name of a form that no scan reads
_LONGEST_CARRIER = 2000  # characters
PROSE = (
    "Natalia packed 48 boxes in April, and then she packed half as many boxes in May.",
    "Half of the 36 children, about 50% of them, went home at 3:30 p.m.; the others stayed until 5.",
    "It cost $12.50 in 2019 (v1.2 of the catalogue said $11), which is why nobody bought more than 2-3 of them.",
    "See table 4.2 and section 3, where x2 and y3 are defined; on 2020-01-15 the page at 192.168.0.1 was updated.",
    "First we add the two amounts, then we divide by the number of friends: everybody gets the same share.",
    "The *average* reader needs 7 minutes, **not** 9, for a chapter of 1,200 words.",
    "\u201cSo how many are left?\u201d she asked. \u2018Seven\u2019, he said \u2014 or was it 8?",
)


def _plain(value: int) -> str:
    return str(value)


def _grouped(separator: str) -> Callable[[int], str]:
    return lambda value: f"{value:,}".replace(",", separator)


def _digits_from(zero: str) -> Callable[[int], str]:
    return lambda value: "".join(chr(ord(zero) + int(digit)) for digit in str(value))


def _apart(value: int) -> str:
    return " ".join(str(value))


@dataclass(frozen=True, slots=True)
class Form:
    """Ways to write one operation that the scanner counts under ``surface``."""

    surface: str
    operator: str
    templates: tuple[str, ...]
    write: Callable[[int], str] = _plain

    def render(self, template: str, left: int, right: int) -> str:
        """The template with both operands written in this form.

        >>> Form("grouped", "+", ("A + B",), _grouped("{,}")).render("A + B", 1200, 34)
        '1{,}200 + 34'
        """
        first, second = (left, right) if template.index("A") < template.index("B") else (right, left)
        head, _, tail = template.replace("B", "A").partition("A")
        middle, _, end = tail.partition("A")
        return f"{head}{self.write(first)}{middle}{self.write(second)}{end}"


FORMS = (
    Form("plain", "+", ("A+B", "A + B", "(A+B)", "A+B?", "A + B = 7", "**A + B**", "$A+B$")),
    Form("plain", "-", ("A-B", "A - B", "A -B.", "<<A-B=7>>", "A **-** B", "A -- B")),
    Form("plain", "*", ("A*B", "A * B", "'A*B'")),
    Form("plain", "/", ("A/B", "A / B", "<<A/B=7>>", "A // B")),
    Form("marked", "+", ("**A** + **B**", "(A) + (B)", "`A` + `B`", "$A$ + $B$")),
    Form("marked", "-", ("A - (B)", "A\u20ac - B\u20ac", "{A} - {B}", "A% - B%")),
    Form("marked", "*", ("<b>A</b> * <b>B</b>", "|A| * |B|")),
    Form("zero_fraction", "+", ("( A + B )", "A+B"), lambda value: f"{value}.0"),
    Form("zero_fraction", "/", ("( A / B )", "A / B"), lambda value: f"{value}.00"),
    Form("grouped", "+", ("A+B", "A + B"), _grouped(",")),
    Form("grouped", "*", ("A * B", "A*B"), _grouped("{,}")),
    Form("grouped", "-", ("A - B",), _grouped("\u202f")),
    Form("grouped", "/", ("A / B",), _grouped("&nbsp;")),
    Form("grouped", "-", ("A-B",), _grouped(",\\!")),
    Form("grouped", "+", ("A + B",), _grouped("~")),
    Form("fullwidth", "+", ("A\uff0bB", "A + B"), _digits_from("\uff10")),
    Form("fullwidth", "-", ("A\uff0dB",), _digits_from("\uff10")),
    Form("fullwidth", "*", ("A\uff0aB",), _digits_from("\u0660")),
    Form("fullwidth", "/", ("A\uff0fB", "A/B"), _digits_from("\u0966")),
    Form("letter_x", "*", ("AxB", "A x B", "A X B", "A \u0445 B")),
    Form("unicode", "+", ("A\u2795B", "A \ufb29 B")),
    Form("unicode", "-", ("A \u2212 B", "A\u2212B", "A \u2013 B", "A\u2014B", "A \u2010 B")),
    Form("unicode", "*", ("A \u00d7 B", "A\u00d7B", "A \u00b7 B", "A \u2217 B", "A\u22c5B", "A \u2715 B")),
    Form("unicode", "/", ("A \u00f7 B", "A\u00f7B", "A \u2215 B", "A\u2044B", "A \u2797 B")),
    Form("latex", "*", (r"A \times B", r"$A \cdot B$", r"A\times B", r"A \ast B", r"A\,\times\,B", r"A \\times B")),
    Form("latex", "*", (r"A $\times$ B", r"$A$ $\times$ $B$", r"A \(\times\) B")),
    Form("latex", "/", (r"A \div B", r"\frac{A}{B}", r"\dfrac{A}{B}", r"\(A \div B\)", r"A\/B")),
    Form("html", "+", ("A &plus; B", "A &#43; B")),
    Form("html", "-", ("A&minus;B", "A &ndash; B", "A &#x2212; B")),
    Form("html", "*", ("A&times;B", "A&nbsp;&#215;&nbsp;B", "A &amp;times; B", "A &middot; B", "A \\u00d7 B")),
    Form("html", "/", ("A &divide; B", "A &#247; B", "A&frasl;B")),
    Form("word", "+", ("A plus B", "A Plus B", "A added to B")),
    Form("word", "-", ("A minus B", "A take away B", "A take-away B", "B subtracted from A")),
    Form("word", "*", ("A times B", "A multiplied by B", "A TIMES B", "A multiplied with B", r"A \text{ times } B")),
    Form("word", "/", ("A divided by B", "A\u00a0divided by B", "A over B")),
    Form("html", "+", ("A%2bB", "A%20%2b%20B", "A+%2b+B")),
    Form("html", "*", ("A%C3%97B",)),
    Form("marked", "+", ('"A" + "B"', "\u201cA\u201d + \u201cB\u201d", "<mn>A</mn><mo>+</mo><mn>B</mn>")),
    Form("plain", "*", ("y=x-A*B",)),
    Form("plain", "/", ("-A/B=-7",)),
    Form("plain", "+", ("\u2581A\u2581+\u2581B",)),
    Form("word", "+", ("A increased by B", "A more than B")),
    Form("word", "-", ("B less than A", "A less B", "A decreased by B")),
    Form("word", "/", ("A shared equally among B",)),
    Form("unit", "*", ("A snakes * B birds/snake", "$A per hour x B hours", "A feet/yard * B", "(A boxes) * (B pens)")),
    Form("unit", "-", ("A blowfish \u2013 B blowfish", "A\u00b0 - B\u00b0", r"A^\circ-B^\circ", r"A^{\circ} - B")),
    Form(
        "unit",
        "+",
        ("A cm + B cm", "Acm + Bcm", r"A\text{ km} + B\text{ km}", "A apples plus B pears", "A m\u00b2 + B"),
    ),
    Form("unit", "/", ("A miles / B hours", "A cookies divided by B")),
    Form("phrase", "+", ("the sum of A and B", "add A to B", "put together A and B", "add the numbers A and B.")),
    Form("phrase", "+", ("the total of A and B", "the sum of $A$ and $B$", "the sum of A apples and B pears")),
    Form("phrase", "-", ("subtract B from A", "take B away from A", "subtract B cents from A cents", "reduce A by B")),
    Form("phrase", "*", ("the product of A and B", "multiply A by B", "Multiply A and B.")),
    Form("phrase", "/", ("divide A by B", "the quotient of A and B", "divide A equally among B")),
    Form("call", "+", ("add(A, B)", "sum([A, B])", "(+ A B)", "(add A B)", '["+", A, B]', "add(a=A, b=B)")),
    Form("call", "*", ("multiply(A,B)", "np.multiply(A, B)", "(* A B)", "Times[A, B]")),
    Form("call", "-", ("subtract(A, B)", "(- A B)")),
    Form("call", "/", ("divide(A, B)", "(/ A B)")),
    Form("word", "+", ("A is added to B", 'A "plus" B', "A and then added to B")),
    Form("word", "/", ("A is divided by B", "A \u201cdivided by\u201d B", "A in groups of B")),
    Form("plain", "+", ('A "+" B', "A \u201c+\u201d B", "A + +B")),
    Form("marked", "+", ("(+A) + (+B)",)),
    Form("cells", "+", ("A, \u201cplus\u201d, B", '"A","\u201c+\u201d","B"')),
    Form("cells", "+", ("| A | + | B |", "A,+,B", '"A", "+", "B"', "A;+;B")),
    Form("latex", "+", ("A &+ B", "A & + & B")),
    Form("plain", "+", ("A\\\\\n+B", r"A \\ \underline{+ B}")),
    Form("latex", "/", (r"x-\frac{A}{B}", "<mfrac><mn>A</mn><mn>B</mn></mfrac>", r"\frac{A\text{ m}}{B\text{ s}}")),
    Form("factors", "*", ("(A)(B)", r"\left(A\right)\left(B\right)", "A(B) = 7")),
    Form("spaced_digits", "+", ("A + B =",), _apart),
    Form("chained", "+", ("7+A+B", "7 - A + B")),
    Form("chained", "*", ("7 \\times A \\times B", "7 times A times B")),
)


_DIGIT_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def _in_words(value: int) -> str:
    return " ".join(_DIGIT_WORDS[int(digit)] for digit in str(value))


# Forms that are not read, under the words of the policy for them.
UNREAD_FORMS = (
    Form("numbers in words", "+", ("A plus B", "the sum of A and B"), _in_words),
    Form("a colon as a division sign", "/", ("A : B", "A:B")),
    Form(
        "an operation named behind both numbers, such as: 12 and 34 add up to 46, 12 34 +",
        "+",
        ("A and B add up to", "A and B together", "push A; push B; add"),
    ),
    Form(
        "words or letters before the right operand: USD 12 + USD 34, int(12) + int(34)",
        "+",
        ("USD A + USD B", "int(A) + int(B)"),
    ),
    Form(
        "over five words, or words in brackets, between an operand and its sign; a unit of one letter against a number",
        "+",
        ("A (red ones) + B (blue ones)", "A of the books that Kim had read before + B", "Aq + Bq"),
    ),
    Form("words of other languages, Roman, hexadecimal and Chinese numerals", "+", ("A m\u00e1s B", "A und B")),
    Form("numbers set one under another without a sign, and the bracket of long division", "/", ("B)A",)),
    Form("12(34) without an equals sign behind it", "*", ("A(B) and more",)),
    Form(
        "an operation told as a story, without its two numbers and a sign or word for it beside each other",
        "+",
        ("She had A and then she got another B of them", "A apples were there before B came; how many in all"),
    ),
)

NOT_EXPRESSIONS = (
    *(
        "A.5+B",
        "A+B.5",
        "1eA+B",
        "xA+B",
        "A+By",
        "= -A+B",
        "(-A + B)",
        "A + (-B)",
        "A * -B",
        "A^B+7",
        "7+A^B",
        "A**B + 7",
    ),
    *(
        "vA.2-B",
        "A.B.0.1/24",
        "1.A.3-B",
        "A-(B+7)",
        "sin(A)+B",
        "2020-01-15 A, B",
        "A + B\u00b2",
        "A_1+B",
        "A.B*7",
        "x<sup>A</sup>+B",
        "The sum of the digits of A is B",
        "between A and B",
        "pages A and B",
        "add A items to cart B",
        "he was A in B",
        "range(A, B)",
        "A; B",
        "A x and B y",
        "f(A)(B)",
    ),
)


@dataclass(frozen=True, slots=True)
class Recall:
    """How many plants of one form the scan found; ``examples`` are ones it got wrong, else the first.

    For ``NOT_AN_EXPRESSION`` a find is a mistake; for a form that is not read, named behind ``UNREAD``, one of the
    policy, which says so.
    """

    surface: str
    planted: int
    found: int
    examples: tuple[str, ...]

    @property
    def is_right(self) -> bool:
        """Every expression was found, and nothing that is none."""
        return self.found == (self.planted if self.is_wanted else 0)

    @property
    def is_wanted(self) -> bool:
        """Whether the form is one that the scanner reads."""
        return _is_wanted(self.surface)


@dataclass(frozen=True, slots=True)
class _Plant:
    surface: str
    text: str
    keys: tuple[SemanticKey, ...]  # one of them is to be found; with NOT_AN_EXPRESSION none


def _is_wanted(surface: str) -> bool:
    return surface != NOT_AN_EXPRESSION and not surface.startswith(UNREAD)


def _operands(stream: Stream) -> tuple[int, int]:
    """Nine digits each: no corpus holds them by chance."""
    return stream.integer(100_000_000, 999_999_999), stream.integer(100_000_000, 999_999_999)


def _make_plants(repeats: int) -> Iterator[_Plant]:
    stream = Stream("selfcheck", 1, SEED, 0)
    for _ in range(repeats):
        for form in FORMS:
            for template in form.templates:
                left, right = _operands(stream)
                key = semantic_key(Expression(left, form.operator, right))
                yield _Plant(form.surface, form.render(template, left, right), (key,))
        for form in UNREAD_FORMS:
            for template in form.templates:
                left, right = _operands(stream)
                key = semantic_key(Expression(left, form.operator, right))
                yield _Plant(f"{UNREAD}{form.surface}", form.render(template, left, right), (key,))
        for template in NOT_EXPRESSIONS:
            left, right = _operands(stream)
            text = Form("plain", "+", (template,)).render(template, left, right)
            pairs = [(left, sign, right) for sign in OPERATORS] + [(right, sign, left) for sign in OPERATORS]
            yield _Plant(NOT_AN_EXPRESSION, text, tuple(semantic_key(Expression(*pair)) for pair in pairs))


def read_carriers(arguments: Sequence[str], columns: Sequence[str], count: int = 200) -> list[str]:
    """The first texts of a corpus, as real text to plant expressions in; built-in prose without a corpus."""
    if not arguments:
        return list(PROSE)
    carriers: list[str] = []
    for piece in islice(cut_sources(find_sources(arguments).sources), 8):
        for block in read_piece(piece, columns):
            for _, texts in block.texts:
                carriers += texts.to_strings(count)
            if len(carriers) >= count:
                break
    carriers = [text for text in carriers if " " in text.strip()]
    if not carriers:
        raise InputError("no text to plant expressions in", file=" ".join(arguments))
    return carriers[:count]


def _plant(carrier: str, plant: _Plant, stream: Stream) -> str:
    """The carrier with a text put between two of its words, where a letter or a comma ends the word before.

    What is no expression goes before all words: behind "48 boxes", ``x12+34`` is one.
    """
    words, text = carrier[:_LONGEST_CARRIER].split(" "), plant.text
    if not _is_wanted(plant.surface):
        return " ".join([f"Look: {text}", *words])
    places = [
        place for place in range(1, len(words)) if words[place - 1][-1:].isalpha() or words[place - 1][-1:] == ","
    ]
    place = stream.choice(places) if places else 0
    return " ".join([*words[:place], text, *words[place:]])


def _write_corpus(folder: Path, rows: Sequence[str]) -> list[str]:
    """The rows in one file of each kind that a scan reads differently."""
    parts = [list(rows[start::4]) for start in range(4)]
    pl.DataFrame({"text": parts[0]}).write_parquet(folder / "a.parquet")
    lines = "".join(json.dumps({"messages": [{"content": text}]}) + "\n" for text in parts[1])
    with pa.CompressedOutputStream(str(folder / "b.jsonl.gz"), "gzip") as stream:
        stream.write(lines.encode())
    pl.DataFrame({"text": parts[2]}).write_csv(folder / "c.csv")
    (folder / "d.txt").write_text("\n\n".join(parts[3]) + "\n", encoding="utf-8")
    return [str(folder / name) for name in ("a.parquet", "b.jsonl.gz", "c.csv", "d.txt")]


def _plants_of_columns(repeats: int) -> list[_Plant]:
    """Operations to write into columns of their own, each with the text of its cells."""
    stream = Stream("selfcheck", 1, SEED, 2)
    plants = []
    for number in range(4 * repeats):
        sign = OPERATORS[number % 4]
        left, right = _operands(stream)
        plants.append(_Plant(COLUMNS, f"{left}\t{sign}\t{right}", (semantic_key(Expression(left, sign, right)),)))
    return plants


def _write_columns(folder: Path, plants: Sequence[_Plant]) -> list[str]:
    """Operations in columns: of numbers in Parquet, of text in CSV, in objects, and without names."""
    rows = [plant.text.split("\t") for plant in plants if plant.surface == COLUMNS]
    parts = [rows[start::4] for start in range(4)]
    numbers = [{"num1": int(left), "num2": int(right), "op": sign} for left, sign, right in parts[0]]
    pl.DataFrame(numbers).write_parquet(folder / "e.parquet")
    (folder / "f.csv").write_text("".join(",".join(row) + "\n" for row in [["a", "op", "b"], *parts[1]]), "utf-8")
    objects = [{"left": int(left), "operator": sign, "right": int(right)} for left, sign, right in parts[2]]
    (folder / "g.json").write_text(json.dumps({"problems": objects}), encoding="utf-8")
    (folder / "h.tsv").write_text("".join("\t".join(row) + "\n" for row in parts[3]), encoding="utf-8")
    return [str(folder / name) for name in ("e.parquet", "f.csv", "g.json", "h.tsv")]


def check_recall(carriers: Sequence[str] = PROSE, *, repeats: int = 8, workers: int = 1) -> list[Recall]:
    """Plant every form ``repeats`` times in the carriers, scan the result as files, and look each plant up."""
    plants = list(_make_plants(repeats))
    stream = Stream("selfcheck", 1, SEED, 1)
    rows = [_plant(carriers[number % len(carriers)], plant, stream) for number, plant in enumerate(plants)]
    plants += _plants_of_columns(repeats)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        index = folder / "seen.parquet"
        files = [*_write_corpus(folder, rows), *_write_columns(folder, plants)]
        scan(files, index, workers=workers)
        hits = find_hits(index, (key for plant in plants for key in plant.keys))
    found: dict[str, list[tuple[_Plant, bool]]] = {}
    for plant in plants:
        is_found = any(key in hits for key in plant.keys)
        found.setdefault(plant.surface, []).append((plant, is_found))
    return [_summarise(surface, results) for surface, results in found.items()]


def _summarise(surface: str, results: Sequence[tuple[_Plant, bool]]) -> Recall:
    wanted = _is_wanted(surface)
    wrong = [plant.text for plant, is_found in results if is_found != wanted]
    found = sum(is_found for _, is_found in results)
    return Recall(surface, len(results), found, tuple(wrong[:5]) or (results[0][0].text,))
