"""Scored items whose chosen option is known, for tests of the statistics."""

import random
from collections.abc import Iterable, Sequence
from typing import Any

from arithmark_tasks.results import ItemScore

# The published model whose aggregate is at chance: its 252 of 1,000, lowest and highest template, depths and
# chi-square of 63.2; the other templates are filled in so that these hold.
AT_CHANCE = {
    "money_discount_fee": (48, 122),
    "time_clock_end": (11, 128),
    "measure_cm_cut": (1, 33),
    "share_then_split": (10, 44),
    "two_rate_pay": (10, 45),
    "stock_percent_pack": (12, 48),
    "trip_minutes": (18, 33),
    "schedule_sessions": (9, 47),
    "inventory_boxes": (16, 62),
    "mix_split": (17, 63),
    "tank_fill": (17, 62),
    "discount_tax_coupon_split": (14, 63),
    "salary_overtime_tax": (30, 84),
    "inventory_percent_chain": (22, 83),
    "prize_ratio_charity": (17, 83),
}


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


def guesses(items: Iterable[dict[str, Any]], seed: int) -> list[ItemScore]:
    """A model that picks any of four options."""
    draw = random.Random(seed)
    return [of_item(item, draw.randrange(4)) for item in items]
