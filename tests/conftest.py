"""For every test: no deadlines, which would make a slow machine a failed property; and a Hub for those that publish."""

from collections.abc import Iterator
from pathlib import Path

import hub_client
import hub_server
import pytest
from hypothesis import settings

settings.register_profile("arithmark", deadline=None)
settings.load_profile("arithmark")


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[hub_server.HubServer]:
    """A Hub on loopback that huggingface_hub and datasets talk to in this process, with a token in HF_TOKEN."""
    with hub_server.running() as server:
        hub_client.connect(monkeypatch, server, tmp_path / "caches")
        yield server
