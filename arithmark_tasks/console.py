"""How every command prints: names, paths and labels are data, and come out as they went in."""

from typing import Any

from rich.console import Console

_quiet = False


def be_quiet(wanted: bool) -> None:
    """Whether ``plain_console(stderr=True)`` stays silent from now on: progress, stages and facts, but no error."""
    global _quiet
    _quiet = wanted


def plain_console(**options: Any) -> Console:
    """A console that takes no text for markup, an emoji code or something to colour; ``options`` are rich's.

    >>> plain_console(width=40).print("[/b] :car: 7")
    [/b] :car: 7
    """
    quiet = options.pop("quiet", _quiet and bool(options.get("stderr")))
    return Console(markup=False, emoji=False, highlight=False, quiet=quiet, **options)
