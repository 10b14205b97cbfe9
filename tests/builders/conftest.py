"""Shared by the builder tests: a private cache, and a stand-in for the generator."""

from collections.abc import Iterator
from typing import Any

import datasets
import pytest
from samples import sample_item


@pytest.fixture(scope="session", autouse=True)
def _private_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Nothing of ours lands in the user's cache, and progress bars stay quiet."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path_factory.mktemp("hf_datasets"))
        datasets.disable_progress_bars()
        yield
        datasets.enable_progress_bars()


@pytest.fixture
def sample_generator(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """Replaces the DeepArithmark generator by sample items; the returned list records (seed, items) of each build."""
    from arithmark_tasks.generators import deeparithmark

    calls: list[tuple[int, int]] = []

    def build(seed: int = 20261027, items: int = 1000) -> list[dict[str, Any]]:
        calls.append((seed, items))
        return [sample_item(seed % 97 + index) for index in range(items)]

    def build_fewshot(seed: int = 20261027) -> list[dict[str, Any]]:
        return [sample_item(5000 + index, "fewshot") for index in range(40)]

    monkeypatch.setattr(deeparithmark, "build", build, raising=False)
    monkeypatch.setattr(deeparithmark, "build_fewshot", build_fewshot, raising=False)
    return calls
