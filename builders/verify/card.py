"""The claim of a built folder's card: it says what the rows and the manifest beside it give."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from datasets import Features

from ... import __version__
from ...generators.claims import Failure, Result, result
from ...generators.deeparithmark.tiers import tier_of
from ...generators.errors import InputError
from ...generators.jsonl import read_items
from ..cards import calcgpt, deeparithmark, zenyx
from ..cards.render import address, software_of
from ..cards.sections import card_differences
from ..eval_yaml import FLAT
from ..folder import CARD, Manifest, Split
from .folder import existing

Notify = Callable[[str], None]
CLAIM = "the card's sections and metadata are those that the rows and the manifest give"
# A published card names its repository where the built one says path/to/this/folder.
# Where it holds the software too, its install line names the file.
_WHEEL = re.compile(r"`pip install (https?://[^`\s]+/(arithmark-[^/`\s]+\.whl))`")
_REPOSITORY = re.compile(r'load_dataset\("([\w.-]+/[\w.-]+)"')


def card_result(folder: Path, manifest: Manifest, notify: Notify) -> Result:
    """The card rendered again, compared with the one in the folder; text outside its sections is free."""
    try:
        found = (folder / CARD).read_text(encoding="utf-8")
    except (OSError, ValueError):
        return result(CLAIM, [Failure(None, f"{CARD} is missing or cannot be read")])
    notify("the card, rendered again")
    try:
        built = _CARDS[manifest["dataset"]](manifest, _splits(folder, manifest), notify)
    except Exception as error:  # rows and manifest may be damaged in any way, which other claims name
        return Result(CLAIM, skipped=f"it cannot be rendered again ({type(error).__name__}: {error})")
    failures = list(_failures(folder, manifest, found, built))
    version = manifest.get("package_version")
    if failures and version != __version__:
        return Result(CLAIM, skipped=f"written by arithmark {version}, this is {__version__}")
    return result(CLAIM, failures)


def _splits(folder: Path, manifest: Manifest) -> list[Split]:
    """The splits of the folder with the rows of their JSONL files."""
    return [
        Split(entry["config"], entry["split"], path.stem, Features(), [row for _, row in read_items(path)])
        for entry, path in existing(folder, manifest, "jsonl")
    ]


def _failures(folder: Path, manifest: Manifest, found: str, built: str) -> Iterator[Failure]:
    repository = _REPOSITORY.search(found)
    if repository:
        built = address(built, repository.group(1))
    wheel = _WHEEL.search(found)
    if wheel:
        software = software_of(manifest)
        built = software.told(built, replace(software, wheel=wheel.group(1)))
        if not (folder / wheel.group(2)).is_file():
            yield Failure(found[: wheel.start()].count("\n") + 1, f"{wheel.group(2)} is not in the folder")
    try:
        yield from (Failure(line, message) for line, message in card_differences(found, built))
    except InputError as error:
        yield Failure(None, str(error))


def _deeparithmark(manifest: Manifest, splits: Sequence[Split], notify: Notify) -> str:
    tiers = [split for split in splits if split.config != FLAT]
    mains = {split.config: split.rows for split in tiers if split.name == tier_of(split.config).main}
    return deeparithmark.card(manifest, mains, notify)


_CARDS: Mapping[str, Callable[[Manifest, Sequence[Split], Notify], str]] = {
    "calcgpt": lambda manifest, splits, notify: calcgpt.card(manifest, splits),
    "deeparithmark": _deeparithmark,
    "zenyx": lambda manifest, splits, notify: zenyx.card(manifest, splits),
}
