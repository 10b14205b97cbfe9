"""Do the signals in bits move before accuracy does? Measured on small models of growing size while they are trained.

Each model learns the sums of CalcGPT's training split, character by character, and answers four-way items of its
validation split along the way: the sum, and three numbers that differ from it in one digit. For each value the first
checkpoint is noted from which on it is better than before the training by more than luck explains (paired over the
items, p < 0.01 there and at every later checkpoint).

Run: python -m benchmarks.signals; some minutes on one core. It writes benchmarks/results/signals.json and prints the
table of docs/statistics.md.
"""

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

import torch
from torch.nn.functional import cross_entropy, log_softmax
from transformers import GPT2Config, GPT2LMHeadModel

from arithmark_tasks.builders import load_dataset
from arithmark_tasks.builders.files import write_json
from arithmark_tasks.calcgpt.tokenizer import build_tokenizer, encode
from arithmark_tasks.generators.streams import Stream
from arithmark_tasks.metrics import multiple_choice_results
from arithmark_tasks.report.table import Shown, Table
from arithmark_tasks.statistics.differences import hard_difference, soft_difference
from benchmarks.readme_figure import REPOSITORY

RESULT = REPOSITORY / "benchmarks" / "results" / "signals.json"
SIZES = ((32, 2), (64, 2), (128, 3))  # dimensions and layers
CHECKPOINTS = (0, 10, 20, 40, 80, 160, 320, 640, 1280, 2560)
ITEMS, BATCH, RATE, SEED = 500, 128, 2e-3, 1
ALPHA = 0.01
METRICS = ("acc", "acc_norm", "soft", "bits_per_byte", "margin", "log_prob")


def items() -> list[dict[str, Any]]:
    """Four-way items of the validation split: the sum and three numbers with one other digit, in drawn order."""
    made = []
    for index, row in enumerate(load_dataset("calcgpt", "plain", split="validation").select(range(ITEMS)).to_list()):
        draw, answer = Stream("signals", 1, SEED, index), row["answer"]
        wrong = [answer + sign * step for step in (1, 10, 100) for sign in (1, -1) if answer + sign * step > 0]
        values = [answer, *draw.sample(wrong, 3)]
        draw.shuffle(values)
        question = row["text"].partition("=")[0] + "="
        made.append({"ctx": question, "endings": list(map(str, values)), "label": values.index(answer)})
    return made


def batch_of(texts: Sequence[str]) -> torch.Tensor:
    """Token ids of texts, padded by -100 on the right."""
    ids = [encode(text) for text in texts]
    width = max(map(len, ids))
    return torch.tensor([each + [-100] * (width - len(each)) for each in ids])


@torch.no_grad()
def measured(model: GPT2LMHeadModel, asked: Sequence[Mapping[str, Any]]) -> list[dict[str, float]]:
    """Every metric of every item."""
    texts = [item["ctx"] + ending for item in asked for ending in item["endings"]]
    starts = [len(encode(item["ctx"])) for item in asked for _ in item["endings"]]
    ids = batch_of(texts)
    logs = log_softmax(model(ids.clamp(min=0)).logits.double(), -1)
    taken = logs[:, :-1].gather(2, ids[:, 1:].clamp(min=0)[..., None])[..., 0]
    places = torch.arange(1, ids.shape[1])[None]
    kept = (ids[:, 1:] >= 0) & (places >= torch.tensor(starts)[:, None])
    sums = (taken * kept).sum(1).view(len(asked), 4).tolist()
    return [multiple_choice_results(i, [(s, False) for s in each]) for i, each in zip(asked, sums, strict=True)]


def trained(
    width: int, layers: int, asked: Sequence[Mapping[str, Any]]
) -> tuple[int, dict[int, list[dict[str, float]]]]:
    """The number of parameters, and what each checkpoint makes of the items."""
    torch.manual_seed(SEED)
    vocabulary = len(build_tokenizer())
    config = GPT2Config(vocab_size=vocabulary, n_positions=20, n_embd=width, n_layer=layers, n_head=4)
    model = GPT2LMHeadModel(config).eval()
    optimizer = torch.optim.AdamW(model.parameters(), RATE)
    texts = load_dataset("calcgpt", "plain", split="train")["text"]
    ids, order = batch_of(list(texts)), torch.Generator().manual_seed(SEED)
    found = {}
    for step in range(CHECKPOINTS[-1] + 1):
        if step in CHECKPOINTS:
            found[step] = measured(model, asked)
        rows = ids[torch.randint(len(ids), (BATCH,), generator=order)]
        logits = model(rows.clamp(min=0)).logits
        loss = cross_entropy(logits[:, :-1].flatten(0, 1), rows[:, 1:].flatten(), ignore_index=-100)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return sum(weights.numel() for weights in model.parameters()), found


def first_move(found: Mapping[int, Sequence[Mapping[str, float]]], metric: str) -> int | None:
    """The first checkpoint from which on the metric stays better than before training; None where it never does."""
    compare = hard_difference if metric.startswith("acc") else soft_difference
    sign = -1 if metric == "bits_per_byte" else 1
    first = None
    for step, items in list(found.items())[:0:-1]:
        differences = [sign * (item[metric] - before[metric]) for item, before in zip(items, found[0], strict=True)]
        if fmean(differences) <= 0 or compare(differences).p >= ALPHA:
            break
        first = step
    return first


def tables(models: Sequence[Mapping[str, Any]]) -> str:
    """The first moves and the values on the way, in Markdown."""
    rows = [
        (Shown(f"{model['parameters']:,}"), *(Shown(str(model["first"][metric] or "never")) for metric in METRICS))
        for model in models
    ]
    parts = [Table("first", "", ("parameters", *METRICS), tuple(rows)).markdown()]
    for model in models[-1:]:
        rows = [
            (Shown(step), *(Shown(f"{means[metric]:.3f}") for metric in METRICS))
            for step, means in model["means"].items()
        ]
        parts.append(Table("means", "", ("step", *METRICS), tuple(rows)).markdown())
    return "\n".join(parts)


def main() -> None:
    """Train, measure, store and print."""
    torch.set_num_threads(1)
    asked, models = items(), []
    for width, layers in SIZES:
        parameters, found = trained(width, layers, asked)
        models.append(
            {
                "parameters": parameters,
                "first": {metric: first_move(found, metric) for metric in METRICS},
                "means": {
                    str(step): {metric: fmean(item[metric] for item in each) for metric in METRICS}
                    for step, each in found.items()
                },
            }
        )
    facts = {"items": ITEMS, "batch": BATCH, "rate": RATE, "seed": SEED, "alpha": ALPHA, "torch": torch.__version__}
    write_json(RESULT, {**facts, "models": models})
    print(tables(models))


if __name__ == "__main__":
    main()
