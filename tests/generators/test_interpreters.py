"""The generators give the same rows, and their examples hold, on every supported Python that is to be found here."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from house import REPOSITORY, ROOT

SUPPORTED = range(10, 15)  # 3.10 to 3.14
SCRIPT = """
import doctest, importlib, pkgutil
import arithmark_tasks.generators as top
from arithmark_tasks.generators import deeparithmark, zenyx
from arithmark_tasks.generators.calcgpt import dataset
from arithmark_tasks.generators.jsonl import hash_rows
tried = 0
for info in pkgutil.walk_packages(top.__path__, top.__name__ + "."):
    failed, of = doctest.testmod(importlib.import_module(info.name))
    assert not failed, info.name
    tried += of
assert tried > 30, tried
rows = [deeparithmark.build(items=32), deeparithmark.build_split("deep", "fewshot"), zenyx.build_fewshot()]
roster = dataset.build(dataset.Recipe(width=2, tasks=200, per_bucket=10)).manifest
print(*map(hash_rows, rows), hash_rows([roster]))
"""


def interpreter(minor: int) -> str | None:
    """A Python 3.MINOR that starts: a version manager's shims are there for versions that are not."""
    found = shutil.which(f"python3.{minor}")
    candidates = [found] * (found is not None)
    candidates += map(str, (Path.home() / ".pyenv" / "versions").glob(f"3.{minor}.*/bin/python"))
    for path in candidates:
        tried = subprocess.run([path, "-c", "import sys; print(sys.version_info[1])"], capture_output=True, text=True)
        if tried.returncode == 0 and tried.stdout.strip() == str(minor):
            return path
    return None


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds the generators under their installed name and nothing else."""
    folder = tmp_path_factory.mktemp("alone")
    (folder / ROOT).mkdir()
    (folder / ROOT / "__init__.py").touch()
    (folder / ROOT / "generators").symlink_to(REPOSITORY / "generators", target_is_directory=True)
    return folder


def hashes(python: str, folder: Path) -> str:
    # -S leaves site-packages out: whatever that interpreter has installed, the standard library must do.
    command = [python, "-S", "-B", "-c", SCRIPT]
    result = subprocess.run(command, cwd=folder, env={"PYTHONPATH": str(folder)}, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.fixture(scope="module")
def here(package: Path) -> str:
    return hashes(sys.executable, package)


@pytest.mark.parametrize("minor", [minor for minor in SUPPORTED if minor != sys.version_info[1]])
def test_another_python_draws_the_same_rows(minor: int, package: Path, here: str) -> None:
    python = interpreter(minor)
    if python is None:
        pytest.skip(f"no Python 3.{minor} on this machine")
    assert hashes(python, package) == here
