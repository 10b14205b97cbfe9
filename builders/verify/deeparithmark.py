"""The claims of DeepArithmark: of one JSONL file, of a built folder, of a copy of the original file."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ...generators import deeparithmark as generator
from ...generators.claims import ClaimSection, Failure, NumberedItem, Result, read_lines, result
from ...generators.deeparithmark import edition, verify
from ...generators.deeparithmark.edition import PUBLISHED_SHA256
from ...generators.deeparithmark.tiers import TIERS
from ...generators.errors import InputError
from ..audit import full_audit
from ..eval_yaml import FLAT, flat_config
from ..folder import Manifest
from .folder import FILE_CLAIM, existing
from .kept_apart import broken_proofs

Splits = Mapping[tuple[str, str], Sequence[NumberedItem]]
Notify = Callable[[str], None]
# Below this a set is too small for the audit to say anything.
AUDITED_ITEMS = 100
_FLAT_CLAIM = "every row is the item of the same place of the published schema, flat"


def folder_sections(folder: Path, manifest: Manifest, notify: Notify) -> list[ClaimSection]:
    """The claims of each file, of the splits together, and of the manifest. Missing files are skipped."""
    sections: list[ClaimSection] = []
    splits: dict[tuple[str, str], list[NumberedItem]] = {}
    flat: list[tuple[str, list[NumberedItem], list[Failure]]] = []
    for split, path in existing(folder, manifest, "jsonl"):
        if split["config"] == FLAT:
            flat.append((split["jsonl"], *read_lines(path)))
            continue
        section, splits[split["config"], split["split"]] = file_section(path, split["jsonl"], notify)
        sections.append(section)
    for config in dict.fromkeys(config for config, _ in splits):
        if (config, "fewshot") in splits:
            shared = result(
                "the few-shot items share no context and no template with numbers with the test items",
                verify.shared_items(splits.get((config, "test"), []), splits[config, "fewshot"]),
            )
            sections.append(ClaimSection(f"{config}: test and fewshot", (shared,)))
    sections += _control(splits)
    of_tier = [item for _, item in splits.get((str(flat_config(manifest)), "test"), [])]
    sections += [
        ClaimSection(title, (result(FILE_CLAIM, broken), result(_FLAT_CLAIM, _flat_differences(items, of_tier))))
        for title, items, broken in flat
    ]
    notify("the items of the seed, built again")
    return [*sections, ClaimSection("manifest and items", manifest_results(manifest, splits))]


def _control(splits: Mapping[tuple[str, str], list[NumberedItem]]) -> list[ClaimSection]:
    """What the control claims of its partner, where the folder holds both."""
    claims = [
        result(
            f"{split}: the control is the default set, item by item, but for its wrong endings",
            verify.control_differences(items, splits["default", split]),
        )
        for (config, split), items in splits.items()
        if config == "control" and ("default", split) in splits
    ]
    return [ClaimSection("control and default", tuple(claims))] if claims else []


def flat_row(item: Mapping[str, Any]) -> dict[str, Any]:
    """An item as evaluation tools ask for it: the target is the letter of the right ending, a time is "9:05 am".

    >>> item = {"ctx": "Two and two make", "endings": [" 5 eggs.", " 4 eggs."], "label": "1",
    ...     "metadata": {"answer": "4", "depth": 1, "template": "eggs"}}
    >>> flat_row(item)["question"], flat_row(item)["choices"], flat_row(item)["target"]
    ('Two and two make ...', ['5 eggs.', '4 eggs.'], 'B')
    """
    return {
        "question": f"{item['ctx']} ...",
        "choices": [ending.strip() for ending in item["endings"]],
        "target": "ABCD"[int(item["label"])],
        "answer": item["metadata"]["answer"].replace("a.m.", "am").replace("p.m.", "pm"),
        **{name: item["metadata"][name] for name in ("depth", "template")},
    }


def _flat_differences(rows: Sequence[NumberedItem], items: Sequence[Mapping[str, Any]]) -> Iterator[Failure]:
    if len(rows) != len(items):
        yield Failure(None, f"{len(rows)} rows for {len(items)} items")
    for (line, row), item in zip(rows, items, strict=False):
        try:
            wanted = flat_row(item)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError):  # reported as that item's own fault
            continue
        if row != wanted:
            fields = [key for key in (*wanted, *row) if row.get(key) != wanted.get(key)]
            yield Failure(line, f"{', '.join(dict.fromkeys(fields))} not as in the item of the same place")


def file_section(path: Path, title: str, notify: Notify) -> tuple[ClaimSection, list[NumberedItem]]:
    """The claims of one DeepArithmark JSONL, its audit included, and the items that could be read."""
    notify(f"items of {title}")
    items, broken = read_lines(path)
    unread = len({failure.line for failure in broken} - {line for line, _ in items})
    results = [result(FILE_CLAIM, broken), *verify.check_items(items, unread)]
    notify(f"shortcut audit of {title}")
    results += audit_results(items, results)
    return ClaimSection(title, tuple(results)), items


def audit_results(items: list[NumberedItem], results: list[Result]) -> list[Result]:
    """The shortcut audit of a set that is large enough; ``results`` say whether all of its lines could be read."""
    # The control's endings are not chosen to be safe from shortcuts: they are what the set is compared with.
    if len(items) < AUDITED_ITEMS or verify.is_control(items):
        return []
    if any(found.skipped for found in results):
        return [Result(verify.AUDIT_CLAIM, skipped="not all lines have a complete item")]
    try:
        questions = verify.questions(items)
    except InputError as error:
        return [Result(verify.AUDIT_CLAIM, skipped=str(error))]
    rows = full_audit(tuple(questions))
    missed = (Failure(None, message) for message in verify.audit_failures(list(rows)))
    return [result(verify.AUDIT_CLAIM, missed)]


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


def verify_published(path: str | Path) -> ClaimSection:
    """A downloaded copy of the original published file against its hash; names CRLF when that alone differs."""
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise InputError(error.strerror or str(error), file=path) from None
    digest = hashlib.sha256(content).hexdigest()
    failures = []
    if digest != PUBLISHED_SHA256:
        reason = f"sha256 is {digest}, published is {PUBLISHED_SHA256}"
        if hashlib.sha256(content.replace(b"\r\n", b"\n")).hexdigest() == PUBLISHED_SHA256:
            reason += "; only the line ends differ (CRLF): download it again without conversion"
        elif _is_ours(content):
            reason += "; this is a file built by arithmark, not the published one"
        failures.append(Failure(None, reason))
    return ClaimSection(Path(path).name, (result("the published DeepArithmark-1 file, byte for byte", failures),))


def _is_ours(content: bytes) -> bool:
    try:
        return "template" in json.loads(content.split(b"\n", 1)[0])["metadata"]
    except (ValueError, KeyError, TypeError):
        return False
