"""A second statement of the stories that shares no code with the families: each module holds a function of its name."""

from collections.abc import Callable, Mapping
from importlib import import_module
from pkgutil import iter_modules

from .recipe import Recipe


def _found() -> dict[str, Callable[..., Recipe]]:
    names = sorted(module.name for module in iter_modules(__path__))
    modules = ((name, import_module(f"{__name__}.{name}")) for name in names)
    return {name: getattr(module, name) for name, module in modules if hasattr(module, name)}


# Each takes the numbers of the prompt in reading order, as exact fractions.
FORMULAS: Mapping[str, Callable[..., Recipe]] = _found()
