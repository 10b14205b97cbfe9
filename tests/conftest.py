"""For every test: no deadlines, which would make a slow machine a failed property; large sets that are drawn once a
session; and a Hub for those that publish.
"""

from collections.abc import Iterator
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

import hub_client
import hub_server
import pytest
from hypothesis import settings
from shared import once, session_folder

settings.register_profile("arithmark", deadline=None)
settings.load_profile("arithmark")


@pytest.fixture(scope="session", autouse=True)
def _large_sets_are_drawn_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The default set takes seconds, and is drawn by every process that builds or verifies anything beside it."""
    build = import_module("arithmark_tasks.generators.deeparithmark.build")  # the package has a function of that name
    draw, folder = build._drawn.__wrapped__, session_folder(tmp_path_factory)

    @lru_cache(maxsize=12)
    def drawn(tier: str, split: str, seed: int, items: int) -> tuple[dict[str, Any], ...]:
        if items < 500:
            return draw(tier, split, seed, items)
        name = f"{tier}-{split}-{seed}-{items}"
        return tuple(once(folder, name, lambda: draw(tier, split, seed, items)))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "_drawn", drawn)
        yield


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Bytes are named by their argument: their content (the clock in a gzip header) may differ between workers."""
    return argname if isinstance(val, bytes) else None


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[hub_server.HubServer]:
    """A Hub on loopback that huggingface_hub and datasets talk to in this process, with a token in HF_TOKEN."""
    with hub_server.running() as server:
        hub_client.connect(monkeypatch, server, tmp_path / "caches")
        yield server
