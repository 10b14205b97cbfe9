"""Every figure on the CalcGPT card, computed from the built rows."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .render import header, render

if TYPE_CHECKING:
    from ..folder import Split

TAGS = ("arithmetic", "synthetic", "generalization", "held-out", "small-models")


def card(manifest: dict[str, Any], splits: Sequence["Split"]) -> str:
    """The README of a built folder."""
    first = {split.name: split.rows for split in splits if split.config == splits[0].config}
    return header(manifest, "CalcGPT arithmetic tasks", TAGS, ["text-generation"]) + render(
        "calcgpt",
        manifest=manifest,
        holdout=manifest["holdout"],
        split=manifest["grouped_split"],
        configs=list(dict.fromkeys(split.config for split in splits)),
        examples=[(split.config, split.rows[0]["text"]) for split in splits if split.name == "train"],
        counts=[(name, len(rows), *_operators(rows)) for name, rows in first.items()],
        overlap=len(_keys(first["heldout"]) & (_keys(first["train"]) | _keys(first["validation"]))),
        crossing=len(_keys(first["train"]) & _keys(first["validation"])),
    )


def _operators(rows: Sequence[dict[str, Any]]) -> tuple[int, int]:
    additions = sum(row["operator"] == "+" for row in rows)
    return additions, len(rows) - additions


def _keys(rows: Sequence[dict[str, Any]]) -> set[str]:
    return {row["semantic_key"] for row in rows}
