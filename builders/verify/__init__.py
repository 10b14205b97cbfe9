"""The claims of built folders and of DeepArithmark files, recomputed: the manifest's, and those of each dataset."""

from collections.abc import Callable, Mapping
from pathlib import Path

from ...generators.claims import ClaimSection, Failure, result
from ...generators.errors import InputError
from ..folder import CARD, MANIFEST, Manifest, read_manifest
from . import calcgpt, deeparithmark, zenyx
from .card import card_result
from .deeparithmark import file_section, verify_published
from .folder import folder_results, lists_its_splits

__all__ = ["ClaimSection", "file_section", "verify_folder", "verify_path", "verify_published"]

Notify = Callable[[str], None]
# What each dataset claims beside what every folder does, by the name that its manifest carries.
DATASETS: Mapping[str, Callable[[Path, Manifest, Notify], list[ClaimSection]]] = {
    "calcgpt": calcgpt.folder_sections,
    "deeparithmark": deeparithmark.folder_sections,
    "zenyx": zenyx.folder_sections,
}


def verify_path(path: str | Path, notify: Notify = lambda stage: None) -> list[ClaimSection]:
    """All claims of a built folder or of a DeepArithmark JSONL; ``InputError`` when it is neither."""
    path = Path(path)
    if path.is_dir():
        return verify_folder(path, notify)
    if path.is_file():
        section, _ = file_section(path, path.name, notify)
        return [section]
    raise InputError("no such file or folder", file=path)


def verify_folder(folder: Path, notify: Notify = lambda stage: None) -> list[ClaimSection]:
    """The claims that every built folder makes, and those of its dataset."""
    manifest = read_manifest(folder)
    notify("manifest, card and files")
    dataset = str(manifest.get("dataset"))
    unlisted = lists_its_splits(manifest)
    if unlisted:
        return [ClaimSection(MANIFEST, (unlisted,))]
    sections = [ClaimSection(f"{dataset} folder", folder_results(folder, manifest))]
    sections_of = DATASETS.get(dataset)
    if sections_of is None:
        # Nothing looked at the items: a name that was mistyped must not pass for a folder whose claims all hold.
        unknown = Failure(None, f"{dataset!r}: known are {', '.join(sorted(DATASETS))}")
        return [
            *sections,
            ClaimSection(MANIFEST, (result("manifest: names a dataset with claims of its own", [unknown]),)),
        ]
    sections += sections_of(folder, manifest, notify)
    return [*sections, ClaimSection(CARD, (card_result(folder, manifest, notify),))]
