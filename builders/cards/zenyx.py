"""Every figure on the Zenyx card, computed from the built items and the manifest."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...generators.zenyx import SEED, question_type
from .render import header, render

if TYPE_CHECKING:
    from ..folder import Split

TAGS = ("arithmetic", "benchmark", "decontaminated", "synthetic", "small-models", "lm-evaluation-harness")
SHOWN_SOURCES = 20
Item = dict[str, Any]


def card(manifest: dict[str, Any], splits: Sequence["Split"]) -> str:
    """The README of a built folder."""
    items = {(split.config, split.name): split.rows for split in splits}
    default, legacy = items.get(("default", "test"), ()), items.get(("legacy", "test"), ())
    certificate = manifest["certificate"]
    # Without a check there is nothing that "decontaminated" could mean.
    tags = [tag for tag in TAGS if certificate or tag != "decontaminated"]
    return header(
        manifest, "Zenyx Arithmetic Bench (independent re-implementation)", tags, ["text-generation"]
    ) + render(
        "zenyx",
        manifest=manifest,
        default_seed=manifest["seed"] == SEED,
        default=types(default),
        legacy=types(legacy),
        count=len(default),
        legacy_count=len(legacy),
        shots=len(items.get(("default", "fewshot"), ())),
        certificate=certificate,
        sources=sources(certificate),
        example=json.dumps((default or legacy)[0], ensure_ascii=False),
    )


def types(items: Sequence[Item]) -> list[dict[str, Any]]:
    """Per type: operation, operands, size of the space, items, legacy items, digits of the answers, seen items."""
    rows: dict[str, dict[str, Any]] = {}
    for item in items:
        kind = question_type(item["type"])
        fresh = {"kind": kind, "space": kind.space.size, "count": 0, "legacy": 0, "seen": 0, "digits": set()}
        row = rows.setdefault(item["type"], fresh)
        row["count"] += 1
        row["legacy"] += bool(item.get("in_legacy_14k"))
        row["seen"] += bool(item.get("seen_in_training"))
        row["digits"].add(len(item["answer"]))
    return list(rows.values())


def sources(certificate: dict[str, Any] | None) -> dict[str, Any]:
    """The corpus files of a certificate: the first of them, and how many there are in all."""
    if certificate is None:
        return {"shown": [], "count": 0, "skipped": []}
    files = [source for account in certificate["indexes"] for source in account["sources"]]
    skipped = [source for account in certificate["indexes"] for source in account.get("skipped", ())]
    return {"shown": files[:SHOWN_SOURCES], "count": len(files), "skipped": skipped}
