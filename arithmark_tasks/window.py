"""lm-eval's Hugging Face model, with one warning that counts the prompts its window is too short for."""

import logging
from typing import Any

from lm_eval.models.huggingface import HFLM

logger = logging.getLogger(__name__)

EncodedRequest = tuple[tuple[str, str], list[int], list[int]]


class WindowCheckedHFLM(HFLM):
    """``HFLM`` that says, before it scores, how many requests lose their beginning to the model's window.

    lm-eval cuts such prompts from the left, and warns once per request in the midst of the progress bar.
    """

    def _loglikelihood_tokens(
        self, requests: list[EncodedRequest], *args: Any, **kwargs: Any
    ) -> list[tuple[float, bool]]:
        self.warn_of_cut_prompts(requests)
        scores: list[tuple[float, bool]] = super()._loglikelihood_tokens(requests, *args, **kwargs)
        return scores

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
