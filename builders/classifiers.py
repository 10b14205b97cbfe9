"""Adversarial classifiers: can a learner pick the right option from its looks? Accuracy by cross-validation, per item.

Each option is a row labelled right or wrong; an item counts as won when its right option has the highest predicted
probability (ties share). Folds never split an item.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ..generators.choices.audit import Question, Row, judge
from ..generators.choices.option_features import option_rows
from ..generators.choices.shortcuts import share

TRIGRAMS = "character 3-gram classifier"
UNSEEN = "gradient boosting, new templates"
SEEN = "gradient boosting, seen templates"
FOLDS = 5
# Beyond this many items the interval is under a point wide, and more would only cost time.
MAX_ITEMS = 20_000

Fold = tuple[np.ndarray, np.ndarray]


def _item_folds(count: int) -> Iterator[Fold]:
    from sklearn.model_selection import KFold

    return KFold(min(FOLDS, count), shuffle=True, random_state=0).split(np.zeros(count))


def _template_folds(templates: Sequence[str]) -> Iterator[Fold]:
    """Folds whose test items come from templates that training never saw."""
    from sklearn.model_selection import GroupKFold

    groups = min(FOLDS, len(set(templates)))
    return GroupKFold(groups).split(np.zeros(len(templates)), groups=np.array(templates))


def _gained(
    questions: Sequence[Question],
    folds: Iterator[Fold],
    rows: Sequence[Any],
    new_model: Callable[[], Any],
) -> list[float]:
    """The credit on each item's right option. ``rows`` holds per item one row of features per option."""
    from threadpoolctl import threadpool_limits

    gained = [0.0] * len(questions)
    for train, test in folds:
        features = [row for index in train for row in rows[index]]
        targets = [slot == questions[index].label for index in train for slot in range(len(rows[index]))]
        # One thread: on so few rows more threads only wait for each other, on a busy machine for minutes.
        with threadpool_limits(1):
            model = new_model().fit(features, targets)
            flat = model.predict_proba([row for index in test for row in rows[index]])[:, 1]
        start = 0
        for index in test:
            width = len(rows[index])
            scores = [round(float(score), 12) for score in flat[start : start + width]]
            gained[index] = share(scores)[questions[index].label]
            start += width
    return gained


def _text_model() -> Any:
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    return make_pipeline(CountVectorizer(analyzer="char", ngram_range=(3, 3)), LogisticRegression(max_iter=500))


def _boosted_model() -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier

    return HistGradientBoostingClassifier(
        max_iter=80, max_leaf_nodes=15, min_samples_leaf=20, l2_regularization=1.0, random_state=0
    )


def _row(name: str, kind: str, questions: Sequence[Question], gained: Sequence[float]) -> Row:
    return judge(name, kind, gained, [1 / len(asked.texts) for asked in questions])


def trigram_row(questions: Sequence[Question]) -> Row:
    """Logistic regression on the character 3-grams of the ending, in five folds over items."""
    usable = questions[:MAX_ITEMS]
    if len(usable) < FOLDS:
        return judge(TRIGRAMS, "classifier", [], [])
    rows = [asked.texts for asked in usable]
    return _row(TRIGRAMS, "classifier", usable, _gained(usable, _item_folds(len(usable)), rows, _text_model))


def boosted_rows(questions: Sequence[Question]) -> list[Row]:
    """Gradient boosting on the rows of ``option_features``: templates unseen in training, and seen.

    The row with seen templates is reported, not judged as a leak of its own: who has seen a template's answers can
    learn which of its mistakes push which way, and that is a step towards solving it. With fewer than two templates
    there is only one row, in folds over items.
    """
    usable = [asked for asked in questions if asked.values is not None][:MAX_ITEMS]
    if len(usable) < FOLDS:
        return [judge(UNSEEN, "classifier", [], []), judge(SEEN, "reported", [], [])]
    templates = [asked.template for asked in usable]
    index = {template: float(place) for place, template in enumerate(dict.fromkeys(templates))}
    rows = [np.array(option_rows(asked)) for asked in usable]
    folds = _template_folds(templates) if len(index) > 1 else _item_folds(len(usable))
    unseen = _row(UNSEEN, "classifier", usable, _gained(usable, folds, rows, _boosted_model))
    if len(index) < 2:
        return [unseen, judge(SEEN, "reported", [], [])]
    marked = [np.column_stack([row, np.full(len(row), index[t])]) for row, t in zip(rows, templates, strict=True)]
    seen = _gained(usable, _item_folds(len(usable)), marked, _boosted_model)
    return [unseen, _row(SEEN, "reported", usable, seen)]


def classifier_rows(questions: Sequence[Question]) -> list[Row]:
    """All adversarial classifiers: the character model and gradient boosting."""
    return [trigram_row(questions), *boosted_rows(questions)]
