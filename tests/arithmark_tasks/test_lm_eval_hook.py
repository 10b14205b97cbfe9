"""The start-up hook: what it adds to lm-eval, and that no failure of its own reaches anyone."""

import os
import subprocess
import sys
import sysconfig
import textwrap
from pathlib import Path

import pytest

import arithmark_tasks.lm_eval_hook as hook

REPOSITORY = Path(__file__).parents[2]
NEW = """
    class TaskManager:
        def __init__(self, verbosity=None, include_path=None, include_defaults=True, metadata=None):
            self.seen = include_path, include_defaults, metadata
"""
PYTHON = Path(sys.executable).resolve()  # the one without this environment's start-up files


@pytest.fixture
def harness(tmp_path):
    """Writes ``lm_eval`` with this source as its ``tasks`` and the hook's package beside it; returns the folder."""

    def write(tasks=NEW, folder="site", hook_source=None):
        site = tmp_path / folder
        package = site / "lm_eval" / "tasks"
        package.mkdir(parents=True)
        (site / "lm_eval" / "__init__.py").write_text("")
        (package / "__init__.py").write_text(textwrap.dedent(tasks))
        ours = site / "arithmark_tasks"
        (ours / "tasks").mkdir(parents=True)
        (ours / "__init__.py").write_text("")
        source = Path(hook.__file__).read_text(encoding="utf-8") if hook_source is None else hook_source
        (ours / "lm_eval_hook.py").write_text(source)
        return site

    return write


def python(site, code, *flags, line=None, **environment):
    """What a new Python prints that obeys ``arithmark.pth`` in the folder, then runs the code; nothing may warn."""
    written = pth_line() if line is None else line
    start = f"import sys; sys.path.insert(0, {str(site)!r})\n{written}\n"
    environment = {"PATH": os.environ["PATH"], **environment}
    command = [PYTHON, "-S", *flags, "-c", start + textwrap.dedent(code)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=site.parent, timeout=60)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout.strip()


def pth_line():
    # setup.py builds when it is run; its constants are read without.
    source = (REPOSITORY / "setup.py").read_text(encoding="utf-8").partition("class ")[0]
    constants = {}
    exec(source.replace("from setuptools", "# from setuptools"), constants)
    return constants["LINE"].strip()


SEEN = "from lm_eval.tasks import TaskManager as T\n"


def test_the_manager_reads_our_folder_after_its_own_and_before_the_users(harness):
    site = harness()
    ours = str(site / "arithmark_tasks" / "tasks")
    code = (
        SEEN + "print([T().seen[0], T(include_path='x').seen[0], T(None, ['x', 'y']).seen[0], T(metadata=1).seen[2]])"
    )
    assert python(site, code) == str([[ours], [ours, "x"], [ours, "x", "y"], 1])


def test_without_the_defaults_the_manager_reads_what_it_is_told_only(harness):
    code = SEEN + "print(T(include_defaults=False).seen, T(include_path='x', include_defaults=False).seen[0])"
    assert python(harness(), code) == "(None, False, None) x"


def test_our_folder_named_by_the_user_or_inside_a_named_one_is_read_once(harness):
    site = harness()
    ours, parent = str(site / "arithmark_tasks" / "tasks"), str(site / "arithmark_tasks")
    code = SEEN + f"print([T(include_path={ours!r}).seen[0], T(include_path={parent!r}).seen[0]])"
    assert python(site, code) == str([ours, parent])
    (site / "arithmark_tasks" / "tas").mkdir()
    near = str(site / "arithmark_tasks" / "tas")
    assert python(site, SEEN + f"print(T(include_path={near!r}).seen[0])") == str([ours, near])


def test_wrong_arguments_and_errors_are_lm_evals_own(harness):
    site = harness(NEW + "            if include_path and 'bad' in include_path: raise KeyError(include_path[-1])\n")
    code = """
    for args, options in ((), {'nothing': 1}), ((1, 2, 3, 4, 5), {}), ((None, 'bad'), {}), ((None, 7), {}):
        try:
            print(T(*args, **options).seen[0])
        except Exception as error:
            print(type(error).__name__, error)
    """
    said = python(site, SEEN + textwrap.dedent(code)).splitlines()
    assert said[0] == "TypeError TaskManager.__init__() got an unexpected keyword argument 'nothing'"
    assert said[1].startswith("TypeError TaskManager.__init__() takes")
    assert said[2:] == ["KeyError 'bad'", "TypeError argument of type 'int' is not iterable"]


def test_a_subclass_and_a_reloaded_module_read_it_once(harness):
    code = """
    import importlib, lm_eval.tasks
    class Mine(T): pass
    first = Mine().seen[0]
    again = importlib.reload(lm_eval.tasks).TaskManager().seen[0]
    print(len(first), len(again), T.__init__.__name__, type(lm_eval.tasks.__loader__).__name__)
    """
    assert python(harness(), SEEN + textwrap.dedent(code)) == "1 1 __init__ SourceFileLoader"


@pytest.mark.parametrize(
    "tasks",
    [
        "class TaskManager:\n    def __init__(self): self.seen = 'old'",
        "class TaskManager:\n    __slots__ = ('seen',)\n    def __init__(self, *args, **options): self.seen = 'old'",
        "TaskManager = lambda: type('Seen', (), {'seen': 'old'})",
        "import types\nTaskManager = lambda: types.SimpleNamespace(seen='old')\nTaskManager.__init__ = None",
    ],
)
def test_another_kind_of_manager_is_left_alone(harness, tasks):
    assert python(harness(tasks), SEEN + "print(T().seen)") == "old"


def test_a_version_without_a_manager_is_left_alone(harness):
    assert (
        python(
            harness("def initialize_tasks(): return 'old'"), "import lm_eval.tasks as t; print(t.initialize_tasks())"
        )
        == "old"
    )


def test_an_import_error_of_lm_eval_is_lm_evals_own(harness):
    code = "try: import lm_eval.tasks\nexcept Exception as error: print(type(error).__name__, error)"
    assert python(harness("raise RuntimeError('theirs')"), code) == "RuntimeError theirs"
    site = harness(folder="empty")
    (site / "lm_eval" / "tasks" / "__init__.py").unlink()
    (site / "lm_eval" / "tasks").rmdir()
    assert python(site, code) == "ModuleNotFoundError No module named 'lm_eval.tasks'"


@pytest.mark.parametrize("source", ["this is no Python", "raise OSError('disk')", "", "def install(): 1 / 0"])
def test_a_broken_hook_is_as_if_there_were_none(harness, source):
    assert python(harness(hook_source=source), SEEN + "print(T().seen[0])") == "None"


def test_an_absent_arithmark_or_task_folder_is_as_if_there_were_none(harness):
    site = harness()
    (site / "arithmark_tasks" / "tasks").rmdir()
    assert python(site, SEEN + "print(T().seen[0])") == "None"
    for file in (site / "arithmark_tasks").iterdir():
        file.unlink() if file.is_file() else None
    assert python(site, SEEN + "print(T().seen[0])", "-B") == "None"


def test_an_environment_variable_turns_it_off(harness):
    code = "import sys; print('arithmark_tasks' in sys.modules, len(sys.meta_path))"
    site = harness()
    assert python(site, code, ARITHMARK_NO_HOOK="1") == "False 3"
    assert python(site, code) == "True 4"


@pytest.mark.parametrize(
    "flags", [("-I",), ("-E",), ("-O",), ("-B",), ("-s", "-P") if sys.version_info > (3, 11) else ("-s",)]
)
def test_interpreter_flags_do_not_matter(harness, flags):
    site = harness()
    assert python(site, SEEN + "print(T().seen[0])", *flags) == str([str(site / "arithmark_tasks" / "tasks")])


OTHER_HOOKS = {
    "raises": "def find_spec(self, *a): 1 / 0 if a[0] == 'never' else None",
    "asks everyone": """def find_spec(self, name, path=None, target=None):
        if name.startswith('lm_eval'):
            for other in sys.meta_path:
                spec = other.find_spec(name, path, target) if other is not self and not self.busy() else None
                if spec: return spec
    depth = 0
    def busy(self):
        self.depth += 1
        return self.depth > 20""",
    "old protocol": "def find_module(self, name, path=None): return None",
}


@pytest.mark.parametrize("body", OTHER_HOOKS.values(), ids=OTHER_HOOKS)
@pytest.mark.parametrize("place", [0, 1, 99])
def test_other_import_hooks_stay_in_force(harness, body, place):
    site = harness()
    code = f"import sys\nclass Other:\n    {body}\nsys.meta_path.insert({place}, Other())\n" + SEEN
    code += "print(len(T().seen[0]), len(sys.meta_path))"
    assert python(site, code) == "1 5"


def test_a_loader_that_takes_no_attributes_leaves_lm_eval_as_it_is(harness):
    code = """
    import sys, types
    from importlib.machinery import ModuleSpec
    class Loader:
        __slots__ = ()
        def create_module(self, spec): return None
        def exec_module(self, module): module.TaskManager = lambda: types.SimpleNamespace(seen='plain')
    class Finder:
        def find_spec(self, name, path=None, target=None):
            return ModuleSpec(name, Loader(), is_package=True) if name == 'lm_eval.tasks' else None
    sys.meta_path.insert(1, Finder())
    """
    assert python(harness(), textwrap.dedent(code) + SEEN + "print(T().seen)") == "plain"


def test_a_bare_folder_does_not_hide_an_editable_install(harness, tmp_path):
    site = harness()
    for part in ("__init__.py", "tasks/__init__.py"):
        moved = tmp_path / "checkout" / "lm_eval" / part
        moved.parent.mkdir(parents=True, exist_ok=True)
        (site / "lm_eval" / part).rename(moved)
    code = f"""
    import sys
    from importlib.util import spec_from_file_location
    class Editable:
        @classmethod
        def find_spec(cls, name, path=None, target=None):
            if name == 'lm_eval':
                return spec_from_file_location(name, {str(tmp_path / "checkout" / "lm_eval" / "__init__.py")!r})
    sys.meta_path.append(Editable)
    """
    code = textwrap.dedent(code)
    assert (site / "lm_eval" / "tasks").is_dir()
    assert python(site, code + SEEN + "print(len(T().seen[0]))") == "1"
    failing = (
        code + "try: import lm_eval.tasks as t; t.TaskManager\nexcept Exception as error: print(type(error).__name__)"
    )
    assert python(site, failing, line="") == "AttributeError"  # what the hook is there against


def test_lm_eval_imported_before_the_hook_is_completed_too(harness):
    code = SEEN + pth_line() + "\nprint(len(T().seen[0]))"
    assert python(harness(), code, line="") == "1"


def test_a_second_installation_adds_nothing(harness):
    assert python(harness(), pth_line() + "\n" + SEEN + "print(len(T().seen[0]), len(sys.meta_path))") == "1 4"


def test_starting_python_with_it_costs_less_than_a_millisecond_and_imports_nothing_else(harness):
    # As Python measures it, with all that is imported on the way. The least of some starts: a busy machine only adds.
    site = harness()
    real = Path(hook.__file__).with_name("__init__.py").read_text(encoding="utf-8")
    (site / "arithmark_tasks" / "__init__.py").write_text(real)
    python(site, "")
    microseconds = []
    while len(microseconds) < 40 and min(microseconds, default=1000) >= 1000:
        # Python's own start-up has imported os; what else it has imported differs between environments.
        started = f"import os, sys; sys.path.insert(0, {str(site)!r}); before = set(sys.modules)\n{pth_line()}\n"
        command = [PYTHON, "-S", "-X", "importtime", "-c", started + "print(*sorted(set(sys.modules) - before))"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert done.stdout.split() == ["arithmark_tasks", "arithmark_tasks.lm_eval_hook"]
        lines = [line for line in done.stderr.splitlines() if "arithmark_tasks" in line]
        assert len(lines) == 2
        microseconds.append(sum(int(line.split("|")[1]) for line in lines))
    assert min(microseconds) < 1000, microseconds


def test_the_hook_of_this_environment_is_in_force_unless_it_was_installed_without():
    purelib = Path(sysconfig.get_path("purelib"))
    if not (purelib / "arithmark.pth").is_file() or os.environ.get("ARITHMARK_NO_HOOK"):
        pytest.skip("arithmark is installed in another way here")
    from lm_eval.tasks import TaskManager

    assert hasattr(TaskManager.__init__, "reads_arithmark")
    assert (purelib / "arithmark.pth").read_text(encoding="utf-8").strip() == pth_line()
