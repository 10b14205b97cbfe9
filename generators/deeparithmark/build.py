"""Builds a set: one stream per item draws the candidates, the plan and the totals choose among them."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from ..choices.item import answer_text, ending_text, numbers_in
from ..choices.options import OPTIONS
from ..streams import Stream
from .candidates import Candidate, candidates, identity
from .edition import DIFFICULTY, SEED, VERSION
from .plan import Cell, plan
from .repair import REPAIRED_ITEMS, Totals, repair
from .tiers import TIERS, Tier, reference_of, tier_of

Item = dict[str, Any]


def build(seed: int = SEED, items: int | None = None) -> list[Item]:
    """The default test split: ``items`` items in order, the same for the same arguments on every machine."""
    return build_split("default", "test", seed, items)


def build_fewshot(seed: int = SEED) -> list[Item]:
    """The default few-shot split: 40 items, 10 per depth, disjoint from every test split by construction."""
    return build_split("default", "fewshot", seed)


def build_split(tier: str, split: str, seed: int = SEED, items: int | None = None) -> list[Item]:
    """A split of a tier, of its usual size unless ``items`` says otherwise; ``InputError`` for an unknown tier."""
    found = tier_of(tier)
    return list(generate(found, split, seed, found.splits[split] if items is None else items))


def generate(tier: Tier, split: str, seed: int, items: int) -> Iterator[Item]:
    """The items of a split one by one; ``ValueError`` when ``items`` is not a positive count."""
    if items < 1:
        raise ValueError(f"a set has at least one item, not {items}")
    drawn = _draw(tier, split, seed, items)
    return drawn if tier.rewrite is None else tier.rewrite(drawn)


def _draw(tier: Tier, split: str, seed: int, items: int) -> Iterator[Item]:
    name, published = f"{tier.stream}-{split}", is_published(tier, seed)
    cells = plan(items, tier.families, Stream(f"{name}-order", VERSION, seed, 0), tier.whole)
    totals = Totals(tier.watch, texts=tier.watch.texts and not published)
    taken = _barred(tier, split, seed)
    kept: list[tuple[Stream, Candidate]] = []
    for index, cell in enumerate(cells):
        stream = Stream(name, VERSION, seed, index)
        chosen = totals.best(cell, candidates(stream, cell, split, taken, tier.watch))
        totals.add(cell, chosen)
        taken.add(chosen.identity)
        if published or items > REPAIRED_ITEMS:
            yield _item(tier, index, cell, split, chosen, stream)
        else:
            kept.append((stream, chosen))

    def redraw(round: int, index: int) -> tuple[Stream, list[Candidate]]:
        stream = Stream(f"{name}-repair-{round}", VERSION, seed, index)
        return stream, candidates(stream, cells[index], split, taken, tier.watch)

    for index, (stream, chosen) in enumerate(repair(kept, cells, totals, taken, redraw)):
        yield _item(tier, index, cells[index], split, chosen, stream)


def is_published(tier: Tier, seed: int) -> bool:
    """Whether a set is the published one, kept as drawn before the rules of ``spellings.py`` and ``repair.py``."""
    return seed == SEED and tier.stream == TIERS["default"].stream


def is_reference(tier: Tier, seed: int) -> bool:
    """Whether a set is the one of its families that no other set may repeat."""
    return seed == SEED and tier.stream == reference_of(tier).stream


@lru_cache(maxsize=8)
def identities(tier: str, split: str) -> frozenset[str]:
    """The template and numbers of every item of a tier's set of the default seed."""
    items = build_split(tier, split)
    return frozenset(identity(item["metadata"]["template"], numbers_in(item["ctx"])) for item in items)


def _barred(tier: Tier, split: str, seed: int) -> set[str]:
    reference = reference_of(tier)
    if is_reference(tier, seed) or split not in reference.splits:
        return set()
    return set(identities(reference.name, split))


def _item(tier: Tier, index: int, cell: Cell, split: str, chosen: Candidate, stream: Stream) -> Item:
    family, problem, options = cell.family, chosen.problem, chosen.options
    wrong = list(range(1, OPTIONS))
    stream.shuffle(wrong)
    order = [*wrong[: cell.slot], 0, *wrong[cell.slot :]]
    name = f"{family.topic}_depth{family.depth}"
    prefix = "deeparithmark" if tier.name == "default" else f"deeparithmark_{tier.name}"
    labels = ("deeparithmark", tier.label, family.topic, f"depth{family.depth}", DIFFICULTY[family.depth])
    return {
        "ind": index,
        "activity_label": "::".join(labels),
        "ctx": problem.prompt,
        "endings": [ending_text(options.values[position], problem.unit) for position in order],
        "label": str(cell.slot),
        "source_id": f"{prefix}_v{VERSION}_{name}_{index:04d}",
        "split": split,
        "split_type": "synthetic",
        "metadata": {
            "answer": answer_text(options.values[0], problem.unit),
            "unit": problem.unit,
            "topic": family.topic,
            "template": family.template,
            "depth": family.depth,
            "option_values": [options.values[position] for position in order],
            "option_sources": [options.sources[position] for position in order],
            "answer_rank": cell.rank,
            "solution_steps": list(chosen.steps),
        },
    }
