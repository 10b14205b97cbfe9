"""The registry: every module of this package that holds a ``FAMILY``, so that a new family is one file."""

from importlib import import_module
from pkgutil import iter_modules

from . import __path__ as _folder
from .family import Family

# Up to here the depths and the shares are the published ones.
PUBLISHED_DEPTH = 5


def _found() -> tuple[Family, ...]:
    modules = (import_module(f"{__package__}.{module.name}") for module in iter_modules(_folder))
    families = [module.FAMILY for module in modules if hasattr(module, "FAMILY")]
    return tuple(sorted(families, key=lambda family: (family.depth, family.template)))


_ALL = _found()
FAMILIES = tuple(family for family in _ALL if family.depth <= PUBLISHED_DEPTH)
# Beyond the published depths.
DEEP_FAMILIES = tuple(family for family in _ALL if family.depth > PUBLISHED_DEPTH)
TRAINING_FAMILIES = tuple(family.for_training() for family in FAMILIES)
