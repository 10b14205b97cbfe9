"""Where the task YAMLs lie."""

from pathlib import Path


def task_folder() -> Path:
    """The folder that holds the task YAMLs, beside this module."""
    return Path(__file__).parent / "tasks"
