"""The scanner is compiled, or loaded from its cache, before any test is timed."""

import pytest

from arithmark_tasks.builders.contamination.scanner import warm_up


@pytest.fixture(scope="session", autouse=True)
def _compiled_scanner() -> None:
    warm_up()
