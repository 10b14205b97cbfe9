"""The worked examples in the builders' docstrings are true."""

import doctest
import importlib
import pkgutil

import pytest

from arithmark_tasks import builders
from arithmark_tasks.builders import cards, publishing

MODULES = [
    module.name
    for package in (builders, cards, publishing)
    for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}.")
    if not module.ispkg
]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_the_module_hold(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_examples_are_found() -> None:
    assert sum(doctest.testmod(importlib.import_module(name)).attempted for name in MODULES) > 10
