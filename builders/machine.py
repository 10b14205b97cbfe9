"""The machine that the package runs on: versions, processors, the user's cache."""

import os
import platform
from importlib.metadata import version
from pathlib import Path

from .. import __version__


def versions(*packages: str) -> dict[str, str]:
    """The versions of Python, of this package and of others that results depend on.

    >>> list(versions("numpy"))
    ['python', 'arithmark', 'numpy']
    """
    own = {"python": platform.python_version(), "arithmark": __version__}
    return own | {package: version(package) for package in packages}


def processors(*, physical: bool = False) -> int:
    """How many processors this process may use, by affinity and by a container's quota; ``physical`` cores alone."""
    import joblib

    return int(joblib.cpu_count(only_physical_cores=physical))


def cache_folder() -> Path:
    """Where what can be made again is kept: ``$XDG_CACHE_HOME/arithmark`` or ``~/.cache/arithmark``."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join("~", ".cache")  # noqa: PTH118
    return Path(os.path.expanduser(base)) / "arithmark"  # noqa: PTH111 - Path's own raises where there is no home
