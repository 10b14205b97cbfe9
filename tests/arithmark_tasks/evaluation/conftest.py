"""Small data for whole runs: the default set and its control, and a file of ArithMark's kind."""

import json

import datasets
import pytest

from arithmark_tasks import documents
from arithmark_tasks.builders.deeparithmark import FEATURES
from arithmark_tasks.evaluation.run import run
from arithmark_tasks.evaluation.settings import Settings
from arithmark_tasks.generators.deeparithmark.tiers import TIERS
from arithmark_tasks.scoring import models

ROWS = [
    {"ctx": "3 + 4 is", "endings": [" 7", " 8", " 6", " 9"], "label": "0", "activity_label": "add", "ind": 0},
    {"ctx": "13 + 4 is", "endings": ["18", "17", "16", "19"], "label": 1, "activity_label": "add", "ind": 1},
    {"ctx": "13 - 4 is ", "endings": ["9", "8", "6", "7"], "label": "0", "activity_label": "sub", "ind": 2},
]


def splits(rows):
    """Rows by split as the builders' features read them."""
    return datasets.DatasetDict({k: datasets.Dataset.from_list(list(v), features=FEATURES) for k, v in rows.items()})


@pytest.fixture
def both_sets(items, exemplars, monkeypatch):
    """The tasks read 80 items and their control instead of what is cached in the user's home."""
    rewrite = TIERS["control"].rewrite
    tables = {
        "default": splits({"test": items, "fewshot": exemplars}),
        "control": splits({"test": rewrite(items), "fewshot": rewrite(exemplars)}),
    }
    monkeypatch.setattr(documents, "load_dataset", lambda name, config="default": tables[config])
    return tables


@pytest.fixture
def arithmark3_file(tmp_path):
    """Three items of ArithMark's kind: with and without the leading space, labels as text and number."""
    path = tmp_path / "arithmark3.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    return path


@pytest.fixture
def scored(tiny_model_folder, both_sets):
    """A function that scores the tiny model, three items of each task unless it is told otherwise."""

    def score(out=None, force=False, **options):
        settings = Settings(**{"model": str(tiny_model_folder), "limit": 3, **options})
        return run(settings, out=out, force=force)

    return score


@pytest.fixture
def requests_scored(monkeypatch):
    """The numbers of requests that models were given to score, call by call."""
    counts = []
    load = models.load

    def counted(*args, **options):
        lm = load(*args, **options)
        score = lm._loglikelihood_tokens

        def scoring(requests, **further):
            counts.append(len(requests))
            return score(requests, **further)

        lm._loglikelihood_tokens = scoring
        return lm

    monkeypatch.setattr(models, "load", counted)
    return counts
