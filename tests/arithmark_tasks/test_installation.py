"""The plain ``lm_eval`` command on the real model, from a wheel in a clean environment and from an editable install."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import lm_eval
import pytest
import typer

import arithmark_tasks
from arithmark_tasks.cli import app
from arithmark_tasks.scoring.models import embedded_gguf

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]

REPOSITORY = Path(__file__).parents[2]
NAMES = ["deeparithmark", *(f"deeparithmark_d{depth}" for depth in (2, 3, 4, 5)), "deeparithmark_gen"]


def run(command, **options):
    # Nothing of the calling environment that could lead Python back to the checkout.
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    done = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, env=environment, timeout=1200, **options
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-6000:]
    return done


def listing(folder):
    return {path.relative_to(folder) for path in folder.rglob("*") if "__pycache__" not in path.parts}


@pytest.fixture(scope="module")
def distributions(tmp_path_factory):
    """The sdist and the wheel made from it, of a copy: setuptools would pack what an earlier build left behind."""
    source = tmp_path_factory.mktemp("source") / "arithmark"
    unwanted = shutil.ignore_patterns(".*", "build", "dist", "*.egg-info", "__pycache__", "tests")
    shutil.copytree(REPOSITORY, source, ignore=unwanted)
    out = tmp_path_factory.mktemp("dist")
    run([sys.executable, "-m", "build", "--no-isolation", "--outdir", out, source])
    return sorted(out.iterdir())


@pytest.fixture(scope="module")
def wheel(distributions):
    return next(file for file in distributions if file.suffix == ".whl")


class CleanEnvironment:
    """A virtual environment with its own copy of lm-eval; all other dependencies are read from the running one.

    A path in a ``.pth`` file is searched, but the ``.pth`` files inside it are not obeyed: our editable install,
    which is one, does not reach in.
    """

    def __init__(self, folder: Path) -> None:
        venv.create(folder, with_pip=False)
        bin_name = "Scripts" if os.name == "nt" else "bin"
        self.python = folder / bin_name / "python"
        self.command = folder / bin_name / "lm_eval"
        self.arithmark = folder / bin_name / "arithmark"
        asked = run([self.python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"])
        self.packages = Path(asked.stdout.strip())
        shutil.copytree(
            Path(lm_eval.__file__).parent,
            self.packages / "lm_eval",
            copy_function=_link,
            ignore=shutil.ignore_patterns("__pycache__"),
        )
        self.command.write_text(
            f"#!{self.python}\nimport sys\nfrom lm_eval.__main__ import cli_evaluate\nsys.exit(cli_evaluate())\n"
        )
        self.command.chmod(0o755)
        self.bridge = self.packages / "dependencies.pth"

    def pip(self, *arguments: object) -> None:
        """Without the bridge, so that pip sees this environment only."""
        self.bridge.unlink(missing_ok=True)
        run([sys.executable, "-m", "pip", "--python", self.python, *arguments])
        self.bridge.write_text(sysconfig.get_path("purelib") + "\n")


def _link(source, target):
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


@pytest.fixture(scope="module")
def clean(tmp_path_factory, wheel):
    environment = CleanEnvironment(tmp_path_factory.mktemp("venv"))
    environment.before = listing(environment.packages)
    environment.pip("install", "--no-deps", "--no-index", "--quiet", wheel)
    return environment


@pytest.fixture
def decoys(tmp_path):
    """An unrelated working directory with folders that carry the names of ours and break when imported."""
    for name in ("generators", "builders", "tasks"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise ImportError('a decoy was imported')\n")
    return tmp_path


def command_paths(command, words):
    yield words
    for name, child in getattr(command, "commands", {}).items():
        yield from command_paths(child, (*words, name))


def model_arguments():
    gguf = embedded_gguf()
    return f"pretrained={gguf.parent},gguf_file={gguf.name}"


def assert_is_a_result(done, items_per_depth):
    """Every row is there with its standard error, and nothing of ours warned."""
    for name in NAMES[:5]:
        assert re.search(rf"^\| *(- )?{name} *\|", done.stdout, re.MULTILINE), done.stdout
    for metric in ("acc", "acc_norm", "soft"):
        rows = re.findall(rf"\|{metric} *\|↑ *\| *([0-9.]+)\|± *\| *([0-9.]+)\|", done.stdout)
        assert len(rows) == 6  # the group twice: in the table of tasks and in that of groups
        assert all(0 <= float(value) <= 1 for value, _ in rows)
    warnings = [line for line in done.stderr.splitlines() if "WARNING" in line and "arithmark" in line.lower()]
    assert warnings == []
    assert f"{16 * items_per_depth}/{16 * items_per_depth}" in done.stderr


def test_the_wheel_holds_both_packages_and_the_task_files_and_nothing_else(wheel):
    names = [name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name]
    assert all(name.startswith(("arithmark_tasks/", "lm_eval/tasks/arithmark/")) for name in names)
    tasks = [name for name in names if name.startswith("lm_eval/")]
    assert "lm_eval/tasks/arithmark/deeparithmark/_deeparithmark_template_yaml" in tasks
    assert "lm_eval/tasks/arithmark/deeparithmark/README.md" in tasks
    folder = "lm_eval/tasks/arithmark/zenyx_arith"
    assert {f"{folder}/README.md", f"{folder}/ll/_zenyx_arith_ll_template_yaml"} <= set(tasks)
    here = REPOSITORY / "arithmark_tasks" / "tasks"
    files = {path.relative_to(here).as_posix() for path in here.rglob("*") if path.name.endswith(("yaml", ".md"))}
    assert {name.removeprefix("lm_eval/tasks/arithmark/") for name in tasks} == files
    assert not any(name.endswith(".py") for name in tasks)
    assert "arithmark_tasks/builders/__init__.py" in names
    assert "arithmark_tasks/generators/expression.py" in names
    assert "arithmark_tasks/published/deeparithmark_17models.json" in names
    assert {f"arithmark_tasks/report/page.{ending}" for ending in ("css", "html.jinja", "js")} <= set(names)
    assert not any(name.startswith("arithmark_tasks/tasks/") for name in names)


def test_the_clean_environment_imports_the_wheel_and_not_the_checkout(clean, decoys):
    code = "import arithmark_tasks, arithmark_tasks.builders as b, arithmark_tasks.generators as g, lm_eval\n"
    done = run(
        [clean.python, "-c", code + "print(*(m.__file__ for m in (arithmark_tasks, b, g, lm_eval)))"], cwd=decoys
    )
    for file in done.stdout.split():
        assert Path(file).is_relative_to(clean.packages)


def test_the_distributions_are_fit_for_the_package_index(distributions):
    assert [file.suffix for file in distributions] == [".whl", ".gz"]
    done = run([sys.executable, "-m", "twine", "check", "--strict", *distributions])
    assert done.stdout.count("PASSED") == 2, done.stdout


def test_every_command_of_the_wheel_explains_itself(clean, decoys):
    for words in command_paths(typer.main.get_command(app), ()):
        done = run([clean.arithmark, *words, "--help"], cwd=decoys)
        assert f"Usage: arithmark {' '.join(words)}".strip() in done.stdout
        assert not words or "xample" in done.stdout or "COMMAND" in done.stdout, words


def test_the_wheel_builds_and_verifies_every_dataset(clean, decoys):
    for name in ("deeparithmark", "zenyx", "calcgpt"):
        run([clean.arithmark, "build", name, "--out", name], cwd=decoys)
        assert "all claims hold" in run([clean.arithmark, "verify", name], cwd=decoys).stdout


def test_the_plain_command_scores_the_real_model_from_a_wheel(clean, decoys):
    arguments = ["--model", "hf", "--model_args", model_arguments(), "--tasks", "deeparithmark", "--device", "cpu"]
    done = run([clean.command, "run", *arguments, "--limit", "2", "--batch_size", "8"], cwd=decoys)
    assert_is_a_result(done, 2)
    assert "arithmark/deeparithmark/deeparithmark_d2.yaml" in done.stderr


def test_both_benchmarks_run_in_one_plain_command_from_a_wheel(clean, decoys):
    tasks = "deeparithmark,zenyx_arith,zenyx_arith_ll,zenyx_arith_mc_div"
    arguments = ["--model", "hf", "--model_args", model_arguments(), "--tasks", tasks, "--device", "cpu"]
    done = run([clean.command, "run", *arguments, "--limit", "1", "--batch_size", "8"], cwd=decoys)
    types = ("3ds", "4da", "5da", "5ds", "4dm", "5dm", "34m", "div")
    groups = ("zenyx_arith", "zenyx_arith_ll")
    for name in (*NAMES[:5], *groups, *(f"{group}_{code}" for group in groups for code in types), "zenyx_arith_mc_div"):
        assert re.search(rf"^\| *(- )?{name} *\|", done.stdout, re.MULTILINE), done.stdout
    # Each group twice: in the table of tasks and in that of groups.
    for metric, rows in (("exact_match", 8 + 2), ("no_answer", 8 + 2), ("acc", 4 + 2 + 8 + 2 + 1)):
        found = re.findall(rf"\|{metric} *\|[↑↓] *\| *([0-9.]+)\|", done.stdout)
        assert len(found) == rows and all(0 <= float(value) <= 1 for value in found)
    assert [line for line in done.stderr.splitlines() if "WARNING" in line and "arith" in line.lower()] == []


def test_the_wheels_own_folder_as_include_path_does_no_harm(clean, decoys):
    folder = Path(run([clean.python, "-m", "arithmark_tasks"], cwd=decoys).stdout.strip())
    assert folder == clean.packages / "lm_eval" / "tasks" / "arithmark"
    code = (
        "from lm_eval.tasks import TaskManager; import sys\n"
        "tasks = TaskManager(include_path=sys.argv[1]).load(['deeparithmark'])['tasks']\n"
        "print(sum(len(task.test_docs()) for task in tasks.values()))"
    )
    assert run([clean.python, "-c", code, folder], cwd=decoys).stdout.split() == ["1000"]


def test_the_plain_command_scores_the_real_model_from_an_editable_install(decoys):
    if not Path(arithmark_tasks.__file__).is_relative_to(REPOSITORY):
        pytest.skip("not an editable install")
    folder = run([sys.executable, "-m", "arithmark_tasks"], cwd=decoys).stdout.strip()
    assert Path(folder) == REPOSITORY / "arithmark_tasks" / "tasks"
    arguments = ["--model", "hf", "--model_args", model_arguments(), "--tasks", "deeparithmark", "--device", "cpu"]
    command = [sys.executable, "-m", "lm_eval", "run", "--include_path", folder, *arguments]
    assert_is_a_result(run([*command, "--limit", "2", "--batch_size", "8"], cwd=decoys), 2)


def test_uninstalling_removes_our_files_only(clean):
    after_use = listing(clean.packages)
    clean.pip("uninstall", "--yes", "--quiet", "arithmark")
    clean.bridge.unlink()
    assert listing(clean.packages) == clean.before
    assert {path.parts[0] for path in after_use - clean.before} <= {
        "arithmark_tasks",
        "lm_eval",
        "dependencies.pth",
        f"arithmark-{arithmark_tasks.__version__}.dist-info",
    }
