"""What to score and how."""

import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..generators.errors import InputError
from ..scoring import models
from .comparison import CONTROL, DEFAULT


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of ``arithmark eval`` by their names; None leaves it to the model or the task.

    ``InputError`` for a dtype, model type or batch size that does not exist, before anything is loaded.
    """

    model: str | None = None
    tasks: tuple[str, ...] = (DEFAULT,)
    dtype: str = "fp32"
    batch_size: str | None = None
    max_context: int | None = None
    model_type: str = "hf-shared"
    limit: int | None = None
    num_fewshot: int | None = None
    apply_chat_template: bool = False
    compare: bool = False
    arithmark3: Path | None = None

    def __post_init__(self) -> None:
        models.full_dtype(self.dtype)
        models.check_model_type(self.model_type)
        if self.batch_size is not None and not re.fullmatch(r"[1-9][0-9]*|auto(:[1-9][0-9]*)?", self.batch_size):
            raise InputError(f"a batch size is a number or auto, not {self.batch_size!r}")

    def task_names(self) -> list[str]:
        """The tasks asked for and, with ``compare``, the default set and its control.

        >>> Settings(tasks=("zenyx_arith_ll",), compare=True).task_names()
        ['zenyx_arith_ll', 'deeparithmark', 'deeparithmark_control']
        """
        return list(dict.fromkeys([*self.tasks, *([DEFAULT, CONTROL] if self.compare else [])]))

    def command(self) -> str:
        """The command line that repeats this run, without ``--out``.

        >>> Settings(model="gpt2").command()
        'arithmark eval --model gpt2 --tasks deeparithmark --dtype fp32 --model-type hf-shared'
        """
        options = {
            "--model": self.model,
            "--tasks": ",".join(self.tasks),
            "--dtype": self.dtype,
            "--batch-size": self.batch_size,
            "--max-context": self.max_context,
            "--model-type": self.model_type,
            "--limit": self.limit,
            "--num-fewshot": self.num_fewshot,
            "--arithmark3": self.arithmark3,
        }
        words = [str(word) for name, value in options.items() if value is not None for word in (name, value)]
        flags = {"--apply-chat-template": self.apply_chat_template, "--compare": self.compare}
        return shlex.join(["arithmark", "eval", *words, *(name for name, given in flags.items() if given)])

    def load(self, pretrained: str) -> Any:
        """The lm-eval model; ``InputError`` for one that cannot be loaded."""
        options: dict[str, Any] = {"max_length": self.max_context, "batch_size": self.batch_size}
        given = {name: value for name, value in options.items() if value is not None}
        lm = models.load(pretrained, self.model_type, dtype=self.dtype, **given)
        accelerator = getattr(lm, "accelerator", None)
        if accelerator is not None and lm.world_size == 1:  # lm-eval divides the work among GPUs, not among processors
            lm._rank, lm._world_size = accelerator.process_index, accelerator.num_processes
        return lm
