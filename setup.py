"""What setup.cfg cannot say: one file beside the packages, which lets the plain ``lm_eval`` command find our tasks.

A line of a ``.pth`` file that begins with ``import`` is run when Python starts. See arithmark_tasks/lm_eval_hook.py.
"""

from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

NAME = "arithmark.pth"
LINE = (
    "import os; exec('try: import arithmark_tasks.lm_eval_hook as hook; hook.install()\\nexcept Exception: pass')"
    " if not os.environ.get('ARITHMARK_NO_HOOK') else None\n"
)


class BuildWithHook(build_py):
    """Also writes the file: into the wheel, and into the one that stands for an editable install."""

    def run(self) -> None:
        super().run()
        folder = self.get_finalized_command("install").install_lib if self.editable_mode else self.build_lib
        Path(folder).mkdir(parents=True, exist_ok=True)
        Path(folder, NAME).write_text(LINE, encoding="utf-8")

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        """The files of the wheel."""
        outputs: list[str] = super().get_outputs(include_bytecode)
        return outputs if self.editable_mode else [*outputs, str(Path(self.build_lib, NAME))]


setup(cmdclass={"build_py": BuildWithHook})
