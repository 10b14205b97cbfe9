"""Claims on a whole set: numbering, repetitions, and balance of slots, ranks and templates."""

from collections import Counter
from collections.abc import Iterator, Sequence

from ...claims import Failure, NumberedItem
from .recompute import identity

DEPTHS = (2, 3, 4, 5)
OPTIONS = 4
SLOTS = ("0", "1", "2", "3")
# The published counts of 1,000 items.
COUNTS = {
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
TOPICS = 14
MEAN_WORDS = (27.5, 30.5)
Items = Sequence[NumberedItem]


def numbering(items: Items) -> Iterator[Failure]:
    """``ind`` counts from 0 in file order, and all items are of one split."""
    splits = Counter(item["split"] for _, item in items)
    split = splits.most_common(1)[0][0] if splits else ""
    for place, (line, item) in enumerate(items):
        if item["ind"] != place:
            yield Failure(line, f"ind is {item['ind']}, the item's place is {place}")
        if item["split"] != split:
            yield Failure(line, f"split is {item['split']!r}, that of most items is {split!r}")


def unique(items: Items) -> Iterator[Failure]:
    """No context twice, and no template twice with the same numbers."""
    seen: dict[object, int] = {}
    for line, item in items:
        template = item["metadata"]["template"]
        for name, key in (("context", item["ctx"]), ("template and numbers", identity(template, item["ctx"]))):
            first = seen.setdefault(key, line)
            if first != line:
                yield Failure(line, f"the same {name} as on line {first}: {item['ctx']!r}")


def counts(items: Items) -> Iterator[Failure]:
    """Every template at its own depth, depths equally often, templates by their published shares."""
    total = len(items)
    found: Counter[str] = Counter()
    for line, item in items:
        template, depth = item["metadata"]["template"], item["metadata"]["depth"]
        found[template] += 1
        if template not in COUNTS:
            yield Failure(line, f"unknown template {template!r}")
        elif COUNTS[template][0] != depth:
            yield Failure(line, f"{template} at depth {depth}, not {COUNTS[template][0]}")
    for template, (_, published) in COUNTS.items():
        # Rounding a share to whole items moves it by less than one, once within its depth and once among the depths.
        slack = 0.0 if total % 1000 == 0 else 2.0
        if abs(found[template] - published * total / 1000) > slack:
            yield Failure(None, f"{found[template]} items of {template}, not {published * total / 1000:g}")
    topics = {item["metadata"]["topic"] for _, item in items}
    if total >= 1000 and len(topics) != TOPICS:
        yield Failure(None, f"{len(topics)} topics, not {TOPICS}: {sorted(topics)}")


def placed_evenly(items: Items) -> Iterator[Failure]:
    """In every slot x rank x depth cell the same number of items, give or take one within a depth; so in sum."""
    cells = Counter((item["metadata"]["depth"], item["label"], item["metadata"]["answer_rank"]) for _, item in items)
    for depth in DEPTHS:
        sizes = [cells[depth, slot, rank] for slot in SLOTS for rank in range(OPTIONS)]
        if max(sizes) - min(sizes) > 1:
            yield Failure(None, f"slot x rank cells of depth {depth} hold from {min(sizes)} to {max(sizes)} items")
    for name, place, values in (("slot", 1, SLOTS), ("rank", 2, range(OPTIONS))):
        sums = [sum(size for cell, size in cells.items() if cell[place] == value) for value in values]
        if max(sums) - min(sums) > OPTIONS:
            yield Failure(None, f"right options per {name}: {sums}, more than {OPTIONS} apart")


def ranks_per_template(items: Items) -> Iterator[Failure]:
    """Within a template, every answer rank holds a quarter of the items, give or take one."""
    ranks: dict[str, Counter[int]] = {}
    for _, item in items:
        ranks.setdefault(item["metadata"]["template"], Counter())[item["metadata"]["answer_rank"]] += 1
    for template, found in ranks.items():
        sizes = [found[rank] for rank in range(OPTIONS)]
        if any(abs(size - sum(sizes) / OPTIONS) > 1 for size in sizes):
            yield Failure(None, f"answer ranks of {template}: {sizes}, more than one from a quarter")


def prompt_lengths(items: Items) -> Iterator[Failure]:
    """The mean prompt has 29 words, give or take one and a half (sets of at least 100 items)."""
    if len(items) < 100:
        return
    mean = sum(len(item["ctx"].split()) for _, item in items) / len(items)
    if not MEAN_WORDS[0] <= mean <= MEAN_WORDS[1]:
        yield Failure(None, f"the mean prompt has {mean:.1f} words, not 29 +- 1.5")
