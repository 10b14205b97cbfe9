"""The trainer's data: the builder's splits, encoded."""

from dataclasses import dataclass
from typing import Any

from ..generators.calcgpt.split import augment
from ..generators.expression import Expression
from .encoding import EncodedTasks, encode_tasks
from .settings import Settings


@dataclass(frozen=True, slots=True)
class TrainingData:
    """Encoded training tasks, and the validation tasks that the run is monitored on."""

    train: EncodedTasks
    monitor: EncodedTasks


def load_split(settings: Settings, split: str) -> list[dict[str, Any]]:
    """The builder's rows of one split, in its order."""
    from ..builders.loading import load_dataset

    recipe = settings.recipe
    loaded: Any = load_dataset(
        "calcgpt",
        settings.representation,
        split=split,
        seed=recipe.seed,
        width=recipe.width,
        tasks=recipe.tasks,
        fraction=recipe.fraction,
        per_bucket=recipe.per_bucket,
    )
    rows: list[dict[str, Any]] = loaded.to_list()
    return rows


def row_task(row: dict[str, Any]) -> Expression:
    """The task of a builder row."""
    return Expression(row["left"], row["operator"], row["right"])


def load_training_data(settings: Settings) -> TrainingData:
    """Training tasks, with the swapped additions when asked for, and the first ``monitor`` validation tasks."""
    from ..generators.calcgpt import representations

    rows = load_split(settings, "train")
    texts = [row["text"] for row in rows]
    if settings.augment:
        form = representations.get(settings.representation)
        texts = [form.text(task, settings.width) for task in augment([row_task(row) for row in rows])]
    monitored = [row["text"] for row in load_split(settings, "validation")[: settings.monitor]]
    return TrainingData(encode_tasks(texts), encode_tasks(monitored))
