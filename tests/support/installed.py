"""Virtual environments that are made for a test, with lm-eval and arithmark installed in them by pip."""

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Callable, Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import lm_eval

REPOSITORY = Path(__file__).parents[2]
# What an environment has of its own, so that it is not to be had from the running one.
OWN = ("lm_eval", "arithmark", "__editable__")
# As upstream's own file says it: an editable install of it is a finder behind the usual ones.
UPSTREAM = """
[build-system]
requires = ["setuptools>=64.0"]
build-backend = "setuptools.build_meta"
[project]
name = "lm_eval"
version = "{version}"
[tool.setuptools.packages.find]
include = ["lm_eval*"]
[tool.setuptools.package-data]
lm_eval = ["**/*.yaml", "tasks/**/*"]
[project.scripts]
lm_eval = "lm_eval.__main__:cli_evaluate"
"""


def run(command: Iterable[object], *, fails: bool = False, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run it without anything of the calling environment that could lead Python back to the checkout."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "PIP_"))}
    environment = {**kept, "PIP_DISABLE_PIP_VERSION_CHECK": "1", **options.pop("environment", {})}
    words = [str(word) for word in command]
    done = subprocess.run(words, capture_output=True, text=True, env=environment, timeout=1200, **options)
    assert (done.returncode != 0) == fails, done.stdout[-3000:] + done.stderr[-6000:]
    return done


def listing(folder: Path) -> set[Path]:
    """Every file and folder below, but for compiled files."""
    return {path.relative_to(folder) for path in folder.rglob("*") if "__pycache__" not in path.parts}


def dependencies(folder: Path, wanted: Callable[[str], bool] = lambda name: True) -> Path:
    """A folder of links to the packages of the running environment, or those that are ``wanted``, but never ``OWN``.

    A folder in a ``.pth`` file is searched, but the ``.pth`` files inside it are not obeyed.
    """
    folder.mkdir()
    for place in [sysconfig.get_path("purelib"), *sys.path]:
        if Path(place).name in ("site-packages", "dist-packages") and Path(place).is_dir():
            for entry in Path(place).iterdir():
                link = folder / entry.name
                if (
                    not entry.name.startswith(OWN)
                    and wanted(entry.name)
                    and entry.suffix != ".pth"
                    and not link.exists()
                ):
                    link.symlink_to(entry)
    return folder


def harness_source(folder: Path, *, tasks: Iterable[str] | None = None) -> Path:
    """lm-eval's source as upstream has it, from the installed files; all tasks, or these folders of them only."""
    installed = Path(lm_eval.__file__).parent

    def unwanted(place: str, names: list[str]) -> list[str]:
        wanted = set(names) if tasks is None or Path(place) != installed / "tasks" else set(tasks)
        return [name for name in names if name == "__pycache__" or (Path(place, name).is_dir() and name not in wanted)]

    shutil.copytree(installed, folder / "lm_eval", ignore=unwanted)
    (folder / "pyproject.toml").write_text(UPSTREAM.format(version=version("lm_eval")))
    return folder


def checkout(folder: Path) -> Path:
    """A copy of this repository: setuptools packs what an earlier build left behind, and writes beside the files."""
    unwanted = shutil.ignore_patterns(".*", "build", "dist", "*.egg-info", "__pycache__", "tests")
    shutil.copytree(REPOSITORY, folder, ignore=unwanted)
    return folder


class Environment:
    """A virtual environment; what lm-eval and arithmark depend on is read from ``dependencies``.

    ``user_base`` is a folder for ``pip install --user`` that it also sees, as below system packages.
    """

    def __init__(self, folder: Path, dependencies: Path | None = None, user_base: Path | None = None) -> None:
        venv.EnvBuilder(system_site_packages=user_base is not None).create(folder)
        programs = folder / ("Scripts" if os.name == "nt" else "bin")
        self.python, self.lm_eval, self.arithmark = (programs / name for name in ("python", "lm_eval", "arithmark"))
        self._environment = {"PYTHONUSERBASE": str(user_base)} if user_base else {}
        self.packages = Path(self.run(self.python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"))
        if dependencies is not None:
            (self.packages / "dependencies.pth").write_text(f"{dependencies}\n")

    def run(self, *command: object, **options: Any) -> str:
        """What a command prints; it must not complain about a start-up file."""
        done = run(command, environment=self._environment, **options)
        assert "Error processing line" not in done.stderr, done.stderr
        return done.stdout.strip()

    def pip(self, *arguments: object) -> None:
        """pip of the running environment, for this one."""
        run(
            [sys.executable, "-m", "pip", "--python", self.python, *arguments, "--quiet"], environment=self._environment
        )

    def install(self, *what: object) -> None:
        """A wheel, a folder, or a folder after ``-e``; nothing is downloaded."""
        self.pip("install", "--no-deps", "--no-index", "--no-build-isolation", *what)

    def uninstall(self, name: str) -> None:
        """By name."""
        self.pip("uninstall", "--yes", name)
