"""The worked examples in the docstrings are true."""

import doctest
import importlib
import pkgutil

import pytest

from arithmark_tasks import calcgpt
from arithmark_tasks.generators import calcgpt as generators

MODULES = [
    f"{package.__name__}.{module.name}"
    for package in (calcgpt, generators)
    for module in pkgutil.iter_modules(package.__path__)
] + ["arithmark_tasks.builders.calcgpt"]


@pytest.mark.parametrize("name", MODULES)
def test_examples_of(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
