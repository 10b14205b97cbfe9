"""Every figure on the DeepArithmark card, computed from the built items."""

import json
from collections import Counter
from collections.abc import Sequence
from math import sqrt
from typing import Any

from ...generators.deeparithmark.audit import NOT_APPLICABLE, audit_items, question
from ...generators.deeparithmark.schema import CLOCK_UNIT, SEED
from ..classifiers import classifier_rows
from ..verifiers import PUBLISHED_SHA256
from .render import header, render

Item = dict[str, Any]
NOON = 12 * 60
TAGS = ("arithmetic", "math-word-problems", "multiple-choice", "benchmark", "synthetic", "lm-evaluation-harness")


def card(manifest: dict[str, Any], items: Sequence[Item]) -> str:
    """The README of a built folder; ``items`` is the test split."""
    seed = manifest["seed"]
    name = "DeepArithmark-1" if seed == SEED else f"DeepArithmark-1, seed {seed}"
    top = header(manifest, f"{name} (independent re-implementation)", TAGS, ["multiple-choice", "question-answering"])
    return top + render(
        "deeparithmark",
        name=name,
        manifest=manifest,
        default_seed=seed == SEED,
        published_sha256=PUBLISHED_SHA256,
        count=len(items),
        templates=templates(items),
        topics=len({item["metadata"]["topic"] for item in items}),
        depths=sorted(Counter(item["metadata"]["depth"] for item in items).items()),
        balance=balance(items),
        words=words(items),
        clock=clock(items),
        margin=1.96 * sqrt(0.25 * 0.75 / len(items)),
        example=json.dumps(example(items), ensure_ascii=False, indent=2),
        audit=audit(items),
    )


def templates(items: Sequence[Item]) -> list[dict[str, Any]]:
    """Per template: depth, topic, items, and items per answer rank (smallest to largest option)."""
    rows: dict[str, dict[str, Any]] = {}
    for item in items:
        data = item["metadata"]
        row = rows.setdefault(data["template"], {"name": data["template"], "depth": data["depth"], "count": 0})
        row["topic"] = data["topic"]
        row["count"] += 1
        row.setdefault("ranks", [0, 0, 0, 0])[data["answer_rank"]] += 1
    return sorted(rows.values(), key=lambda row: (row["depth"], row["name"]))


def balance(items: Sequence[Item]) -> dict[str, Any]:
    """Items per slot of the right option, per rank of its value, and per cell of slot x rank x depth."""
    cells: Counter[tuple[int, int, int]] = Counter()
    for item in items:
        cells[item["metadata"]["depth"], int(item["label"]), item["metadata"]["answer_rank"]] += 1
    depths = sorted({depth for depth, _, _ in cells})
    places = [(depth, slot, rank) for depth in depths for slot in range(4) for rank in range(4)]
    return {
        "slots": [sum(cells[cell] for cell in places if cell[1] == slot) for slot in range(4)],
        "ranks": [sum(cells[cell] for cell in places if cell[2] == rank) for rank in range(4)],
        "smallest": min(cells[cell] for cell in places),
        "largest": max(cells[cell] for cell in places),
        "grid": [
            {"depth": depth, "slot": slot, "cells": [cells[depth, slot, rank] for rank in range(4)]}
            for depth in depths
            for slot in range(4)
        ],
    }


def words(items: Sequence[Item]) -> dict[str, Any]:
    """Prompt lengths in words: mean, shortest, longest, and the mean per depth."""
    lengths: dict[int, list[int]] = {}
    for item in items:
        lengths.setdefault(item["metadata"]["depth"], []).append(len(item["ctx"].split()))
    flat = [length for group in lengths.values() for length in group]
    return {
        "mean": sum(flat) / len(flat),
        "shortest": min(flat),
        "longest": max(flat),
        "by_depth": [(depth, sum(group) / len(group), max(group)) for depth, group in sorted(lengths.items())],
    }


def clock(items: Sequence[Item]) -> dict[str, int]:
    """How many items ask for a time of day, and how many of those offer times on both sides of noon."""
    values = [item["metadata"]["option_values"] for item in items if item["metadata"]["unit"] == CLOCK_UNIT]
    return {"count": len(values), "both_halves": sum(min(times) < NOON <= max(times) for times in values)}


def example(items: Sequence[Item]) -> Item:
    """The first item of the deepest tier but one (four steps fit on a page), or the first of all."""
    return next((item for item in items if item["metadata"]["depth"] == 4), items[0])


def audit(items: Sequence[Item]) -> list[Any]:
    """Every shortcut strategy and classifier that applies to these items."""
    rows = [*audit_items(items), *classifier_rows([question(item) for item in items])]
    return [row for row in rows if row.verdict != NOT_APPLICABLE]
