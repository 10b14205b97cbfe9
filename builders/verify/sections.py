"""Checks of built folders and of DeepArithmark files: what the manifest says, and what each dataset claims.

A dataset plugs its own claims into ``DATASET_CHECKS`` under the name that its manifest carries.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ...generators.claims import Failure, NumberedItem, Result, read_lines, result
from ...generators.deeparithmark import verify as deeparithmark
from ...generators.deeparithmark.edition import PUBLISHED_SHA256
from ...generators.errors import InputError
from ..audit import full_audit
from ..folder import CARD, MANIFEST, Manifest, read_manifest
from .calcgpt import folder_results as calcgpt_results
from .card import card_result
from .deeparithmark import manifest_results
from .folder import existing, folder_results, lists_its_splits
from .zenyx import CHOICES, folder_claims

# Below this a set is too small for the audit to say anything.
AUDITED_ITEMS = 100
FILE_CLAIM = "file: UTF-8, one JSON object to a line, each ended by a line feed"
Notify = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Section:
    """The claims of one file or folder."""

    title: str
    results: tuple[Result, ...]

    @property
    def holds(self) -> bool:
        """Whether no claim was found broken; a claim that could not be checked counts as broken."""
        return all(found.holds for found in self.results)


def verify_path(path: str | Path, notify: Notify = lambda stage: None) -> list[Section]:
    """All claims of a built folder or of a DeepArithmark JSONL; ``InputError`` when it is neither."""
    path = Path(path)
    if path.is_dir():
        return verify_folder(path, notify)
    if path.is_file():
        section, _ = deeparithmark_section(path, path.name, notify)
        return [section]
    raise InputError("no such file or folder", file=path)


def verify_folder(folder: Path, notify: Notify = lambda stage: None) -> list[Section]:
    """The claims that every built folder makes, and those of its dataset."""
    manifest = read_manifest(folder)
    notify("manifest, card and files")
    dataset = str(manifest.get("dataset"))
    unlisted = lists_its_splits(manifest)
    if unlisted:
        return [Section(MANIFEST, (unlisted,))]
    sections = [Section(f"{dataset} folder", folder_results(folder, manifest))]
    check = DATASET_CHECKS.get(dataset)
    if check is None:
        # Nothing looked at the items: a name that was mistyped must not pass for a folder whose claims all hold.
        unknown = Failure(None, f"{dataset!r}: known are {', '.join(sorted(DATASET_CHECKS))}")
        return [*sections, Section(MANIFEST, (result("manifest: names a dataset with claims of its own", [unknown]),))]
    sections += check(folder, manifest, notify)
    return [*sections, Section(CARD, (card_result(folder, manifest, notify),))]


def deeparithmark_section(path: Path, title: str, notify: Notify) -> tuple[Section, list[NumberedItem]]:
    """The claims of one DeepArithmark JSONL, its audit included, and the items that could be read."""
    notify(f"items of {title}")
    items, broken = read_lines(path)
    unread = len({failure.line for failure in broken} - {line for line, _ in items})
    results = [result(FILE_CLAIM, broken), *deeparithmark.check_items(items, unread)]
    notify(f"shortcut audit of {title}")
    results += _audit(items, results)
    return Section(title, tuple(results)), items


def _audit(items: list[NumberedItem], results: list[Result]) -> list[Result]:
    # The control's endings are not chosen to be safe from shortcuts: they are what the set is compared with.
    if len(items) < AUDITED_ITEMS or deeparithmark.is_control(items):
        return []
    if any(found.skipped for found in results):
        return [Result(deeparithmark.AUDIT_CLAIM, skipped="not all lines have a complete item")]
    try:
        questions = deeparithmark.questions(items)
    except InputError as error:
        return [Result(deeparithmark.AUDIT_CLAIM, skipped=str(error))]
    rows = full_audit(tuple(questions))
    missed = (Failure(None, message) for message in deeparithmark.audit_failures(list(rows)))
    return [result(deeparithmark.AUDIT_CLAIM, missed)]


def _check_deeparithmark(folder: Path, manifest: Manifest, notify: Notify) -> list[Section]:
    sections: list[Section] = []
    splits: dict[tuple[str, str], list[NumberedItem]] = {}
    for split, path in existing(folder, manifest, "jsonl"):
        section, splits[split["config"], split["split"]] = deeparithmark_section(path, split["jsonl"], notify)
        sections.append(section)
    for config in dict.fromkeys(config for config, _ in splits):
        if (config, "fewshot") in splits:
            shared = result(
                "the few-shot items share no context and no template with numbers with the test items",
                deeparithmark.shared_items(splits.get((config, "test"), []), splits[config, "fewshot"]),
            )
            sections.append(Section(f"{config}: test and fewshot", (shared,)))
    sections += _control(splits)
    notify("the items of the seed, built again")
    return [*sections, Section("manifest and items", manifest_results(manifest, splits))]


def _control(splits: Mapping[tuple[str, str], list[NumberedItem]]) -> list[Section]:
    """What the control claims of its partner, where the folder holds both."""
    claims = [
        result(
            f"{split}: the control is the default set, item by item, but for its wrong endings",
            deeparithmark.control_differences(items, splits["default", split]),
        )
        for (config, split), items in splits.items()
        if config == "control" and ("default", split) in splits
    ]
    return [Section("control and default", tuple(claims))] if claims else []


def _check_calcgpt(folder: Path, manifest: Manifest, notify: Notify) -> list[Section]:
    return [Section("CalcGPT tasks", tuple(calcgpt_results(folder, manifest, notify)))]


def _check_zenyx(folder: Path, manifest: Manifest, notify: Notify) -> list[Section]:
    sections = [Section(title, tuple(results)) for title, results in folder_claims(folder, manifest, notify)]
    for split, path in existing(folder, manifest, "jsonl"):
        if (split["config"], split["split"]) == (CHOICES, "test"):
            notify(f"shortcut audit of {split['jsonl']}")
            sections.append(Section(f"audit of {split['jsonl']}", tuple(_audit(read_lines(path)[0], []))))
    return sections


DATASET_CHECKS: Mapping[str, Callable[[Path, Manifest, Notify], list[Section]]] = {
    "calcgpt": _check_calcgpt,
    "deeparithmark": _check_deeparithmark,
    "zenyx": _check_zenyx,
}


def verify_published(path: str | Path) -> Section:
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
    return Section(Path(path).name, (result("the published DeepArithmark-1 file, byte for byte", failures),))


def _is_ours(content: bytes) -> bool:
    try:
        return "template" in json.loads(content.split(b"\n", 1)[0])["metadata"]
    except (ValueError, KeyError, TypeError):
        return False
