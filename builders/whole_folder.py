"""Folders that appear complete or not at all."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def whole_folder(out: str | Path, check: Callable[[], None]) -> Iterator[Path]:
    """A new folder beside ``out`` that takes its place when the block ends well, and vanishes when it does not.

    ``check`` raises where ``out`` must not be replaced; it is asked before the work and again after it.
    """
    out = Path(out).resolve()
    check()
    out.parent.mkdir(parents=True, exist_ok=True)
    partial = out.with_name(f".{out.name}.partial-{os.getpid()}")
    partial.mkdir()
    try:
        yield partial
        check()
        _swap(partial, out)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _swap(new: Path, out: Path) -> None:
    if not out.exists():
        new.rename(out)
        return
    # A folder cannot replace a non-empty one in a single step, so the old one steps aside and returns on failure.
    retired = out.with_name(f".{out.name}.retired-{os.getpid()}")
    out.rename(retired)
    try:
        new.rename(out)
    except BaseException:
        retired.rename(out)
        raise
    shutil.rmtree(retired)
