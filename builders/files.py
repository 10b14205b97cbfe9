"""Folders that appear complete or not at all."""

import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ..generators.errors import InputError


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


def files_in(out: Path) -> set[str]:
    """The files below a folder as relative paths, none where it does not exist; ``InputError`` if it is no folder."""
    if out.exists() and not out.is_dir():
        raise InputError("exists and is not a folder", file=out)
    return {path.relative_to(out).as_posix() for path in out.rglob("*") if not path.is_dir()}


def refuse_foreign(out: Path, ours: Iterable[str]) -> None:
    """``InputError`` when the folder holds a file that is not in ``ours`` and would be lost with it."""
    foreign = sorted(files_in(out) - set(ours))
    if foreign:
        raise InputError(f"holds files that are not ours and would be lost, such as {foreign[0]}", file=out)


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
