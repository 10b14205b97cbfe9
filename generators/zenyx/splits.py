"""The configs of the bench: which question types and splits each has, and how a split is built."""

from collections.abc import Sequence, Set

from ..errors import InputError
from ..expression import SemanticKey
from .build import SEED, Item, build, build_fewshot, build_legacy
from .multiple_choice import MC_PER_TYPE, build_multiple_choice, build_multiple_choice_fewshot
from .types import DEFAULT_TYPES, EXTENDED_TYPES, LEGACY_TYPES

# ``mc`` takes some of the questions of ``default``.
CONFIG_TYPES = {"default": DEFAULT_TYPES, "legacy": LEGACY_TYPES, "extended": EXTENDED_TYPES, "mc": DEFAULT_TYPES}


def splits_of(config: str) -> tuple[str, ...]:
    """The splits of a config, in file order; ``InputError`` lists the configs."""
    if config not in CONFIG_TYPES:
        raise InputError(f"zenyx has no config {config!r}, only {', '.join(CONFIG_TYPES)}")
    return ("test",) if config == "legacy" else ("test", "fewshot")


def build_split(
    config: str,
    split: str,
    seed: int = SEED,
    seen: Set[SemanticKey] | None = None,
    *,
    questions: Sequence[Item] | None = None,
    mc_per_type: int = MC_PER_TYPE,
) -> list[Item]:
    """One split of one config. Questions in ``seen`` are replaced, in ``legacy`` flagged; None where nothing was seen.

    ``questions`` are the test questions of ``default``, where ``mc`` need not build them again.
    """
    if split not in splits_of(config):
        raise InputError(f"{config} has no split {split!r}, only {', '.join(splits_of(config))}")
    if config == "legacy":
        return build_legacy(seed, seen)
    if config == "mc" and split == "fewshot":
        return build_multiple_choice_fewshot(seed)
    if config == "mc":
        return build_multiple_choice(seed, questions or build(seed, seen or frozenset()), mc_per_type)
    types = CONFIG_TYPES[config]
    return build_fewshot(seed, types) if split == "fewshot" else build(seed, seen or frozenset(), types)
