"""Real items, a tiny random model and a stand-in for the dataset cache, shared by the harness tests."""

import datasets
import pytest
from tiny import byte_level_tokenizer, save_tiny_model

from arithmark_tasks import documents
from arithmark_tasks.builders.deeparithmark import FEATURES
from arithmark_tasks.generators import deeparithmark


@pytest.fixture(scope="session")
def items():
    """80 test items: every template and depth, a twelfth of the published size."""
    return deeparithmark.build(items=80)


@pytest.fixture(scope="session")
def exemplars():
    """The 40 few-shot items."""
    return deeparithmark.build_fewshot()


@pytest.fixture
def small_deeparithmark(items, exemplars, monkeypatch):
    """The tasks read these items instead of building a thousand and caching them in the user's home."""
    rows = {"test": items, "fewshot": exemplars}
    splits = {name: datasets.Dataset.from_list(split, features=FEATURES) for name, split in rows.items()}
    monkeypatch.setattr(documents, "load_dataset", lambda name, config="default": datasets.DatasetDict(splits))
    # Asking pip and the CPU for the report's footer takes seconds in every run.
    monkeypatch.setattr("lm_eval.evaluator.add_env_info", lambda results: None)
    return items


@pytest.fixture(scope="session")
def tiny_model_folder(tmp_path_factory, items):
    """A Llama of two layers with random weights and a byte-level tokenizer, as a model folder."""
    texts = [item["ctx"] for item in items]
    return save_tiny_model(tmp_path_factory.mktemp("tiny_model"), byte_level_tokenizer(texts))
