"""A tiny data set and a private cache for the trainer's tests."""

from collections.abc import Iterator
from pathlib import Path

import datasets
import pytest
import torch

from arithmark_tasks.calcgpt.settings import RunSettings
from arithmark_tasks.calcgpt.trainer import train

SMALL = RunSettings(
    representation="padded-reversed",
    width=1,
    tasks=80,
    per_bucket=20,
    examples=640,
    batch=16,
    evaluate_every=160,
    checkpoint_every=320,
    monitor=16,
    threads=1,
)


@pytest.fixture(scope="session", autouse=True)
def _private_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path_factory.mktemp("hf_datasets"))
        datasets.disable_progress_bars()
        threads = torch.get_num_threads()
        torch.set_num_threads(1)
        yield
        torch.set_num_threads(threads)
        datasets.enable_progress_bars()


@pytest.fixture(scope="session")
def small() -> RunSettings:
    return SMALL


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished small run."""
    folder = tmp_path_factory.mktemp("runs") / "small"
    train(SMALL, folder)
    return folder
