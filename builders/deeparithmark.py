"""DeepArithmark-1 as a ``datasets`` builder: one config for each tier of the generator's registry."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import datasets
from datasets import Features, List, Value

from ..generators import deeparithmark as generator
from ..generators.deeparithmark import edition
from ..generators.deeparithmark.tiers import TIERS, USUAL, tier_of
from .base import GeneratedBuilder, Row, RowSource, source_digest
from .cards import deeparithmark as cards
from .eval_yaml import FLAT
from .folder import Manifest, Split, check_target, write_folder
from .verify.deeparithmark import counted, flat_row
from .verify.kept_apart import TRAIN, proof

# Every column is named, none is guessed: "26", " 2:45 p.m." and "0" are strings and stay strings.
FEATURES = Features(
    {
        "ind": Value("int64"),
        "activity_label": Value("string"),
        "ctx": Value("string"),
        "endings": List(Value("string")),
        "label": Value("string"),
        "source_id": Value("string"),
        "split": Value("string"),
        "split_type": Value("string"),
        "metadata": {
            "answer": Value("string"),
            "unit": Value("string"),
            "topic": Value("string"),
            "template": Value("string"),
            "depth": Value("int64"),
            "option_values": List(Value("int64")),
            "option_sources": List(Value("string")),
            "answer_rank": Value("int64"),
            "solution_steps": List(Value("string")),
            "option_steps": List(Value("int64")),
        },
    }
)

# The test items with every field at the top and the right ending as a letter: what evaluation tools ask for.
FLAT_FEATURES = Features(
    {
        "question": Value("string"),
        "choices": List(Value("string")),
        "target": Value("string"),
        "answer": Value("string"),
        "depth": Value("int64"),
        "template": Value("string"),
    }
)


@dataclass(eq=False)  # BuilderConfig's own equality looks at attributes that are set later too
class DeepArithmarkConfig(datasets.BuilderConfig):
    """``seed`` names the set; ``items`` scales the tier's main split (every template keeps its share)."""

    version: datasets.Version | str | None = f"{edition.VERSION}.0.0"
    seed: int = edition.SEED
    items: int = 1_000


class DeepArithmark(GeneratedBuilder):
    """Arithmetic word problems of dependent steps, four endings each; every tier is a config."""

    GENERATOR = "deeparithmark"
    SOURCE = __file__
    LOADED = source_digest(GENERATOR, Path(__file__))
    BUILDER_CONFIG_CLASS = DeepArithmarkConfig
    BUILDER_CONFIGS = [  # noqa: RUF012 - the name and type are datasets' own
        DeepArithmarkConfig(name=tier.name, description=tier.summary, items=tier.splits[tier.main])
        for tier in TIERS.values()
    ]
    DEFAULT_CONFIG_NAME = "default"

    def _info(self) -> datasets.DatasetInfo:
        return datasets.DatasetInfo(features=FEATURES, license="apache-2.0", description=self.__class__.__doc__)

    def row_sources(self) -> dict[str, RowSource]:
        """The splits of the tier, in file order."""
        return {split: partial(self._rows, split) for split in tier_of(self.config.name).splits}

    def _rows(self, split: str) -> list[Row]:
        """``InputError`` for a training set that collides with a test set; test sets are apart by their draws."""
        tier, seed = tier_of(self.config.name), self.config.seed
        rows = generator.build_split(tier.name, split, seed, self.config.items if split == tier.main else None)
        if tier.name == TRAIN:
            proof(TRAIN, seed, rows)
        return rows


def build_folder(
    out: str | Path,
    *,
    configs: Sequence[str] = USUAL,
    seed: int = edition.SEED,
    items: int | None = None,
    notify: Callable[[str], None] = lambda stage: None,
) -> Manifest:
    """Write the Hub-ready folder of one seed to ``out`` and return its manifest; ``notify`` is told each stage.

    ``items`` is the size of each config's main split, its own one without it. ``InputError`` when a config is unknown
    or ``out`` holds anything but an earlier build, before anything is computed.
    """
    check_target(out, DeepArithmark.GENERATOR)
    splits: list[Split] = []
    for tier in [tier_of(name) for name in dict.fromkeys(configs)]:
        for split in tier.splits:
            notify(f"generating {tier.name}/{split}")
            rows = generator.build_split(tier.name, split, seed, items if split == tier.main else None)
            splits.append(Split(tier.name, split, tier.stem(split), FEATURES, rows))
    notify("comparing with the default set")
    mains = {split.config: split.rows for split in splits if split.name == tier_of(split.config).main}
    tested = next((split for split in splits if split.name == "test"), None)
    if tested is not None:
        stem = f"{tier_of(tested.config).label}-{FLAT}"
        splits.append(Split(FLAT, "test", stem, FLAT_FEATURES, [flat_row(item) for item in tested.rows]))
    facts = {
        "dataset_version": edition.VERSION,
        "seed": seed,
        "tiers": {config: counted(rows) for config, rows in mains.items()},
        "kept_apart": {config: entries for config in mains if (entries := _proof(config, seed, splits))},
    }
    return write_folder(
        out, DeepArithmark.GENERATOR, splits, facts, lambda manifest: cards.card(manifest, mains, notify)
    )


def _proof(config: str, seed: int, splits: Sequence[Split]) -> Manifest:
    return proof(config, seed, [row for split in splits if split.config == config for row in split.rows])
