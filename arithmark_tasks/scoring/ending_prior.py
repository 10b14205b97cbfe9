"""What a language model makes of the endings alone: scored without the context they hold no information.

A model that picks the right ending much more often than chance without reading the question has found a shortcut in
the numbers or their wording.
"""

from collections.abc import Callable, Sequence
from typing import Any

from ..generators.choices.audit import Question, Row, judge
from ..generators.choices.shortcuts import share
from .models import load, resolve_model

PER_TOKEN = "model on endings, per token"
PER_CHARACTER = "model on endings, per character"
CHUNK = 512


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
    scored = _loglikelihoods(
        load(resolve_model(model)[0], batch_size=64), distinct_endings(questions), notify or (lambda count: None)
    )
    rows = []
    for name, length in ((PER_TOKEN, lambda text: scored[text][1]), (PER_CHARACTER, len)):
        gained = [share([scored[text][0] / length(text) for text in asked.texts])[asked.label] for asked in questions]
        rows.append(judge(name, "model", gained, [1 / len(asked.texts) for asked in questions]))
    return rows


def distinct_endings(questions: Sequence[Question]) -> list[str]:
    """Every different ending once, in order of appearance."""
    return list(dict.fromkeys(text for asked in questions for text in asked.texts))
