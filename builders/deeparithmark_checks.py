"""What the manifest of a DeepArithmark folder states, against the items of the folder and those of its seed."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..generators import deeparithmark as generator
from ..generators.claims import Failure, NumberedItem, Result, result
from ..generators.deeparithmark import schema
from .folder import Manifest

Splits = Mapping[str, Sequence[NumberedItem]]


def manifest_results(manifest: Manifest, splits: Splits) -> tuple[Result, ...]:
    """The manifest's counts, and the items built again from its seed."""
    return (
        result("the manifest counts the items, templates and depths of the test split", _counts(manifest, splits)),
        _built_again(manifest, splits),
    )


def _counted(items: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The counts that a manifest states of a test split; an item without a template or depth counts nowhere."""
    data = [item["metadata"] for item in items if isinstance(item.get("metadata"), dict)]
    return {
        "items": len(items),
        "templates": dict(sorted(Counter(str(found.get("template")) for found in data).items())),
        "depths": dict(sorted(Counter(str(found.get("depth")) for found in data).items())),
    }


def _counts(manifest: Manifest, splits: Splits) -> Iterator[Failure]:
    if "test" not in splits:  # reported by the claim on the files
        return
    for name, found in _counted([item for _, item in splits["test"]]).items():
        if manifest.get(name) != found:
            yield Failure(None, f"{name} are {found}, the manifest says {manifest.get(name)!r}")


def _built_again(manifest: Manifest, splits: Splits) -> Result:
    claim = "the items are those of the seed"
    seed, version = manifest.get("seed"), manifest.get("dataset_version")
    if version != schema.VERSION:
        return Result(claim, skipped=f"built by version {version!r} of the generator, this one is {schema.VERSION}")
    if type(seed) is not int:
        return result(claim, [Failure(None, f"the manifest's seed is {seed!r}")])
    return result(claim, _differences(seed, splits))


def _differences(seed: int, splits: Splits) -> Iterator[Failure]:
    for name, items in splits.items():
        if name not in ("test", "fewshot") or not items:
            continue
        wanted = generator.build(seed, len(items)) if name == "test" else generator.build_fewshot(seed)
        if len(wanted) != len(items):
            yield Failure(None, f"{name} has {len(items)} items, not {len(wanted)}")
        for (line, item), expected in zip(items, wanted, strict=False):
            if item != expected:
                fields = [key for key, value in expected.items() if item.get(key) != value]
                yield Failure(line, f"{name}: {', '.join(fields) or 'a field'} not as built from seed {seed}")
