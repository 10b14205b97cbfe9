"""Every figure on the Zenyx card, computed from the built items and the manifest."""

import json
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...generators.choices.audit import audit_items
from ...generators.zenyx import SEED, question_type
from ...generators.zenyx.build import FEWSHOT_PER_TYPE
from ..contamination.account import combine, not_read, rate, remarks, warnings
from ..eval_yaml import task_names
from .render import header, render
from .scores import scores_of

if TYPE_CHECKING:
    from ..folder import Split

TAGS = ("arithmetic", "benchmark", "decontaminated", "synthetic", "small-models", "lm-evaluation-harness")
SHOWN_SOURCES = 20
CONFIGS = 4
Item = dict[str, Any]


def card(manifest: dict[str, Any], splits: Sequence["Split"]) -> str:
    """The README of a built folder."""
    items = {(split.config, split.name): split.rows for split in splits}
    shown = {split.config: types(split.rows) for split in splits if split.name == "test" and split.config != "mc"}
    clean = [config for config in ("default", "extended", "mc") if (config, "test") in items]
    shots = {config: len(items[config, "fewshot"]) for config in clean if config != "mc"}
    certificate = manifest["certificate"]
    # Without a check, or one against nothing, there is nothing that "decontaminated" could mean.
    checked = bool(certificate and certificate["distinct_expressions"])
    tags = [tag for tag in TAGS if checked or tag != "decontaminated"]
    return header(
        manifest, "Zenyx Arithmetic Bench (independent re-implementation)", tags, ["text-generation"]
    ) + render(
        "zenyx",
        manifest=manifest,
        default_seed=manifest["seed"] == SEED,
        options=options([split.config for split in splits]),
        evals=task_names(manifest),
        default=shown.get("default"),
        extended=shown.get("extended"),
        legacy=shown.get("legacy"),
        mc=choices(items["mc", "test"], items["mc", "fewshot"]) if ("mc", "test") in items else None,
        clean=[f"`{config}`" for config in clean],
        count=sum(len(items[config, "test"]) for config in clean),
        shots=[f"{count} (`{config}`)" for config, count in shots.items()],
        per_type_shots=FEWSHOT_PER_TYPE,
        certificate=certificate,
        sources=sources(certificate),
        coverage=coverage(certificate),
        example=json.dumps(splits[0].rows[0], ensure_ascii=False),
        first=splits[0].rows[0],
        scores=scores_of("zenyx", manifest),
    )


def options(configs: Sequence[str]) -> str:
    """The ``--config`` options of the command that builds the folder again; none where it holds every config.

    >>> options(["legacy", "mc", "mc"])
    ' --config legacy --config mc'
    """
    built = list(dict.fromkeys(configs))
    return "" if len(built) == CONFIGS else "".join(f" --config {config}" for config in built)


def choices(items: Sequence[Item], shots: Sequence[Item]) -> dict[str, Any]:
    """The four-way config: items, how often each slot with each rank occurs in a type, what fixed strategies score."""
    cells = Counter((item["metadata"]["template"], item["label"], item["metadata"]["answer_rank"]) for item in items)
    kinds = {item["metadata"]["template"] for item in items}
    scores = [row.score for row in audit_items(items) if row.score is not None and row.kind == "fixed"]
    return {
        "count": len(items),
        "per_type": len(items) // len(kinds),
        "shots": len(shots),
        "cells": sorted({cells[code, str(slot), rank] for code in kinds for slot in range(4) for rank in range(4)}),
        "low": min(scores),
        "high": max(scores),
    }


def types(items: Sequence[Item]) -> list[dict[str, Any]]:
    """Per type: operation, operands, size of the space, items, legacy and seen items, digits of answers, an example."""
    rows: dict[str, dict[str, Any]] = {}
    for item in items:
        kind = question_type(item["type"])
        fresh = {"kind": kind, "space": kind.space.size, "count": 0, "legacy": 0, "seen": 0, "digits": set()}
        row = rows.setdefault(item["type"], fresh | {"example": item["question"]})
        row["count"] += 1
        row["legacy"] += bool(item.get("in_legacy_14k"))
        row["seen"] += bool(item.get("seen_in_training"))
        row["digits"].add(len(item["answer"]))
    return list(rows.values())


def coverage(certificate: dict[str, Any] | None) -> dict[str, Any]:
    """What the scans say of themselves: the rate of rows that yielded an expression, warnings, what was not read."""
    if certificate is None:
        return {"warnings": []}
    account = combine(certificate["indexes"], certificate["distinct_expressions"])
    return {
        "rate": rate(account),
        "warnings": warnings(account),
        "not_read": not_read(account),
        "forms": account["policy"]["not_read"],
        "remarks": remarks(account),
        "operations": list(dict.fromkeys(name for source in account["sources"] for name in source["operations"])),
    }


def sources(certificate: dict[str, Any] | None) -> dict[str, Any]:
    """The corpus files of a certificate: the first of them, and how many there are in all."""
    if certificate is None:
        return {"shown": [], "count": 0}
    files = [source for account in certificate["indexes"] for source in account["sources"]]
    return {"shown": files[:SHOWN_SOURCES], "count": len(files)}
