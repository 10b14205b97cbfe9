"""lm-eval's Hugging Face model, which checks first whether what it is asked fits into its window."""

import logging
from collections.abc import Sequence
from typing import Any

from lm_eval.api.instance import Instance
from lm_eval.models.huggingface import HFLM
from lm_eval.models.utils import normalize_gen_kwargs, resolve_max_length

from ..generators.errors import InputError
from ..metrics import item_name

logger = logging.getLogger(__name__)

EncodedRequest = tuple[tuple[str, str], list[int], list[int]]


class WindowCheckedHFLM(HFLM):
    """``HFLM`` that never reads beyond the model's window and says, before it scores, what does not fit.

    ``max_length`` shortens the window and never lengthens it. lm-eval cuts long prompts from the left, and warns once
    per request in the midst of the progress bar; here one line counts them. ``InputError`` names an item whose ending,
    or a task whose room for generated tokens, leaves nothing of the window.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._asked: Sequence[Instance] = ()
        window = resolve_max_length(self.config, default=0)  # 0: the architecture has none
        if window and self.max_length > window:
            logger.warning("a context of %d tokens was asked for; the model has %d", self.max_length, window)
            self._max_length = window

    def loglikelihood(self, requests: list[Instance], disable_tqdm: bool = False) -> list[tuple[float, bool]]:
        """Log-likelihood and greediness of each continuation."""
        self._asked = requests
        scores: list[tuple[float, bool]] = super().loglikelihood(requests, disable_tqdm=disable_tqdm)
        return scores

    def generate_until(self, requests: list[Instance], disable_tqdm: bool = False) -> list[str]:
        """The text that follows each prompt."""
        for request in requests:
            room = normalize_gen_kwargs(request.args[1], self.max_gen_toks)["max_gen_toks"]
            if self.backend == "causal" and room >= self.max_length:
                raise InputError(
                    f"{request.task_name or 'a task'} generates up to {room} tokens (max_gen_toks), which leaves no "
                    f"room for a prompt in the model's window of {self.max_length}"
                )
        words = self._embedded_tokens()
        for prompt in {request.args[0] for request in requests}:
            self._check_tokens(self.tok_encode(prompt), words)
        texts: list[str] = super().generate_until(requests, disable_tqdm=disable_tqdm)
        return texts

    def _loglikelihood_tokens(
        self, requests: list[EncodedRequest], *args: Any, **kwargs: Any
    ) -> list[tuple[float, bool]]:
        self.check_requests(requests)
        self.warn_of_cut_prompts(requests)
        scores: list[tuple[float, bool]] = super()._loglikelihood_tokens(requests, *args, **kwargs)
        return scores

    def check_requests(self, requests: list[EncodedRequest]) -> None:
        """Refuse an empty context, and a continuation that is empty or longer than the window."""
        words = self._embedded_tokens()
        for texts, context, continuation in requests:
            self._check_tokens([*context, *continuation], words)
            if not context:
                raise InputError(f"{self._name(texts)}: no token before the continuation")
            if not 0 < len(continuation) <= self.max_length:
                raise InputError(
                    f"{self._name(texts)}: a continuation of {len(continuation)} tokens does not fit into a context "
                    f"of {self.max_length}"
                )

    def _embedded_tokens(self) -> int | None:
        """How many tokens the model has an embedding for; None where it does not say."""
        embedding = self.model.get_input_embeddings()
        return getattr(embedding, "num_embeddings", None)

    def _check_tokens(self, tokens: Sequence[int], words: int | None) -> None:
        """A tokenizer may know tokens that no text here leads to, so that only those that occur count."""
        if words is not None and max(tokens, default=0) >= words:
            token = max(tokens)
            raise InputError(
                f"the tokenizer does not belong to the model: it reads {self.tokenizer.decode([token])!r} as token "
                f"{token:,}, and the model's embedding has {words:,}"
            )

    def warn_of_cut_prompts(self, requests: list[EncodedRequest]) -> None:
        """Say how many of the requests are longer than the window, if any is."""
        # The last token is only predicted, never read: a request may be one token longer than the window.
        cut = sum(len(context) + len(continuation) > self.max_length + 1 for _, context, continuation in requests)
        if cut:
            logger.warning(
                "%d of %d prompts are longer than the model's window of %d tokens: their beginnings are cut off",
                cut,
                len(requests),
                self.max_length,
            )

    def _name(self, texts: tuple[str, str] | None) -> str:
        found = next((request.doc for request in self._asked if request.args == texts), None)
        return item_name(found) if found else repr("".join(texts or ())[-60:])
