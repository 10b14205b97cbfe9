"""Write results so that a reader never sees half a file."""

import json
import os
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from .generators.errors import InputError


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


def write_text(path: Path, text: str) -> None:
    """Write UTF-8 with LF to a temporary name beside ``path``, then rename; folders are made as needed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        temporary.write_text(text, encoding="utf-8", newline="\n")
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def write_json(path: Path, value: Any, indent: int = 1) -> None:
    """The value as indented JSON."""
    write_text(path, json.dumps(value, indent=indent, ensure_ascii=False) + "\n")
