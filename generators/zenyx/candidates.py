"""Candidates in a fixed order, and the replacement of those that a training corpus has seen.

A type's questions are shuffled once by its seeded stream; the order depends on the seed alone. Candidate p belongs to
slot p mod 2,000, and each slot takes its first unseen candidate. So a question has one possible place, and it keeps
that place, and its id, whatever else an index holds.
"""

from collections.abc import Iterator, Set
from dataclasses import dataclass

from ..errors import InputError
from ..expression import Expression, SemanticKey, semantic_key
from ..streams import Stream
from .types import QuestionType

VERSION = 1
FEWSHOT_PER_TYPE = 8


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
