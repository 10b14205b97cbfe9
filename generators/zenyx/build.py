"""The splits of the bench: clean questions, the legacy suite, and the exemplars.

A type's questions are shuffled once by its seeded stream; the order depends on the seed alone. Candidate p belongs to
slot p mod 2,000, and each slot takes its first candidate that no training corpus has seen. So a question has one
possible place, and it keeps that place, and its id, whatever else an index holds.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from ..errors import InputError
from ..expression import OPERATORS, Expression, SemanticKey, evaluate, semantic_key
from ..streams import Stream
from .types import DEFAULT_TYPES, LEGACY_TYPES, TYPES, QuestionType, question_type

VERSION = 1
FEWSHOT_PER_TYPE = 8
NAME = "zenyx-arithmetic-bench"
SEED = 20261027
PER_TYPE = 2000
Item = dict[str, Any]
_NOTHING: Set[SemanticKey] = frozenset()


@dataclass(frozen=True, slots=True)
class Selection:
    """The chosen questions in slot order, and what it took.

    ``dropped`` candidates were seen; ``replaced`` counts the slots whose first candidate was among them. ``seen`` of
    the type's ``space`` distinct questions are in the index.
    """

    questions: tuple[Expression, ...]
    dropped: tuple[Expression, ...]
    replaced: int
    seen: int
    space: int


def _shuffled(size: int, stream: Stream) -> Iterator[tuple[int, bool]]:
    """Every number below ``size`` once, uniformly shuffled, each with a coin for the order of its operands.

    Fisher-Yates that stores only the places it touched: the first few of two billion cost no more than of 4,095.
    """
    moved: dict[int, int] = {}
    for position in range(size):
        other = position + stream.below(size - position)
        number = moved.get(other, other)
        here = moved.pop(position, position)
        if other != position:
            moved[other] = here
        yield number, bool(stream.below(2))


def fewshot_numbers(kind: QuestionType, seed: int) -> list[tuple[int, bool]]:
    """The numbers in the type's space of the exemplars, with their coins; no other split ever uses them."""
    stream = Stream(f"zenyx-{kind.code}-fewshot", VERSION, seed, 0)
    order = _shuffled(kind.space.size, stream)
    return [next(order) for _ in range(FEWSHOT_PER_TYPE)]


def fewshot(kind: QuestionType, seed: int) -> list[Expression]:
    """Eight exemplars, disjoint from every candidate."""
    return [kind.space.question(*numbered) for numbered in fewshot_numbers(kind, seed)]


def candidates(kind: QuestionType, seed: int) -> Iterator[tuple[int, bool]]:
    """Every question of the type but its exemplars, in the seed's order, as number and coin for ``space.question``."""
    reserved = {number for number, _ in fewshot_numbers(kind, seed)}
    for number, swap in _shuffled(kind.space.size, Stream(f"zenyx-{kind.code}", VERSION, seed, 0)):
        if number not in reserved:
            yield number, swap


def select(kind: QuestionType, seed: int, count: int, seen: Set[SemanticKey] = frozenset()) -> Selection:
    """``count`` distinct unseen questions, one per slot; ``InputError`` says how many of how many remain.

    >>> from arithmark_tasks.generators.zenyx.types import question_type
    >>> first = select(question_type("2da"), 1, 3)
    >>> second = select(question_type("2da"), 1, 3, {semantic_key(first.questions[1])})
    >>> [old == new for old, new in zip(first.questions, second.questions)]
    [True, False, True]
    """
    in_index = sum(key in kind.space for key in seen)
    _check_room(kind, seed, count, seen, in_index)
    slots: list[Expression | None] = [None] * count
    dropped: list[Expression] = []
    replaced, missing = 0, count
    for position, numbered in enumerate(candidates(kind, seed)):
        slot = position % count
        if slots[slot] is not None:
            continue
        question = kind.space.question(*numbered)
        if semantic_key(question) in seen:
            dropped.append(question)
            replaced += position < count
            continue
        slots[slot] = question
        missing -= 1
        if not missing:
            break
    else:
        _fill_from_leftovers(slots, kind, seed, seen)
    questions = tuple(question for question in slots if question is not None)
    return Selection(questions, tuple(dropped), replaced, in_index, kind.space.size)


def _check_room(kind: QuestionType, seed: int, count: int, seen: Set[SemanticKey], in_index: int) -> None:
    exemplars = sum(semantic_key(question) not in seen for question in fewshot(kind, seed))
    remaining = kind.space.size - in_index - exemplars
    if remaining < count:
        raise InputError(
            f"{kind.code}: only {remaining:,} of {kind.space.size:,} distinct questions remain ({in_index:,} are in "
            f"the seen-index, {exemplars} kept for few-shot prompts), but {count:,} are needed"
        )


def _fill_from_leftovers(slots: list[Expression | None], kind: QuestionType, seed: int, seen: Set[SemanticKey]) -> None:
    # A slot has used up its own share of a nearly exhausted space: it takes what the other slots had no need of.
    taken = {semantic_key(question) for question in slots if question is not None}
    questions = (kind.space.question(*numbered) for numbered in candidates(kind, seed))
    left = (question for question in questions if not any(semantic_key(question) in used for used in (taken, seen)))
    for slot, question in enumerate(slots):
        if question is None:
            slots[slot] = next(left)


@dataclass(frozen=True, slots=True)
class Bench:
    """The items of a test split, and per type what the selection took."""

    items: list[Item]
    selections: Mapping[str, Selection]


def build(seed: int = SEED, seen: Set[SemanticKey] = _NOTHING, types: Sequence[str] = DEFAULT_TYPES) -> list[Item]:
    """A test split: 2,000 distinct questions of each of ``types``, none of them in ``seen``.

    ``InputError`` when a type's space cannot give as many.
    """
    return build_bench(seed, seen, types).items


def build_bench(seed: int = SEED, seen: Set[SemanticKey] = _NOTHING, types: Sequence[str] = DEFAULT_TYPES) -> Bench:
    """``build`` with the figures of the selection: what a certificate states."""
    if len(set(types)) != len(types) or not types:
        raise InputError(f"question types must be given once each, not {', '.join(types) or 'none'}")
    kinds = {code: question_type(code) for code in types}
    legacy = {semantic_key(question) for code in LEGACY_TYPES if code in kinds for question in _legacy(code, seed)}
    shares = _by_type(seen, types)
    selections = {code: select(kind, seed, PER_TYPE, shares[code]) for code, kind in kinds.items()}
    items = [
        _item(kinds[code], f"{code}-{index:04d}", question) | {"in_legacy_14k": semantic_key(question) in legacy}
        for code, selection in selections.items()
        for index, question in enumerate(selection.questions)
    ]
    return Bench(items, selections)


def build_legacy(seed: int = SEED, seen: Set[SemanticKey] | None = None) -> list[Item]:
    """The legacy suite of seven types; ``seen_in_training`` is None where no index was given to look in."""
    return [
        _item(question_type(code), f"{code}-{index:04d}", question)
        | {"seen_in_training": None if seen is None else semantic_key(question) in seen}
        for code in LEGACY_TYPES
        for index, question in enumerate(_legacy(code, seed))
    ]


def build_fewshot(seed: int = SEED, types: Sequence[str] = DEFAULT_TYPES) -> list[Item]:
    """Eight exemplars of each type, in no other split whatever index is used."""
    return [
        _item(question_type(code), f"{code}-fewshot-{index}", question) | {"in_legacy_14k": False}
        for code in types
        for index, question in enumerate(fewshot(question_type(code), seed))
    ]


def _by_type(seen: Set[SemanticKey], types: Sequence[str]) -> dict[str, set[SemanticKey]]:
    # One pass over what may be millions of keys; every key is in the space of at most one type.
    shares: dict[str, set[SemanticKey]] = {code: set() for code in types}
    spaces = {sign: [(code, TYPES[code].space) for code in types if TYPES[code].operator == sign] for sign in OPERATORS}
    for key in seen:
        for code, space in spaces[key[0]]:
            if key in space:
                shares[code].add(key)
                break
    return shares


def _legacy(code: str, seed: int) -> Sequence[Expression]:
    # The first candidates of a type: the clean set starts from the same ones, so what stays in both keeps its id.
    return select(question_type(code), seed, PER_TYPE).questions


def _item(kind: QuestionType, identity: str, question: Expression) -> Item:
    return {
        "id": identity,
        "type": kind.code,
        "operation": kind.operation,
        "a": question.left,
        "operator": question.operator,
        "b": question.right,
        "question": kind.ask(question),
        "answer": str(question.left // question.right if question.operator == "/" else evaluate(question)),
    }
