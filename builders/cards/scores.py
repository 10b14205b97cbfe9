"""What a small model scores on the sets, for their cards: from the file that ``benchmarks/readme_figure.py`` writes."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "scores.json"


def scores_of(manifest: Mapping[str, Any], file: Path = FILE) -> dict[str, Any] | None:
    """The stored scores of the test splits that this folder holds, row for row, or None where there are none.

    A score belongs to rows, not to a name: the SHA-256 of the split that was scored has to be that of the manifest.
    """
    stored: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    built = {f"{split['config']}": split["sha256"] for split in manifest["splits"] if split["split"] == "test"}
    name = manifest["dataset"]
    sets = {
        config: scored
        for config, digest in built.items()
        if (scored := stored["sets"].get(f"{name}/{config}")) and scored["sha256"] == digest
    }
    return {**stored, "sets": sets} if sets else None


def clear(rows: Sequence[Mapping[str, Any]], chance: float) -> dict[str, list[str]]:
    """The parts that are clearly above and below chance: their 95 % interval leaves it out.

    >>> clear([{"part": "depth 2", "low": 0.3, "high": 0.4}, {"part": "all", "low": 0.2, "high": 0.3}], 0.25)
    {'above': ['depth 2'], 'below': []}
    """
    return {
        "above": [row["part"] for row in rows if row["low"] > chance],
        "below": [row["part"] for row in rows if row["high"] < chance],
    }
