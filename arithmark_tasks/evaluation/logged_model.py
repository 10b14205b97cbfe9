"""An lm-eval model that asks another one only what its log does not know yet."""

import math
from collections.abc import Callable, Sequence
from typing import Any

from lm_eval.api.instance import Instance
from lm_eval.api.model import LM, hash_args
from lm_eval.models.utils import normalize_gen_kwargs

from ..generators.errors import InputError
from .item_log import ItemLog
from .progress import ItemProgress, item_progress

LOGLIKELIHOOD, GENERATE = "loglikelihood", "generate_until"


@LM.register
class LoggedLM:
    """Everything of the inner model, but each different request is answered once, now or in an earlier run.

    The inner model tells every answer as it has it, through lm-eval's cache hook. All answers of a batch are written
    together when the next begins, so that a resumed run goes on with the same batches as one that was never stopped: a
    number depends, in its last bits, on what else is in its batch.

    ``notify`` is told "" when a progress bar begins, and after it what follows; ``tell`` how long the bar will take.
    """

    def __init__(
        self,
        lm: Any,
        log: ItemLog,
        *,
        show: bool = True,
        notify: Callable[[str], None] = lambda stage: None,
        tell: Callable[[str], None] = lambda fact: None,
    ) -> None:
        self._lm, self._log, self._show, self._notify, self._tell = lm, log, show, notify, tell
        self._tokens: dict[tuple[str, ...], tuple[int, int]] = {}
        self._progress: ItemProgress | None = None
        lm.set_cache_hook(self)
        lm.model.register_forward_pre_hook(lambda *_: log.commit())
        self._score_tokens, lm._loglikelihood_tokens = lm._loglikelihood_tokens, self._counting_tokens

    def __getattr__(self, name: str) -> Any:
        return getattr(self._lm, name)

    def loglikelihood(self, requests: Sequence[Instance], disable_tqdm: bool = False) -> list[tuple[float, bool]]:
        """Log-likelihood and greediness of each continuation."""
        return [(score, greedy) for score, greedy, *_ in self._answers(LOGLIKELIHOOD, requests)]

    def generate_until(self, requests: Sequence[Instance], disable_tqdm: bool = False) -> list[str]:
        """The text of each answer; those drawn at random are never taken from the log."""
        if any(request.args[1].get("do_sample") for request in requests):
            self._notify("")
            drawn: list[str] = self._lm.generate_until(requests, disable_tqdm=not self._show)
            self._notify("judging the answers")
            return drawn
        texts = self._answers(GENERATE, requests)
        return list(self._lm.with_opened_thoughts([request.args[0] for request in requests], texts))

    def gather(self) -> None:
        """Let the first process know the answers of all, as lm-eval does with the samples."""
        for answers in self._lm.gather_object(self._log.answers) or []:
            self._log.answers |= answers

    def tokens(self, context: str, continuation: str | dict[str, Any]) -> tuple[int | None, int | None]:
        """The length of a scored continuation as the model read it, and how much was cut off before it, in tokens.

        Context and continuation are encoded together. Of a prompt whose answer is generated, which comes with the
        options of the generation, only the second is known.
        """
        if isinstance(continuation, dict):
            return None, self._cut_of_prompt(context, continuation)
        _, _, count, *cut = self._log.answers[hash_args(LOGLIKELIHOOD, (context, continuation))]
        return count, cut[0] if cut else None  # logs of earlier versions did not keep it

    def add_partial(self, kind: str, arguments: Sequence[Any], answer: Any) -> None:
        """lm-eval's cache hook: keep one answer."""
        scored = kind == LOGLIKELIHOOD
        if scored and (math.isnan(answer[0]) or answer[0] == math.inf):
            raise InputError(
                f"the model gives {answer[0]} for a log-likelihood, computed in {self._dtype} on {self._lm.device}: "
                "no item can be scored so" + ("" if self._dtype == "float32" else "; --dtype fp32 may do")
            )
        key = hash_args(kind, arguments)
        if key not in self._log.answers:
            self._log.add(key, [*answer, *self._tokens.pop(tuple(arguments))] if scored else answer)
            if self._progress is not None:
                self._progress.answered(key)

    @property
    def _dtype(self) -> str:
        return str(self._lm.model.dtype).removeprefix("torch.")

    def _answers(self, kind: str, requests: Sequence[Instance]) -> list[Any]:
        keys = [hash_args(kind, request.args) for request in requests]
        missing = {key: one for key, one in zip(keys, requests, strict=True) if key not in self._log.answers}
        if missing:
            self._notify("")
            items = [(request.task_name, request.doc_id) for request in requests]
            with item_progress(kind, keys, items, set(missing), show=self._show, tell=self._tell) as self._progress:
                getattr(self._lm, kind)(list(missing.values()), disable_tqdm=True)
            self._log.commit(sync=True)
            self._notify("judging the answers")
        return [self._log.answers[key] for key in keys]

    def _counting_tokens(self, requests: Sequence[tuple[Any, list[int], list[int]]], **options: Any) -> Any:
        # The last token is only predicted, never read: a request may be one token longer than the window.
        room = self._lm.max_length + 1
        self._tokens |= {
            texts: (len(continuation), max(0, len(context) + len(continuation) - room))
            for texts, context, continuation in requests
        }
        return self._score_tokens(requests, **options)

    def _cut_of_prompt(self, prompt: str, options: dict[str, Any]) -> int:
        room = self._lm.max_length - normalize_gen_kwargs(options, self._lm.max_gen_toks)["max_gen_toks"]
        return max(0, len(self._lm.tok_encode(prompt)) - room)
