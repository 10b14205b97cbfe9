"""CalcGPT as a ``datasets`` builder: one config per representation, splits ``train``, ``validation``, ``heldout``."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from functools import lru_cache
from pathlib import Path
from typing import Any

import datasets
from datasets import Features, Value

from ..generators.calcgpt import contracts, representations
from ..generators.calcgpt import dataset as generator
from ..generators.calcgpt.dataset import CalcData, Recipe
from ..generators.expression import Expression, evaluate, semantic_key
from .base import GeneratedBuilder, Row, RowSource, source_digest
from .cards import calcgpt as cards
from .folder import Manifest, Split, check_target, write_folder

FEATURES = Features(
    {
        "text": Value("string"),
        "left": Value("int64"),
        "operator": Value("string"),
        "right": Value("int64"),
        "answer": Value("int64"),
        "semantic_key": Value("string"),
    }
)
SPLITS = ("train", "validation", "heldout")


@dataclass(eq=False)  # BuilderConfig's own equality looks at attributes that are set later too
class CalcGPTConfig(datasets.BuilderConfig):
    """The config's name is the representation; the rest is the recipe, the same tasks in every representation."""

    version: datasets.Version | str | None = f"{generator.VERSION}.0.0"
    seed: int = generator.SEED
    width: int = generator.WIDTH
    tasks: int = generator.TASKS
    fraction: float = generator.FRACTION
    per_bucket: int = generator.PER_BUCKET
    contract: str = contracts.DEFAULT
    operators: str = "+-"
    lengths: str = "natural"
    mixed: bool = False

    @property
    def recipe(self) -> Recipe:
        """What the generator needs to know."""
        return Recipe(**{field.name: getattr(self, field.name) for field in fields(Recipe)})


class CalcGPT(GeneratedBuilder):
    """Additions and subtractions of up to three digits, split by semantic group, with a held-out roster."""

    GENERATOR = "calcgpt"
    SOURCE = __file__
    LOADED = source_digest(GENERATOR, Path(__file__))
    BUILDER_CONFIG_CLASS = CalcGPTConfig
    BUILDER_CONFIGS = [CalcGPTConfig(name=name) for name in representations.REPRESENTATIONS]  # noqa: RUF012
    DEFAULT_CONFIG_NAME = representations.DEFAULT

    def __init__(self, *args: Any, config_name: str | None = None, **kwargs: Any) -> None:
        # with options but no name, datasets would make up a config called "default", which is no representation
        super().__init__(*args, config_name=config_name or self.DEFAULT_CONFIG_NAME, **kwargs)

    def _info(self) -> datasets.DatasetInfo:
        return datasets.DatasetInfo(features=FEATURES, license="apache-2.0", description=self.__class__.__doc__)

    def row_sources(self) -> dict[str, RowSource]:
        """The three splits, in the generator's order."""
        recipe, form = self.config.recipe, representations.get(self.config.name)

        def source(split: str) -> RowSource:
            return lambda: rows(getattr(tasks(recipe), split), form.name, recipe.width)

        return {split: source(split) for split in SPLITS}


@lru_cache(maxsize=4)
def tasks(recipe: Recipe) -> CalcData:
    """The generator's tasks, kept for the other splits and representations of the same recipe."""
    return generator.build(recipe)


def rows(expressions: Sequence[Expression], representation: str, width: int) -> Iterator[Row]:
    """Dataset rows of these tasks; ``text`` is the equation, ``semantic_key`` the operator and operands it is known by.

    >>> next(rows([Expression(34, "+", 12)], "padded-reversed", 3))["semantic_key"]
    '+ 12 34'
    """
    form = representations.get(representation)
    for task in expressions:
        yield {
            "text": form.text(task, width),
            "left": task.left,
            "operator": task.operator,
            "right": task.right,
            "answer": evaluate(task),
            "semantic_key": " ".join(map(str, semantic_key(task))),
        }


def build_folder(
    out: str | Path,
    *,
    config: str | None = None,
    recipe: Recipe | None = None,
    notify: Callable[[str], None] = lambda stage: None,
) -> Manifest:
    """Write the Hub-ready folder with one representation, or all four, and return its manifest.

    The folder's manifest carries the holdout manifest under ``holdout``. ``InputError`` when ``out`` holds anything but
    an earlier build, before anything is computed.
    """
    recipe = recipe or Recipe()
    names = list(representations.REPRESENTATIONS) if config is None else [representations.get(config).name]
    check_target(out, CalcGPT.GENERATOR)
    notify("drawing tasks")
    data = tasks(recipe)
    facts: dict[str, Any] = {
        "dataset_version": generator.VERSION,
        **asdict(recipe),
        "grouped_split": data.split.as_dict(),
        "holdout": data.manifest,
    }
    notify("writing representations")
    splits = [
        Split(name, split, f"{name}-{split}", FEATURES, list(rows(getattr(data, split), name, recipe.width)))
        for name in names
        for split in SPLITS
    ]
    return write_folder(out, CalcGPT.GENERATOR, splits, facts, lambda manifest: cards.card(manifest, splits))
