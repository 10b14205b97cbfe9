"""What the dataset builders share: rows from a generator, and a cache that knows the generator's source."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, ClassVar

import datasets

from .source_digest import source_digest

Row = dict[str, Any]
RowSource = Callable[[], Iterable[Row]]


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
