"""What a command shows while it works in stages of unknown length."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ..console import plain_console


@contextmanager
def stages() -> Iterator[Callable[[str], None]]:
    """A spinner on stderr that shows the current stage and the time it takes."""
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn()
    console = plain_console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("starting", total=None)
        yield lambda stage: progress.update(task, description=stage)
