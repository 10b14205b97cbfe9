"""Files and folders that appear complete or not at all, and what their bytes hash to."""

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, BinaryIO

from ..generators.errors import InputError

_BLOCK = 1 << 20


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A temporary name beside ``path`` that takes its place when the block ends well, and vanishes when it does not.

    Folders are made as needed.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        yield temporary
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write UTF-8 with LF, never through newline translation: the same bytes on every system."""
    with whole_file(path) as temporary:
        temporary.write_bytes(text.encode())


def write_json(path: Path, value: Any, indent: int = 1) -> None:
    """The value as indented JSON."""
    write_text(path, json.dumps(value, indent=indent, ensure_ascii=False) + "\n")


def check_writable(path: Path, *, force: bool = False) -> None:
    """``InputError`` if a file can never be written there, or would overwrite one without ``force``."""
    if path.is_dir():
        raise InputError("is a folder", file=path)
    if path.exists() and not force:
        raise InputError("exists; --force overwrites it", file=path)
    folder = next(parent for parent in path.absolute().parents if parent.exists())
    if not folder.is_dir():
        raise InputError("is a file, not a folder", file=folder)
    try:
        with TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", file=path) from error


def hash_stream(stream: BinaryIO, digest: Any = None) -> Any:
    """The SHA-256 object of what is left of a stream, added to ``digest`` where one is given."""
    digest = digest or hashlib.sha256()
    while block := stream.read(_BLOCK):
        digest.update(block)
    return digest


def hash_file(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as stream:
        return str(hash_stream(stream).hexdigest())


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
