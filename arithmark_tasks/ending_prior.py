"""What a language model makes of the endings alone: scored without the context they hold no information.

A model that picks the right ending much more often than chance without reading the question has found a shortcut in
the numbers or their wording.
"""

import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from .generators.deeparithmark.audit import Question, Row, judge
from .generators.deeparithmark.shortcuts import share
from .generators.errors import InputError

PER_TOKEN = "model on endings, per token"
PER_CHARACTER = "model on endings, per character"
CHUNK = 512


def model_arguments(model: str) -> dict[str, str]:
    """The ``pretrained`` and ``gguf_file`` arguments for a folder, a Hub id or a GGUF file (or a folder with just one).

    >>> model_arguments("HuggingFaceTB/SmolLM2-135M")
    {'pretrained': 'HuggingFaceTB/SmolLM2-135M'}
    """
    path = Path(model)
    if path.is_dir() and not (path / "config.json").exists():
        files = sorted(path.glob("*.gguf"))
        if len(files) != 1:
            raise InputError(f"neither config.json nor exactly one .gguf file ({len(files)} found)", file=model)
        path = files[0]
    if path.suffix == ".gguf":
        if not path.is_file():
            raise InputError("no such model file", file=model)
        return {"pretrained": str(path.parent), "gguf_file": path.name}
    return {"pretrained": model}


def _load(model: str) -> Any:
    import torch
    from lm_eval.models.huggingface import HFLM
    from transformers.utils import logging as transformers_logging

    transformers_logging.disable_progress_bar()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    arguments = model_arguments(model)
    logging.getLogger("lm_eval").setLevel(logging.ERROR)
    try:
        return HFLM(**arguments, dtype="float32", batch_size=64, device=device)
    except (OSError, ValueError) as error:
        raise InputError(f"cannot load the model: {str(error).splitlines()[0]}", file=model) from None


def _loglikelihoods(model: Any, texts: Sequence[str], notify: Callable[[int], None]) -> dict[str, tuple[float, int]]:
    """Per text its log-likelihood after the begin-of-text token alone, and its number of tokens."""
    from lm_eval.api.instance import Instance

    scored: dict[str, tuple[float, int]] = {}
    for start in range(0, len(texts), CHUNK):
        chunk = texts[start : start + CHUNK]
        requests = [
            Instance(request_type="loglikelihood", doc={}, arguments=("", text), idx=index)
            for index, text in enumerate(chunk)
        ]
        for text, (total, _) in zip(chunk, model.loglikelihood(requests, disable_tqdm=True), strict=True):
            scored[text] = (total, len(model.tok_encode(text, add_special_tokens=False)))
        notify(len(chunk))
    return scored


def ending_rows(questions: Sequence[Question], model: str, notify: Callable[[int], None] | None = None) -> list[Row]:
    """Two rows: the endings ranked by log-likelihood per token and per character; ties share.

    ``notify`` is told how many texts were scored, of ``len(distinct_endings(questions))`` in all. ``InputError`` when
    the model cannot be loaded.
    """
    scored = _loglikelihoods(_load(model), distinct_endings(questions), notify or (lambda count: None))
    rows = []
    for name, length in ((PER_TOKEN, lambda text: scored[text][1]), (PER_CHARACTER, len)):
        gained = [share([scored[text][0] / length(text) for text in asked.texts])[asked.label] for asked in questions]
        rows.append(judge(name, "model", gained, [1 / len(asked.texts) for asked in questions]))
    return rows


def distinct_endings(questions: Sequence[Question]) -> list[str]:
    """Every different ending once, in order of appearance."""
    return list(dict.fromkeys(text for asked in questions for text in asked.texts))
