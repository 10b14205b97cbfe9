"""``python -m arithmark_tasks`` prints the folder of the task files, for lm-eval's ``--include_path``.

With arguments it is lm-eval's own command, which then also knows the model ``hf-shared``:
``python -m arithmark_tasks run --model hf-shared --model_args pretrained=... --tasks deeparithmark``.
"""

import sys

from .paths import task_folder


def main() -> None:
    """Print the folder, or hand the arguments on."""
    if len(sys.argv) == 1:
        print(task_folder())
        return
    from lm_eval.__main__ import cli_evaluate

    if sys.argv[1] == "run":
        # Until lm-eval looks for models at entry points, importing the module is what makes one known.
        from . import shared_prefix  # noqa: F401

    cli_evaluate()


if __name__ == "__main__":
    main()
