"""The data sets are the ones that were published: every split has its golden hash."""

from pathlib import Path

import pytest
from golden import SPLITS, digest, stored

from arithmark_tasks.generators import zenyx
from arithmark_tasks.generators.deeparithmark import edition

CHANGELOG = Path(__file__).resolve().parents[1] / "CHANGELOG.md"


# The four-way form and the sets of 10,000 take longer than all the others together.
_LONG = ("choice/test", "xl/test", "train/train")
_MARKED = [pytest.param(name, marks=pytest.mark.slow) if name.endswith(_LONG) else name for name in SPLITS]


@pytest.mark.parametrize("name", _MARKED)
def test_a_split_is_the_one_whose_hash_was_recorded(name: str) -> None:
    assert name in stored(), "run python -m tests.golden"
    assert digest(SPLITS[name]()) == stored()[name]


def test_every_version_with_a_hash_is_in_the_changelog() -> None:
    text = CHANGELOG.read_text(encoding="utf-8")
    assert f"DeepArithmark-1, version {edition.VERSION}" in text
    assert f"Zenyx Arithmetic Bench, version {zenyx.VERSION}" in text


def test_the_hash_sees_a_changed_digit_a_lost_row_and_a_changed_order() -> None:
    rows = [{"a": 1, "b": "é"}, {"a": 2, "b": "2"}]
    others = [[{"a": 1, "b": "é"}, {"a": 2, "b": 2}], rows[:1], rows[::-1], [{"b": "é", "a": 1}, rows[1]]]
    assert len({digest(rows), *map(digest, others)}) == 5
