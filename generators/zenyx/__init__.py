"""Zenyx Arithmetic Bench: single operations on integers, none of them in a training corpus that was scanned."""

from .build import NAME, PER_TYPE, SEED, VERSION, Bench, Selection, build, build_bench, build_fewshot, build_legacy
from .types import DEFAULT_TYPES, EXTENDED_TYPES, LEGACY_TYPES, TYPES, QuestionType, question_type

__all__ = [
    "DEFAULT_TYPES",
    "EXTENDED_TYPES",
    "LEGACY_TYPES",
    "NAME",
    "PER_TYPE",
    "SEED",
    "TYPES",
    "VERSION",
    "Bench",
    "QuestionType",
    "Selection",
    "build",
    "build_bench",
    "build_fewshot",
    "build_legacy",
    "question_type",
]
