"""The bench as four-way choice: wrong options are named slips, balanced as DeepArithmark's are.

Items have DeepArithmark's schema, so whatever reads, audits and scores that set does so with this one. Each type gives
16 items for every slot and rank of the right option; the questions are the clean ones of the default split, each used
at most once.

As in DeepArithmark's leans, each look at the options is a count per option, and its lean is the right option's count
less the mean over the options. A slip often has a direction (a dropped carry only ever lowers a sum), so what must not
lean is where the others lie from an option: how far above or below, and by how many times which power of ten.
"""

from bisect import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from ..choices.ledger import Entry, Ledger, entry, place_of
from ..choices.options import OPTIONS, Choices, OptionSet, choices
from ..choices.shortcuts import DIRECT_ARITHMETIC
from ..choices.watched import RANK_LOOKS, rank_leans
from ..errors import InputError
from ..expression import Expression
from ..streams import Stream
from .build import SEED, Item, build, build_fewshot
from .slips import problem
from .types import question_type

_DIVISORS = (3, 4, 7, 8, 9, 11)
# Gaps as parts of the mean option.
_EDGES = (0.001, 0.005, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8)
_BINS = len(_EDGES) + 1
# Gaps of 1, 2, 9 and other multiples of a power of ten, from the tens, hundreds and higher.
_MULTIPLES = {1: 0, 2: 1, 9: 2}
_STEPS = (len(_MULTIPLES) + 1) * 3
LEANS = len(_DIVISORS) + 10 + 9 + 2 * _BINS + 2 * _STEPS
MC_NAME = "zenyx-arithmetic-mc"
# Of the wrong options; the questions have the version of the bench.
MC_VERSION = 2
# 16 of every slot and rank: as many items per type as DeepArithmark has per depth (250), with both balanced exactly.
MC_PER_TYPE = 256
_CELLS = OPTIONS * OPTIONS
# Option sets weighed for one item, and questions looked at to find one whose answer can have every rank.
_WEIGHED, _DRAWS = 24, 400
# Bare numbers have little but these leans to be told apart by: they are held as tightly as a strategy.
_LEAN_FREEDOM = 1.0
# Strategies that do the arithmetic of a bare question are no shortcuts.
_NOT_WATCHED = frozenset(map(place_of, DIRECT_ARITHMETIC))


def leans(values: Sequence[int]) -> list[float]:
    """The ``LEANS`` leans of ``values[0]``, the right one of four options, in a fixed order."""
    looks = [_looks(value, values) for value in values]
    return [right - sum(column) / len(values) for right, column in zip(looks[0], zip(*looks, strict=True), strict=True)]


def _looks(value: int, values: Sequence[int]) -> list[int]:
    numeral = str(value)
    counts = [int(value % part == 0) for part in _DIVISORS]
    counts += [numeral.count(digit) for digit in "0123456789"]
    counts += [int(numeral[0] == digit) for digit in "123456789"]
    gaps, steps = [0] * (2 * _BINS), [0] * (2 * _STEPS)
    whole = sum(values)
    for other in values:
        gap = abs(other - value)
        if gap:
            above = other > value
            gaps[_BINS * above + bisect(_EDGES, gap * len(values) / whole)] += 1
            steps[_STEPS * above + _step(gap)] += 1
    return counts + gaps + steps


def _step(gap: int) -> int:
    """The kind of a gap: which multiple of which power of ten.

    >>> _step(10), _step(900), _step(1234000)
    (0, 6, 11)
    """
    zeros = 0
    while gap % 10 == 0:
        gap //= 10
        zeros += 1
    return _MULTIPLES.get(gap, len(_MULTIPLES)) + (len(_MULTIPLES) + 1) * (min(max(zeros, 1), 3) - 1)


@dataclass(frozen=True, slots=True)
class _Candidate:
    question: Item
    options: OptionSet
    entry: Entry


def build_multiple_choice(
    seed: int = SEED, questions: Sequence[Item] | None = None, per_type: int = MC_PER_TYPE
) -> list[Item]:
    """The test split: ``per_type`` items of each type, from ``questions`` (default: the default test split).

    ``InputError`` when ``per_type`` is no multiple of 16 or a type's questions do not suffice.
    """
    return list(generate(seed, build(seed) if questions is None else questions, per_type))


def generate(seed: int, questions: Sequence[Item], per_type: int) -> Iterator[Item]:
    """The items one by one."""
    if per_type < 1 or per_type % _CELLS:
        raise InputError(f"items per type must be a multiple of {_CELLS}, not {per_type}")
    pools: dict[str, list[Item]] = {}
    for question in questions:
        pools.setdefault(question["type"], []).append(question)
    cells = [(code, rank, slot) for code in pools for rank, slot in product(range(OPTIONS), repeat=2)]
    cells *= per_type // _CELLS
    Stream(f"{MC_NAME}-test-order", MC_VERSION, seed, 0).shuffle(cells)
    ledger = Ledger(LEANS + RANK_LOOKS, _LEAN_FREEDOM)
    for index, (code, rank, slot) in enumerate(cells):
        stream = Stream(f"{MC_NAME}-test", MC_VERSION, seed, index)
        found = _ask(pools[code], rank, stream)
        if found is None:
            raise InputError(f"{code}: no question left with wrong options for a right one of rank {rank}")
        candidates = _candidates(*found, rank, stream)
        chosen = min(candidates, key=lambda candidate: ledger.cost(code, candidate.entry))
        ledger.add(code, chosen.entry)
        pools[code].remove(chosen.question)
        yield _item(index, "test", chosen, slot, stream)


def build_multiple_choice_fewshot(seed: int = SEED) -> list[Item]:
    """The exemplars of the bench that have wrong options to offer; slots and ranks as they come."""
    items: list[Item] = []
    for index, question in enumerate(build_fewshot(seed)):
        stream = Stream(f"{MC_NAME}-fewshot", MC_VERSION, seed, index)
        wrong = choices(problem(expression(question), stream))
        found = [candidate for rank in range(OPTIONS) for candidate in _candidates(question, wrong, rank, stream)]
        if found:
            items.append(_item(len(items), "fewshot", stream.choice(found), stream.below(OPTIONS), stream))
    return items


def expression(question: Item) -> Expression:
    """The operation that a question of the bench asks for."""
    return Expression(question["a"], question["operator"], question["b"])


def _ask(pool: Sequence[Item], rank: int, stream: Stream) -> tuple[Item, Choices] | None:
    """A question whose answer can have every rank, so that the question does not tell which one it has.

    Where a type has not enough of them (three-digit subtraction), one whose answer can have this rank.
    """
    other = None
    for question in stream.sample(pool, min(len(pool), _DRAWS)):
        found = choices(problem(expression(question), stream))
        if all(map(found.allow, range(OPTIONS))):
            return question, found
        if other is None and found.allow(rank):
            other = question, found
    return other


def _candidates(question: Item, wrong: Choices, rank: int, stream: Stream) -> list[_Candidate]:
    asked, sets = expression(question), wrong.sets(rank, stream)
    found = []
    for options in stream.sample(sets, min(len(sets), _WEIGHED)):
        places = [(place, lean) for place, lean in enumerate(leans(options.values)) if lean]
        places += [(LEANS + place, lean) for place, lean in rank_leans(options)]
        made = entry(options, (asked.left, asked.right), "", None, places)
        watched = tuple([change for change in made if change[0] not in _NOT_WATCHED])
        found.append(_Candidate(question, options, watched))
    return found


def _item(index: int, split: str, chosen: _Candidate, slot: int, stream: Stream) -> dict[str, Any]:
    question, options = chosen.question, chosen.options
    kind = question_type(question["type"])
    wrong = list(range(1, OPTIONS))
    stream.shuffle(wrong)
    order = [*wrong[:slot], 0, *wrong[slot:]]
    values = [options.values[position] for position in order]
    return {
        "ind": index,
        "activity_label": f"zenyx::{MC_NAME}::{kind.operation}::{kind.code}",
        "ctx": f"Question: {question['question']}\nAnswer:",
        "endings": [f" {value}" for value in values],
        "label": str(slot),
        "source_id": f"zenyx_mc_v{MC_VERSION}_{question['id']}",
        "split": split,
        "split_type": "synthetic",
        "metadata": {
            "answer": question["answer"],
            "unit": "",
            "topic": kind.operation,
            "template": kind.code,
            "depth": 1,
            "option_values": values,
            "option_sources": [options.sources[position] for position in order],
            "answer_rank": sorted(values).index(options.values[0]),
        },
    }
