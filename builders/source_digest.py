"""A digest of generator source, so that rows built by an older generator are never served from a cache.

Without it ``datasets`` names a cache folder by configuration and version alone, and an edited generator of the same
version silently returns the rows of its predecessor.
"""

import hashlib
from pathlib import Path

from .. import generators

_GENERATORS = Path(generators.__file__).parent


def source_digest(package: str, *builders: Path) -> str:
    """16 hex digits over everything that decides the rows of ``generators/PACKAGE``.

    Covers the package itself, the modules it shares with the other generators, and the source files of its builders.
    Line ends do not count, so a checkout on Windows has the same digest.

    >>> source_digest("deeparithmark") == source_digest("deeparithmark")
    True
    """
    folder = _GENERATORS / package
    if not folder.is_dir():
        raise ValueError(f"no generator package {package!r} in {_GENERATORS.name}")
    digest = hashlib.sha256()
    for path in [*sorted(_GENERATORS.glob("*.py")), *sorted(folder.rglob("*.py")), *builders]:
        content = path.read_bytes().replace(b"\r\n", b"\n")
        digest.update(f"{path.name} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()[:16]
