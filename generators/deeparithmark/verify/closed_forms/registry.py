"""The closed forms by template: every module of this package that holds a function of its own name."""

from collections.abc import Callable, Mapping
from importlib import import_module
from pkgutil import iter_modules

from . import __path__ as _folder
from .recipe import Recipe


def _found() -> dict[str, Callable[..., Recipe]]:
    names = sorted(module.name for module in iter_modules(_folder))
    modules = ((name, import_module(f"{__package__}.{name}")) for name in names)
    return {name: getattr(module, name) for name, module in modules if hasattr(module, name)}


# Each takes the numbers of the prompt in reading order, as exact fractions.
FORMULAS: Mapping[str, Callable[..., Recipe]] = _found()
