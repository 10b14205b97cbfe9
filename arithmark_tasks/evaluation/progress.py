"""What is done and how long the rest takes, on stderr."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from ..console import plain_console

Advance = Callable[[], None]


@contextmanager
def progress_bar(title: str, total: int, done: int = 0, *, show: bool = True) -> Iterator[Advance]:
    """A bar that begins at ``done`` of ``total``; the yielded function moves it on by one."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=plain_console(stderr=True), disable=not show) as progress:
        task = progress.add_task(title, total=total, completed=done)
        yield lambda: progress.advance(task)


@contextmanager
def without_tqdm_of_prompts() -> Iterator[None]:
    """lm-eval draws one bar per task while it builds prompts, most of them for a fraction of a second: not here."""
    from lm_eval.api import task

    shown = task.tqdm
    task.tqdm = lambda docs, **_: docs
    try:
        yield
    finally:
        task.tqdm = shown
