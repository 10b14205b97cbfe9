"""The whole shortcut audit of a set, computed once for all who show or judge it."""

from functools import lru_cache

from ..generators.choices.audit import Question, Row, audit_questions
from .classifiers import classifier_rows


@lru_cache(maxsize=8)
def full_audit(questions: tuple[Question, ...]) -> tuple[Row, ...]:
    """Every fixed strategy and classifier; kept, because a card and the check of its claims need the same rows."""
    return (*audit_questions(questions), *classifier_rows(questions))
