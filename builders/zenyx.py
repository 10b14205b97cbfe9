"""Zenyx Arithmetic Bench as a ``datasets`` builder: configs ``default``, ``extended``, ``mc`` and ``legacy``."""

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import datasets
from datasets import Features, Value

from ..generators import zenyx as generator
from ..generators.errors import InputError
from ..generators.expression import SemanticKey
from ..generators.zenyx import multiple_choice, question_type
from ..generators.zenyx.splits import CONFIG_TYPES, build_split, splits_of
from .base import GeneratedBuilder, RowSource, source_digest
from .cards import zenyx as cards
from .certificate import certify
from .deeparithmark import FEATURES as DEEPARITHMARK_FEATURES
from .folder import Manifest, Split, check_target, write_folder
from .seen_keys import Paths, Seen, content_digest, index_paths, read_seen

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


# DeepArithmark's fields: one reader for both. A single operation has no steps to show.
CHOICE_FEATURES = Features(
    DEEPARITHMARK_FEATURES
    | {"metadata": {k: v for k, v in DEEPARITHMARK_FEATURES["metadata"].items() if not k.endswith("_steps")}}
)
_FEATURES = {"mc": CHOICE_FEATURES, "legacy": LEGACY_FEATURES}


@dataclass(eq=False)  # BuilderConfig's own equality looks at attributes that are set later too
class ZenyxConfig(datasets.BuilderConfig):
    """``seed`` names the set; ``seen`` is one seen-index or several whose questions are replaced, or flagged.

    ``mc_per_type`` is the number of test items of each type of ``mc``, a multiple of 16.
    """

    version: datasets.Version | str | None = f"{generator.VERSION}.0.0"
    seed: int = generator.SEED
    seen: Paths = None
    mc_per_type: int = multiple_choice.MC_PER_TYPE


class Zenyx(GeneratedBuilder):
    """Single operations with exact answers, 2,000 of each type, with exemplars, a four-way form and a legacy suite."""

    GENERATOR = "zenyx"
    SOURCE = __file__
    LOADED = source_digest(GENERATOR, Path(__file__))
    BUILDER_CONFIG_CLASS = ZenyxConfig
    BUILDER_CONFIGS = [ZenyxConfig(name=name) for name in CONFIG_TYPES]  # noqa: RUF012 - datasets' own name and type
    DEFAULT_CONFIG_NAME = "default"

    def __init__(self, *args: Any, hash: str | None = None, seen: Paths = None, **kwargs: Any) -> None:
        paths = index_paths(seen)
        if paths:
            # The rows depend on what the index holds, not on where it lies.
            hash = f"{hash or self.cache_hash()}-{content_digest(paths)}"
            kwargs["seen"] = [str(path) for path in paths]
        super().__init__(*args, hash=hash, **kwargs)

    def _info(self) -> datasets.DatasetInfo:
        features = _FEATURES.get(self.config.name, FEATURES)
        return datasets.DatasetInfo(features=features, license="apache-2.0", description=self.__class__.__doc__)

    def row_sources(self) -> dict[str, RowSource]:
        """The splits of the config, in file order."""
        return {split: partial(self._split, split) for split in splits_of(self.config.name)}

    def _split(self, split: str) -> list[dict[str, Any]]:
        name, paths = self.config.name, index_paths(self.config.seen)
        # Exemplars are the same whatever an index holds, so none is read for them.
        seen = _seen(paths, CONFIG_TYPES[name]).keys if paths and split == "test" else None
        return build_split(name, split, self.config.seed, seen, mc_per_type=self.config.mc_per_type)


def _seen(paths: Sequence[str | Path], types: Sequence[str]) -> Seen:
    return read_seen(paths, [question_type(code) for code in types])


def _choose(
    wanted: Sequence[str], seed: int, seen: Set[SemanticKey] | None, mc_per_type: int
) -> tuple[dict[str, generator.Bench], dict[str, dict[str, list[dict[str, Any]]]]]:
    """The benches that the wanted configs draw from, and the rows by config and split."""
    asked = dict.fromkeys("default" if name == "mc" else name for name in wanted if name != "legacy")
    benches = {name: generator.build_bench(seed, seen or frozenset(), CONFIG_TYPES[name]) for name in asked}
    questions = benches["default"].items if "default" in benches else None

    def rows(name: str, split: str) -> list[dict[str, Any]]:
        if name in benches and split == "test":
            return benches[name].items
        return build_split(name, split, seed, seen, questions=questions, mc_per_type=mc_per_type)

    found = {name: {split: rows(name, split) for split in splits_of(name)} for name in dict.fromkeys([*asked, *wanted])}
    return benches, found


def build_folder(
    out: str | Path,
    *,
    configs: Sequence[str] = tuple(CONFIG_TYPES),
    seed: int = generator.SEED,
    seen: Paths = None,
    mc_per_type: int = multiple_choice.MC_PER_TYPE,
    notify: Callable[[str], None] = lambda stage: None,
) -> Manifest:
    """Write the Hub-ready folder with all configs, or some, and return its manifest.

    With seen-indexes, seen questions of ``default``, ``extended`` and ``mc`` are replaced, those of ``legacy`` flagged,
    and the manifest's ``certificate`` states what was checked. ``InputError`` for an unknown config, and when a type's
    space cannot give 2,000 unseen questions.
    """
    check_target(out, Zenyx.GENERATOR)
    unknown = [name for name in configs if name not in CONFIG_TYPES]
    if unknown or not configs:
        raise InputError(f"zenyx has no config {unknown[0] if unknown else ''!r}, only {', '.join(CONFIG_TYPES)}")
    wanted = [name for name in CONFIG_TYPES if name in configs]
    paths = index_paths(seen)
    notify("reading seen-indexes")
    found = _seen(paths, list(dict.fromkeys(code for name in wanted for code in CONFIG_TYPES[name])))
    notify("choosing questions and wrong options")
    benches, rows = _choose(wanted, seed, found.keys if paths else None, mc_per_type)
    notify("looking up evidence")
    exemplars = [item for name in benches for item in rows[name]["fewshot"]]
    legacy = rows["legacy"]["test"] if "legacy" in wanted else []
    certificate = certify(benches.values(), exemplars, legacy, found, paths) if paths else None
    facts = {
        "dataset_version": generator.VERSION,
        "seed": seed,
        "per_type": generator.PER_TYPE,
        "mc_per_type": mc_per_type,
        "certificate": certificate,
    }
    splits = [
        Split(name, split, f"{name}-{split}", _FEATURES.get(name, FEATURES), items)
        for name in wanted
        for split, items in rows[name].items()
    ]
    notify("writing")
    return write_folder(out, Zenyx.GENERATOR, splits, facts, lambda manifest: cards.card(manifest, splits))
