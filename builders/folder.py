"""Hub-ready folders: Parquet for loading, JSONL as published, a card and a manifest, put in place all at once."""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from datasets import Features

from .. import __version__
from ..generators.errors import InputError
from ..generators.jsonl import to_line
from .base import Row
from .eval_yaml import EVAL, eval_yaml, merge
from .files import files_in, refuse_foreign, whole_folder, write_text
from .release import public_address

FORMAT = "arithmark-folder"
FORMAT_VERSION = 1
MANIFEST = "manifest.json"
CARD = "README.md"
ATTRIBUTES = ".gitattributes"
# Hashes are taken over bytes, so git may convert line ends on no system. Overrides nothing of the Hub's own file.
NO_CONVERSION = "* -text\n"
Manifest = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Split:
    """The rows of one split and the file names that hold them: ``data/STEM.jsonl`` and ``data/STEM.parquet``."""

    config: str
    name: str
    stem: str
    features: Features
    rows: Sequence[Row]

    def jsonl(self) -> bytes:
        """The canonical JSONL: UTF-8, LF, keys in the order of the rows. Hashes are taken over these bytes.

        >>> Split("default", "test", "demo", Features(), [{"answer": "7"}]).jsonl()
        b'{"answer": "7"}\\n'
        """
        return "".join(f"{to_line(row)}\n" for row in self.rows).encode()

    def table(self) -> pa.Table:
        """The rows under their declared features; ``ValueError`` where a row would not come back unchanged."""
        # Arrow's own types say it all; what datasets would add is in the words of one of its versions ("List" is none
        # before 4), and a file with it does not load in the others.
        table = pa.Table.from_pylist(list(self.rows), schema=self.features.arrow_schema.remove_metadata())
        for number, (row, stored) in enumerate(zip(self.rows, table.to_pylist(), strict=True)):
            if row != stored:
                raise ValueError(f"{self.config}/{self.name}, row {number}: stored as {stored!r}, built as {row!r}")
        return table


def write_folder(
    out: str | Path,
    dataset: str,
    splits: Sequence[Split],
    facts: Manifest,
    card: Callable[[Manifest], str],
) -> Manifest:
    """Write ``README.md``, ``manifest.json``, ``eval.yaml``, ``.gitattributes`` and ``data/``; return the manifest.

    ``facts`` are the dataset's own manifest entries (versions, seed, counts); ``card`` renders the README from the
    whole manifest. The folder appears complete or not at all; tasks that a person added to the ``eval.yaml`` of an
    earlier build stay. ``InputError`` when ``out`` holds anything but an earlier build of the same dataset.
    """
    manifest: Manifest = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "dataset": dataset,
        "package_version": __version__,
        **({"software_url": url} if (url := public_address()) else {}),
        **facts,
        "splits": [],
    }
    with whole_folder(out, lambda: check_target(out, dataset)) as folder:
        (folder / "data").mkdir()
        for split in splits:
            content = split.jsonl()
            (folder / "data" / f"{split.stem}.jsonl").write_bytes(content)
            pq.write_table(split.table(), folder / "data" / f"{split.stem}.parquet")
            manifest["splits"].append(_split_entry(split, content))
        write_text(folder / MANIFEST, json.dumps(manifest, ensure_ascii=False, indent=2) + "\n")
        write_text(folder / ATTRIBUTES, NO_CONVERSION)
        write_text(folder / CARD, card(manifest))
        evals = eval_yaml(manifest)
        if evals is not None:
            earlier = Path(out) / EVAL
            write_text(folder / EVAL, merge(_text_of(earlier), evals, earlier) if earlier.is_file() else evals)
    return manifest


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise InputError("is not UTF-8", file=path) from None


def _split_entry(split: Split, content: bytes) -> Manifest:
    return {
        "config": split.config,
        "split": split.name,
        "items": len(split.rows),
        "jsonl": f"data/{split.stem}.jsonl",
        "parquet": f"data/{split.stem}.parquet",
        "columns": list(split.features),
        "sha256": hashlib.sha256(content).hexdigest(),
    }


def read_manifest(folder: str | Path) -> Manifest:
    """The manifest of a built folder; ``InputError`` when there is none or it is not ours."""
    try:
        content = (Path(folder) / MANIFEST).read_bytes()
    except OSError:
        content = b""
    return parse_manifest(content, folder)


def parse_manifest(content: bytes, source: object) -> Manifest:
    """The manifest in these bytes; ``InputError`` names ``source`` when it is not one of ours."""
    try:
        manifest = json.loads(content)
    except ValueError:
        raise InputError("no readable manifest.json: not a folder built by arithmark", file=source) from None
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise InputError("manifest.json is not one of arithmark's", file=source)
    if manifest.get("format_version") != FORMAT_VERSION:
        version = manifest.get("format_version")
        raise InputError(f"manifest.json has format version {version!r}, known is {FORMAT_VERSION}", file=source)
    return manifest


def check_target(out: str | Path, dataset: str) -> None:
    """``InputError`` unless ``out`` is free, empty or an earlier build of ``dataset`` with nothing else in it."""
    out = Path(out)
    if not files_in(out):
        return
    try:
        manifest = read_manifest(out)
    except InputError:
        raise InputError("not empty and not an earlier build; choose another --out", file=out) from None
    if manifest.get("dataset") != dataset:
        raise InputError(f"holds a build of {manifest.get('dataset')}, not of {dataset}", file=out)
    splits = manifest.get("splits")
    listed = [split for split in splits if isinstance(split, dict)] if isinstance(splits, list) else []
    ours = {MANIFEST, CARD, ATTRIBUTES, EVAL} | {
        str(split.get(kind)) for split in listed for kind in ("jsonl", "parquet")
    }
    refuse_foreign(out, ours)
