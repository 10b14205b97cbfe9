"""A digest of generator source, so that rows built by an older generator are never served from a cache.

Without it ``datasets`` names a cache folder by configuration and version alone, and an edited generator of the same
version silently returns the rows of its predecessor.
"""

import hashlib
from pathlib import Path

from .. import generators

_GENERATORS = Path(generators.__file__).parent
_SHARED = "choices"


def source_digest(package: str, *builders: Path) -> str:
    """16 hex digits over everything that decides the rows of ``generators/PACKAGE``.

    Covers the package itself, what it shares with the other generators (the modules beside it and the machinery of
    four-way options), and the source files of its builders.
    Line ends do not count, so a checkout on Windows has the same digest.

    >>> source_digest("deeparithmark") == source_digest("deeparithmark")
    True
    """
    folder = _GENERATORS / package
    if not folder.is_dir():
        raise ValueError(f"no generator package {package!r} in {_GENERATORS.name}")
    digest = hashlib.sha256()
    folders = sorted({_GENERATORS / _SHARED, folder})
    shared = [*sorted(_GENERATORS.glob("*.py")), *(path for one in folders for path in sorted(one.rglob("*.py")))]
    for path in [*shared, *builders]:
        content = path.read_bytes().replace(b"\r\n", b"\n")
        digest.update(f"{path.name} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()[:16]
