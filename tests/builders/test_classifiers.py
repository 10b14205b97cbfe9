"""The classifiers find planted shortcuts that no fixed strategy names, and nothing in a clean set."""

import random

import planted
import pytest

from arithmark_tasks.builders.classifiers import SEEN, TRIGRAMS, UNSEEN, boosted_rows, classifier_rows, trigram_row
from arithmark_tasks.generators.choices.audit import LEAK, NOT_APPLICABLE, question


def _questions(count: int, draw: object) -> list:
    return [question(item) for item in planted.build(count, draw)]  # type: ignore[arg-type]


def test_gradient_boosting_finds_the_hub_of_the_published_form() -> None:
    unseen, seen = boosted_rows(_questions(240, planted.star))
    assert unseen.strategy == UNSEEN and unseen.verdict == LEAK and unseen.score is not None and unseen.score > 0.8
    assert seen.strategy == SEEN and seen.verdict == LEAK


def test_no_classifier_finds_anything_in_a_clean_set() -> None:
    """Folds share training data, so scores scatter more than the interval says: five points are 2.5 deviations."""
    rows = classifier_rows(_questions(480, planted.clean))
    assert {TRIGRAMS, UNSEEN, SEEN} < {row.strategy for row in rows} and len(rows) == 5
    judged = [row.score for row in rows if row.strategy in (TRIGRAMS, UNSEEN)]
    assert judged == pytest.approx([0.25] * 2, abs=0.05001)
    # What has seen other items of its template scatters more: its 99.9 % interval covers chance.
    assert not [row for row in rows if LEAK in row.verdict]


def test_the_character_classifier_finds_a_lucky_ending() -> None:
    rng = random.Random(2)
    items = []
    for _ in range(200):
        values = [10 * rng.randint(10, 99) + last for last in rng.sample((1, 3, 7, 9), 4)]
        items.append(question(planted.item("some", values, [value % 10 for value in values].index(7))))
    row = trigram_row(items)
    assert row.verdict == LEAK and row.score == pytest.approx(1)


def test_a_rule_of_one_template_shows_in_the_row_with_seen_templates() -> None:
    """Each template favours another rank: only who has seen the template can know it."""
    items = []
    for item in planted.build(480, planted.clean):
        values = question(item).values
        assert values is not None
        rank = planted.TEMPLATES.index(item["metadata"]["template"]) % 4
        items.append(question(item | {"label": values.index(sorted(values)[rank])}))
    _, seen = boosted_rows(items)
    assert seen.score is not None and seen.score > 0.9


def test_one_template_falls_back_to_folds_over_items() -> None:
    items = [question(item | {"metadata": {}}) for item in planted.build(60, planted.star)]
    unseen, seen = boosted_rows(items)
    assert unseen.items == 60 and seen.verdict == NOT_APPLICABLE


def test_classifiers_do_not_apply_to_a_handful_of_items() -> None:
    assert {row.verdict for row in classifier_rows(_questions(4, planted.star))} == {NOT_APPLICABLE}


def test_results_repeat_exactly() -> None:
    items = _questions(60, planted.star)
    assert classifier_rows(items) == classifier_rows(items)
