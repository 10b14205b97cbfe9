"""Shared by the builder tests: datasets stays offline and keeps its cache out of the user's home."""

import datasets
import pytest


@pytest.fixture(scope="session", autouse=True)
def _private_cache(tmp_path_factory: pytest.TempPathFactory):
    """Nothing of ours lands in the user's cache, and progress bars stay quiet."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path_factory.mktemp("hf_datasets"))
        datasets.disable_progress_bars()
        yield
        datasets.enable_progress_bars()
