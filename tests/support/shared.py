"""What takes seconds to make is made once in a test session, by whichever of its processes asks first."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock


def session_folder(factory: pytest.TempPathFactory) -> Path:
    """A folder that all processes of the session see: each worker of xdist has its own one below it."""
    base = factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


def once(folder: Path, name: str, make: Callable[[], Any]) -> Any:
    """The JSON value that ``make`` gives, from the file of the process that made it."""
    path = folder / f"{name}.json"
    with FileLock(f"{path}.lock"):
        if not path.exists():
            path.write_text(json.dumps(make()), encoding="utf-8")
    return json.loads(path.read_text(encoding="utf-8"))
