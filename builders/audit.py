"""The whole audit of a set, computed once for all who show or judge it."""

from functools import lru_cache

from ..generators.choices.audit import Question, Row, audit_questions
from ..generators.choices.estimates import estimate_rows
from .classifiers import classifier_rows


@lru_cache(maxsize=8)
def full_audit(questions: tuple[Question, ...]) -> tuple[Row, ...]:
    """Every fixed rule, half of the work, and every classifier; kept for a card and for the check of its claims."""
    return (*audit_questions(questions), *estimate_rows(questions), *classifier_rows(questions))
