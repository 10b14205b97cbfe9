"""The CalcGPT data set: distinct training tasks, their grouped split, and a roster held out from all of them."""

from dataclasses import dataclass
from typing import Any

from ..errors import InputError
from ..expression import Expression
from ..streams import Stream
from . import contracts
from .manifest import hold_out
from .sampler import allow
from .spaces import space, width_bucket
from .split import SplitRecord, grouped_split

VERSION = 1
SEED = 42
WIDTH = 3
TASKS = 40_000
FRACTION = 0.2
PER_BUCKET = 100


@dataclass(frozen=True, slots=True)
class Recipe:
    """Everything that the data depend on.

    ``tasks`` distinct operand pairs of at most ``width`` digits; ``fraction`` of them validate; ``per_bucket`` tasks
    are held out from each digit bucket.
    """

    seed: int = SEED
    width: int = WIDTH
    tasks: int = TASKS
    fraction: float = FRACTION
    per_bucket: int = PER_BUCKET


@dataclass(frozen=True, slots=True)
class CalcData:
    """The three splits as tasks, free of any text form, with the split record and the holdout manifest."""

    train: tuple[Expression, ...]
    validation: tuple[Expression, ...]
    heldout: tuple[Expression, ...]
    split: SplitRecord
    manifest: dict[str, Any]


def build(recipe: Recipe | None = None) -> CalcData:
    """Draw the tasks from all operand pairs of the width, split them by group, hold the roster out from both sides.

    ``ValueError`` with both numbers when the space, or a bucket, is too small.
    """
    recipe = recipe or Recipe()
    if recipe.tasks < 2:
        raise InputError(f"at least two tasks are needed, not {recipe.tasks}")
    everything = allow(space(contracts.DEFAULT, width_bucket(recipe.width)), [])
    tasks = everything.sample(recipe.tasks, Stream("calcgpt-tasks", VERSION, recipe.seed, recipe.width))
    contract = contracts.get(contracts.DEFAULT)
    split = grouped_split(tasks, recipe.fraction, recipe.seed, contract, task=lambda task: task)
    holdout = hold_out(tasks, width=recipe.width, per_bucket=recipe.per_bucket, seed=recipe.seed)
    return CalcData(tuple(split.train), tuple(split.validation), holdout.tasks, split.record, holdout.manifest)
