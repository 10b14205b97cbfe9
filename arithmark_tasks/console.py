"""How every command prints and shows progress: names, paths and labels are data, and come out as they went in."""

import logging
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rich.console import Console

if TYPE_CHECKING:
    from rich.progress import Progress

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


def progress_bar(*, of_bytes: bool = False, transient: bool = True, show: bool = True) -> "Progress":
    """rich's bars on stderr: what is done, how much of how much, and the time gone and left."""
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        DownloadColumn() if of_bytes else MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=plain_console(stderr=True),
        transient=transient,
        disable=not show,
    )


@contextmanager
def stages() -> Iterator[Callable[[str], None]]:
    """A spinner on stderr for work in stages of unknown length: shows the one that it was told last, and the time."""
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn()
    console = plain_console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("starting", total=None)
        yield lambda stage: progress.update(task, description=stage)


@contextmanager
def own_bars_only() -> Iterator[None]:
    """The bars of datasets, huggingface_hub and transformers off, and what is said of every request to the Hub.

    They would break ours, or show with ``-q``. Warnings stay: of weights that a checkpoint lacks, for one.
    """
    import datasets
    import transformers
    from huggingface_hub import utils as hub

    were_on = (
        (datasets.is_progress_bar_enabled(), datasets.enable_progress_bars),
        (not hub.are_progress_bars_disabled(), hub.enable_progress_bars),
        (transformers.utils.logging.is_progress_bar_enabled(), transformers.utils.logging.enable_progress_bar),
    )
    requests = logging.getLogger("httpx")
    level = requests.level
    datasets.disable_progress_bars()
    hub.disable_progress_bars()
    transformers.utils.logging.disable_progress_bar()
    requests.setLevel(logging.WARNING)
    try:
        yield
    finally:
        requests.setLevel(level)
        for was_on, enable in were_on:
            if was_on:
                enable()


def natural(name: str) -> list[tuple[int, int, str]]:
    """A key that sorts numbers in names by their size.

    >>> sorted(["checkpoint-1000", "checkpoint-200"], key=natural)
    ['checkpoint-200', 'checkpoint-1000']
    """
    parts = re.split(r"([0-9]+)", name.casefold())
    return [(1, int(part), "") if place % 2 else (0, 0, part) for place, part in enumerate(parts)]
