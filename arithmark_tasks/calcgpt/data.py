"""The trainer's data: a whole split as tensors, so that the loop never tokenizes."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from ..builders.loading import load_dataset
from ..generators.calcgpt import representations
from ..generators.calcgpt.split import augment
from ..generators.expression import Expression
from .model import IGNORED
from .settings import RunSettings
from .tokenizer import EOS_ID, PAD_ID, encode


@dataclass(frozen=True, slots=True)
class EncodedTasks:
    """Right-padded equations with the places that are scored.

    ``ids`` (tasks, time) without the end mark, which is only ever a target; ``positions`` (tasks, answer): from ``=``
    on; ``targets`` (tasks, answer): the next character, the end mark last, ``IGNORED`` beyond it.
    """

    ids: Tensor
    positions: Tensor
    targets: Tensor

    @property
    def first(self) -> int:
        """The earliest scored position: before it the last block need not look."""
        return int(self.positions.min())

    @property
    def target_tokens(self) -> int:
        """How many targets the loss counts, end marks included."""
        return int((self.targets != IGNORED).sum())

    def __len__(self) -> int:
        return len(self.ids)

    def select(self, rows: Tensor | slice) -> "EncodedTasks":
        """These rows only."""
        return EncodedTasks(self.ids[rows], self.positions[rows], self.targets[rows])

    def to(self, device: torch.device) -> "EncodedTasks":
        """On another device."""
        return EncodedTasks(self.ids.to(device), self.positions.to(device), self.targets.to(device))


def encode_tasks(texts: Iterable[str]) -> EncodedTasks:
    """Encode equations ``prompt=answer``; the loss will count the answer's characters and the end mark.

    >>> encode_tasks(["1+2=3"]).targets.tolist()  # the id of 3, then the end mark
    [[6, 1]]
    """
    pairs = [text.partition("=") for text in texts]
    time = max(len(question) + 1 + len(answer) for question, _, answer in pairs)
    longest = max(len(answer) for _, _, answer in pairs) + 1
    ids, positions, targets = [], [], []
    for question, sign, answer in pairs:
        row = encode(question + sign + answer)
        ids.append(row + [PAD_ID] * (time - len(row)))
        last = len(row) - 1
        positions.append([min(len(question) + step, last) for step in range(longest)])
        goal = [*encode(answer), EOS_ID]
        targets.append(goal + [IGNORED] * (longest - len(goal)))
    return EncodedTasks(torch.tensor(ids), torch.tensor(positions), torch.tensor(targets))


@dataclass(frozen=True, slots=True)
class TrainingData:
    """Encoded training tasks, and the validation tasks that the run is monitored on."""

    train: EncodedTasks
    monitor: EncodedTasks


def load_split(settings: RunSettings, split: str) -> list[dict[str, Any]]:
    """The builder's rows of one split, in its order."""
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


def load_training_data(settings: RunSettings) -> TrainingData:
    """Training tasks, with the swapped additions when asked for, and the first ``monitor`` validation tasks."""
    rows = load_split(settings, "train")
    texts = [row["text"] for row in rows]
    if settings.augment:
        form = representations.get(settings.representation)
        texts = [form.text(task, settings.width) for task in augment([row_task(row) for row in rows])]
    monitored = [row["text"] for row in load_split(settings, "validation")[: settings.monitor]]
    return TrainingData(encode_tasks(texts), encode_tasks(monitored))
