"""The shape that each tier claims, stated apart from the registry that builds them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ...claims import Item
from ..edition import NAME

# The published counts of 1,000 items: template -> (depth, items).
PUBLISHED = {
    "money_discount_fee": (2, 122),
    "time_clock_end": (2, 128),
    "measure_cm_cut": (3, 33),
    "share_then_split": (3, 44),
    "two_rate_pay": (3, 45),
    "stock_percent_pack": (3, 48),
    "trip_minutes": (3, 33),
    "schedule_sessions": (3, 47),
    "inventory_boxes": (4, 62),
    "mix_split": (4, 63),
    "tank_fill": (4, 62),
    "discount_tax_coupon_split": (4, 63),
    "salary_overtime_tax": (5, 84),
    "inventory_percent_chain": (5, 83),
    "prize_ratio_charity": (5, 83),
}

# Two products that do not need each other, so that one step fewer than the depth follow each other.
SIDE_BY_SIDE = ("two_rate_pay", "salary_overtime_tax")

# Of 750 items beyond the published depths.
DEEP = {
    "batch_profit": (6, 84),
    "hall_takings": (6, 83),
    "run_end_time": (6, 83),
    "two_leg_arrival": (7, 83),
    "pay_left_over": (7, 84),
    "floor_bill": (7, 83),
    "harvest_profit": (8, 83),
    "outing_share": (8, 84),
    "shift_pallets": (8, 83),
}


@dataclass(frozen=True, slots=True)
class Shape:
    """Templates with their depth and their share of items, topics, and the lengths of prompts in words.

    ``whole`` is the number by which every template's items divide where those of a depth do.
    """

    counts: Mapping[str, tuple[int, int]]
    topics: int
    mean_words: tuple[float, float]
    max_words: int
    whole: int = 1

    @property
    def total(self) -> int:
        """The size at which the shares are item counts."""
        return sum(count for _, count in self.counts.values())

    @property
    def depths(self) -> list[int]:
        """The depths of the tier, ascending."""
        return sorted({depth for depth, _ in self.counts.values()})


_STORIES = (PUBLISHED, 14, (27.5, 30.5), 43)
SHAPES: Mapping[str, Shape] = {
    "default": Shape(*_STORIES),
    "control": Shape(*_STORIES),
    "xl": Shape(*_STORIES, whole=4),
    "deep": Shape(DEEP, 9, (46.0, 51.0), 60),
    "train": Shape(*_STORIES, whole=4),
}


def prefix_of(tier: str) -> str:
    """The name that a tier's ``activity_label`` carries.

    >>> prefix_of("default"), prefix_of("xl")
    ('deeparithmark-1', 'deeparithmark-1-xl')
    """
    return NAME if tier == "default" else f"{NAME}-{tier}"


def tier_of_item(item: Item) -> str | None:
    """The tier that an item's ``activity_label`` names, None for an unknown one."""
    parts = str(item.get("activity_label")).split("::")
    return next((tier for tier in SHAPES if len(parts) > 1 and parts[1] == prefix_of(tier)), None)


def shape_of(items: Iterable[Item | dict[str, Any]]) -> Shape:
    """The shape that a set must have: that of its first item's tier, or the default one."""
    return SHAPES[next((tier for item in items if (tier := tier_of_item(item))), "default")]
