"""The CalcGPT data set: distinct training tasks, their grouped split, and a roster held out from all of them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from math import sqrt
from typing import Any, Generic, TypeVar

from ..errors import InputError
from ..expression import Expression
from ..streams import Stream
from . import contracts
from .contracts import Contract, Key
from .manifest import Draw, hold_out
from .sampler import allow
from .spaces import Label, MixedBucket, Space, bucket_of, digit_bucket, space, width_bucket

T = TypeVar("T")
_SPLIT_VERSION = 1
VERSION = 1
SEED = 42
WIDTH = 3
TASKS = 40_000
FRACTION = 0.2
PER_BUCKET = 100
LENGTHS = ("natural", "balanced")


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
        Stream("calcgpt-split", _SPLIT_VERSION, seed, 0).shuffle(keys)
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


@dataclass(frozen=True, slots=True)
class Recipe:
    """Everything that the data depend on.

    ``tasks`` distinct operand pairs of at most ``width`` digits; ``fraction`` of them validate; ``per_bucket`` tasks
    are held out from each bucket, with ``mixed`` also from operands of different lengths. ``operators`` are ``+``,
    ``-`` or both. ``lengths``: ``natural`` draws all tasks alike, so that nearly all are of the full width;
    ``balanced`` draws equally many of each pair of lengths, at most half of what there is. ``contract`` is what counts
    as the same between training, validation and roster.
    """

    seed: int = SEED
    width: int = WIDTH
    tasks: int = TASKS
    fraction: float = FRACTION
    per_bucket: int = PER_BUCKET
    contract: str = contracts.DEFAULT
    operators: str = "+-"
    lengths: str = "natural"
    mixed: bool = False

    def __post_init__(self) -> None:
        if self.tasks < 2:
            raise InputError(f"at least two tasks are needed, not {self.tasks}")
        if self.lengths not in LENGTHS:
            raise InputError(f"lengths are {' or '.join(LENGTHS)}, not {self.lengths!r}")
        if not self.operators:
            raise InputError("operators are +, - or both, not ''")
        if contracts.get(self.contract).ordered and self.width < 2:
            raise InputError(f"under {self.contract!r} training is narrower than the roster: the width is 2 or more")
        if self.mixed and self.contract != contracts.DEFAULT:
            raise InputError(f"mixed lengths are held out under {contracts.DEFAULT!r} only, not {self.contract!r}")
        self.draw.as_dict()

    @property
    def trained_width(self) -> int:
        """The widest operands of training: narrower than the roster's where that is what is held out."""
        return self.width - contracts.get(self.contract).ordered

    @property
    def draw(self) -> Draw:
        """Every length under the default contract; under others, which leave little of short ones, the widest only."""
        every: list[Label] = list(range(1, self.width + 1)) if self.contract == contracts.DEFAULT else [self.width]
        return Draw(tuple([*every, "mixed"] if self.mixed else every), self.operators)


@dataclass(frozen=True, slots=True)
class CalcData:
    """The three splits as tasks, free of any text form, with the split record and the holdout manifest."""

    train: tuple[Expression, ...]
    validation: tuple[Expression, ...]
    heldout: tuple[Expression, ...]
    split: SplitRecord
    manifest: dict[str, Any]


def build(recipe: Recipe | None = None) -> CalcData:
    """Draw the tasks, split them by group, hold the roster out from both sides.

    Where training would fill the classes of a contract (there are 1,999 results of three digits), the share
    ``fraction`` of the tasks is first set aside by whole classes and left unused: the roster lies there. ``ValueError``
    with both numbers when the space, or a bucket, is too small.
    """
    recipe = recipe or Recipe()
    _refuse_hopeless(recipe)
    tasks = _draw_tasks(recipe)
    contract = contracts.get(recipe.contract)
    fraction = recipe.fraction
    if contract.ordered:
        split = grouped_split(tasks, fraction, recipe.seed, contracts.get(contracts.DEFAULT), task=lambda task: task)
    else:
        if contract.name != contracts.DEFAULT:
            tasks = grouped_split(tasks, fraction, recipe.seed, contract, task=lambda task: task).train
            fraction = round(fraction / (1 - fraction), 6)
        split = grouped_split(tasks, fraction, recipe.seed, contract, task=lambda task: task)
    holdout = hold_out(
        [*split.train, *split.validation],
        width=recipe.width,
        per_bucket=recipe.per_bucket,
        seed=recipe.seed,
        contract_name=contract.name,
        draw=recipe.draw,
    )
    return CalcData(tuple(split.train), tuple(split.validation), holdout.tasks, split.record, holdout.manifest)


def _draw_tasks(recipe: Recipe) -> list[Expression]:
    stream = Stream("calcgpt-tasks", VERSION, recipe.seed, recipe.width)
    if recipe.lengths == "natural":
        everything = space(contracts.DEFAULT, width_bucket(recipe.trained_width), recipe.operators)
        return allow(everything, []).sample(recipe.tasks, stream)
    strata = length_strata(recipe.trained_width, recipe.operators)
    counts = shares(recipe.tasks, [allow(stratum, []).capacity // 2 for stratum in strata])
    if sum(counts) < recipe.tasks:
        raise InputError(
            f"{recipe.tasks} tasks requested, but half of each length up to {recipe.trained_width} digits are only "
            f"{sum(counts)}"
        )
    return [
        task for stratum, count in zip(strata, counts, strict=True) for task in allow(stratum, []).sample(count, stream)
    ]


def length_strata(width: int, operators: str) -> list[Space]:
    """The tasks of each pair of operand lengths (shorter, longer) up to ``width``."""
    return [
        space(contracts.DEFAULT, digit_bucket(long) if short == long else MixedBucket(((short, long),)), operators)
        for long in range(1, width + 1)
        for short in range(1, long + 1)
    ]


def shares(total: int, limits: Sequence[int]) -> list[int]:
    """``total`` divided as equally as the limits allow; less in all where they do not allow it.

    >>> shares(100, [10, 200, 200])
    [10, 45, 45]
    """
    counts = dict.fromkeys(range(len(limits)), 0)
    for done, place in enumerate(sorted(counts, key=lambda place: limits[place])):
        counts[place] = min(limits[place], (total - sum(counts.values())) // (len(limits) - done))
    return list(counts.values())


def _refuse_hopeless(recipe: Recipe) -> None:
    """``InputError``, before a million tasks are drawn, where a bucket can hardly have enough left for the roster."""
    if recipe.lengths != "natural" or recipe.contract != contracts.DEFAULT:
        return
    total = allow(space(contracts.DEFAULT, width_bucket(recipe.width), recipe.operators), []).capacity
    for label in recipe.draw.buckets:
        bucket = bucket_of(label, recipe.width)
        size = bucket.pairs * len(recipe.operators)
        left = 1 - min(1, recipe.tasks / total)
        # six standard deviations of what a draw without replacement leaves of the bucket
        expected, scatter = size * left, 6 * sqrt(size * left * (1 - left)) + 1
        if recipe.tasks > total or expected + scatter < recipe.per_bucket:
            raise InputError(
                f"{recipe.tasks} tasks requested of {total} of at most {recipe.width} digits: about {expected:.0f} of "
                f"{size} would remain of bucket {label}, where {recipe.per_bucket} are to be held out"
            )
