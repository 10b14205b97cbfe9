"""Tables written once and shown twice, in Markdown and on the page, and text of result files made fit to be shown."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..statistics import Score, is_clear
from ..statistics.verdicts import p_figure

_LONGEST = 44
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
Formatter = Callable[[float], str]


def plain(text: str) -> str:
    """One line without what no plot or page can hold: control characters and broken Unicode become U+FFFD.

    >>> plain("two\\nlines"), plain("nul\\x00 and half a pair \\ud800") == "nul\\ufffd and half a pair \\ufffd"
    ('two lines', True)
    """
    shown = (sign if sign.isprintable() else " " if sign.isspace() else "\ufffd" for sign in text)
    return "".join(shown).strip()


def label_text(name: str) -> str:
    """A name as a label: plain, and not so long that no room is left for the plot; names differ at their ends.

    >>> len(label_text("x" * 1000)), label_text("SmolLM2")
    (44, 'SmolLM2')
    """
    name = plain(name)
    half = (_LONGEST - 1) // 2
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1 - half]}…{name[-half:]}"


def markdown_text(text: str) -> str:
    r"""Text that Markdown shows as it is, also inside a table and in the words of a link.

    >>> print(markdown_text("a|b <i> [x](y) *n*_m_ `c` \\ & co"))
    a\|b &lt;i&gt; \[x\](y) \*n\*\_m\_ \`c\` \\ &amp; co
    """
    escaped = re.sub(r"[\\`*_|\[\]~$]", lambda found: "\\" + found[0], plain(text))
    return re.sub("[&<>]", lambda found: _ENTITIES[found[0]], escaped)


@dataclass(frozen=True, slots=True)
class Shown:
    """One cell: its text, a second line in small print, the number it is sorted by, and its style on the page."""

    text: str = ""
    note: str = ""
    value: float | None = None
    style: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table with its caption; columns named in ``words`` hold text, the others numbers.

    ``published`` holds the places of the rows that are copied from the published table.
    """

    name: str
    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Shown, ...], ...]
    words: frozenset[str] = frozenset({"model"})
    published: frozenset[int] = frozenset()

    def markdown(self) -> str:
        """GitHub's Markdown; small print follows in brackets, and our rows among published ones are bold.

        >>> print(Table("t", "", ("model", "acc"), ((Shown("a|b"), Shown("25.0", "20.1–30.4")),)).markdown())
        | model | acc |
        | --- | ---: |
        | a\\|b | 25.0 (20.1–30.4) |
        <BLANKLINE>
        """
        marks = ["---" if column in self.words else "---:" for column in self.columns]
        cells = [[_markdown(cell) for cell in row] for row in self.rows]
        for place, row in enumerate(cells):
            if self.published and place not in self.published:
                row[0] = f"**{row[0]}**"
        heads = [markdown_text(column) for column in self.columns]
        return "".join("| " + " | ".join(row) + " |\n" for row in [heads, marks, *cells])


def _markdown(cell: Shown) -> str:
    return markdown_text(f"{cell.text} ({cell.note})" if cell.note else cell.text)


def number(value: float | None, text_of: Formatter, note: str = "", style: str = "") -> Shown:
    """A cell that shows and sorts by a number; empty where there is none."""
    return Shown() if value is None else Shown(text_of(value), note, value, style)


def score_cell(score: Score | None, chance: float | None) -> Shown:
    """A ``Score`` as a percentage above its interval, styled where it differs from chance."""
    if score is None:
        return Shown()
    return number(score["value"], share, interval_text(score["interval"]), against_chance(score, chance))


def against_chance(score: Score, chance: float | None) -> str:
    """``above`` or ``below`` where the score is further from chance than luck explains, by the adjusted p."""
    if chance is None or not is_clear(score):
        return ""
    return "above" if score["value"] > chance else "below"


def share(value: float) -> str:
    """A share in percent, the unit left to the caption."""
    return f"{100 * value:.1f}"


def points(value: float) -> str:
    """A difference of shares in percentage points, with its sign.

    >>> points(-0.042), points(0.1)
    ('−4.2', '+10.0')
    """
    return signed(100 * value)


def signed(value: float) -> str:
    """One digit and a sign, a real minus.

    >>> signed(-12.84)
    '−12.8'
    """
    return f"{value:+.1f}".replace("-", "−")


def interval_text(bounds: Sequence[float] | None, text_of: Formatter = share) -> str:
    """Both bounds, or nothing.

    >>> interval_text([0.201, 0.253]), interval_text([-0.02, 0.01], points), interval_text(None)
    ('20.1–25.3', '−2.0 to +1.0', '')
    """
    if not bounds:
        return ""
    return ("–" if text_of is share and bounds[0] >= 0 else " to ").join(map(text_of, bounds))


def bits(value: float) -> str:
    """A number of bits to three digits, a real minus.

    >>> bits(-2.04156), bits(0.8)
    ('−2.042', '0.800')
    """
    return f"{value:.3f}".replace("-", "−")


def p_text(p: float) -> str:
    """A p-value to three digits, or its power of ten.

    >>> p_text(0.0162), p_text(1.0), p_text(0.00021), p_text(2.3e-30), p_text(0.0)
    ('0.016', '1.000', '2e-04', '2e-30', '<1e-300')
    """
    return f"{p:.3f}" if p >= 0.001 else f"{p:.0e}" if p >= 1e-300 else p_figure(p)


def count(value: float) -> str:
    """A count; shares that ties leave keep one digit.

    >>> count(1000), count(12.5)
    ('1,000', '12.5')
    """
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.1f}"
