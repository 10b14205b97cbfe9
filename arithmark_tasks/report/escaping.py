"""Text from result files, made fit to be shown: in plots, on the page and in Markdown."""

import re

_LONGEST = 44
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


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
