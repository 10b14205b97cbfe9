"""An HTML page as text: blocks are lines, table cells stand between bars, mathematics keeps its tags."""

import re
from collections.abc import Iterator
from typing import Any

from lxml import etree

# fmt: off
_BREAKS = frozenset((
    "address", "article", "aside", "blockquote", "body", "br", "caption", "dd", "div", "dl", "dt", "fieldset",
    "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hr", "html", "li",
    "main", "nav", "ol", "option", "p", "pre", "section", "select", "table", "tbody", "tfoot", "thead", "title", "tr",
    "ul",
))
_KEPT = frozenset((
    "sup", "sub", "math", "mfrac", "mn", "mo", "mi", "mrow", "msup", "msub", "msqrt", "mroot", "mtable", "mtr", "mtd",
    "mtext", "mstyle", "mfenced", "munder", "mover",
))
# fmt: on
_CELLS = frozenset(("td", "th"))
_SHOWN = ("alt", "title", "alttext", "value", "placeholder", "aria-label", "content", "data-latex", "data-math")
_SPACES = re.compile(r"\s+")


def _is_unread(element: Any) -> bool:
    """Whether an element's contents are no text: styles, and scripts that hold neither mathematics nor data."""
    kind = element.get("type", "")
    return element.tag == "style" or (element.tag == "script" and not ("math" in kind or "json" in kind))


def _opening(element: Any) -> str:
    tag = element.tag
    return "\n" if tag in _BREAKS else "| " if tag in _CELLS else f"<{tag}>" if tag in _KEPT else ""


def _closing(element: Any) -> str:
    tag = element.tag
    return "\n" if tag in _BREAKS else " " if tag in _CELLS else f"</{tag}>" if tag in _KEPT else ""


def _parts(root: Any) -> Iterator[str]:
    verbatim = skipped = 0
    for event, element in etree.iterwalk(root, events=("start", "end", "comment", "pi")):
        if event in ("start", "end") and _is_unread(element):
            skipped += 1 if event == "start" else -1
        verbatim += {"start": 1, "end": -1}.get(event, 0) * (element.tag in ("pre", "code", "script", "textarea"))
        if event == "start" and not skipped:
            yield from (f"\n{element.get(name)}\n" for name in _SHOWN if element.get(name))
            yield _opening(element)
            yield _text(element.text, verbatim > 0)
        elif event != "start":
            yield _closing(element) if event == "end" and not skipped else ""
            yield _text(element.tail, verbatim > 0) if not skipped else ""


def _text(text: str | None, verbatim: bool) -> str:
    return (text or "") if verbatim else _SPACES.sub(" ", text or "")


def html_text(page: bytes) -> str:
    """The text of a page in UTF-8.

    >>> html_text(b"<p>What is <b>12</b> +\\n34?</p><table><tr><td>1<td>+<td>2</table><style>3+4</style>").split("\\n")
    ['What is 12 + 34?', '| 1 | + | 2']
    """
    if not page.strip():
        return ""
    root = etree.fromstring(page, etree.HTMLParser(encoding="utf-8", huge_tree=True, recover=True))
    if root is None:
        return ""
    lines = (line.strip() for line in "".join(_parts(root)).split("\n"))
    return "\n".join(line for line in lines if line)
