"""The claims of a built CalcGPT folder, checked on its files."""

from collections.abc import Callable
from pathlib import Path

from ...generators.calcgpt.claims import check_config
from ...generators.calcgpt.manifest import load_manifest
from ...generators.claims import ClaimSection, Failure, NumberedItem, read_lines, result
from ..folder import MANIFEST, Manifest
from .folder import existing


def folder_sections(folder: Path, manifest: Manifest, notify: Callable[[str], None]) -> list[ClaimSection]:
    """Canonical files, and for each representation: rows, split, roster and disjointness. Missing files are skipped."""
    holdout = load_manifest(folder / MANIFEST)
    configs: dict[str, dict[str, list[NumberedItem]]] = {}
    broken: list[Failure] = []
    for split, path in existing(folder, manifest, "jsonl"):
        notify(f"tasks of {split['jsonl']}")
        items, faults = read_lines(path)
        configs.setdefault(split["config"], {})[split["split"]] = items
        broken += (Failure(fault.line, f"{split['jsonl']}: {fault.message}") for fault in faults)
    results = [result("files: UTF-8, one JSON object to a line, each ended by a line feed", broken)]
    for name, splits in configs.items():
        results += check_config(holdout, manifest["width"], name, splits)
    return [ClaimSection("CalcGPT tasks", tuple(results))]
