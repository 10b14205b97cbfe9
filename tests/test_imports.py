"""Imports go one way, arithmark_tasks -> builders -> generators, in no circle; generators needs nothing but Python."""

import subprocess
import sys
from pathlib import Path

import pytest
from house import FOLDERS, REPOSITORY, ROOT, circles, imports_of, installed_name, module_graph, source_files

LAYERS = ("generators", "builders")  # lowest first; everything else in the package is above them


def layer(name: str) -> int:
    """0 for generators, 1 for builders, 2 for the rest of the package, -1 for other people's modules."""
    parts = name.split(".")
    if parts[0] != ROOT or name == f"{ROOT}.__version__":
        return -1
    return LAYERS.index(parts[1]) if len(parts) > 1 and parts[1] in LAYERS else len(LAYERS)


def violations(repository: Path) -> list[str]:
    """One line for each import that goes the wrong way."""
    found = []
    for path in source_files(repository):
        own = layer(installed_name(path, repository))
        for line, name in imports_of(path, repository):
            top = name.partition(".")[0]
            upward = layer(name) > own
            bare = top in LAYERS  # the name of other people's distributions, and of any folder nearby
            foreign = own == 0 and top != ROOT and top not in sys.stdlib_module_names
            if upward or bare or foreign:
                found.append(f"{path.relative_to(repository).as_posix()}:{line} imports {name}")
    return found


def test_imports_go_one_way() -> None:
    assert violations(REPOSITORY) == []


def test_every_folder_is_looked_at() -> None:
    for folder in FOLDERS:
        assert len(list((REPOSITORY / folder).rglob("*.py"))) > 3


@pytest.mark.parametrize(
    ("file", "source", "name"),
    [
        ("generators/bad.py", "from arithmark_tasks.builders import folder", "arithmark_tasks.builders.folder"),
        ("generators/bad.py", "from ..builders.folder import Split", "arithmark_tasks.builders.folder.Split"),
        ("generators/bad.py", "from .. import builders", "arithmark_tasks.builders"),
        ("generators/bad.py", "from arithmark_tasks import cli", "arithmark_tasks.cli"),
        ("generators/bad.py", "import numpy as np", "numpy"),
        ("generators/bad.py", "def lazy():\n    from numpy import array", "numpy.array"),
        ("generators/deep/__init__.py", "from ... import builders", "arithmark_tasks.builders"),
        ("generators/deep/bad.py", "from ...builders import folder", "arithmark_tasks.builders.folder"),
        ("builders/bad.py", "from arithmark_tasks.answers import extract", "arithmark_tasks.answers.extract"),
        ("builders/cards/bad.py", "from ...metrics import soft", "arithmark_tasks.metrics.soft"),
        ("builders/bad.py", "import generators.streams", "generators.streams"),
        ("arithmark_tasks/bad.py", "from builders import folder", "builders.folder"),
    ],
)
def test_a_planted_import_in_the_wrong_direction_is_found(tmp_path: Path, file: str, source: str, name: str) -> None:
    path = tmp_path / file
    path.parent.mkdir(parents=True)
    path.write_text(source, encoding="utf-8")
    line = source.count("\n") + 1
    assert violations(tmp_path) == [f"{file}:{line} imports {name}"]


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("generators/good.py", "import json\nfrom . import streams\nfrom .streams import Stream"),
        (
            "builders/good.py",
            "import datasets\nfrom .. import __version__, generators\nfrom ..generators import streams",
        ),
        (
            "arithmark_tasks/good.py",
            "from arithmark_tasks.builders.folder import Split\nfrom .generators import streams",
        ),
    ],
)
def test_imports_in_the_right_direction_are_not_reported(tmp_path: Path, file: str, source: str) -> None:
    path = tmp_path / file
    path.parent.mkdir(parents=True)
    path.write_text(source, encoding="utf-8")
    assert violations(tmp_path) == []


def test_no_modules_import_each_other_not_even_inside_a_function() -> None:
    """An import inside a function counts like one at the top, so that none can hide a circle."""
    assert circles(module_graph(REPOSITORY)) == []


@pytest.mark.parametrize("second", ["from .a import x", "def late():\n    from . import a", "from ..demo.a import x"])
def test_a_planted_circle_is_found_wherever_it_is_hidden(tmp_path: Path, second: str) -> None:
    folder = tmp_path / "builders" / "demo"
    folder.mkdir(parents=True)
    for name, source in (("a", "from .b import y"), ("b", second), ("c", "from .a import z")):
        (folder / f"{name}.py").write_text(source, encoding="utf-8")
    assert circles(module_graph(tmp_path)) == [[f"{ROOT}.builders.demo.a", f"{ROOT}.builders.demo.b"]]


def test_generators_import_without_any_installed_package(tmp_path: Path) -> None:
    package = tmp_path / ROOT
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "generators").symlink_to(REPOSITORY / "generators", target_is_directory=True)
    code = (
        "import importlib, pkgutil, arithmark_tasks.generators as top\n"
        "names = [info.name for info in pkgutil.walk_packages(top.__path__, top.__name__ + '.')]\n"
        "for name in names:\n    importlib.import_module(name)\n"
        "print(len(names))"
    )
    # -S leaves site-packages out, so only the standard library and this one package can be imported.
    command = [sys.executable, "-S", "-B", "-c", code]
    result = subprocess.run(command, cwd=tmp_path, env={"PYTHONPATH": str(tmp_path)}, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert int(result.stdout) > 3
