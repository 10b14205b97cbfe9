"""What to score and how."""

import json
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..generators.errors import InputError
from ..scoring import models
from .comparison import CONTROL, DEFAULT

# What `arithmark eval` has options of its own for, beside the option.
_OWN = {
    "pretrained": "--model",
    "revision": "--revision",
    "dtype": "--dtype",
    "device": "--device",
    "batch_size": "--batch-size",
    "max_length": "--max-context",
    "trust_remote_code": "--trust-remote-code",
}


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of ``arithmark eval`` by their names; None leaves it to the model or the task.

    ``limit`` is a number of items of each task or, below 1, a share of them. ``model_args`` are further arguments of
    lm-eval's ``HFLM``, ``gen_kwargs`` of the generation in tasks with written answers. ``InputError`` for a value that
    cannot be, before anything is loaded.
    """

    model: str | None = None
    revision: str | None = None
    tasks: tuple[str, ...] = (DEFAULT,)
    dtype: str = "fp32"
    device: str | None = None
    batch_size: str | None = None
    max_context: int | None = None
    model_type: str = "hf-shared"
    model_args: Mapping[str, Any] = field(default_factory=dict)
    trust_remote_code: bool = False
    gen_kwargs: Mapping[str, Any] = field(default_factory=dict)
    limit: int | float | None = None
    num_fewshot: int | None = None
    apply_chat_template: bool = False
    compare: bool = False
    arithmark3: Path | None = None
    display_name: str | None = None

    def __post_init__(self) -> None:
        models.full_dtype(self.dtype)
        models.check_model_type(self.model_type)
        models.check_device_name(self.device)
        if self.batch_size is not None and not re.fullmatch(r"[1-9][0-9]*|auto(:[1-9][0-9]*)?", self.batch_size):
            raise InputError(f"a batch size is a number or auto, not {self.batch_size!r}")
        if self.limit is not None and not (0 < self.limit < 1 or self.limit == int(self.limit) >= 1):
            raise InputError(f"--limit takes a number of items, or a share of them below 1, not {self.limit}")
        for name in self.model_args:
            if name in _OWN:
                raise InputError(f"--model-args: give {name} as {_OWN[name]}")

    def task_names(self) -> list[str]:
        """The tasks asked for and, with ``compare``, the default set and its control.

        >>> Settings(tasks=("zenyx_arith_ll",), compare=True).task_names()
        ['zenyx_arith_ll', 'deeparithmark', 'deeparithmark_control']
        """
        return list(dict.fromkeys([*self.tasks, *([DEFAULT, CONTROL] if self.compare else [])]))

    def command(self) -> str:
        """The command line that repeats this run, without ``--out``.

        >>> Settings(model="gpt2", limit=0.5).command()
        'arithmark eval gpt2 --tasks deeparithmark --dtype fp32 --model-type hf-shared --limit 0.5'
        """
        options = {
            "--revision": self.revision,
            "--tasks": ",".join(self.tasks),
            "--dtype": self.dtype,
            "--device": self.device,
            "--batch-size": self.batch_size,
            "--max-context": self.max_context,
            "--model-type": self.model_type,
            "--model-args": joined(self.model_args) or None,
            "--gen-kwargs": joined(self.gen_kwargs) or None,
            "--limit": self.limit,
            "--num-fewshot": self.num_fewshot,
            "--arithmark3": self.arithmark3,
            "--name": self.display_name,
        }
        words = [str(word) for name, value in options.items() if value is not None for word in (name, value)]
        flags = {
            "--trust-remote-code": self.trust_remote_code,
            "--apply-chat-template": self.apply_chat_template,
            "--compare": self.compare,
        }
        model = [] if self.model is None else [self.model]
        return shlex.join(["arithmark", "eval", *model, *words, *(name for name, given in flags.items() if given)])

    def load(self, pretrained: str) -> Any:
        """The lm-eval model; ``InputError`` for one that cannot be loaded."""
        options: dict[str, Any] = {
            "revision": self.revision,
            "device": self.device,
            "max_length": self.max_context,
            "batch_size": self.batch_size,
            "trust_remote_code": self.trust_remote_code or None,
        }
        given = {name: value for name, value in options.items() if value is not None}
        lm = models.load(pretrained, self.model_type, dtype=self.dtype, **given, **self.model_args)
        accelerator = getattr(lm, "accelerator", None)
        if accelerator is not None and lm.world_size == 1:  # lm-eval divides the work among GPUs, not among processors
            lm._rank, lm._world_size = accelerator.process_index, accelerator.num_processes
        return lm


def parsed(option: str, text: str) -> dict[str, Any]:
    """``"a=1,b=x"`` as lm-eval reads it, or a JSON object; ``InputError`` names the option and what is no pair.

    >>> parsed("--gen-kwargs", "max_gen_toks=64,do_sample=true")
    {'max_gen_toks': 64, 'do_sample': True}
    """
    if not text.strip():
        return {}
    if text.lstrip().startswith("{"):
        try:
            return dict(json.loads(text))
        except ValueError as error:
            raise InputError(f"{option}: not a JSON object ({error}): {text!r:.80}") from None
    for pair in filter(None, text.split(",")):
        if not re.match(r"\s*\w+\s*=", pair):
            raise InputError(f"{option} takes NAME=VALUE,NAME=VALUE or a JSON object, not {pair!r}")
    from lm_eval.utils import simple_parse_args_string

    return {name.strip(): value for name, value in simple_parse_args_string(text).items()}


def joined(values: Mapping[str, Any]) -> str:
    """What ``parsed`` reads back as the same values; nothing for none.

    >>> joined({"max_gen_toks": 64}), parsed("--model-args", joined({"a": "1", "b": None}))
    ('{"max_gen_toks": 64}', {'a': '1', 'b': None})
    """
    return json.dumps(dict(values), ensure_ascii=False) if values else ""
