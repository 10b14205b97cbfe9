"""Shared by the builder tests: a private cache, and a stand-in for the generator."""

from collections.abc import Iterator
from pathlib import Path

import datasets
import pytest
import samples
from publishing import demo


@pytest.fixture(scope="session", autouse=True)
def _private_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Nothing of ours lands in the user's cache, and progress bars stay quiet."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path_factory.mktemp("hf_datasets"))
        datasets.disable_progress_bars()
        yield
        datasets.enable_progress_bars()


@pytest.fixture
def sample_generator() -> Iterator[list[tuple[int, int]]]:
    """Replaces the DeepArithmark generator by sample items; the list records (seed, items) of each build."""
    with samples.generator() as calls:
        yield calls


@pytest.fixture
def demo_folder(tmp_path: Path) -> Path:
    """A folder of the small dataset that the publishing tests push."""
    return demo(tmp_path / "demo")
