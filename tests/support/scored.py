"""Result files of a scripted model over real items, for tests of what reads them: no model is run."""

import math
import random
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from arithmark_tasks.metrics import multiple_choice_results
from arithmark_tasks.results import ItemScore, Result

TYPES = ("3ds", "4da", "5da", "5ds", "4dm", "5dm", "34m", "div")


def choice_scores(
    items: Iterable[dict[str, Any]], group: str, seed: int, skill: Mapping[str | int, float]
) -> list[ItemScore]:
    """One four-way answer per item: right with probability ``skill[template]`` or ``skill[depth]``, 0.25 otherwise."""
    draw = random.Random(f"{group}|{seed}")
    return [_choice(item, group, draw, skill) for item in items]


def _choice(item: dict[str, Any], group: str, draw: random.Random, skill: Mapping[str | int, float]) -> ItemScore:
    data, gold = item["metadata"], int(item["label"])
    right = draw.random() < skill.get(data["template"], skill.get(data["depth"], 0.25))
    wrong = [option for option in range(4) if option != gold]
    chosen = gold if right else draw.choice(wrong)
    tokens = tuple(1 + len(ending.split()) for ending in item["endings"])
    nats = [-draw.uniform(1.2, 1.6) - (option != chosen) * draw.uniform(0.5, 0.9) for option in range(4)]
    scores = tuple(nats[option] * tokens[option] for option in range(4))
    return ItemScore(
        task=f"{group}_d{data['depth']}",
        group=group,
        id=item["source_id"],
        traits={"depth": data["depth"], "template": data["template"]},
        metrics=multiple_choice_results(item, [(score, False) for score in scores]),
        gold=gold,
        loglikelihoods=scores,
        greedy=(False,) * 4,
        characters=tuple(len(ending) for ending in item["endings"]),
        bytes=tuple(len(ending.encode()) for ending in item["endings"]),
        cut=0,
        tokens=tokens,
        values=tuple(data["option_values"]),
        sources=tuple(data["option_sources"]),
    )


def whole(scores: Iterable[ItemScore], size: int = 1000) -> list[ItemScore]:
    """As many scores as the published set has items: the given ones over and over, under names of their own."""
    given = list(scores)
    return [replace(given[n % len(given)], id=f"{given[n % len(given)].id}_{n // len(given)}") for n in range(size)]


def generated_scores(group: str, seed: int, per_type: int = 25) -> list[ItemScore]:
    """Written answers to questions of every Zenyx type, right in 10 to 80 %."""
    draw = random.Random(f"{group}|{seed}")
    scores = []
    for place, code in enumerate(TYPES):
        for index in range(per_type):
            right = float(draw.random() < 0.1 * (1 + place))
            task, traits = f"{group}_{code}", {"type": code}
            metrics = {"exact_match": right, "no_answer": 0.0}
            scores.append(ItemScore(task, group, f"{code}-{index}", traits, metrics, text=f" {index}"))
    return scores


def target_scores(group: str, seed: int, per_type: int = 25) -> list[ItemScore]:
    """Log-likelihoods of one target per question of every Zenyx type."""
    draw = random.Random(f"{group}|{seed}")
    scores = []
    for code in TYPES:
        for index in range(per_type):
            value, greedy = -draw.expovariate(1), draw.random() < 0.3
            metrics = {"acc": float(greedy), "soft": math.exp(value)}
            given = {"gold": 0, "loglikelihoods": (value,), "greedy": (greedy,), "characters": (4,), "tokens": (2,)}
            scores.append(ItemScore(f"{group}_{code}", group, f"{code}-{index}", {"type": code}, metrics, **given))
    return scores


def result(name: str, items: Iterable[ItemScore], parameters: int | None = 135_000_000) -> Result:
    """A result file's content around the items."""
    items = tuple(items)
    groups = list(dict.fromkeys(item.group for item in items))
    return Result(
        model={"name": name, "pretrained": f"org/{name}", "revision": None, "parameters": parameters},
        run={"command": f"arithmark eval --model org/{name}", "dtype": "float32", "batch_size": 32, "limit": None},
        datasets={
            group: {"version": 1, "seed": 20261027, "items": sum(item.group == group for item in items), "sha256": "0"}
            for group in groups
        },
        tasks={item.task: {"version": 1, "group": item.group, "dataset": item.group} for item in items},
        items=items,
    )
