"""A whole split as four tensors: the trainer never tokenizes inside its loop."""

from collections.abc import Iterable
from dataclasses import dataclass

import torch
from torch import Tensor

from .model import IGNORED
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
