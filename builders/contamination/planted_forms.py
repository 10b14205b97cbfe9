"""Texts that must and must not yield an expression: what the self-check plants. ``A`` and ``B`` stand for operands."""

from collections.abc import Callable
from dataclasses import dataclass


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
