"""Every figure on the DeepArithmark card, computed from the built items."""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from typing import Any

from ...generators.choices.audit import NOT_APPLICABLE, OK, question
from ...generators.choices.estimates import ROUGH
from ...generators.choices.item import CLOCK_UNIT
from ...generators.deeparithmark.edition import PUBLISHED_SHA256, SEED
from ...generators.deeparithmark.tiers import TIERS, USUAL
from ...generators.deeparithmark.verify.steps import chain
from ..audit import full_audit
from ..classifiers import SEEN, TRIGRAMS, UNSEEN
from ..eval_yaml import flat_config, task_names
from .render import header, render
from .scores import clear, scores_of

Item = dict[str, Any]
Notify = Callable[[str], None]
NOON = 12 * 60
# The lm-eval group that scores a config; the others have none.
TASKS = {"default": "deeparithmark", "control": "deeparithmark_control", "deep": "deeparithmark_deep"}
TAGS = ("arithmetic", "math-word-problems", "multiple-choice", "benchmark", "synthetic", "lm-evaluation-harness")


def card(manifest: dict[str, Any], tiers: Mapping[str, Sequence[Item]], notify: Notify = lambda stage: None) -> str:
    """The README of a built folder; ``tiers`` are the main splits by config, the first one is described at length."""
    seed = manifest["seed"]
    config, items = next(iter(tiers.items()))
    name = "DeepArithmark-1" + f", {config}" * (config != "default") + f", seed {seed}" * (seed != SEED)
    top = header(manifest, f"{name} (independent re-implementation)", TAGS, ["multiple-choice", "question-answering"])
    evals, audits = task_names(manifest), {}
    for found, rows in tiers.items():
        notify(f"auditing shortcuts of {found}")
        audits[found] = audit(rows)
    return top + render(
        "deeparithmark",
        name=name,
        manifest=manifest,
        config=config,
        flat=flat_config(manifest) if evals else None,
        evals=evals,
        default_seed=seed == SEED,
        kept_apart=manifest.get("kept_apart", {}),
        command=command(manifest, tiers),
        tasks=[TASKS[found] for found in tiers if found in TASKS],
        tiers=[tier_row(found, rows, audits[found]) for found, rows in tiers.items()],
        published_sha256=PUBLISHED_SHA256,
        count=len(items),
        templates=templates(items),
        topics=len({item["metadata"]["topic"] for item in items}),
        branched=sum(follow(item) not in (None, item["metadata"]["depth"]) for item in items),
        depths=sorted(Counter(item["metadata"]["depth"] for item in items).items()),
        balance=balance(items),
        words=words(items),
        clock=clock(items),
        margin=margin(items),
        example=json.dumps(example(items), ensure_ascii=False, indent=2),
        solved=solved(example(items)),
        scores=scores(manifest),
        audit=audits[config],
        estimates=estimates(audits, config),
        classifiers=(TRIGRAMS, UNSEEN, SEEN),
    )


def command(manifest: dict[str, Any], tiers: Mapping[str, Sequence[Item]]) -> str:
    """The command that builds the folder again."""
    words = ["arithmark build deeparithmark --out DIR"]
    if tuple(tiers) != USUAL:
        words += [f"--config {config}" for config in tiers]
    if manifest["seed"] != SEED:
        words.append(f"--seed {manifest['seed']}")
    sizes = {config: len(items) for config, items in tiers.items()}
    if any(size != TIERS[config].splits[TIERS[config].main] for config, size in sizes.items()):
        words.append(f"--items {next(iter(sizes.values()))}")
    return " ".join(words)


def margin(items: Sequence[Item]) -> float:
    """Half the 95 % interval of a score at chance."""
    return 1.96 * sqrt(0.25 * 0.75 / len(items))


def tier_row(config: str, items: Sequence[Item], rows: Sequence[Any]) -> dict[str, Any]:
    """One line of the table of tiers: its size, lengths, and what its audit found."""
    fixed = [row.score for row in rows if row.kind == "fixed"]
    return {
        "config": config,
        "summary": TIERS[config].summary,
        "count": len(items),
        "depths": sorted({item["metadata"]["depth"] for item in items}),
        "templates": len({item["metadata"]["template"] for item in items}),
        "words": words(items),
        "margin": margin(items),
        "fixed": (min(fixed), max(fixed)) if fixed else None,
        "classifiers": {row.strategy: row for row in rows if row.kind != "fixed"},
        "missed": [row.strategy for row in rows if row.kind != "reported" and row.verdict != OK],
    }


def estimates(audits: Mapping[str, Sequence[Any]], config: str) -> str:
    """What rough arithmetic gains on a set, and, where it is there, on its control."""
    scores = {name: {row.strategy: row.score for row in rows} for name, rows in audits.items()}
    found = [scores[config].get(name) for name in ROUGH.values()]
    if None in found:
        return ""
    one, two = (f"{100 * score:.1f} %" for score in found if score is not None)
    text = (
        f"To know the magnitude is not enough, but to estimate helps: every step rounded to one significant digit, and "
        f"the nearest ending, is right in {one} of the items that ask for an amount, to two digits in {two}."
    )
    exact = (
        [scores["control"].get(name) for name in ROUGH.values()] if config == "default" and "control" in scores else []
    )
    if exact and None not in exact:
        one, two = (f"{100 * score:.1f} %" for score in exact if score is not None)
        text += (
            f" The test of exact arithmetic is `control`, whose endings are adjacent: there they give {one} and {two}."
        )
    return text


def templates(items: Sequence[Item]) -> list[dict[str, Any]]:
    """Per template: depth, topic, items, longest chains of steps, and items per answer rank (smallest to largest)."""
    rows: dict[str, dict[str, Any]] = {}
    for item in items:
        data = item["metadata"]
        row = rows.setdefault(data["template"], {"name": data["template"], "depth": data["depth"], "count": 0})
        row["topic"] = data["topic"]
        row["count"] += 1
        row.setdefault("ranks", [0, 0, 0, 0])[data["answer_rank"]] += 1
        row.setdefault("chains", set()).add(follow(item) or "unknown")
    return sorted(rows.values(), key=lambda row: (row["depth"], row["name"]))


def follow(item: Item) -> int | None:
    """How many steps of an item must follow each other; None where one is wrong or of no known form."""
    try:
        return chain(item["metadata"]["solution_steps"])
    except ValueError:
        return None


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


def solved(item: Item) -> str:
    """The item in words: its steps, and what each wrong option comes from.

    >>> metadata = {"solution_steps": ["gained: 10 * 28 = 280", "left: 280 - 92 = 188"], "option_sources": ["correct",
    ...     "forgot to draw off"]}
    >>> print(solved({"endings": [" 188 litres.", " 280 litres."], "label": "0", "metadata": metadata}))
    The right ending is "188 litres." Gained: 10 * 28 = 280; left: 280 - 92 = 188. The others are what mistakes give:
    <BLANKLINE>
    - "280 litres.": forgot to draw off.
    """
    metadata, right = item["metadata"], int(item["label"])
    steps = "; ".join(metadata["solution_steps"])
    wrong = [
        f'- "{ending.strip()}": {source}.'
        for slot, (ending, source) in enumerate(zip(item["endings"], metadata["option_sources"], strict=True))
        if slot != right
    ]
    told = f'The right ending is "{item["endings"][right].strip()}" {steps[0].upper()}{steps[1:]}.'
    return "\n".join([f"{told} The others are what mistakes give:", "", *wrong])


def scores(manifest: Mapping[str, Any]) -> dict[str, Any] | None:
    """A small model's scores on the folder's sets, with what is clear of chance in each."""
    stored = scores_of("deeparithmark", manifest)
    if stored is None:
        return None
    sets = {config: {**scored, "apart": clear(scored["rows"], 0.25)} for config, scored in stored["sets"].items()}
    return {**stored, "sets": sets}


def audit(items: Sequence[Item]) -> list[Any]:
    """Every shortcut strategy and classifier that applies to these items."""
    rows = full_audit(tuple(question(item) for item in items))
    return [row for row in rows if row.verdict != NOT_APPLICABLE]
