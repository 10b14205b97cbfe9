"""Where the task YAMLs lie: beside this module in a checkout, in lm-eval's own task folder after a wheel install."""

from importlib.util import find_spec
from pathlib import Path


def task_folder() -> Path:
    """The folder that holds the task YAMLs; ``FileNotFoundError`` when neither place has them."""
    beside = Path(__file__).parent / "tasks"
    if beside.is_dir():
        return beside
    spec = find_spec("lm_eval")
    if spec is not None and spec.origin is not None:
        installed = Path(spec.origin).parent / "tasks" / "arithmark"
        if installed.is_dir():
            return installed
    raise FileNotFoundError(
        "the arithmark task files are neither beside arithmark_tasks nor in lm_eval/tasks/arithmark"
    )
