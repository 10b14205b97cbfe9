"""Scored items whose chosen option is known, for tests of the statistics."""

from collections.abc import Sequence
from typing import Any

from arithmark_tasks.results import ItemScore


def answered(
    index: int,
    gold: int = 0,
    pick: int = 0,
    values: Sequence[int] = (10, 20, 30, 40),
    sources: Sequence[str] = (),
    group: str = "deeparithmark",
    **traits: str | int,
) -> ItemScore:
    """An item of which option ``pick`` is chosen by every metric."""
    return ItemScore(
        task=group,
        group=group,
        id=f"item_{index}",
        traits=traits,
        metrics={},
        gold=gold,
        loglikelihoods=tuple(-1.0 if option == pick else -2.0 for option in range(len(values))),
        greedy=(False,) * len(values),
        characters=(6,) * len(values),
        tokens=(2,) * len(values),
        values=tuple(values),
        sources=tuple(sources),
    )


def of_item(item: dict[str, Any], pick: int, group: str = "deeparithmark") -> ItemScore:
    """An item of DeepArithmark's schema of which option ``pick`` is chosen."""
    data = item["metadata"]
    scored = answered(
        item["ind"],
        int(item["label"]),
        pick,
        data["option_values"],
        data["option_sources"],
        group,
        depth=data["depth"],
        template=data["template"],
    )
    return ItemScore(**{name: getattr(scored, name) for name in ItemScore.__slots__} | {"id": item["source_id"]})
