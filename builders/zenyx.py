"""Zenyx Arithmetic Bench as a ``datasets`` builder with the configs ``default`` and ``legacy``."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import datasets
from datasets import Features, Value

from ..generators import zenyx as generator
from ..generators.zenyx import DEFAULT_TYPES, LEGACY_TYPES, question_type
from .base import GeneratedBuilder, RowSource
from .cards import zenyx as cards
from .certificate import certify
from .folder import Manifest, Split, check_target, write_folder
from .seen_keys import Paths, Seen, content_digest, index_paths, read_seen
from .source_digest import source_digest

_FIELDS = {
    "id": Value("string"),
    "type": Value("string"),
    "operation": Value("string"),
    "a": Value("int64"),
    "operator": Value("string"),
    "b": Value("int64"),
    "question": Value("string"),
    "answer": Value("string"),
}
# An answer is text: ten digits and more survive every reader, and nothing guesses a type.
FEATURES = Features({**_FIELDS, "in_legacy_14k": Value("bool")})
LEGACY_FEATURES = Features({**_FIELDS, "seen_in_training": Value("bool")})


@dataclass(eq=False)  # BuilderConfig's own equality looks at attributes that are set later too
class ZenyxConfig(datasets.BuilderConfig):
    """``seed`` names the set; ``seen`` is one seen-index or several whose questions are replaced, or flagged."""

    version: datasets.Version | str | None = f"{generator.VERSION}.0.0"
    seed: int = generator.SEED
    seen: Paths = None


class Zenyx(GeneratedBuilder):
    """16,000 single operations in 8 types with exact answers, 64 exemplars, and the legacy suite of 14,000."""

    GENERATOR = "zenyx"
    SOURCE = __file__
    LOADED = source_digest(GENERATOR, Path(__file__))
    BUILDER_CONFIG_CLASS = ZenyxConfig
    BUILDER_CONFIGS = [ZenyxConfig(name="default"), ZenyxConfig(name="legacy")]  # noqa: RUF012
    DEFAULT_CONFIG_NAME = "default"

    def __init__(self, *args: Any, hash: str | None = None, seen: Paths = None, **kwargs: Any) -> None:
        paths = index_paths(seen)
        if paths:
            # The rows depend on what the index holds, not on where it lies.
            hash = f"{hash or self.cache_hash()}-{content_digest(paths)}"
            kwargs["seen"] = [str(path) for path in paths]
        super().__init__(*args, hash=hash, **kwargs)

    def _info(self) -> datasets.DatasetInfo:
        features = LEGACY_FEATURES if self.config.name == "legacy" else FEATURES
        return datasets.DatasetInfo(features=features, license="apache-2.0", description=self.__class__.__doc__)

    def row_sources(self) -> dict[str, RowSource]:
        """The splits of the config, in file order."""
        seed, paths = self.config.seed, index_paths(self.config.seen)
        if self.config.name == "legacy":
            return {"test": lambda: generator.build_legacy(seed, _seen(paths, LEGACY_TYPES).keys if paths else None)}
        return {
            "test": lambda: generator.build(seed, _seen(paths, DEFAULT_TYPES).keys),
            "fewshot": lambda: generator.build_fewshot(seed),
        }


def _seen(paths: Sequence[str | Path], types: Sequence[str]) -> Seen:
    return read_seen(paths, [question_type(code) for code in types])


def build_folder(
    out: str | Path,
    *,
    seed: int = generator.SEED,
    seen: Paths = None,
    config: str | None = None,
    notify: Callable[[str], None] = lambda stage: None,
) -> Manifest:
    """Write the Hub-ready folder with both configs, or one, and return its manifest.

    With seen-indexes, seen questions of ``default`` are replaced, those of ``legacy`` flagged, and the manifest's
    ``certificate`` states what was checked. ``InputError`` when a type's space cannot give 2,000 unseen questions.
    """
    check_target(out, Zenyx.GENERATOR)
    paths = index_paths(seen)
    notify("reading seen-indexes")
    found = _seen(paths, list(dict.fromkeys([*DEFAULT_TYPES, *LEGACY_TYPES])))
    notify("choosing questions")
    bench = generator.build_bench(seed, found.keys)
    shots, legacy = generator.build_fewshot(seed), generator.build_legacy(seed, found.keys if paths else None)
    splits = [
        Split("default", "test", "default-test", FEATURES, bench.items),
        Split("default", "fewshot", "default-fewshot", FEATURES, shots),
        Split("legacy", "test", "legacy-test", LEGACY_FEATURES, legacy),
    ]
    notify("looking up evidence")
    facts = {
        "dataset_version": generator.VERSION,
        "seed": seed,
        "per_type": generator.PER_TYPE,
        "certificate": certify(bench, shots, legacy, found, paths) if paths else None,
    }
    chosen = [split for split in splits if config in (None, split.config)]
    notify("writing")
    return write_folder(out, Zenyx.GENERATOR, chosen, facts, lambda manifest: cards.card(manifest, chosen))
