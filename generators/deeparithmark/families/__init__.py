"""The stories, one module for each template: a module here that has a ``FAMILY`` is found, so a new one is one file."""

from importlib import import_module
from pkgutil import iter_modules

from .family import Family

# Up to here the depths and the shares are the published ones.
PUBLISHED_DEPTH = 5


def _found() -> tuple[Family, ...]:
    modules = (import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__))
    families = [module.FAMILY for module in modules if hasattr(module, "FAMILY")]
    return tuple(sorted(families, key=lambda family: (family.depth, family.template)))


_ALL = _found()
FAMILIES = tuple(family for family in _ALL if family.depth <= PUBLISHED_DEPTH)
# Beyond the published depths.
DEEP_FAMILIES = tuple(family for family in _ALL if family.depth > PUBLISHED_DEPTH)
TRAINING_FAMILIES = tuple(family.for_training() for family in FAMILIES)
