"""Claims on a whole set: numbering, repetitions, and balance of slots, ranks and templates."""

from collections import Counter
from collections.abc import Iterator, Sequence

from ...choices.claims import RecomputeError, prompt_numbers
from ...claims import Failure, Item, NumberedItem
from .expected import Shape, shape_of, tier_of_item
from .recompute import identity

OPTIONS = 4
# Only so many items can be told apart by two numbers.
UNLIKE_ITEMS = 1_000
SLOTS = ("0", "1", "2", "3")
Items = Sequence[NumberedItem]


def numbering(items: Items) -> Iterator[Failure]:
    """``ind`` counts from 0 in file order, and all items are of one split of one tier."""
    splits = Counter(item["split"] for _, item in items)
    split = splits.most_common(1)[0][0] if splits else ""
    tier = tier_of_item(items[0][1]) if items else None
    for place, (line, item) in enumerate(items):
        if item["ind"] != place:
            yield Failure(line, f"ind is {item['ind']}, the item's place is {place}")
        if item["split"] != split:
            yield Failure(line, f"split is {item['split']!r}, that of most items is {split!r}")
        if tier_of_item(item) != tier:
            yield Failure(line, f"the tier is {tier_of_item(item)!r}, that of the first item is {tier!r}")


def unique(items: Items) -> Iterator[Failure]:
    """No context twice, no template twice with the same numbers, nor, in sets of up to 1,000, with all but one."""
    seen: dict[object, int] = {}
    for line, item in items:
        template = item["metadata"]["template"]
        for name, key in (("context", item["ctx"]), ("template and numbers", identity(template, item["ctx"]))):
            first = seen.setdefault(key, line)
            if first != line:
                yield Failure(line, f"the same {name} as on line {first}: {item['ctx']!r}")
        if len(items) <= UNLIKE_ITEMS:
            yield from _near(line, item, seen)


def _near(line: int, item: Item, seen: dict[object, int]) -> Iterator[Failure]:
    try:
        numbers = prompt_numbers(item["ctx"])
    except RecomputeError:  # reported by the claims on the item
        return
    for place in range(len(numbers)):
        key = item["metadata"]["template"], place, *numbers[:place], *numbers[place + 1 :]
        first = seen.setdefault(key, line)
        if first != line:
            yield Failure(line, f"the same template and numbers but one as on line {first}: {item['ctx']!r}")


def counts(items: Items) -> Iterator[Failure]:
    """Every template at its own depth, depths equally often, templates by their published shares."""
    shape = _shape(items)
    total = len(items)
    found: Counter[str] = Counter()
    for line, item in items:
        template, depth = item["metadata"]["template"], item["metadata"]["depth"]
        found[template] += 1
        if template not in shape.counts:
            yield Failure(line, f"unknown template {template!r}")
        elif shape.counts[template][0] != depth:
            yield Failure(line, f"{template} at depth {depth}, not {shape.counts[template][0]}")
    # Rounding a share to whole items moves it by less than one, once within its depth and once among the depths.
    slack = 0.0 if total % shape.total == 0 and shape.whole == 1 else float(max(2, shape.whole))
    for template, (_, share) in shape.counts.items():
        if abs(found[template] - share * total / shape.total) > slack:
            yield Failure(None, f"{found[template]} items of {template}, not {share * total / shape.total:g}")
    topics = {item["metadata"]["topic"] for _, item in items}
    if total >= shape.total and len(topics) != shape.topics:
        yield Failure(None, f"{len(topics)} topics, not {shape.topics}: {sorted(topics)}")


def _shape(items: Items) -> Shape:
    return shape_of(item for _, item in items)


def placed_evenly(items: Items) -> Iterator[Failure]:
    """In every slot x rank x depth cell the same number of items, give or take one within a depth; so in sum."""
    cells = Counter((item["metadata"]["depth"], item["label"], item["metadata"]["answer_rank"]) for _, item in items)
    for depth in _shape(items).depths:
        sizes = [cells[depth, slot, rank] for slot in SLOTS for rank in range(OPTIONS)]
        if max(sizes) - min(sizes) > 1:
            yield Failure(None, f"slot x rank cells of depth {depth} hold from {min(sizes)} to {max(sizes)} items")
    for name, place, values in (("slot", 1, SLOTS), ("rank", 2, range(OPTIONS))):
        sums = [sum(size for cell, size in cells.items() if cell[place] == value) for value in values]
        if max(sums) - min(sums) > OPTIONS:
            yield Failure(None, f"right options per {name}: {sums}, more than {OPTIONS} apart")


def ranks_per_template(items: Items) -> Iterator[Failure]:
    """Within a template, every answer rank holds a quarter of the items, give or take one; exactly, in ``xl``."""
    shape = _shape(items)
    exact = shape.whole == OPTIONS and len(items) % (OPTIONS * len(shape.depths)) == 0
    ranks: dict[str, Counter[int]] = {}
    for _, item in items:
        ranks.setdefault(item["metadata"]["template"], Counter())[item["metadata"]["answer_rank"]] += 1
    for template, found in ranks.items():
        sizes = [found[rank] for rank in range(OPTIONS)]
        if any(abs(size - sum(sizes) / OPTIONS) > (0 if exact else 1) for size in sizes):
            yield Failure(
                None, f"answer ranks of {template}: {sizes}, {'not' if exact else 'more than one from'} a quarter"
            )


def prompt_lengths(items: Items) -> Iterator[Failure]:
    """The mean prompt is as long as the tier says (sets of at least 100 items)."""
    if len(items) < 100:
        return
    mean = sum(len(item["ctx"].split()) for _, item in items) / len(items)
    low, high = _shape(items).mean_words
    if not low <= mean <= high:
        yield Failure(None, f"the mean prompt has {mean:.1f} words, not {low:g} to {high:g}")
