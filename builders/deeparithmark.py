"""DeepArithmark-1 as a ``datasets`` builder: config ``default`` with the splits ``test`` and ``fewshot``."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import datasets
from datasets import Features, List, Value

from ..generators import deeparithmark as generator
from ..generators.deeparithmark import schema
from .base import GeneratedBuilder, RowSource
from .cards import deeparithmark as cards
from .folder import Manifest, Split, check_target, write_folder
from .source_digest import source_digest

ITEMS = 1_000

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
        },
    }
)


@dataclass(eq=False)  # BuilderConfig's own equality looks at attributes that are set later too
class DeepArithmarkConfig(datasets.BuilderConfig):
    """``seed`` names the set; ``items`` scales the test split (every template keeps its share)."""

    version: datasets.Version | str | None = f"{schema.VERSION}.0.0"
    seed: int = schema.SEED
    items: int = ITEMS


class DeepArithmark(GeneratedBuilder):
    """1,000 word problems of two to five dependent steps, and 40 exemplars for few-shot prompts."""

    GENERATOR = "deeparithmark"
    SOURCE = __file__
    LOADED = source_digest(GENERATOR, Path(__file__))
    BUILDER_CONFIG_CLASS = DeepArithmarkConfig
    BUILDER_CONFIGS = [DeepArithmarkConfig(name="default")]  # noqa: RUF012 - the name and type are datasets' own
    DEFAULT_CONFIG_NAME = "default"

    def _info(self) -> datasets.DatasetInfo:
        return datasets.DatasetInfo(features=FEATURES, license="apache-2.0", description=self.__class__.__doc__)

    def row_sources(self) -> dict[str, RowSource]:
        """``test`` and ``fewshot``, in file order."""
        config = self.config
        return {
            "test": lambda: generator.build(seed=config.seed, items=config.items),
            "fewshot": lambda: generator.build_fewshot(seed=config.seed),
        }


def build_folder(
    out: str | Path,
    *,
    seed: int = schema.SEED,
    items: int = ITEMS,
    notify: Callable[[str], None] = lambda stage: None,
) -> Manifest:
    """Write the Hub-ready folder of one seed to ``out`` and return its manifest; ``notify`` is told each stage.

    ``InputError`` when ``out`` holds anything but an earlier build, before anything is computed.
    """
    check_target(out, DeepArithmark.GENERATOR)
    notify("generating items")
    test, fewshot = generator.build(seed=seed, items=items), generator.build_fewshot(seed=seed)
    facts = {
        "dataset_version": schema.VERSION,
        "seed": seed,
        "items": items,
        "templates": dict(sorted(Counter(item["metadata"]["template"] for item in test).items())),
        "depths": {str(depth): number for depth, number in sorted(_depths(test).items())},
    }
    splits = [
        Split("default", "test", schema.NAME, FEATURES, test),
        Split("default", "fewshot", f"{schema.NAME}-fewshot", FEATURES, fewshot),
    ]

    def card(manifest: Manifest) -> str:
        notify("auditing shortcuts")
        return cards.card(manifest, test)

    return write_folder(out, DeepArithmark.GENERATOR, splits, facts, card)


def _depths(items: list[dict[str, Any]]) -> Counter[int]:
    return Counter(item["metadata"]["depth"] for item in items)
