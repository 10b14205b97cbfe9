"""The trainer's data: a whole split as tensors, so that the loop never tokenizes."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from ..generators.calcgpt import contracts, reading, representations
from ..generators.calcgpt.dataset import augment, grouped_split, shares
from ..generators.calcgpt.spaces import lengths
from ..generators.errors import InputError
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
class RunTasks:
    """The tasks of a run; drawn ones come with the manifest of their roster, those of a file have no roster."""

    train: tuple[Expression, ...]
    validation: tuple[Expression, ...]
    heldout: tuple[Expression, ...] = ()
    manifest: dict[str, Any] | None = None
    split: dict[str, Any] | None = None

    def of(self, split: str) -> tuple[Expression, ...]:
        """The tasks of one split, in order; ``InputError`` for one that the run does not have."""
        if split not in ("train", "validation", "heldout"):
            raise InputError(f"no split {split!r}: choose from heldout, validation, train")
        tasks: tuple[Expression, ...] = getattr(self, split)
        if not tasks:
            raise InputError("this run has no roster of its own: name one by --manifest or --tasks, or a --split")
        return tasks


def load_tasks(settings: RunSettings) -> RunTasks:
    """The tasks that these settings draw, or those of their files."""
    if not settings.train_file:
        from ..builders.calcgpt import tasks

        data = tasks(settings.recipe)
        return RunTasks(data.train, data.validation, data.heldout, data.manifest, data.split.as_dict())
    train, contract = read_tasks(settings.train_file, settings), contracts.get(settings.contract)
    if not settings.validation_file:
        split = grouped_split(train, settings.fraction, settings.data_seed, contract, task=lambda task: task)
        return RunTasks(tuple(split.train), tuple(split.validation), split=split.record.as_dict())
    validation, keys = read_tasks(settings.validation_file, settings), contract.keys(train)
    shared = [task for task in validation if contract.conflicts(task, keys)]
    if shared:
        raise InputError(
            f"{len(shared)} of {len(validation)} tasks are in training under {contract.name!r}, such as {shared[0]}: "
            "`arithmark calcgpt split` makes two files that share none",
            file=settings.validation_file,
        )
    return RunTasks(train, validation)


def read_tasks(file: str, settings: RunSettings) -> tuple[Expression, ...]:
    """The tasks of anybody's file; ``InputError`` names the line of a wrong answer, or of a task that does not fit."""
    found = reading.read_tasks(file)
    backwards = sum(task.answer_reads_right(backwards=True) for task in found) > sum(
        task.answer_reads_right(backwards=False) for task in found
    )
    for task in found:
        try:
            representations.check_task(task.expression, settings.width)
        except InputError as error:
            raise InputError(str(error), file=file, line=task.line) from None
        if not task.answer_reads_right(backwards=backwards):
            raise InputError(f"{task.text} is not right", file=file, line=task.line)
    return tuple(task.expression for task in found)


@dataclass(frozen=True, slots=True)
class TrainingData:
    """Encoded training tasks, and the validation tasks that the run is monitored on.

    ``strata`` are the rows of each pair of operand lengths, where these are to be seen equally often.
    """

    train: EncodedTasks
    monitor: EncodedTasks
    strata: list[Tensor] | None = None

    def order(self, seed: int, epoch: int) -> Tensor:
        """The rows of one epoch, shuffled: each once, or as many of each stratum, the rare ones several times."""
        shuffle = torch.Generator().manual_seed(seed * 1_000_003 + epoch)
        if self.strata is None:
            return torch.randperm(len(self.train), generator=shuffle)
        counts = shares(len(self.train), [len(self.train)] * len(self.strata))
        rows = []
        for stratum, count in zip(self.strata, counts, strict=True):
            rounds = -(-count // len(stratum))
            drawn = torch.cat([torch.randperm(len(stratum), generator=shuffle) for _ in range(rounds)])
            rows.append(stratum[drawn[:count]])
        chosen = torch.cat(rows)
        return chosen[torch.randperm(len(chosen), generator=shuffle)]


def encode_data(settings: RunSettings, tasks: RunTasks) -> TrainingData:
    """Training tasks, with the swapped additions when asked for, and the first ``monitor`` validation tasks."""
    form = representations.get(settings.representation)
    train = augment(tasks.train) if settings.augment else list(tasks.train)
    strata = None
    if settings.lengths == "balanced":
        groups: dict[tuple[int, int], list[int]] = {}
        for row, task in enumerate(train):
            groups.setdefault(lengths(task), []).append(row)
        strata = [torch.tensor(groups[key]) for key in sorted(groups)]
    monitored = tasks.validation[: settings.monitor]
    texts, monitor = ([form.text(task, settings.width) for task in some] for some in (train, monitored))
    return TrainingData(encode_tasks(texts), encode_tasks(monitor), strata)
