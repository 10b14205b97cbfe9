"""The registry of tiers: each is one config of the dataset, drawn from its own streams by the same rules.

The matched control is made of the default set: the prompts and answers of a set with adjacent wrong options, as in
ArithMark 3.0.

What one model scores on a set and on its control differs by the endings alone: prompt, right option, its slot, its rank
and its text are the same item by item, and every other slot holds the option of the same rank among the four.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..choices.item import CLOCK_UNIT, ending_text
from ..choices.options import CORRECT
from ..choices.watched import WATCH, Watch
from ..errors import InputError
from .edition import NAME
from .families import DEEP_FAMILIES, FAMILIES, TRAINING_FAMILIES, Family

Item = dict[str, Any]


def control(items: Iterable[Item]) -> Iterator[Item]:
    """Each item with four adjacent integers (minutes, for a time of day) around its answer, in order."""
    return map(_adjacent, items)


def _adjacent(item: Item) -> Item:
    data, slot = item["metadata"], int(item["label"])
    old = data["option_values"]
    # Rank r takes r distinct smaller values from 0 on, so the window never reaches below 0, nor past midnight.
    lowest = old[slot] - data["answer_rank"]
    values = [lowest + sum(other < value for other in old) for value in old]
    return item | {
        "endings": [ending_text(value, data["unit"]) for value in values],
        "metadata": data
        | {
            "option_values": values,
            "option_sources": [offset_name(value - old[slot], data["unit"]) for value in values],
            "option_steps": [None] * len(values),
        },
    }


def offset_name(offset: int, unit: str) -> str:
    """What ``metadata.option_sources`` says of an option so far above the answer (below it, when negative).

    >>> offset_name(0, "crates"), offset_name(-2, "crates"), offset_name(1, "clock"), offset_name(3, "clock")
    ('correct', 'answer - 2', 'answer + 1 minute', 'answer + 3 minutes')
    """
    if not offset:
        return CORRECT
    minutes = "" if unit != CLOCK_UNIT else " minute" if abs(offset) == 1 else " minutes"
    return f"answer {'-' if offset < 0 else '+'} {abs(offset)}{minutes}"


@dataclass(frozen=True, slots=True)
class Tier:
    """One config: its families, its splits with their sizes (the first one is scaled by ``--items``) and its rules.

    ``stream`` names the draws: tiers of one stream have the same stories. ``rewrite`` turns the items drawn into those
    of the tier. ``whole`` deals the items of each template by so many at a time, so that four make ranks exact.
    ``watch`` says which leans are balanced.
    """

    name: str
    summary: str
    splits: Mapping[str, int]
    families: tuple[Family, ...] = FAMILIES
    stream: str = NAME
    rewrite: Callable[[Iterable[Item]], Iterator[Item]] | None = None
    whole: int = 1
    watch: Watch = WATCH

    @property
    def main(self) -> str:
        """The split that the tier is about: its first."""
        return next(iter(self.splits))

    @property
    def label(self) -> str:
        """The tier's name in ``activity_label`` and file names.

        >>> TIERS["default"].label
        'deeparithmark-1'
        """
        return NAME if self.name == "default" else f"{NAME}-{self.name}"

    def stem(self, split: str) -> str:
        """The file name of a split, without its ending.

        >>> TIERS["default"].stem("fewshot")
        'deeparithmark-1-fewshot'
        """
        return self.label if split == self.main else f"{self.label}-{split}"


TIERS: Mapping[str, Tier] = {
    tier.name: tier
    for tier in (
        Tier("default", "the reference: two to five dependent steps", {"test": 1000, "fewshot": 40}),
        Tier(
            "control",
            "the prompts and answers of `default` with adjacent wrong endings, as in ArithMark 3.0",
            {"test": 1000, "fewshot": 40},
            rewrite=control,
        ),
        Tier(
            "xl",
            "the same families, ten times the items",
            {"test": 10_000},
            stream=f"{NAME}-xl",
            whole=4,
        ),
        Tier(
            "train",
            "for training: other numbers, words and nouns",
            {"train": 10_000},
            TRAINING_FAMILIES,
            f"{NAME}-train",
            whole=4,
        ),
        Tier(
            "deep",
            "six to eight dependent steps",
            {"test": 750, "fewshot": 30},
            DEEP_FAMILIES,
            f"{NAME}-deep",
        ),
    )
}
# What a build holds when no config is named; the others are built on request.
USUAL = tuple(name for name in ("default", "control", "deep") if name in TIERS)


def tier_of(name: str) -> Tier:
    """The tier of a name; ``InputError`` lists the known ones."""
    if name not in TIERS:
        raise InputError(f"deeparithmark has no config {name!r}, only {', '.join(TIERS)}")
    return TIERS[name]


def reference_of(tier: Tier) -> Tier:
    """The tier whose set of the default seed no other set of the same families may repeat."""
    return next(other for other in TIERS.values() if other.families is tier.families)
