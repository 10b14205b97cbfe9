"""The splits of the bench: clean questions, the legacy suite, and the exemplars."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from ..errors import InputError
from ..expression import OPERATORS, Expression, SemanticKey, evaluate, semantic_key
from .candidates import Selection, fewshot, select
from .types import DEFAULT_TYPES, LEGACY_TYPES, TYPES, QuestionType, question_type

NAME = "zenyx-arithmetic-bench"
SEED = 20261027
PER_TYPE = 2000
Item = dict[str, Any]
_NOTHING: Set[SemanticKey] = frozenset()


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
