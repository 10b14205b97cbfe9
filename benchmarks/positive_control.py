"""Can DeepArithmark be passed at all by a small model? One is trained on worked steps and solves sets before and after.

Run: python benchmarks/positive_control.py MODEL --work DIR [--items 800] [--questions 20] [--minutes 40]
     [--out benchmarks/results/positive-control.json] [--page docs/positive_control.md]

MODEL (a folder or Hub id) is trained on --items items of tier `train`, whose numbers, words and nouns no test tier has:
the prompt, its steps as `metadata.solution_steps` writes them, and the answer; only what follows the prompt counts. The
model then writes steps and an answer to --questions items of each depth of four sets: `default`, the set of another
seed, `deep`, and `control`, each with its own endings. The ending nearest to its answer is taken (an answer without a
number is worth a quarter). Beside it stands how often the answer is the right one exactly: the endings forgive rough
arithmetic, the exact answer does not. Before and after, the endings are also scored by their likelihood after the bare
prompt, as the benchmark does.

Whatever is done is kept in --work: a run that was stopped, or that --minutes ended, goes on where it was. The page and
the file tell how many of the training items had been seen.
"""

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch.nn.functional import cross_entropy
from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer

from arithmark_tasks.builders.files import write_json, write_text
from arithmark_tasks.generators.choices.quantities import numbers_in
from arithmark_tasks.generators.choices.shortcuts import share
from arithmark_tasks.generators.deeparithmark.build import build_split
from arithmark_tasks.generators.deeparithmark.edition import SEED
from arithmark_tasks.generators.intervals import wilson

FRESH_SEED = 1
# Name, tier, seed.
SETS = (
    ("default", "default", SEED),
    ("fresh seed", "default", FRESH_SEED),
    ("deep", "deep", SEED),
    ("control", "control", SEED),
)
ANSWER = "\nAnswer:"
INTRODUCTION = """# A positive control

Made by `benchmarks/positive_control.py` from `benchmarks/results/positive-control.json`: a small model learns
from worked steps and is asked before and after. Shares in %, in brackets the 95 % Wilson interval; chance is 25,
for exact answers 0.

{trained}

*Endings*: the ending of the highest likelihood per token behind the bare prompt. *Nearest*: the ending nearest to
the answer that the model writes after its steps. *Exact*: that answer is right."""
BATCH, RATE, WARM, LONGEST = 8, 1e-4, 10, 160
Item = dict[str, Any]


def question(item: Item) -> str:
    """What the model is given."""
    return f"{item['ctx']} ...\nSteps:"


def worked(item: Item) -> str:
    """What it is to write: the steps and the answer with its unit."""
    data = item["metadata"]
    answer = item["endings"][int(item["label"])]
    return f" {'; '.join(data['solution_steps'])}{ANSWER}{answer}\n"


def sampled(items: Sequence[Item], each: int) -> list[Item]:
    """The first ``each`` items of every depth."""
    seen: dict[int, int] = {}
    found = []
    for item in items:
        depth = item["metadata"]["depth"]
        seen[depth] = seen.get(depth, 0) + 1
        if seen[depth] <= each:
            found.append(item)
    return found


class Learner:
    """A model with its training, in a folder that it goes on from."""

    def __init__(self, name: str, work: Path, items: int) -> None:
        self.work, self.planned = work, items
        self.tokenizer = AutoTokenizer.from_pretrained(name)
        self.tokenizer.pad_token = self.tokenizer.pad_token or self.tokenizer.eos_token
        self.tokenizer.padding_side = "left"
        config = AutoConfig.from_pretrained(name)
        if hasattr(config, "quantization_config"):
            # A folder saved from packed weights names their packing, though it holds them whole.
            del config.quantization_config
        self.model = AutoModelForCausalLM.from_pretrained(name, config=config, dtype=torch.bfloat16)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=RATE, weight_decay=0.0)
        self.seen, self.losses = 0, list[float]()
        if self._kept.exists():
            state = torch.load(self._kept, weights_only=True)
            self.model.load_state_dict(state["model"])
            self.optimizer.load_state_dict(state["optimizer"])
            self.seen, self.losses = state["seen"], state["losses"]

    @property
    def _kept(self) -> Path:
        return self.work / "training.pt"

    def keep(self) -> None:
        """Write the state, whole or not at all."""
        state = {
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "seen": self.seen,
            "losses": self.losses,
        }
        torch.save(state, self._kept.with_suffix(".part"))
        self._kept.with_suffix(".part").replace(self._kept)

    def train(self, items: Sequence[Item], until: float) -> None:
        """Go through the items in their order until all are seen or the time is up."""
        self.model.train()
        while self.seen < len(items) and time.monotonic() < until:
            self.losses.append(self._step(items[self.seen : self.seen + BATCH]))
            self.seen = min(self.seen + BATCH, len(items))
            if self.seen % (20 * BATCH) == 0 or self.seen == len(items):
                self.keep()
                print(f"  {self.seen} items, loss {sum(self.losses[-20:]) / len(self.losses[-20:]):.3f}", flush=True)
        self.keep()

    def _step(self, batch: Sequence[Item]) -> float:
        rows, labels = [], []
        for item in batch:
            given = self.tokenizer(question(item)).input_ids
            told = self.tokenizer(worked(item)).input_ids
            rows.append(given + told)
            labels.append([-100] * len(given) + told)
        width = max(map(len, rows))
        pad = self.tokenizer.pad_token_id
        ids = torch.tensor([row + [pad] * (width - len(row)) for row in rows])
        wanted = torch.tensor([row + [-100] * (width - len(row)) for row in labels])
        mask = torch.tensor([[1] * len(row) + [0] * (width - len(row)) for row in rows])
        logits = self.model(input_ids=ids, attention_mask=mask).logits[:, :-1].float()
        loss = cross_entropy(logits.reshape(-1, logits.shape[-1]), wanted[:, 1:].reshape(-1), ignore_index=-100)
        part = self.seen / self.planned
        for group in self.optimizer.param_groups:
            group["lr"] = RATE * min((self.seen // BATCH + 1) / WARM, 1 - 0.9 * part)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        return float(loss.detach())

    @torch.no_grad()
    def answers(self, items: Sequence[Item]) -> list[str]:
        """What the model writes behind each question, by the most likely token."""
        self.model.eval()
        given = self.tokenizer([question(item) for item in items], return_tensors="pt", padding=True)
        ids = self.model.generate(
            **given,
            max_new_tokens=LONGEST,
            do_sample=False,
            pad_token_id=self.tokenizer.pad_token_id,
            stop_strings=[".\n"],
            tokenizer=self.tokenizer,
        )
        return self.tokenizer.batch_decode(ids[:, given.input_ids.shape[1] :], skip_special_tokens=True)

    @torch.no_grad()
    def likeliest(self, item: Item) -> float:
        """Credit of the ending with the highest log-likelihood per token behind the bare prompt."""
        self.model.eval()
        given = self.tokenizer(item["ctx"]).input_ids
        scores = []
        for ending in item["endings"]:
            told = self.tokenizer(ending).input_ids
            logits = self.model(torch.tensor([given + told])).logits[0, len(given) - 1 : -1].float()
            scores.append(float(-cross_entropy(logits, torch.tensor(told))))
        return share(scores)[int(item["label"])]


def answered(item: Item, text: str) -> tuple[float, bool]:
    """The credit of the ending nearest to a written answer, and whether that is right exactly.

    >>> item = {"label": "1", "metadata": {"option_values": [9, 12, 15, 20], "unit": "eggs"}}
    >>> answered(item, " 3 * 4 = 12; 12 + 1 = 13\\nAnswer: 13 eggs."), answered(item, " so")
    ((1.0, False), (0.25, False))
    """
    values, right = item["metadata"]["option_values"], int(item["label"])
    found = numbers_in(text.rpartition(ANSWER)[2]) if ANSWER in text else ()
    if not found:
        return 1 / len(values), False
    return share([-abs(value - found[0]) for value in values])[right], found[0] == values[right]


def solve(learner: Learner, sets: dict[str, list[Item]], stage: str, until: float) -> dict[str, Any]:
    """Every set's credits by depth, kept in the work folder batch by batch."""
    kept = learner.work / f"{stage}-{learner.seen}.json"
    found: dict[str, Any] = json.loads(kept.read_text("utf-8")) if kept.exists() else {}
    for name, items in sets.items():
        for start in range(0, len(items), 2 * BATCH):
            key, batch = f"{name} {start}", items[start : start + 2 * BATCH]
            if key in found:
                continue
            if time.monotonic() > until:
                return found
            texts = learner.answers(batch)
            found[key] = [
                {"set": name, "depth": item["metadata"]["depth"], "written": text, "likeliest": learner.likeliest(item),
                 "nearest": answered(item, text)[0], "exact": answered(item, text)[1]}
                for item, text in zip(batch, texts, strict=True)
            ]  # fmt: skip
            write_json(kept, found)
            print(f"  {stage}: {name}, {min(start + 2 * BATCH, len(items))} of {len(items)}", flush=True)
    return found


def curves(found: dict[str, Any]) -> list[dict[str, Any]]:
    """Per set, all depths and each: items, and the share right by each way of answering."""
    rows = [row for batch in found.values() for row in batch]
    lines = []
    for name in dict.fromkeys(row["set"] for row in rows):
        own = [row for row in rows if row["set"] == name]
        for depth in (None, *sorted({row["depth"] for row in own})):
            part = [row for row in own if depth in (None, row["depth"])]
            line: dict[str, Any] = {"set": name, "depth": depth, "items": len(part)}
            for way in ("likeliest", "nearest", "exact"):
                gained = float(sum(row[way] for row in part))
                line[way] = round(gained / len(part), 4)
                line[f"{way}_interval"] = [round(bound, 4) for bound in wilson(gained, len(part))]
            lines.append(line)
    return lines


def page(result: dict[str, Any]) -> str:
    """The result as a page."""

    def cell(row: dict[str, Any], way: str) -> str:
        low, high = row[f"{way}_interval"]
        return f"{100 * row[way]:.1f} ({100 * low:.1f} to {100 * high:.1f})"

    part = "" if result["seen"] == result["planned"] else " (**the training is not finished**)"
    trained = (
        f"`{result['model']}` went once through {result['seen']:,} of {result['planned']:,} items of tier `train`{part}"
        f"\nin {result['seconds']:,} seconds on a shared processor."
    )
    lines = [INTRODUCTION.format(trained=trained)]
    for stage in ("before", "after"):
        lines += ["", f"## {stage.capitalize()}", ""]
        lines += ["| set | depth | items | endings | nearest | exact |", "|---|---|---|---|---|---|"]
        if not result[stage]:
            lines[-2:] = ["Not measured."]
        for row in result[stage]:
            shown = " | ".join(cell(row, way) for way in ("likeliest", "nearest", "exact"))
            lines.append(f"| {row['set']} | {row['depth'] or 'all'} | {row['items']} | {shown} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Solve, train, solve again; print, and write the file and the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--items", type=int, default=800)
    parser.add_argument("--questions", type=int, default=20, help="items of each depth of each set")
    parser.add_argument("--minutes", type=float, default=40.0, help="of training, and again of solving")
    parser.add_argument("--name", help="what the model is called on the page")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--page", type=Path)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    sets = {name: sampled(build_split(tier, "test", seed), options.questions) for name, tier, seed in SETS}
    items = build_split("train", "train", SEED, options.items)
    learner = Learner(options.model, options.work, options.items)
    started = time.monotonic()
    before_file = options.work / "before-0.json"
    if learner.seen == 0:
        solve(learner, sets, "before", started + 60 * options.minutes)
    started = time.monotonic()
    learner.train(items, started + 60 * options.minutes)
    seconds_file = options.work / "seconds.json"
    seconds = json.loads(seconds_file.read_text("utf-8")) if seconds_file.exists() else 0
    seconds += round(time.monotonic() - started)
    write_json(seconds_file, seconds)
    after = solve(learner, sets, "after", time.monotonic() + 60 * options.minutes)
    result = {
        "model": options.name or Path(options.model).name,
        "planned": options.items,
        "seen": learner.seen,
        "seconds": seconds,
        "losses": [round(loss, 3) for loss in learner.losses],
        "before": curves(json.loads(before_file.read_text("utf-8"))) if before_file.exists() else [],
        "after": curves(after),
    }
    print(page(result))
    if options.out is not None:
        write_json(options.out, result)
    if options.page is not None:
        write_text(options.page, page(result))


if __name__ == "__main__":
    main()
