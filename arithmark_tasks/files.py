"""Write results so that a reader never sees half a file."""

import json
import os
from pathlib import Path
from typing import Any


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
