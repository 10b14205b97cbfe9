"""lm-eval's Hugging Face model, with each prompt computed once for all of its options."""

import logging
from collections.abc import Iterator
from typing import Any

from lm_eval.api.registry import register_model
from tqdm import tqdm

from . import sharing
from .forward import Score, Scorer
from .rows import Query, batches, by_context, common_prefixes, joined, query, straight_rows, tries
from .sharing import SHORTEST_CHECK, Verdict, check
from .window import EncodedRequest, WindowCheckedHFLM

logger = logging.getLogger(__name__)

# Padded tokens a pass; benchmarks/scoring.py times half as many, and half as many again, beside it.
CPU_BUDGET = 512


@register_model("hf-shared")
class SharedPrefixHFLM(WindowCheckedHFLM):
    """``HFLM`` whose log-likelihood requests share the computation of what they have in common.

    The options of a prompt are branches of one row, a prefix that many prompts begin with is computed once, and logits
    only where one is read. The numbers are those of ``HFLM``; where an architecture cannot share, one line says so, and
    each option is read with its own prompt. Tokenization, truncation, request cache and several devices are lm-eval's.

    ``token_budget`` sets the padded tokens of a forward pass; by default as many as ``HFLM`` would take with the same
    ``batch_size``, or 512 on a CPU.
    """

    def __init__(self, *args: Any, token_budget: int | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.token_budget = token_budget
        self.verdict: Verdict | None = None
        self._checked_length = 0

    def _loglikelihood_tokens(
        self, requests: list[EncodedRequest], disable_tqdm: bool = False, override_bs: int | None = None, **_: Any
    ) -> list[tuple[float, bool]]:
        rolling = override_bs is not None or any(key is None for key, _, _ in requests)
        if not requests or rolling or self.backend != "causal":
            return super()._loglikelihood_tokens(requests, disable_tqdm=disable_tqdm, override_bs=override_bs)
        self.check_requests(requests)
        queries = [
            query(number, context, continuation, self.max_length)
            for number, (_, context, continuation) in enumerate(requests)
        ]
        verdict = self._verdict_on(queries)
        if not verdict.only_where_read:
            return super()._loglikelihood_tokens(requests, disable_tqdm=disable_tqdm)
        self.warn_of_cut_prompts(requests)
        answers: dict[int, tuple[float, bool]] = {}
        with tqdm(total=len(requests), disable=disable_tqdm or self.rank != 0, desc="Scoring options") as progress:
            for asked, total, greedy in self._scores(queries, verdict):
                answers[asked.request] = total, greedy
                self.cache_hook.add_partial("loglikelihood", requests[asked.request][0], (total, greedy))
                progress.update()
        return [answers[number] for number in range(len(requests))]

    def _scores(self, queries: list[Query], verdict: Verdict) -> Iterator[Score]:
        scorer, budget = self._scorer(), self._budget(queries)
        groups, alone = self._divide(queries, verdict)
        straight = straight_rows(alone)
        for length, run in common_prefixes(groups) if verdict.cache else [(0, groups)]:
            rows = tries(joined(run, length), self.max_length, length)
            if not length:  # a lone option needs no mask
                straight += [row for row in rows if row.is_straight]
                rows = [row for row in rows if not row.is_straight]
            prefix = scorer.prefix(run[0][0].tokens[:length]) if length else None
            for batch in batches(rows, budget, length):
                yield from scorer.shared(batch, prefix)
        for batch in batches(straight, budget):
            yield from scorer.straight(batch)

    def _divide(self, queries: list[Query], verdict: Verdict) -> tuple[list[list[Query]], list[Query]]:
        """Groups that may share a row, and queries that are read alone."""
        if not verdict.tries:
            return [], queries
        longest = sharing.longest_shared(self.model, self.max_length)
        short = [asked for asked in queries if len(asked.tokens) <= longest]
        long = [asked for asked in queries if len(asked.tokens) > longest]
        if long:
            logger.warning(
                "%d of %d options are longer than %d tokens, up to which this model can share: read each on its own",
                len(long),
                len(queries),
                longest,
            )
        return by_context(short), long

    def _verdict_on(self, queries: list[Query]) -> Verdict:
        limit = sharing.longest_shared(self.model, self.max_length)
        sample = max(queries, key=lambda asked: len(asked.tokens)).tokens
        longest = min(len(sample), limit)
        if self.verdict is None or (self.verdict.tries and longest > self._checked_length):
            # At least doubled, so that ever longer prompts are checked a few times only.
            self._checked_length = min(limit, max(2 * self._checked_length, -(-longest // 32) * 32))
            objection = sharing.objection(self.model)
            if limit < SHORTEST_CHECK:
                objection = objection or f"only {limit} tokens can be shared"
            length = max(self._checked_length, SHORTEST_CHECK)
            self.verdict = check(self._scorer(), sample, length, objection)
            if self.verdict.reason:
                logger.warning("%s: %s", _consequence(self.verdict), self.verdict.reason)
        return self.verdict

    def _scorer(self) -> Scorer:
        return Scorer(self.model, self.mixed_precision_dtype, self.softmax_dtype)

    def _budget(self, queries: list[Query]) -> int:
        if self.token_budget is not None:
            return self.token_budget
        if self.device.type == "cpu":
            return CPU_BUDGET
        longest = max(queries, key=lambda asked: len(asked.tokens)).tokens
        size = self.batch_size
        if size == "auto":
            size = self._detect_batch_size([(None, list(longest), [0])], 0)
        return int(size) * len(longest)


def _consequence(verdict: Verdict) -> str:
    if verdict.tries:
        return "this model does not reuse a common prefix"
    if verdict.only_where_read:
        return "this model cannot share prompts among options; each option is read with its own prompt"
    return "this model is scored as lm-eval's hf does, without sharing"
