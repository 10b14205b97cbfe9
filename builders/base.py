"""What the dataset builders share: rows from a generator, and a cache that knows the generator's source.

Without a digest of that source ``datasets`` names a cache folder by configuration and version alone, and an edited
generator of the same version silently returns the rows of its predecessor.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, ClassVar

import datasets

from .. import generators

Row = dict[str, Any]
RowSource = Callable[[], Iterable[Row]]
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


class GeneratedBuilder(datasets.GeneratorBasedBuilder):
    """A dataset computed by ``generators/GENERATOR``; nothing is downloaded.

    A subclass sets ``GENERATOR`` (the package in ``generators``), ``SOURCE`` (its own ``__file__``) and ``LOADED`` (the
    digest taken when its module was imported), and defines ``_info`` and ``row_sources``.
    """

    GENERATOR: ClassVar[str]
    SOURCE: ClassVar[str]
    LOADED: ClassVar[str]

    def __init__(self, *args: Any, hash: str | None = None, **kwargs: Any) -> None:
        super().__init__(*args, hash=hash or self.cache_hash(), **kwargs)

    @classmethod
    def cache_hash(cls) -> str:
        """Names the cache folder: the source on disk now and, where it was edited since the import, the old one too.

        A running process keeps the code it imported, so rows made after such an edit belong to neither source alone.
        """
        now = source_digest(cls.GENERATOR, Path(cls.SOURCE))
        return now if now == cls.LOADED else f"{cls.LOADED}-{now}"

    def row_sources(self) -> dict[str, RowSource]:
        """For each split of the chosen config, a function that returns its rows in order."""
        raise NotImplementedError

    def _split_generators(self, dl_manager: object) -> list[datasets.SplitGenerator]:
        return [datasets.SplitGenerator(name=name, gen_kwargs={"split": name}) for name in self.row_sources()]

    def _generate_examples(self, split: str) -> Iterator[tuple[int, Row]]:
        yield from enumerate(self.row_sources()[split]())
