"""What the manifest of a DeepArithmark folder states, against the items of the folder and those of its seed."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...generators import deeparithmark as generator
from ...generators.claims import Failure, NumberedItem, Result, result
from ...generators.deeparithmark import edition
from ...generators.deeparithmark.tiers import TIERS
from ..folder import Manifest
from .disjoint import broken_proofs

Splits = Mapping[tuple[str, str], Sequence[NumberedItem]]


def manifest_results(manifest: Manifest, splits: Splits) -> tuple[Result, ...]:
    """The manifest's counts, and the items built again from its seed; ``splits`` by config and name."""
    return (
        result("the manifest counts the items, templates and depths of every config", _counts(manifest, splits)),
        _built_again(manifest, splits),
        result(
            "the items share with the default set what the manifest states: nothing", broken_proofs(manifest, splits)
        ),
    )


def counted(items: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The counts that a manifest states of a config's main split; an item without a template counts nowhere."""
    data = [item["metadata"] for item in items if isinstance(item.get("metadata"), dict)]
    return {
        "items": len(items),
        "templates": dict(sorted(Counter(str(found.get("template")) for found in data).items())),
        "depths": dict(sorted(Counter(str(found.get("depth")) for found in data).items())),
    }


def _counts(manifest: Manifest, splits: Splits) -> Iterator[Failure]:
    stated = manifest.get("tiers")
    stated = stated if isinstance(stated, dict) else {}
    mains = {config: items for (config, split), items in splits.items() if _is_main(config, split)}
    # A config whose file is missing is reported by the claim on the files.
    for config, items in mains.items():
        entry = stated.get(config)
        for name, found in counted([item for _, item in items]).items():
            if not isinstance(entry, dict) or entry.get(name) != found:
                said = entry.get(name) if isinstance(entry, dict) else entry
                yield Failure(None, f"{config}: {name} are {found}, the manifest says {said!r}")


def _is_main(config: str, split: str) -> bool:
    return config in TIERS and TIERS[config].main == split


def _built_again(manifest: Manifest, splits: Splits) -> Result:
    claim = "the items are those of the seed"
    seed, version = manifest.get("seed"), manifest.get("dataset_version")
    if version != edition.VERSION:
        return Result(claim, skipped=f"built by version {version!r} of the generator, this one is {edition.VERSION}")
    if type(seed) is not int:
        return result(claim, [Failure(None, f"the manifest's seed is {seed!r}")])
    return result(claim, _differences(seed, splits))


def _differences(seed: int, splits: Splits) -> Iterator[Failure]:
    for (config, name), items in splits.items():
        if config not in TIERS or name not in TIERS[config].splits:
            yield Failure(None, f"{config}/{name} is no split of this dataset")
            continue
        if not items:
            continue
        wanted = generator.build_split(config, name, seed, len(items) if _is_main(config, name) else None)
        if len(wanted) != len(items):
            yield Failure(None, f"{config}/{name} has {len(items)} items, not {len(wanted)}")
        for (line, item), expected in zip(items, wanted, strict=False):
            if item != expected:
                fields = [key for key, value in expected.items() if item.get(key) != value]
                yield Failure(line, f"{config}/{name}: {', '.join(fields) or 'a field'} not as built from seed {seed}")
