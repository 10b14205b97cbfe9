"""The proof in a manifest that a set shares nothing with the sets it is to be kept apart from, made and re-checked."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...generators import deeparithmark as generator
from ...generators.claims import Failure, Item, NumberedItem
from ...generators.deeparithmark import edition
from ...generators.deeparithmark.tiers import TIERS, Tier, reference_of
from ...generators.deeparithmark.verify.disjoint import TRAINING_NUMBERS, compare, training_numbers
from ...generators.errors import InputError
from ...generators.jsonl import hash_rows

TRAIN = "train"


def references(config: str, seed: int) -> list[Tier]:
    """The tiers whose sets of the default seed a set must not touch: none for those sets themselves."""
    if config == TRAIN:
        return [tier for tier in TIERS.values() if reference_of(tier) is tier and tier.name != TRAIN]
    reference = reference_of(TIERS[config])
    return [] if seed == edition.SEED and TIERS[config].stream == reference.stream else [reference]


def _reference_rows(config: str) -> tuple[dict[str, list[dict[str, Any]]], dict[str, str]]:
    """The splits of a tier's set of the default seed, and the sha256 of each."""
    rows = {split: generator.build_split(config, split, edition.SEED) for split in TIERS[config].splits}
    return rows, {split: hash_rows(found) for split, found in rows.items()}


def proof(config: str, seed: int, items: Sequence[Item]) -> dict[str, Any]:
    """What a config is kept apart from: per reference set how many items were compared and what they share.

    ``items`` are all splits of the config; nothing for a reference set itself. For the training tier the numbers of
    each template that no test tier draws are stated too: they keep it apart from every set of every seed.
    ``InputError`` names the seed when they share what they must not.
    """
    entries = []
    for reference in references(config, seed):
        rows, sha256 = _reference_rows(reference.name)
        others = [row for split in rows.values() for row in split]
        shared = compare(items, others)
        problems = shared.problems(training=config == TRAIN)
        if problems:
            raise InputError(
                f"seed {seed} gives a {config} set that collides with {reference.name}: {'; '.join(problems)}"
            )
        entry: dict[str, Any] = {
            "config": reference.name,
            "seed": edition.SEED,
            "sha256": sha256,
            "items": len(items),
            "compared_with": len(others),
            "same_context": shared.contexts,
            "same_template_and_numbers": shared.tasks,
        }
        if config == TRAIN:
            entry |= {"runs_of_eight_words": shared.runs, "shared_words": list(shared.words)}
        entries.append(entry)
    if config == TRAIN:
        return {"from": entries, "numbers": {template: rule for template, (rule, _) in TRAINING_NUMBERS.items()}}
    return {"from": entries} if entries else {}


def broken_proofs(
    manifest: Mapping[str, Any], splits: Mapping[tuple[str, str], Sequence[NumberedItem]]
) -> Iterator[Failure]:
    """Where the items of a folder, compared again, do not give what its manifest states."""
    seed, stated = manifest.get("seed"), manifest.get("kept_apart")
    if not isinstance(stated, dict | None):
        yield Failure(None, f"kept_apart is {str(stated)[:60]}, not one entry for each config")
    stated = stated if isinstance(stated, dict) else {}
    held = {split["config"] for split in manifest["splits"]}
    for config in (name for name in stated if name not in held):
        yield Failure(None, f"kept_apart has an entry for {config!r}, which is no config of the folder")
    for config in dict.fromkeys(config for config, _ in splits if config in TIERS):
        numbered = [item for (found, _), items in splits.items() if found == config for item in items]
        try:
            wanted = proof(config, seed, [item for _, item in numbered]) if type(seed) is int else {}
        except InputError as error:
            yield Failure(None, str(error))
            continue
        except (KeyError, TypeError, ValueError) as error:
            yield Failure(None, f"{config}: items that cannot be compared ({error})")
            continue
        difference = first_difference(wanted, stated.get(config, {}))
        if difference:
            yield Failure(None, f"{config}: compared again, {difference}")
        if config == TRAIN:
            yield from training_numbers(numbered)


def first_difference(found: Any, stated: Any, place: str = "the proof") -> str | None:
    """Where what was found first differs from what is stated, in words; None where it does not.

    >>> first_difference({"from": [{"items": 5}]}, {"from": [{"items": 6}]})
    'items is 5, the manifest says 6'
    """
    if found == stated:
        return None
    if isinstance(found, dict) and isinstance(stated, dict):
        keys = [*found, *(key for key in stated if key not in found)]
        differences = (first_difference(found.get(key), stated.get(key), str(key)) for key in keys)
        return next(filter(None, differences))
    if isinstance(found, list) and isinstance(stated, list) and len(found) == len(stated):
        return next(filter(None, (first_difference(*pair, place) for pair in zip(found, stated, strict=True))))
    return f"{place} is {str(found)[:60]}, the manifest says {str(stated)[:60]}"
