"""Builds a set: one stream per item draws the candidates, the plan and the totals choose among them.

The plan says how many items each family gives, and where each item's right option must stand. Counts are dealt like
cards, so that every axis differs by at most one at any size: families within a depth by their published shares, answer
ranks within a family, slots within a (depth, rank) column. At 1,000 items this gives the published slots
252/252/248/248, ranks 248/252/248/252 and 15 or 16 items in every slot x rank x depth cell.

The choices are greedy: an early one is never taken back, and a template whose numbers allow few option sets can leave a
strategy a point off. The pass goes through the items, weighs other option sets of the same story and keeps what brings
the totals nearer, until every strategy is within the goal. A set that meets the goals is left as it is.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from math import sqrt
from typing import Any

from ..choices.item import answer_text, ending_text, numbers_in
from ..choices.ledger import Ledger, TextTotals
from ..choices.options import OPTIONS, OptionSet
from ..choices.problem import Problem
from ..choices.watched import LEANS, Watch
from ..streams import Stream
from .candidates import Candidate, candidates, identity, near, story
from .edition import DIFFICULTY, SEED, VERSION
from .families import Family
from .tiers import TIERS, Tier, reference_of, tier_of

# The ranks that get one item more when a count is not a multiple of four, in this order.
_RANK_ORDER = (1, 3, 0, 2)
# On larger sets a total of chance size is far within the goal, and their items need not be kept.
REPAIRED_ITEMS = 5_000
_ROUNDS = 2
# The audit's goal is one point; on small sets, where a point is an item or two, a part of what chance leaves.
_GOAL, _SMALL_GOAL = 0.009, 0.3
Drawn = tuple[Stream, Candidate]
Again = Callable[[int, int], list[Candidate]]
Item = dict[str, Any]
# In sets of so many items two of a template differ in at least two numbers. Larger ones would run out of stories: with
# nine discounts and sixty charges, only 540 can be told apart twice.
UNLIKE_ITEMS = 1_000


@dataclass(frozen=True, slots=True)
class Cell:
    """Where one item's right option stands: ``rank`` counts from the smallest value, ``slot`` from the first ending."""

    family: Family
    rank: int
    slot: int


def apportion(total: int, shares: Sequence[int]) -> list[int]:
    """Split ``total`` in proportion to ``shares`` by largest remainder, earlier entries first on ties.

    >>> apportion(250, [122, 128]), apportion(10, [1, 1, 1])
    ([122, 128], [4, 3, 3])
    """
    whole = sum(shares)
    counts = [total * share // whole for share in shares]
    by_remainder = sorted(range(len(shares)), key=lambda index: (-(total * shares[index] % whole), index))
    for index in by_remainder[: total - sum(counts)]:
        counts[index] += 1
    return counts


def plan(items: int, families: Sequence[Family], order: Stream, whole: int = 1) -> list[Cell]:
    """The cells of a set of ``items`` in item order; ``order`` shuffles them, the counts depend on the rest alone.

    Templates get their items ``whole`` at a time where the depth's items divide by it.
    """
    cells: list[Cell] = []
    depths = sorted({family.depth for family in families})
    for depth, depth_items in zip(depths, apportion(items, [1] * len(depths)), strict=True):
        members = [family for family in families if family.depth == depth]
        unit = 1 if depth_items % whole else whole
        counts = apportion(depth_items // unit, [family.share for family in members])
        cells += _depth_cells(members, [unit * count for count in counts])
    order.shuffle(cells)
    return cells


def _depth_cells(members: Sequence[Family], counts: Sequence[int]) -> list[Cell]:
    columns: list[list[Family]] = [[] for _ in range(OPTIONS)]
    extra = count()
    for family, items in zip(members, counts, strict=True):
        for rank in range(OPTIONS):
            columns[rank] += [family] * (items // OPTIONS)
        for _ in range(items % OPTIONS):
            columns[_RANK_ORDER[next(extra) % OPTIONS]].append(family)
    slots = count()
    cells = []
    for rank, column in enumerate(columns):
        # Whole rounds of four first, then the odd ones out continue the deal where the last column stopped.
        rounds = [slot for _ in range(len(column) // OPTIONS) for slot in range(OPTIONS)]
        rounds += [next(slots) % OPTIONS for _ in range(len(column) % OPTIONS)]
        cells += [Cell(family, rank, slot) for family, slot in zip(column, rounds, strict=True)]
    return cells


class Totals:
    """The ledger with the leans and, where they are watched, the totals of what the endings are written with."""

    def __init__(self, watch: Watch) -> None:
        self.ledger = Ledger(LEANS, watch.freedom, watch.within)
        self._texts = TextTotals() if watch.texts else None

    def best(self, cell: Cell, found: Sequence[Candidate]) -> Candidate:
        """The candidate that brings the totals nearest to chance, the first of equals."""
        return min(found, key=lambda candidate: self.cost(cell, candidate))

    def cost(self, cell: Cell, candidate: Candidate) -> float:
        cost = self.ledger.cost(cell.family.template, candidate.entry)
        return cost if self._texts is None else cost + self._texts.cost(candidate.text())

    def add(self, cell: Cell, candidate: Candidate) -> None:
        """Take the chosen candidate into the totals."""
        self.ledger.add(cell.family.template, candidate.entry)
        if self._texts is not None:
            self._texts.add(candidate.text())

    def remove(self, cell: Cell, candidate: Candidate) -> None:
        """Take a candidate back out of the totals."""
        self.ledger.remove(cell.family.template, candidate.entry)
        if self._texts is not None:
            self._texts.remove(candidate.text())


def repair(kept: list[Drawn], cells: Sequence[Cell], totals: Totals, again: Again) -> None:
    """Choose again among the option sets of each item's own story, where that is needed; ``kept`` is changed."""
    goal = max(_GOAL * len(kept), _SMALL_GOAL * sqrt(len(kept)))
    for number in range(_ROUNDS):
        for index, (stream, chosen) in enumerate(kept):
            if totals.ledger.farthest() <= goal:
                return
            cell = cells[index]
            totals.remove(cell, chosen)
            best = chosen
            if totals.cost(cell, chosen) > 0:
                best = totals.best(cell, [chosen, *again(number, index)])
                kept[index] = stream, best
            totals.add(cell, best)


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
