"""How every command prints: names, paths and labels are data, and come out as they went in."""

from typing import Any

from rich.console import Console


def plain_console(**options: Any) -> Console:
    """A console that takes no text for markup, an emoji code or something to colour; ``options`` are rich's.

    >>> plain_console(width=40).print("[/b] :car: 7")
    [/b] :car: 7
    """
    return Console(markup=False, emoji=False, highlight=False, **options)
