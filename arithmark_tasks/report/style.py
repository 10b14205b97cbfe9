"""How plots look and how they become files: the same bytes each time, readable in grey and by colour-blind people.

Models differ by marker and line style as well as by colour (Okabe and Ito's palette); the heat map uses cividis, whose
lightness grows with the value, and prints every figure.
"""

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INK, FAINT, GRID, PAPER = "#1f2328", "#636b76", "#d5dae0", "#fefefe"
SERIES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
MARKERS = ("o", "s", "^", "D", "v", "P")
LINES: tuple[Any, ...] = (
    "-",
    (0, (5, 1.5)),
    (0, (1, 1.2)),
    (0, (6, 1.5, 1, 1.5)),
    (0, (3, 1)),
    (0, (8, 1.5, 1, 1, 1, 1)),
)
# Inches: as wide as a phone shows without shrinking the text much.
WIDTH = 4.8
# The page names these colours, so that its light and dark themes can both set them.
CSS_NAMES = {INK: "ink", FAINT: "faint", GRID: "line", PAPER: "paper"} | {
    colour: f"series-{number}" for number, colour in enumerate(SERIES, start=1)
}
_SETTINGS: dict[Any, Any] = {
    "font.size": 9.5,
    "font.family": "sans-serif",
    "text.color": INK,
    "axes.edgecolor": FAINT,
    "axes.facecolor": PAPER,
    "axes.labelcolor": INK,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": 9.5,
    "axes.titlelocation": "left",
    "figure.facecolor": PAPER,
    "grid.color": GRID,
    "legend.frameon": False,
    "legend.handlelength": 3.2,
    "patch.edgecolor": PAPER,
    "xtick.color": FAINT,
    "xtick.labelcolor": INK,
    "ytick.color": FAINT,
    "ytick.labelcolor": INK,
    "savefig.dpi": 200,
    "svg.fonttype": "none",
    "text.parse_math": False,
}


@dataclass(frozen=True, slots=True)
class Plot:
    """A finished plot: file stem, title, what it shows in words (for those who cannot see it), PNG and SVG."""

    name: str
    title: str
    caption: str
    description: str
    png: bytes
    svg: str

    def inline(self) -> str:
        """The SVG as an element of a page: no namespaces, ids of its own, colours that the page sets."""
        return inline_svg(self.svg, self.name, self.description)


@contextmanager
def plot_style(name: str) -> Iterator[None]:
    """Our settings instead of the user's; ids in the SVG depend on the plot's name and content alone."""
    import matplotlib

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_SETTINGS | {"svg.hashsalt": name})
        yield


def finish(figure: "Figure", name: str, title: str, caption: str, description: str) -> Plot:
    """Render the figure to both formats, without dates or versions in the files."""
    picture, vector = io.BytesIO(), io.StringIO()
    figure.savefig(picture, format="png", metadata={"Software": None})
    figure.savefig(vector, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    return Plot(name, title, caption, description, picture.getvalue(), vector.getvalue())


def inline_svg(svg: str, name: str, description: str) -> str:
    """A matplotlib SVG, rewritten to stand inside a page among others; what its labels say is left alone.

    >>> svg = '<svg width="9pt" xmlns="http://x" viewBox="0 0 9 9"><g id="a"><text>id="b"</text></g></svg>'
    >>> inline_svg(svg, "p", "A bar")
    '<svg role="img" aria-label="A bar" style="--width: 9" viewBox="0 0 9 9"><g id="p-a"><text>id="b"</text></g></svg>'
    """
    picture = ElementTree.fromstring(svg)
    view = picture.get("viewBox", "")
    for parent in list(picture.iter()):
        # A style element in one picture would hold for the whole page; there the page's own rule says the same.
        for child in [child for child in parent if _local(child.tag) in ("metadata", "style")]:
            parent.remove(child)
        found = [(_local(key), _in_page(_local(key), value, name)) for key, value in parent.items()]
        parent.tag = _local(parent.tag)
        parent.attrib.clear()
        parent.attrib.update(found)
    picture.attrib.clear()
    shown = {"role": "img", "aria-label": description, "style": f"--width: {view.split()[2]}", "viewBox": view}
    picture.attrib.update(shown)
    return ElementTree.tostring(picture, encoding="unicode")


def _local(name: str) -> str:
    return name.rpartition("}")[2]


def _in_page(attribute: str, value: str, name: str) -> str:
    """An attribute's value with ids that begin with the plot's name, and the page's colours and font."""
    if attribute == "id":
        return f"{name}-{value}"
    if attribute == "href":
        return value.replace("#", f"#{name}-", 1)
    if attribute in ("d", "points", "transform", "x", "y"):
        # Of a point (1/72 inch), nobody sees more.
        return re.sub(r"-?\d+\.\d{3,}", lambda found: f"{float(found[0]):.2f}", value)
    value = value.replace("url(#", f"url(#{name}-")
    value = re.sub(r"'DejaVu Sans'[^;]*", "var(--font)", value)
    for colour, css_name in CSS_NAMES.items():
        value = value.replace(colour, f"var(--{css_name})")
    return value
