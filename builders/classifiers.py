"""Adversarial classifiers: can a learner pick the right option from its looks? Accuracy by cross-validation, per item.

Each option is a row labelled right or wrong; an item counts as won when its right option has the highest predicted
probability (ties share). Folds never split an item.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import log
from typing import Any

import numpy as np

from ..generators.choices.audit import Question, Row, judge
from ..generators.choices.option_features import NUMBERS, option_rows, padded
from ..generators.choices.shortcuts import share

TRIGRAMS = "character 3-gram classifier"
UNSEEN = "gradient boosting, new templates"
SEEN = "gradient boosting, seen templates"
GAPS = "rank learned from the gaps between the endings"
PROMPT = "rank learned from the prompt's numbers, per template"
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
    learn which of its mistakes push which way, and that is a step towards solving it. Nor are both rows of bare
    questions (``Question.direct``): their types are the same slips on numbers of other lengths, so what a learner sees
    in one it has seen in the others. With fewer than two templates there is only one row, in folds over items.
    """
    usable = [asked for asked in questions if asked.values is not None][:MAX_ITEMS]
    if len(usable) < FOLDS:
        return [judge(UNSEEN, "classifier", [], []), judge(SEEN, "reported", [], [])]
    templates = [asked.template for asked in usable]
    index = {template: float(place) for place, template in enumerate(dict.fromkeys(templates))}
    rows = [np.array(option_rows(asked)) for asked in usable]
    folds = _template_folds(templates) if len(index) > 1 else _item_folds(len(usable))
    kind = "reported" if all(asked.direct for asked in usable) else "classifier"
    unseen = _row(UNSEEN, kind, usable, _gained(usable, folds, rows, _boosted_model))
    if len(index) < 2:
        return [unseen, judge(SEEN, "reported", [], [])]
    marked = [np.column_stack([row, np.full(len(row), index[t])]) for row, t in zip(rows, templates, strict=True)]
    seen = _gained(usable, _item_folds(len(usable)), marked, _boosted_model)
    return [unseen, _row(SEEN, "reported", usable, seen)]


def gap_row(asked: Question) -> list[float]:
    """The gaps between the ordered options, and the mean option's logarithm: what a learner of ranks may see."""
    ordered = sorted(asked.values or ())
    mean = sum(map(abs, ordered)) / len(ordered) or 1
    gaps = [(high - low) / mean for low, high in pairwise(ordered)]
    return [float(gap) for gap in gaps] + [log(mean)]


def prompt_row(asked: Question) -> list[float]:
    """The first numbers of a prompt, and the ratios of neighbours."""
    numbers = [float(number) for number in asked.numbers[:NUMBERS]]
    ratios = [after / before if before else 0.0 for before, after in pairwise(numbers)]
    return [value for row, width in ((numbers, NUMBERS), (ratios, NUMBERS - 1)) for value in padded(row, width)]


def rank_of(asked: Question) -> int:
    """How many options are smaller than the right one."""
    values = asked.values or ()
    return sum(value < values[asked.label] for value in values)


class RankLearner:
    """Predicts the right option's rank from one row per item, by gradient boosting or, on few items, by a forest."""

    def __init__(self, row: Callable[[Question], list[float]], per_template: bool) -> None:
        self._row, self._per_template = row, per_template
        self._models: dict[str, Any] = {}

    def _groups(self, questions: Sequence[Question]) -> dict[str, list[Question]]:
        groups: dict[str, list[Question]] = {}
        for asked in questions:
            groups.setdefault(asked.template if self._per_template else "", []).append(asked)
        return groups

    def fit(self, questions: Sequence[Question]) -> "RankLearner":
        """Learn the ranks of these items; ``self``."""
        from sklearn.ensemble import RandomForestClassifier

        for name, group in self._groups(questions).items():
            model = RandomForestClassifier(100, min_samples_leaf=5, class_weight="balanced", random_state=0)
            self._models[name] = model.fit([self._row(asked) for asked in group], [rank_of(asked) for asked in group])
        return self

    def gained(self, questions: Sequence[Question]) -> list[float]:
        """The credit on each item for the rank held most likely; by lot for a template that was not learned."""
        found = {}
        for name, group in self._groups(questions).items():
            model = self._models.get(name)
            if model is not None:
                chances = model.predict_proba([self._row(asked) for asked in group]).round(9)
                for asked, row in zip(group, chances, strict=True):
                    best = row.max()
                    likely = [rank for rank, chance in zip(model.classes_, row, strict=True) if chance == best]
                    found[id(asked)] = (rank_of(asked) in likely) / len(likely)
        return [found.get(id(asked), 1 / len(asked.texts)) for asked in questions]


def rank_rows(questions: Sequence[Question]) -> list[Row]:
    """The rank of the right option, learned in five folds over items: from the gaps of the endings, from the prompt.

    The second is reported: where each template's ranks are dealt exactly, what one part of a set has too many of the
    rest has too few. `benchmarks/audit_seeds.py` learns it on a set of another seed.
    """
    usable = [asked for asked in questions if asked.values is not None][:MAX_ITEMS]
    rows = []
    for name, kind, row, per_template in ((GAPS, "classifier", gap_row, False), (PROMPT, "reported", prompt_row, True)):
        gained = [0.0] * len(usable)
        if len(usable) >= FOLDS:
            for train, test in _item_folds(len(usable)):
                learner = RankLearner(row, per_template).fit([usable[index] for index in train])
                for index, credit in zip(test, learner.gained([usable[index] for index in test]), strict=True):
                    gained[index] = credit
            rows.append(_row(name, kind, usable, gained))
        else:
            rows.append(judge(name, kind, [], []))
    return rows


class OptionLearner:
    """Gradient boosting on ``option_rows`` with the template, learned on one set and tried on others."""

    def __init__(self, questions: Sequence[Question]) -> None:
        from threadpoolctl import threadpool_limits

        usable = [asked for asked in questions if asked.values is not None][:MAX_ITEMS]
        self._places = {name: float(place) for place, name in enumerate(dict.fromkeys(q.template for q in usable))}
        features = [row for asked in usable for row in self._rows(asked)]
        targets = [slot == asked.label for asked in usable for slot in range(len(asked.texts))]
        with threadpool_limits(1):
            self._model = _boosted_model().fit(features, targets)

    def _rows(self, asked: Question) -> list[list[float]]:
        return [[*row, self._places.get(asked.template, -1.0)] for row in option_rows(asked)]

    def gained(self, questions: Sequence[Question]) -> list[float]:
        """The credit on each item's right option."""
        rows = [self._rows(asked) for asked in questions]
        flat = iter(self._model.predict_proba([row for group in rows for row in group])[:, 1])
        found = [[round(float(next(flat)), 12) for _ in group] for group in rows]
        return [share(scores)[asked.label] for scores, asked in zip(found, questions, strict=True)]


def classifier_rows(questions: Sequence[Question]) -> list[Row]:
    """All adversarial classifiers: the character model, gradient boosting and the learners of ranks."""
    return [trigram_row(questions), *boosted_rows(questions), *rank_rows(questions)]
