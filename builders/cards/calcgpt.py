"""Every figure on the CalcGPT card, computed from the built rows."""

from collections.abc import Iterable, Sequence
from math import sqrt
from typing import TYPE_CHECKING, Any

from ...generators.calcgpt.dataset import Recipe
from .render import header, render

if TYPE_CHECKING:
    from ..folder import Split

TAGS = ("arithmetic", "synthetic", "generalization", "held-out", "small-models")


def card(manifest: dict[str, Any], splits: Sequence["Split"]) -> str:
    """The README of a built folder."""
    configs = list(dict.fromkeys(split.config for split in splits))
    first = {split.name: split.rows for split in splits if split.config == splits[0].config}
    return header(manifest, "CalcGPT arithmetic tasks", TAGS, ["text-generation"]) + render(
        "calcgpt",
        manifest=manifest,
        holdout=manifest["holdout"],
        split=manifest["grouped_split"],
        configs=configs,
        examples=[(split.config, split.rows[0]["text"]) for split in splits if split.name == "train"],
        counts=[(name, len(rows), *_operators(rows)) for name, rows in first.items()],
        overlap=len(_keys(first["heldout"]) & (_keys(first["train"]) | _keys(first["validation"]))),
        crossing=len(_keys(first["train"]) & _keys(first["validation"])),
        lengths=_extremes(len(row["text"]) for split in splits for row in split.rows),
        roster=len(first["heldout"]),
        margin=1.96 * sqrt(0.25 / len(first["heldout"])),
        options=_options(manifest, configs),
    )


def _extremes(values: Iterable[int]) -> tuple[int, int]:
    ordered = sorted(set(values))
    return ordered[0], ordered[-1]


def _options(manifest: dict[str, Any], configs: Sequence[str]) -> str:
    """The options of the build command that are not its defaults."""
    usual = Recipe()
    values = ("seed", "width", "tasks", "per_bucket", "contract")
    told = [
        f" --{name.replace('_', '-')} {manifest[name]}" for name in values if manifest[name] != getattr(usual, name)
    ]
    one = f" --config {configs[0]}" if len(configs) == 1 else ""
    return one + "".join(told)


def _operators(rows: Sequence[dict[str, Any]]) -> tuple[int, int]:
    additions = sum(row["operator"] == "+" for row in rows)
    return additions, len(rows) - additions


def _keys(rows: Sequence[dict[str, Any]]) -> set[str]:
    return {row["semantic_key"] for row in rows}
