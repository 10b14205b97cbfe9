"""Builds a set: one stream per item draws the candidates, the plan and the totals choose among them."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from ..choices.item import answer_text, ending_text, numbers_in
from ..choices.options import OPTIONS, OptionSet
from ..choices.problem import Problem
from ..streams import Stream
from .candidates import Candidate, candidates, identity, near, story
from .edition import DIFFICULTY, SEED, VERSION
from .plan import Cell, plan
from .repair import REPAIRED_ITEMS, Totals, repair
from .tiers import TIERS, Tier, reference_of, tier_of

Item = dict[str, Any]
# In sets of so many items two of a template differ in at least two numbers. Larger ones would run out of stories: with
# nine discounts and sixty charges, only 540 can be told apart twice.
UNLIKE_ITEMS = 1_000


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
    source = _source_of(tier)
    rows = _draw(source, split, seed, items) if items > REPAIRED_ITEMS else _drawn(source.name, split, seed, items)
    labelled = (_labelled(tier, row) for row in rows)
    return labelled if tier.rewrite is None else tier.rewrite(labelled)


def _source_of(tier: Tier) -> Tier:
    """The first tier of the same stream: both have its stories."""
    return next(other for other in TIERS.values() if other.stream == tier.stream)


@lru_cache(maxsize=12)
def _drawn(tier: str, split: str, seed: int, items: int) -> tuple[Item, ...]:
    """The items of a set, drawn once: a build writes them, takes its control from them and compares other sets."""
    return tuple(_draw(tier_of(tier), split, seed, items))


def _labelled(tier: Tier, row: Item) -> Item:
    """A copy of an item, nothing of it shared, with the names that it has in a tier."""
    data: Mapping[str, Any] = row["metadata"]
    name = f"{data['topic']}_depth{data['depth']}"
    prefix = "deeparithmark" if tier.name == "default" else f"deeparithmark_{tier.name}"
    labels = ("deeparithmark", tier.label, data["topic"], f"depth{data['depth']}", DIFFICULTY[data["depth"]])
    return row | {
        "activity_label": "::".join(labels),
        "endings": list(row["endings"]),
        "source_id": f"{prefix}_v{VERSION}_{name}_{row['ind']:04d}",
        "metadata": {key: list(value) if isinstance(value, list) else value for key, value in data.items()},
    }


def _draw(tier: Tier, split: str, seed: int, items: int) -> Iterator[Item]:
    name = f"{tier.stream}-{split}"
    cells = plan(items, tier.families, Stream(f"{name}-order", VERSION, seed, 0), tier.whole)
    totals = Totals(tier.watch)
    taken = _barred(tier, split, seed)
    kept: list[tuple[Stream, Candidate]] = []
    for index, cell in enumerate(cells):
        stream = Stream(name, VERSION, seed, index)
        drawn = story(stream, cell.family, split, taken, totals.ledger)
        taken.add(drawn.identity)
        if items <= UNLIKE_ITEMS:
            taken.update(near(cell.family.template, drawn.numbers))
        chosen = totals.best(cell, candidates(stream, drawn, cell.rank))
        totals.add(cell, chosen)
        if items > REPAIRED_ITEMS:
            yield _item(index, cell, split, chosen, stream)
        else:
            kept.append((stream, chosen))

    def again(round: int, index: int) -> list[Candidate]:
        stream = Stream(f"{name}-repair-{round}", VERSION, seed, index)
        return candidates(stream, kept[index][1].story, cells[index].rank)

    repair(kept, cells, totals, again)
    for index, (stream, chosen) in enumerate(kept):
        yield _item(index, cells[index], split, chosen, stream)


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


def _first_step(problem: Problem, options: OptionSet, position: int) -> int | None:
    """The step, from 1, at which the slips behind an option first show; None for the right one."""
    slips = options.made_of[position - 1] if position else ()
    changes = {key: value for slip in slips for key, value in problem.mistakes[slip.stage][slip.name].items()}
    return problem.first_step(changes)


def _item(index: int, cell: Cell, split: str, chosen: Candidate, stream: Stream) -> Item:
    family, problem, options = cell.family, chosen.story.problem, chosen.options
    wrong = list(range(1, OPTIONS))
    stream.shuffle(wrong)
    order = [*wrong[: cell.slot], 0, *wrong[cell.slot :]]
    return {
        "ind": index,
        "activity_label": "",
        "ctx": problem.prompt,
        "endings": [ending_text(options.values[position], problem.unit) for position in order],
        "label": str(cell.slot),
        "source_id": "",
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
            "solution_steps": list(chosen.story.steps),
            "option_steps": [_first_step(problem, options, position) for position in order],
        },
    }
