"""``python -m arithmark_tasks`` prints the folder for lm-eval's ``--include_path``."""

from .paths import task_folder

if __name__ == "__main__":
    print(task_folder())
