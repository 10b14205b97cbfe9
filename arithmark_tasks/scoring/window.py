"""lm-eval's Hugging Face model, which checks first whether what it is asked can be scored and fits into its window."""

import logging
from collections.abc import Sequence
from typing import Any

from lm_eval.api.instance import Instance
from lm_eval.models.huggingface import HFLM
from lm_eval.models.utils import normalize_gen_kwargs, resolve_max_length

from ..answers.text import opens_thinking
from ..generators.errors import InputError
from ..metrics import item_name
from .weights import reason

logger = logging.getLogger(__name__)

EncodedRequest = tuple[tuple[str, str], list[int], list[int]]


class WindowCheckedHFLM(HFLM):
    """``HFLM`` that never reads beyond the model's window and says, before it scores, what does not fit.

    ``max_length`` shortens the window and never lengthens it. lm-eval cuts long prompts from the left, and warns once
    per request in the midst of the progress bar, or not at all; here one line counts them. ``InputError`` names an item
    whose ending, or a task whose room for generated tokens, leaves nothing of the window, a tokenizer by which the
    beginning of an answer would go unscored, and a chat template that cannot be applied.

    A generated answer to a prompt that ends inside the model's thoughts (``<think>``) begins with that mark, so that
    one which never leaves them is told from an answer.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._asked: Sequence[Instance] = ()
        if self.prefix_token_id is None:
            raise InputError("its tokenizer has neither a BOS nor an EOS token; lm-eval needs one to begin a text with")
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
        """The text that follows each prompt, with the mark of thoughts that the prompt has opened in front of it."""
        if self.backend == "causal" and requests:
            self._refuse_appended_token(requests[0].args[0])
            self._check_rooms(requests)
        words = self._embedded_tokens()
        for prompt in {request.args[0] for request in requests}:
            self._check_tokens(self.tok_encode(prompt), words)
        texts: list[str] = super().generate_until(requests, disable_tqdm=disable_tqdm)
        return self.with_opened_thoughts([request.args[0] for request in requests], texts)

    def with_opened_thoughts(self, prompts: Sequence[str], texts: Sequence[str]) -> list[str]:
        """The texts, each after the mark by which its prompt opens the model's thoughts, if it does."""
        if self.think_end_token is not None:  # lm-eval has taken the thoughts away
            return list(texts)
        return [opens_thinking(prompt) + text for prompt, text in zip(prompts, texts, strict=True)]

    def apply_chat_template(self, chat_history: list[dict[str, str]], add_generation_prompt: bool = True) -> str:
        """The conversation as the model's template writes it."""
        try:
            text: str = super().apply_chat_template(chat_history, add_generation_prompt)
        except Exception as error:  # a template is a program, and raises what it likes
            roles = ", ".join(str(turn.get("role")) for turn in chat_history)
            raise InputError(f"the model's chat template fails on turns of {roles}: {reason(error)}") from error
        return text

    def _loglikelihood_tokens(
        self, requests: list[EncodedRequest], *args: Any, **kwargs: Any
    ) -> list[tuple[float, bool]]:
        self.check_requests(requests)
        self.warn_of_cut_prompts(requests)
        scores: list[tuple[float, bool]] = super()._loglikelihood_tokens(requests, *args, **kwargs)
        return scores

    def check_requests(self, requests: list[EncodedRequest]) -> None:
        """Refuse an empty context, a continuation that is empty or longer than the window, and an appended token."""
        named = next((texts for texts, _, _ in requests if texts), None)
        if named is not None and self.backend == "causal":
            self._refuse_appended_token(named[0])
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
        lengths = [len(context) + len(continuation) - 1 for _, context, continuation in requests]
        self._warn_if_longer(lengths, self.max_length, "")

    def _check_rooms(self, requests: Sequence[Instance]) -> None:
        """Refuse a task that leaves no room for a prompt; say how many prompts are longer than what it leaves."""
        prompts: dict[int, list[str]] = {}
        for request in requests:
            room = normalize_gen_kwargs(request.args[1], self.max_gen_toks)["max_gen_toks"]
            if room >= self.max_length:
                raise InputError(
                    f"{request.task_name or 'a task'} generates up to {room} tokens (max_gen_toks), which leaves no "
                    f"room for a prompt in the model's window of {self.max_length}"
                )
            prompts.setdefault(room, []).append(request.args[0])
        for room, texts in prompts.items():
            lengths = [len(self.tok_encode(text)) for text in texts]
            self._warn_if_longer(lengths, self.max_length - room, f", of which {room} are for the answer")

    def _warn_if_longer(self, lengths: Sequence[int], longest: int, room: str) -> None:
        cut = sum(length > longest for length in lengths)
        if cut:
            logger.warning(
                "%d of %d prompts are longer than the model's window of %d tokens%s: their beginnings are cut off",
                cut,
                len(lengths),
                self.max_length,
                room,
            )

    def _refuse_appended_token(self, text: str) -> None:
        """An end token after what is encoded would stand between prompt and answer, and hide the answer's beginning."""
        encoded, own = self.tok_encode(text), self.tok_encode(text, add_special_tokens=False)
        if encoded and own and encoded[-1] != own[-1]:
            raise InputError(
                f"the model's tokenizer appends {self.tokenizer.decode(encoded[-1])!r} to every text, after which no "
                "answer can be scored: set add_eos_token to false in its tokenizer_config.json"
            )

    def _name(self, texts: tuple[str, str] | None) -> str:
        found = next((request.doc for request in self._asked if request.args == texts), None)
        return item_name(found) if found else repr("".join(texts or ())[-60:])
