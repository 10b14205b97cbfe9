"""Golden hashes: sha256 of the canonical JSONL of every split, by dataset, version and seed.

A hash may only change together with the dataset's version and a line in CHANGELOG.md. `python -m tests.golden` adds the
hashes of new versions; it changes one that is there only with `--replace`, before a version is released.
"""

import hashlib
import json
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

from arithmark_tasks.generators import deeparithmark, zenyx
from arithmark_tasks.generators.deeparithmark import edition
from arithmark_tasks.generators.zenyx.multiple_choice import MC_VERSION
from arithmark_tasks.generators.zenyx.splits import build_split

FILE = Path(__file__).with_name("hashes.json")
_DEEP = f"deeparithmark version {edition.VERSION} seed {edition.SEED}"
_ZENYX = f"zenyx version {zenyx.VERSION} seed {zenyx.SEED}"
_CHOICE = f"zenyx version {zenyx.VERSION}.{MC_VERSION} seed {zenyx.SEED}"

SPLITS: dict[str, Callable[[], Iterable[dict[str, Any]]]] = {
    f"{_DEEP} default/test": deeparithmark.build,
    f"{_DEEP} default/fewshot": deeparithmark.build_fewshot,
    f"{_DEEP} control/test": partial(deeparithmark.build_split, "control", "test"),
    f"{_DEEP} control/fewshot": partial(deeparithmark.build_split, "control", "fewshot"),
    f"{_DEEP} deep/test": partial(deeparithmark.build_split, "deep", "test"),
    f"{_DEEP} deep/fewshot": partial(deeparithmark.build_split, "deep", "fewshot"),
    f"{_DEEP} xl/test": partial(deeparithmark.build_split, "xl", "test"),
    f"{_DEEP} train/train": partial(deeparithmark.build_split, "train", "train"),
    f"{_ZENYX} default/test": partial(build_split, "default", "test"),
    f"{_ZENYX} default/fewshot": partial(build_split, "default", "fewshot"),
    f"{_ZENYX} legacy/test": partial(build_split, "legacy", "test"),
    f"{_ZENYX} extended/test": partial(build_split, "extended", "test"),
    f"{_ZENYX} extended/fewshot": partial(build_split, "extended", "fewshot"),
    f"{_CHOICE} multiple choice/test": partial(build_split, "mc", "test"),
    f"{_CHOICE} multiple choice/fewshot": partial(build_split, "mc", "fewshot"),
}


def digest(rows: Iterable[dict[str, Any]]) -> str:
    """sha256 of the rows as canonical JSONL: UTF-8, LF, keys in order."""
    found = hashlib.sha256()
    for row in rows:
        found.update(json.dumps(row, ensure_ascii=False).encode() + b"\n")
    return found.hexdigest()


def stored() -> dict[str, str]:
    """The hashes in the file."""
    return json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
