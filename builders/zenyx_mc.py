"""The multiple-choice form of Zenyx Arithmetic Bench as a ``datasets`` builder: splits ``test`` and ``fewshot``."""

from dataclasses import dataclass
from pathlib import Path

import datasets

from ..generators.zenyx import SEED, VERSION
from ..generators.zenyx import multiple_choice as generator
from .base import GeneratedBuilder, RowSource
from .deeparithmark import FEATURES
from .source_digest import source_digest

# The balance of the options is DeepArithmark's: its modules decide these rows too.
_SHARED = "deeparithmark"
_SHARED_LOADED = source_digest(_SHARED)


@dataclass(eq=False)  # BuilderConfig's own equality looks at attributes that are set later too
class ZenyxMultipleChoiceConfig(datasets.BuilderConfig):
    """``seed`` names the set; ``per_type`` is the number of test items of each type, a multiple of 16."""

    version: datasets.Version | str | None = f"{VERSION}.0.0"
    seed: int = SEED
    per_type: int = generator.MC_PER_TYPE


class ZenyxMultipleChoice(GeneratedBuilder):
    """2,048 single operations with four options each, the wrong ones made by named slips."""

    GENERATOR = "zenyx"
    SOURCE = __file__
    LOADED = source_digest(GENERATOR, Path(__file__))
    BUILDER_CONFIG_CLASS = ZenyxMultipleChoiceConfig
    BUILDER_CONFIGS = [ZenyxMultipleChoiceConfig(name="default")]  # noqa: RUF012 - the name and type are datasets' own
    DEFAULT_CONFIG_NAME = "default"

    @classmethod
    def cache_hash(cls) -> str:
        """As for every builder, and the digest of the modules that come from DeepArithmark."""
        now = source_digest(_SHARED)
        shared = now if now == _SHARED_LOADED else f"{_SHARED_LOADED}-{now}"
        return f"{super().cache_hash()}-{shared}"

    def _info(self) -> datasets.DatasetInfo:
        return datasets.DatasetInfo(features=FEATURES, license="apache-2.0", description=self.__class__.__doc__)

    def row_sources(self) -> dict[str, RowSource]:
        """``test`` and ``fewshot``."""
        seed, per_type = self.config.seed, self.config.per_type
        return {
            "test": lambda: generator.build_multiple_choice(seed, per_type=per_type),
            "fewshot": lambda: generator.build_multiple_choice_fewshot(seed),
        }
