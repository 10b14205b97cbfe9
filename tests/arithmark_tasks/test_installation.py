"""The plain ``lm_eval`` command finds our tasks however the two are installed, and lm-eval stays as it was."""

import re
import sys
import zipfile
from pathlib import Path

import pytest
import typer
from installed import REPOSITORY, Environment, checkout, dependencies, harness_source, listing, run
from tiny import byte_level_tokenizer, save_tiny_model

from arithmark_tasks.cli import app
from arithmark_tasks.paths import task_folder
from arithmark_tasks.scoring.models import embedded_gguf

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]

NAMES = ["deeparithmark", *(f"deeparithmark_d{depth}" for depth in (2, 3, 4, 5)), "deeparithmark_gen"]
OURS = set(
    re.findall(r"^(?:task|group): (\w+)$", "\n".join(p.read_text() for p in task_folder().rglob("*.yaml")), re.M)
)


@pytest.fixture(scope="module")
def links(tmp_path_factory):
    return dependencies(tmp_path_factory.mktemp("dependencies") / "links")


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    return checkout(tmp_path_factory.mktemp("source") / "arithmark")


@pytest.fixture(scope="module")
def distributions(tmp_path_factory, source):
    """The sdist and the wheel made from it."""
    out = tmp_path_factory.mktemp("dist")
    run([sys.executable, "-m", "build", "--no-isolation", "--outdir", out, source])
    return sorted(out.iterdir())


@pytest.fixture(scope="module")
def wheel(distributions):
    return next(file for file in distributions if file.suffix == ".whl")


@pytest.fixture(scope="module")
def harness(tmp_path_factory):
    """lm-eval with two of its folders of tasks: to read all ten thousand takes half a minute."""
    return harness_source(tmp_path_factory.mktemp("upstream") / "lm-eval", tasks=["arithmetic", "gsm8k"])


@pytest.fixture(scope="module")
def harness_wheel(harness, tmp_path_factory):
    out = tmp_path_factory.mktemp("wheels")
    run([sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", out, harness])
    return next(out.iterdir())


@pytest.fixture(scope="module")
def clean(tmp_path_factory, wheel, links):
    """The wheel beside all of lm-eval, regularly installed."""
    environment = Environment(tmp_path_factory.mktemp("venv"), links)
    environment.install(harness_source(tmp_path_factory.mktemp("upstream") / "lm-eval"))
    environment.install(wheel)
    return environment


@pytest.fixture(scope="module")
def tiny_model(tmp_path_factory):
    texts = ["Question: What is 12 + 34?\nAnswer: 46", "Ann sold 12 crates at 34 dollars each."] * 20
    return save_tiny_model(tmp_path_factory.mktemp("model"), byte_level_tokenizer(texts))


@pytest.fixture
def decoys(tmp_path):
    """An unrelated working directory with folders that carry the names of ours and break when imported."""
    for name in ("generators", "builders", "tasks", "arithmark_tasks"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise ImportError('a decoy was imported')\n")
    for name in ("lm_eval/tasks", "deeparithmark", "zenyx_arith"):
        (tmp_path / name).mkdir(parents=True)
    return tmp_path


def command_paths(command, words):
    yield words
    for name, child in getattr(command, "commands", {}).items():
        yield from command_paths(child, (*words, name))


def listed(environment, place, *options):
    """The names in the tables of ``lm_eval ls tasks``."""
    table = environment.run(environment.lm_eval, "ls", "tasks", *options, cwd=place)
    return set(re.findall(r"^\| *(\w+) *\|", table, re.MULTILINE))


def assert_found(environment, place):
    names = listed(environment, place)
    assert names >= OURS | {"gsm8k", "arithmetic_1dc"}, OURS - names
    code = (
        "import lm_eval; from lm_eval.tasks import TaskManager as T\n"
        "print(len(T().load(['deeparithmark'])['tasks']), 'deeparithmark' in T(include_defaults=False).all_tasks)\n"
    )
    assert environment.run(environment.python, "-c", code, cwd=place) == "4 False"


def assert_not_found(environment, place):
    names = listed(environment, place)
    assert "gsm8k" in names and not names & OURS


def assert_scores(environment, model, place):
    """Prompts, answers and metrics of both benchmarks, by the plain command."""
    arguments = ["--model", "hf", "--model_args", f"pretrained={model}", "--device", "cpu", "--limit", "1"]
    tasks = "deeparithmark,zenyx_arith_4da"
    table = environment.run(environment.lm_eval, "run", *arguments, "--tasks", tasks, "--batch_size", "8", cwd=place)
    for name in (*NAMES[:5], "zenyx_arith_4da"):
        assert re.search(rf"^\| *(- )?{name} *\|", table, re.MULTILINE), table


def model_arguments():
    gguf = embedded_gguf()
    return f"pretrained={gguf.parent},gguf_file={gguf.name}"


def test_the_wheel_holds_our_packages_the_task_files_and_the_start_up_line_and_nothing_else(wheel):
    names = [name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name]
    assert {name for name in names if not name.startswith("arithmark_tasks/")} == {"arithmark.pth"}
    tasks = {name.removeprefix("arithmark_tasks/tasks/") for name in names if name.startswith("arithmark_tasks/tasks/")}
    here = REPOSITORY / "arithmark_tasks" / "tasks"
    files = {path.relative_to(here).as_posix() for path in here.rglob("*") if path.name.endswith(("yaml", ".md"))}
    assert tasks == files and "deeparithmark/_deeparithmark_template_yaml" in tasks
    modules = {
        f"arithmark_tasks/{path.relative_to(REPOSITORY).as_posix().removeprefix('arithmark_tasks/')}"
        for folder in ("arithmark_tasks", "builders", "generators")
        for path in (REPOSITORY / folder).rglob("*.py")
    }
    assert modules <= set(names)
    assert "arithmark_tasks/published/deeparithmark_17models.json" in names
    assert {f"arithmark_tasks/report/page.{ending}" for ending in ("css", "html.jinja", "js")} <= set(names)


def test_the_distributions_are_fit_for_the_package_index(distributions):
    assert [file.suffix for file in distributions] == [".whl", ".gz"]
    done = run([sys.executable, "-m", "twine", "check", "--strict", *distributions])
    assert done.stdout.count("PASSED") == 2, done.stdout


@pytest.mark.parametrize("lm_eval_is", ["regular", "editable"])
@pytest.mark.parametrize("arithmark_is", ["wheel", "editable"])
@pytest.mark.parametrize("order", ["lm-eval first", "arithmark first"])
def test_the_tasks_come_and_go_with_arithmark(
    tmp_path, decoys, links, wheel, source, harness, harness_wheel, tiny_model, lm_eval_is, arithmark_is, order
):
    environment = Environment(tmp_path / "venv", links)
    theirs = [harness_wheel] if lm_eval_is == "regular" else ["-e", harness]
    ours = [wheel] if arithmark_is == "wheel" else ["-e", source]
    upstream = listing(harness)

    def files_of_lm_eval():
        return {path for path in listing(environment.packages) if "lm_eval" in path.parts[0]}

    environment.install(*(theirs if order == "lm-eval first" else ours))
    if order == "lm-eval first":
        before = files_of_lm_eval()
        environment.install(*ours)
        assert files_of_lm_eval() == before
    else:
        assert environment.run(environment.python, "-c", "print('silent')") == "silent"
        environment.install(*theirs)
        before = files_of_lm_eval()
    assert_found(environment, decoys)
    if lm_eval_is == "editable":
        assert_scores(environment, tiny_model, decoys)
    if order == "lm-eval first":
        environment.uninstall("arithmark")
        assert files_of_lm_eval() == before
        assert_not_found(environment, decoys)
        environment.uninstall("lm_eval")
    else:
        environment.uninstall("lm_eval")
        assert not files_of_lm_eval()
        assert environment.run(environment.python, "-c", "print('silent')") == "silent"
        environment.uninstall("arithmark")
    assert {path.parts[0] for path in listing(environment.packages)} <= {"pip", "setuptools", "dependencies.pth"}
    assert listing(harness) == upstream


@pytest.mark.parametrize("where", ["lm-eval above", "arithmark above", "both above", "both in both"])
def test_either_may_lie_in_another_folder_of_the_path(tmp_path, decoys, links, wheel, harness_wheel, tiny_model, where):
    # A user's own packages stand below those of the environment, as a system's do.
    base = Path(getattr(sys, "_base_executable", sys.executable))
    user = {"PYTHONUSERBASE": str(tmp_path / "user")}

    def install_for_user(what):
        pip = [sys.executable, "-m", "pip", "--python", base, "install", "--user", "--no-deps", "--no-index"]
        run([*pip, "--break-system-packages", "--no-warn-script-location", what], environment=user)

    environment = Environment(tmp_path / "venv", links, tmp_path / "user")
    for name, distribution in (("lm-eval", harness_wheel), ("arithmark", wheel)):
        if where in (f"{name} above", "both above", "both in both"):
            install_for_user(distribution)
        if where not in (f"{name} above", "both above"):
            environment.pip("install", "--no-deps", "--no-index", "--ignore-installed", distribution)
    if not environment.lm_eval.exists():
        environment.lm_eval.write_text(
            f"#!{environment.python}\nfrom lm_eval.__main__ import cli_evaluate\ncli_evaluate()\n"
        )
        environment.lm_eval.chmod(0o755)
    assert_found(environment, decoys)
    assert_scores(environment, tiny_model, decoys)
    told = environment.run(environment.python, "-m", "arithmark_tasks", cwd=tmp_path)
    assert Path(told).parts[-2:] == ("arithmark_tasks", "tasks") and Path(told).is_dir()


@pytest.mark.parametrize("lm_eval_is", ["regular", "editable"])
def test_an_upgrade_from_the_first_builds_wheel_mends_lm_eval(
    tmp_path, decoys, links, wheel, harness, harness_wheel, lm_eval_is
):
    # That wheel had the task files in lm-eval's own folder. pip removes the files and leaves folders.
    old = tmp_path / "old"
    (old / "tasks").mkdir(parents=True)
    (old / "tasks" / "deeparithmark_d2.yaml").write_text("task: deeparithmark_d2\n")
    (old / "setup.py").write_text(
        "from setuptools import setup\nsetup(name='arithmark', version='0.0.1', packages=['lm_eval.tasks.arithmark'],"
        "package_dir={'lm_eval.tasks.arithmark': 'tasks'}, package_data={'lm_eval.tasks.arithmark': ['*.yaml']})\n"
    )
    environment = Environment(tmp_path / "venv", links)
    environment.install(*([harness_wheel] if lm_eval_is == "regular" else ["-e", harness]))
    environment.install(old)
    assert (environment.packages / "lm_eval" / "tasks" / "arithmark").is_dir()
    environment.install("--upgrade", wheel)
    assert not (environment.packages / "lm_eval" / "tasks" / "arithmark").exists()
    assert (environment.packages / "lm_eval").exists()
    assert_found(environment, decoys)


def test_the_variable_turns_the_start_up_line_off_and_the_include_path_still_works(clean, decoys, monkeypatch):
    monkeypatch.setenv("ARITHMARK_NO_HOOK", "1")
    folder = clean.run(clean.python, "-m", "arithmark_tasks", cwd=decoys / "tasks")
    code = (
        "from lm_eval.tasks import TaskManager; import sys\n"
        "tasks = TaskManager(include_path=sys.argv[1], include_defaults=False).load(['deeparithmark'])['tasks']\n"
        "print(sum(len(task.test_docs()) for task in tasks.values()), hasattr(TaskManager.__init__, 'reads_arithmark'))"
    )
    assert clean.run(clean.python, "-c", code, folder, cwd=decoys / "tasks") == "1000 False"


def test_the_clean_environment_imports_the_wheel_and_not_the_checkout(clean, decoys):
    code = "import arithmark_tasks, arithmark_tasks.builders as b, arithmark_tasks.generators as g, lm_eval\n"
    code += "print(*(m.__file__ for m in (arithmark_tasks, b, g, lm_eval)))"
    for file in clean.run(clean.python, "-c", code, cwd=decoys).split():
        assert Path(file).is_relative_to(clean.packages)


def test_every_command_of_the_wheel_explains_itself(clean, decoys):
    for words in command_paths(typer.main.get_command(app), ()):
        told = clean.run(clean.arithmark, *words, "--help", cwd=decoys)
        assert f"Usage: arithmark {' '.join(words)}".strip() in told
        assert not words or "xample" in told or "COMMAND" in told, words


def test_the_wheel_builds_and_verifies_every_dataset(clean, decoys):
    for name in ("deeparithmark", "zenyx", "calcgpt"):
        clean.run(clean.arithmark, "build", name, "--out", f"out/{name}", cwd=decoys)
        assert "all claims hold" in clean.run(clean.arithmark, "verify", f"out/{name}", cwd=decoys)


def test_both_benchmarks_score_the_real_model_in_one_plain_command_from_a_wheel(clean, decoys):
    tasks = "deeparithmark,zenyx_arith,zenyx_arith_ll,zenyx_arith_mc_div"
    arguments = ["--model", "hf", "--model_args", model_arguments(), "--tasks", tasks, "--device", "cpu"]
    done = run([clean.lm_eval, "run", *arguments, "--limit", "1", "--batch_size", "8"], cwd=decoys)
    types = ("3ds", "4da", "5da", "5ds", "4dm", "5dm", "34m", "div")
    groups = ("zenyx_arith", "zenyx_arith_ll")
    for name in (*NAMES[:5], *groups, *(f"{group}_{code}" for group in groups for code in types), "zenyx_arith_mc_div"):
        assert re.search(rf"^\| *(- )?{name} *\|", done.stdout, re.MULTILINE), done.stdout
    # Each group twice: in the table of tasks and in that of groups.
    scored = 4 + 2 + 8 + 2 + 1
    for metric, rows in (("exact_match", 8 + 2), ("no_answer", 8 + 2), ("acc", scored), ("soft", scored)):
        found = re.findall(rf"\|{metric} *\|[↑↓] *\| *([0-9.]+)\|", done.stdout)
        assert len(found) == rows and all(0 <= float(value) <= 1 for value in found), metric
    assert [line for line in done.stderr.splitlines() if "WARNING" in line and "arith" in line.lower()] == []
    assert "arithmark_tasks/tasks/deeparithmark/deeparithmark_d2.yaml" in done.stderr
