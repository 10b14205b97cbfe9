"""Builds a set: one stream per item draws the candidates, the plan and the ledger choose among them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from zlib import crc32

from ..streams import Stream
from .balance import Cell, plan
from .ledger import Entry, Ledger, entry
from .options import OPTIONS, OptionSet, option_sets
from .problem import Problem, UnusableError
from .schema import DIFFICULTY, SEED, VERSION, answer_text, ending_text, numbers_in
from .tiers import Tier, tier_of

# Candidates weighed for one item, from at most so many stories.
_CANDIDATES, _STORIES, _DRAWS = 24, 4, 2000
# So many stories are passed over while each of their option sets holds a value that a glance rules out.
_PATIENCE = 24
# A rank that a family's numbers seldom allow may need more draws than that for its first candidate.
_MOST_DRAWS = 200_000
# One in so many (template, numbers) belongs to the few-shot split, the others to the test split: no test item can
# share its numbers, or its context, with an exemplar.
_FEWSHOT_PART = 16


Item = dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Candidate:
    problem: Problem
    steps: tuple[str, ...]
    options: OptionSet
    entry: Entry


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
    ledger = Ledger()
    taken: set[str] = set()
    name = f"{tier.stream}-{split}"
    for index, cell in enumerate(plan(items, tier.families, Stream(f"{name}-order", VERSION, seed, 0), tier.whole)):
        stream = Stream(name, VERSION, seed, index)
        template = cell.family.template
        candidates = _candidates(stream, cell, split, taken)
        chosen = min(candidates, key=lambda candidate: ledger.cost(template, candidate.entry))
        ledger.add(template, chosen.entry)
        taken.add(_identity(template, numbers_in(chosen.problem.prompt)))
        yield _item(tier, index, cell, split, chosen, stream)


def _identity(template: str, numbers: Sequence[int]) -> str:
    return f"{template} {' '.join(map(str, numbers))}"


def _candidates(stream: Stream, cell: Cell, split: str, taken: set[str]) -> list[_Candidate]:
    found: list[_Candidate] = []
    stories = weighed = 0
    for drawn in range(_MOST_DRAWS):
        if found and drawn >= _DRAWS:
            break
        try:
            problem = cell.family.draw(stream)
            _, steps = problem.solution()
        except UnusableError:
            continue
        numbers = numbers_in(problem.prompt)
        identity = _identity(cell.family.template, numbers)
        if identity in taken or (crc32(identity.encode()) % _FEWSHOT_PART == 0) != (split == "fewshot"):
            continue
        if len(steps) != cell.family.depth:
            raise ValueError(f"{cell.family.template}: {len(steps)} steps at depth {cell.family.depth}: {steps}")
        sets = option_sets(problem, cell.rank)
        stories += bool(sets)
        allowed = [options for options in sets if options.allowed == OPTIONS]
        if not sets or (stories < _PATIENCE and not allowed):
            continue
        sets = allowed or sets
        weighed += 1
        for options in stream.sample(sets, min(len(sets), _CANDIDATES // _STORIES)):
            made = entry(options, numbers, problem.unit, _first_result(steps))
            found.append(_Candidate(problem, tuple(steps), options, made))
        if weighed == _STORIES:
            return found
    if not found:
        raise ValueError(f"{cell.family.template}: no option set of rank {cell.rank} in {_MOST_DRAWS} draws")
    return found


def _first_result(steps: Sequence[str]) -> int:
    return numbers_in(steps[0].rpartition(" = ")[2])[0]


def _item(tier: Tier, index: int, cell: Cell, split: str, chosen: _Candidate, stream: Stream) -> Item:
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
