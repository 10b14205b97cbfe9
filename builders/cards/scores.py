"""What a small model scores on the sets, for their cards: from the file that ``benchmarks/readme_figure.py`` writes."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ALPHA = 0.05
FILE = Path(__file__).parent / "scores.json"


def scores_of(dataset: str, manifest: Mapping[str, Any], file: Path = FILE) -> dict[str, Any] | None:
    """The stored scores of the test splits that this folder holds, row for row, or None where there are none.

    A score belongs to rows, not to a name: the SHA-256 of the split that was scored has to be that of the manifest.
    """
    stored: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    built = {split["config"]: split["sha256"] for split in manifest["splits"] if split["split"] == "test"}
    sets = {
        config: scored
        for config, digest in built.items()
        if (scored := stored["sets"].get(f"{dataset}/{config}")) and scored["sha256"] == digest
    }
    return {**stored, "sets": sets} if sets else None


def clear(rows: Sequence[Mapping[str, Any]], chance: float) -> dict[str, list[str]]:
    """The parts that are above and below chance by their adjusted p, at 5 %.

    >>> rows = [{"part": "depth 2", "value": 0.3, "p_holm": 0.01}, {"part": "all", "value": 0.2, "p_holm": 0.3}]
    >>> clear(rows, 0.25)
    {'above': ['depth 2'], 'below': []}
    """
    found = [row for row in rows if row["p_holm"] < ALPHA]
    return {
        "above": [row["part"] for row in found if row["value"] > chance],
        "below": [row["part"] for row in found if row["value"] < chance],
    }
