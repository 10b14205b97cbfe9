"""Split examples by group: whole groups go to one side, so nothing the contract calls the same stands on both.

The realised fraction may pass the requested one by part of a group; the record states all three counts.
Source: CalcGPT's grouped split.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Generic, TypeVar

from ..errors import InputError
from ..expression import Expression
from ..streams import Stream
from .contracts import Contract, Key

T = TypeVar("T")
VERSION = 1


@dataclass(frozen=True, slots=True)
class SplitRecord:
    """What was asked for and what came out: the split's own denominators."""

    contract: str
    seed: int
    requested_fraction: float
    realised_fraction: float
    train_examples: int
    validation_examples: int
    train_groups: int
    validation_groups: int
    augmented_examples: int = 0

    @property
    def warning(self) -> str | None:
        """What to say where the realised fraction is over a tenth off the requested one: groups are that large."""
        if abs(self.realised_fraction - self.requested_fraction) <= self.requested_fraction / 10:
            return None
        return (
            f"{self.realised_fraction:.1%} validate where {self.requested_fraction:.1%} was asked: the groups of "
            f"{self.contract!r} are that large ({self.train_groups + self.validation_groups} in all)"
        )

    def as_dict(self) -> dict[str, object]:
        """For JSON, in field order."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Split(Generic[T]):
    """Two sides and their record."""

    train: list[T]
    validation: list[T]
    record: SplitRecord


def grouped_split(
    examples: Iterable[T],
    fraction: float,
    seed: int,
    contract: Contract,
    task: Callable[[T], Expression],
) -> Split[T]:
    """Put whole groups into validation until it holds at least ``fraction`` of the examples.

    Groups are sorted, then shuffled by the seed, so the order of the input does not matter to who goes where. An
    ordered contract (``width``) is not shuffled: its largest keys are held out. ``ValueError`` for a fraction outside
    (0, 1), or when one side would be empty.

    >>> from .contracts import CONTRACTS
    >>> tasks = [Expression(a, "+", b) for a in range(4) for b in range(4)]
    >>> grouped_split(tasks, 0.25, 42, CONTRACTS["operand_pair"], task=lambda task: task).record.train_groups
    6
    """
    if not 0 < fraction < 1:
        raise InputError(f"validation fraction must lie between 0 and 1, not {fraction}")
    groups: dict[Key, list[T]] = {}
    for example in examples:
        groups.setdefault(contract.key(task(example)), []).append(example)
    keys = sorted(groups)
    if contract.ordered:
        keys.reverse()
    else:
        Stream("calcgpt-split", VERSION, seed, 0).shuffle(keys)
    count = sum(map(len, groups.values()))
    held_out, taken = 0, 0
    while taken < Fraction(str(fraction)) * count:
        taken += len(groups[keys[held_out]])
        held_out += 1
    if held_out == len(keys):
        raise InputError(
            f"cannot hold out {fraction} of {count} examples: they form {len(keys)} group(s) under {contract.name!r}, "
            "and whole groups leave nothing to train on"
        )
    return Split(
        train=[example for key in keys[held_out:] for example in groups[key]],
        validation=[example for key in keys[:held_out] for example in groups[key]],
        record=SplitRecord(
            contract=contract.name,
            seed=seed,
            requested_fraction=fraction,
            realised_fraction=taken / count,
            train_examples=count - taken,
            validation_examples=taken,
            train_groups=len(keys) - held_out,
            validation_groups=held_out,
        ),
    )


def augment(tasks: Sequence[Expression]) -> list[Expression]:
    """The tasks, each addition followed by its other order unless that is present or looks the same.

    For the training side only: the added task has its twin's key, so no contract sees a new group.

    >>> [str(task) for task in augment([Expression(1, "+", 2), Expression(3, "+", 3), Expression(2, "-", 1)])]
    ['1+2', '2+1', '3+3', '2-1']
    """
    present = set(tasks)
    augmented = []
    for task in tasks:
        augmented.append(task)
        swapped = Expression(task.right, task.operator, task.left)
        if task.operator == "+" and swapped not in present:
            augmented.append(swapped)
            present.add(swapped)
    return augmented
