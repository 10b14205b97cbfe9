"""What every built folder claims, whatever its dataset: its files, their hashes, Parquet beside JSONL, the card."""

import hashlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...generators.claims import Failure, Result, read_lines, result
from ...generators.errors import InputError
from ..eval_yaml import EVAL, differences, eval_yaml
from ..folder import CARD, MANIFEST, Manifest
from ..release import is_wheel

FILE_CLAIM = "file: UTF-8, one JSON object to a line, each ended by a line feed"
_SPLIT_FIELDS = {"config": str, "split": str, "items": int, "jsonl": str, "parquet": str, "sha256": str}


def lists_its_splits(manifest: Manifest) -> Result | None:
    """The broken claim when the manifest lists no splits in the known form, which nothing else can be checked without.

    >>> lists_its_splits({"splits": []}).failures[0].message
    'splits are []'
    """
    claim, splits = "manifest: lists its splits", manifest.get("splits")
    if not isinstance(splits, list) or not splits or not all(_is_split(split) for split in splits):
        return result(claim, [Failure(None, f"splits are {splits!r}")])
    names = Counter((split["config"], split["split"]) for split in splits)
    twice = [f"{config}/{name} occurs twice" for (config, name), count in names.items() if count > 1]
    return result(claim, [Failure(None, message) for message in twice]) if twice else None


def _is_split(entry: object) -> bool:
    return isinstance(entry, dict) and all(type(entry.get(key)) is kind for key, kind in _SPLIT_FIELDS.items())


def folder_results(folder: Path, manifest: Manifest) -> tuple[Result, ...]:
    """The claims of a folder whose manifest lists its splits."""
    return (
        result("the folder holds the files of its manifest and no others", _files(folder, manifest)),
        result("the JSONL files have the sha256 and the items of the manifest", _hashes(folder, manifest)),
        result("the Parquet files hold the rows of the JSONL files", _parquet_rows(folder, manifest)),
        result("the card names a file for every split, with its hash where given", _card_files(folder, manifest)),
        *_evals(folder, manifest),
    )


def _evals(folder: Path, manifest: Manifest) -> Iterator[Result]:
    """The claim of ``eval.yaml``, where the manifest or the folder has one; a person's tasks in it are free."""
    try:
        built = eval_yaml(manifest)
    except (KeyError, TypeError, ValueError, AttributeError):  # a damaged manifest, which other claims name
        return
    claim = f"{EVAL}: its tasks of this dataset are those that the manifest gives"
    if built is None:
        return
    try:
        found = (folder / EVAL).read_text(encoding="utf-8")
        yield result(claim, [Failure(None, message) for message in differences(found, built)])
    except (OSError, UnicodeDecodeError):
        yield result(claim, [Failure(None, f"{EVAL} is missing or cannot be read")])
    except InputError as error:
        yield result(claim, [Failure(None, str(error))])


def existing(folder: Path, manifest: Manifest, kind: str) -> Iterator[tuple[dict[str, Any], Path]]:
    """The splits whose ``jsonl`` or ``parquet`` file is there; a missing one is reported by the claim on files."""
    present = _present(folder)
    for split in manifest["splits"]:
        if split[kind] in present:  # so no edited manifest makes us read a file outside the folder
            yield split, folder / split[kind]


def _present(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def _files(folder: Path, manifest: Manifest) -> Iterator[Failure]:
    expected = {MANIFEST, CARD} | {split[kind] for split in manifest["splits"] for kind in ("jsonl", "parquet")}
    present = _present(folder)
    for name in sorted(expected - present):
        yield Failure(None, f"missing: {name}")
    for name in sorted(present - expected - {EVAL}):
        if not name.startswith(".") and not is_wheel(name):
            yield Failure(None, f"not in the manifest: {name}")


def _hashes(folder: Path, manifest: Manifest) -> Iterator[Failure]:
    for split, path in existing(folder, manifest, "jsonl"):
        content = path.read_bytes()
        digest = hashlib.sha256(content).hexdigest()
        if digest != split["sha256"]:
            yield Failure(None, f"{split['jsonl']} has sha256 {digest}, the manifest says {split['sha256']}")
        items = content.count(b"\n")
        if items != split["items"]:
            yield Failure(None, f"{split['jsonl']} has {items} lines, the manifest says {split['items']}")


def _parquet_rows(folder: Path, manifest: Manifest) -> Iterator[Failure]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    jsonl = {split["jsonl"]: path for split, path in existing(folder, manifest, "jsonl")}
    for split, path in existing(folder, manifest, "parquet"):
        if split["jsonl"] not in jsonl:
            continue
        try:
            table = pq.read_table(path)
        except (pa.ArrowInvalid, OSError) as error:
            yield Failure(None, f"{split['parquet']} cannot be read: {str(error).splitlines()[0]}")
            continue
        if table.column_names != split.get("columns"):
            yield Failure(None, f"{split['parquet']} has columns {table.column_names}, not {split.get('columns')}")
        rows = table.to_pylist()
        items, _ = read_lines(jsonl[split["jsonl"]])
        if len(rows) != len(items):
            yield Failure(None, f"{split['parquet']} has {len(rows)} rows, {split['jsonl']} {len(items)}")
        for place, (row, (line, item)) in enumerate(zip(rows, items, strict=False)):
            if row != item:
                yield Failure(line, f"row {place} of {split['parquet']} is not the item of {split['jsonl']}")


def _card_files(folder: Path, manifest: Manifest) -> Iterator[Failure]:
    from huggingface_hub import DatasetCard
    from yaml import YAMLError

    card = folder / CARD
    if not card.is_file():
        return
    try:
        text = card.read_text(encoding="utf-8")
        data = DatasetCard(text, ignore_metadata_errors=True).data.to_dict()
    except (ValueError, YAMLError) as error:
        yield Failure(None, f"{CARD} has no readable metadata: {str(error).splitlines()[0]}")
        return
    named = set(_named_files(data.get("configs")))
    for split in manifest["splits"]:
        if (split["config"], split["split"], split["parquet"]) not in named:
            yield Failure(None, f"{CARD} does not name {split['parquet']} for {split['config']}/{split['split']}")
        if f"`{split['jsonl']}`" in text and f"`{split['sha256']}`" not in text:
            yield Failure(None, f"{CARD} states another sha256 of {split['jsonl']}")


def _named_files(configs: object) -> Iterator[tuple[object, object, object]]:
    """(config, split, path) of every file that a card's metadata names, however damaged the metadata are."""
    for config in configs if isinstance(configs, list) else []:
        files = config.get("data_files") if isinstance(config, dict) else None
        for entry in files if isinstance(files, list) else []:
            if isinstance(entry, dict):
                yield str(config.get("config_name")), str(entry.get("split")), str(entry.get("path"))
