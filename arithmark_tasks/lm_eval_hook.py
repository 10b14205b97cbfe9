"""How the plain ``lm_eval`` command finds our tasks: it reads its own folder, and this lets it read ours too.

``arithmark.pth`` (written by setup.py) calls ``install`` whenever Python starts. So this module imports only what
Python has imported by then, and all else waits until ``lm_eval`` is imported. ``ARITHMARK_NO_HOOK=1`` turns it off. A
failure of ours reaches nobody: then lm-eval is as if arithmark were not installed.
"""

import sys

TYPE_CHECKING = False  # typing's own would take longer to import than all of this
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

PACKAGE, MODULE = "lm_eval", "lm_eval.tasks"


def install() -> None:
    """Watch for the import of lm-eval, once."""
    if not any(type(finder).__name__ == Watcher.__name__ for finder in sys.meta_path):
        sys.meta_path.insert(0, Watcher())
    if MODULE in sys.modules:
        add_our_folder(sys.modules[MODULE])


class Watcher:
    """A finder that finds nothing itself: what the others find for ``lm_eval.tasks`` is completed once it has run.

    For ``lm_eval`` it prefers a package to a bare folder of that name, which hides an editable install. The first
    build's wheel left such folders behind.
    """

    def __init__(self) -> None:
        self._asking = False

    def find_spec(self, name: str, path: "Any" = None, target: "Any" = None) -> "Any":
        """The import system's question; ``None`` for everything but lm-eval."""
        if name not in (PACKAGE, MODULE) or self._asking:
            return None
        self._asking = True
        try:
            found = self._found_by_others(name, path, target)
            if name == PACKAGE:
                return next((spec for spec in found if spec.origin is not None), None)
            return _completed(next(found))
        except Exception:
            return None
        finally:
            self._asking = False

    def _found_by_others(self, *question: "Any") -> "Iterator[Any]":
        for finder in sys.meta_path[sys.meta_path.index(self) + 1 :]:
            spec = finder.find_spec(*question) if hasattr(finder, "find_spec") else None
            if spec is not None:
                yield spec


def _completed(spec: "Any") -> "Any":
    # The loader stays what it is: resources, pickles and debuggers ask it.
    loader = spec.loader
    run = loader.exec_module

    def run_and_complete(module: "Any") -> None:
        loader.exec_module = run
        run(module)
        add_our_folder(module)

    loader.exec_module = run_and_complete
    return spec


def add_our_folder(module: "Any") -> None:
    """Let the module's ``TaskManager`` read our folder after lm-eval's own and before those of ``include_path``.

    With ``include_defaults=False`` it reads only what it is told to.
    """
    try:
        _complete(module.TaskManager)
    except Exception:  # a version of lm-eval without one, or with another one
        return


def _complete(manager: "Any") -> None:
    import functools
    import inspect
    from pathlib import Path

    ours = Path(__file__).resolve().parent / "tasks"
    initialise = manager.__init__
    signature = inspect.signature(initialise)
    if hasattr(initialise, "reads_arithmark") or "include_path" not in signature.parameters or not ours.is_dir():
        return

    def with_ours(*args: "Any", **options: "Any") -> "Any":
        """The arguments with our folder among them, ``None`` where it has no place or is there already."""
        bound = signature.bind(*args, **options)
        given = bound.arguments.get("include_path")
        folders = list(given) if isinstance(given, (list, tuple)) else [given] if given else []
        named = any(ours.is_relative_to(Path(folder).resolve()) for folder in folders)
        if named or not bound.arguments.get("include_defaults", True):
            return None
        bound.arguments["include_path"] = [str(ours), *folders]
        return bound

    @functools.wraps(initialise)
    def initialise_with_ours(*args: "Any", **options: "Any") -> None:
        try:
            bound = with_ours(*args, **options)
        except Exception:  # whatever is wrong with the arguments, lm-eval says it better
            bound = None
        if bound is None:
            initialise(*args, **options)
        else:
            initialise(*bound.args, **bound.kwargs)

    initialise_with_ours.reads_arithmark = True  # type: ignore[attr-defined]
    manager.__init__ = initialise_with_ours
