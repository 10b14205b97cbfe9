"""Time shared-prefix scoring against lm-eval's own ``hf`` on the same requests in the same run.

Run: python benchmarks/scoring.py [--batch-sizes 1,8,32] [--items 96] [--rounds 3] [--out FILE] [--page PAGE]

A round runs both models one after the other, in the other order every second time; its ratio is of its own two times.
Rounds in which other processes, or the hypervisor, took more than a few percent of the processors are repeated.
The floor counts the multiplications that remain once prompts and long common prefixes are computed once, at the speed
of the best plain matrix product of the run. The cases: four-way items at each batch size, the same behind four worked
examples, contexts of 20 to 260 tokens, and four-way items in the other dtypes.
"""

import argparse
import platform
import random
import statistics
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any
from unittest import mock

import psutil
import torch
import transformers
from lm_eval.models.huggingface import HFLM
from quiet import Run, compete, timed

from arithmark_tasks.builders.files import write_json, write_text
from arithmark_tasks.generators import deeparithmark
from arithmark_tasks.scoring.models import load, resolve_model
from arithmark_tasks.scoring.rows import by_context, common_prefixes, query, trie
from arithmark_tasks.scoring.shared_prefix import SharedPrefixHFLM
from arithmark_tasks.scoring.window import EncodedRequest

MARKS = ("<!-- made by benchmarks/scoring.py -->", "<!-- end -->")
Requests = list[EncodedRequest]
Scores = list[tuple[float, bool]]
Line = dict[str, Any]


def peak(dtype: str, size: int = 2048) -> float:
    """FLOP/s of the best of five square matrix products."""
    left, right = torch.randn(2, size, size).to(getattr(torch, dtype))
    return 2 * size**3 / min(timed(lambda: left @ right)[0].seconds for _ in range(5))


def tokenized(lm: HFLM, prompts: list[tuple[str, list[str]]]) -> Requests:
    """Requests as lm-eval hands them to the model, so that only scoring is timed."""
    pairs = [(prompt, option) for prompt, options in prompts for option in options]
    return [((prompt, option), *lm._encode_pair(prompt, option)) for prompt, option in pairs]


def request_lists(lm: HFLM, count: int) -> dict[str, Requests]:
    """The cases, by name; a quarter as many items where the prompts are long."""
    items = deeparithmark.build(items=max(80, count))
    random.Random(0).shuffle(items)
    prompts = [(item["ctx"], item["endings"]) for item in items[:count]]
    worked = (f"{item['ctx']}{item['endings'][int(item['label'])]}\n\n" for item in deeparithmark.build_fewshot()[:4])
    examples = "".join(worked)
    plain = tokenized(lm, prompts)
    text = list(chain.from_iterable(context for _, context, _ in plain))
    fewer = -(-count // 4)
    mixed = []
    for place in range(fewer):
        start, length = place * 37 % len(text), 20 + 240 * place // max(1, fewer - 1)
        context = (text * 3)[start : start + length]
        mixed += [(key, context, option) for key, _, option in plain[4 * place : 4 * place + 4]]
    few = tokenized(lm, [(examples + prompt, options) for prompt, options in prompts[:fewer]])
    return {"four-way": plain, "few-shot": few, "mixed lengths": mixed}


def least_work(lm: HFLM, requests: Requests) -> dict[str, int]:
    """Tokens and output rows that remain when each context and each long common prefix is computed once."""
    queries = [query(number, *request[1:], lm.max_length) for number, request in enumerate(requests)]
    parts = common_prefixes(by_context(queries))
    rows = [trie(group, length) for length, run in parts for group in run]
    return {
        "tokens": sum(map(len, rows)) + sum(length for length, _ in parts),
        "tokens_if_items_shared_too": len(trie(queries)),
        "tokens_hf": sum(len(asked.tokens) for asked in queries),
        "output_rows": sum(len({node for _, nodes in row.reads for node in nodes}) for row in rows),
    }


def floor_seconds(lm: HFLM, tokens: int, output_rows: int, speed: float) -> float:
    """Two operations per weight of each matrix and token; embeddings are looked up, attention itself is left out."""
    head = lm.model.get_output_embeddings().weight
    tables = {id(head), id(lm.model.get_input_embeddings().weight)}
    body = sum(weight.numel() for weight in lm.model.parameters() if weight.ndim == 2 and id(weight) not in tables)
    return 2 * (tokens * body + output_rows * head.numel()) / speed


def largest_difference(ours: Scores, theirs: Scores) -> float:
    """In nats."""
    return max(abs(our[0] - their[0]) for our, their in zip(ours, theirs, strict=True))


def agreement(ours: Scores, theirs: Scores, requests: Requests) -> Line:
    """Largest difference, and how often the best option of a context and ``is_greedy`` are the same."""
    groups: dict[tuple[int, ...], list[int]] = {}
    for number, (_, context, _) in enumerate(requests):
        groups.setdefault(tuple(context), []).append(number)
    choices = [[max(of, key=lambda at: scores[at][0]) for of in groups.values()] for scores in (ours, theirs)]
    return {
        "largest_difference": largest_difference(ours, theirs),
        "same_choice": f"{sum(our == their for our, their in zip(*choices, strict=True))}/{len(groups)}",
        "same_is_greedy": f"{sum(our[1] == their[1] for our, their in zip(ours, theirs, strict=True))}/{len(ours)}",
        "greedy": sum(their[1] for their in theirs),
    }


class Contest:
    """lm-eval's model and ours, loaded once in one precision."""

    def __init__(self, folder: str, dtype: str, count: int) -> None:
        self.dtype = dtype
        self.hf = HFLM(pretrained=folder, device="cpu", dtype=dtype)
        self.ours: SharedPrefixHFLM = load(folder, dtype=dtype, device="cpu")
        self.lists = request_lists(self.hf, count)
        longest = max(chain(*self.lists.values()), key=lambda request: len(request[1]))
        self.hf._loglikelihood_tokens([longest], disable_tqdm=True)
        first, _ = timed(lambda: self.ours._loglikelihood_tokens([longest], disable_tqdm=True))
        self.check_seconds = first.seconds
        self.verdict = self.ours.verdict

    def shared(self, requests: Requests, budget: int | None = None, cache: bool = True) -> Scores:
        """Score with our model: with a budget of its own, or without reuse of a common prefix."""
        self.ours.token_budget = budget
        self.ours.verdict = replace(self.verdict, cache=cache)
        return self.ours._loglikelihood_tokens(requests, disable_tqdm=True)

    def with_torchs_products(self, requests: Requests) -> Scores:
        """Score with our model, linear layers as torch runs them."""
        with mock.patch("arithmark_tasks.scoring.forward.quick_products", lambda model: nullcontext()):
            return self.shared(requests)

    def run(self, case: str, size: int, rounds: int) -> Line:
        """One line of the report."""
        requests = self.lists[case]
        self.hf.batch_size_per_gpu = self.ours.batch_size_per_gpu = size
        actions: dict[str, Callable[[], Scores]] = {
            "hf": lambda: self.hf._loglikelihood_tokens(requests, disable_tqdm=True),
            "hf-shared": lambda: self.shared(requests),
        }
        if size == 1:
            actions["one prompt a pass"] = lambda: self.shared(requests, budget=1)
        if (case, size) == ("four-way", 8):  # what oneDNN and the number of tokens a pass are worth
            actions["torch's products"] = lambda: self.with_torchs_products(requests)
            for budget in (256, 768):
                actions[f"{budget} tokens a pass"] = lambda budget=budget: self.shared(requests, budget)  # type: ignore[misc]
        if case == "few-shot":
            actions["prefix not reused"] = lambda: self.shared(requests, cache=False)
        speed = peak(self.dtype)
        runs, scores = compete(actions, rounds)
        speed = max(speed, peak(self.dtype))
        work = least_work(self.hf, requests)
        taken = statistics.median(run.seconds for run in runs["hf-shared"])
        floors = [floor_seconds(self.hf, work[of], work["output_rows"], speed) for of in list(work)[:2]]
        return {
            "case": f"{case}, {self.dtype}, batch {size}",
            "requests": len(requests),
            **summary(runs),
            "share_of_floor": floors[0] / taken,
            "share_of_floor_if_items_shared_too": floors[1] / taken,
            "peak_gflops": speed / 1e9,
            **work,
            **agreement(scores["hf-shared"], scores["hf"], requests),
            "largest_differences": {name: largest_difference(of, scores["hf"]) for name, of in scores.items()},
        }

    def run_greedy(self) -> Line:
        """Agreement on continuations that the model itself writes, and on the same with a wrong last token."""
        made: Requests = []
        for key, context, _ in self.lists["four-way"][::32]:
            ids = torch.tensor([context])
            best = self.hf.model.generate(ids, max_new_tokens=4, do_sample=False, pad_token_id=0)[
                0, len(context) :
            ].tolist()
            made += [(key, context, best), (key, context, [*best[:-1], best[-1] ^ 1])]
        scores = self.shared(made), self.hf._loglikelihood_tokens(made, disable_tqdm=True)
        return {"case": f"written by the model, {self.dtype}", "requests": len(made), **agreement(*scores, made)}


def summary(runs: dict[str, list[Run]]) -> Line:
    """Medians over the rounds."""
    pairs = list(zip(runs["hf"], runs["hf-shared"], strict=True))
    return {
        "rounds": len(pairs),
        "quiet": all(run.quiet for run in chain(*runs.values())),
        "most_foreign": max(run.foreign + run.stolen for run in chain(*runs.values())),
        "ratio": statistics.median(hf.seconds / ours.seconds for hf, ours in pairs),
        "ratio_cpu": statistics.median(hf.cpu / ours.cpu for hf, ours in pairs),
        "seconds": {name: statistics.median(run.seconds for run in of) for name, of in runs.items()},
    }


def table(lines: list[Line]) -> str:
    """The lines as a Markdown table."""
    rows = [
        "| case | requests | seconds | ratio | share of floor | largest difference | same choice | same is_greedy |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for line in lines:
        seconds = ", ".join(f"{name} {value:.2f}" for name, value in line.get("seconds", {}).items())
        ratio = f"{line['ratio']:.2f}" + ("" if line["quiet"] else " (disturbed)") if seconds else ""
        share = f"{100 * line['share_of_floor']:.0f} %" if seconds else ""
        agreed = [f"{line['largest_difference']:.1e}", line["same_choice"], line["same_is_greedy"]]
        rows.append(f"| {' | '.join([line['case'], str(line['requests']), seconds, ratio, share, *agreed])} |")
    return "\n".join(rows)


def put_into(page: Path, text: str) -> None:
    """Replace what stands between the two marks of the page."""
    before, _, rest = page.read_text(encoding="utf-8").partition(MARKS[0])
    _, _, after = rest.partition(MARKS[1])
    write_text(page, f"{before}{MARKS[0]}\n{text}\n{MARKS[1]}{after}")


def main() -> None:
    """Print, and write with ``--out`` and ``--page``, the lines of every precision."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", help="a folder, a Hub id or a .gguf file; default: the embedded SmolLM2-135M")
    parser.add_argument("--batch-sizes", type=lambda text: [int(size) for size in text.split(",")], default=[1, 8, 32])
    parser.add_argument("--dtype", default="float32,bfloat16", help="the first gets all cases, others the first one")
    parser.add_argument("--items", type=int, default=96)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--out", type=Path, help="all that was measured, as JSON")
    parser.add_argument("--page", type=Path, help="a page whose marked table is to be replaced: docs/scoring.md")
    asked = parser.parse_args()
    folder, label = resolve_model(asked.model)
    result: Line = {
        "model": label,
        "machine": platform.machine(),
        "processors": psutil.cpu_count(),
        "threads": torch.get_num_threads(),
        "torch": torch.__version__,
        "transformers": transformers.__version__,
        "check_seconds": {},
        "lines": [],
    }
    for number, dtype in enumerate(asked.dtype.split(",")):
        contest = Contest(folder, dtype, asked.items)
        jobs = [("four-way", size) for size in asked.batch_sizes] + [("few-shot", 8), ("mixed lengths", 8)]
        for case, size in [("four-way", 8)] if number else jobs:
            result["lines"].append(contest.run(case, size, asked.rounds))
            print(table(result["lines"][-1:]), flush=True)
        result["lines"].append(contest.run_greedy())
        result["check_seconds"][dtype] = contest.check_seconds
        if asked.out is not None:
            write_json(asked.out, result)
    print(table(result["lines"]))
    if asked.page is not None:
        put_into(asked.page, table(result["lines"]))


if __name__ == "__main__":
    main()
