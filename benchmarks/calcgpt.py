"""Time to 99.5 % exact on 2,000 held-out width-3 tasks: this trainer against the usual recipe, in one process.

The usual recipe: Hugging Face Trainer, the same model and data, AdamW at 1e-3, batch 64, warm-up of 100 steps, linear
schedule over 30 epochs, labels on the answer and its end mark only. Time spent on evaluation is left out on both sides;
loading and writing too. The slowest of our seeds counts.

Run on a quiet machine: python benchmarks/calcgpt.py --out benchmarks/results/calcgpt-speed.json
"""

import argparse
import json
import os
import platform
import shutil
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from torch.utils.data import Dataset
from transformers import Trainer, TrainerCallback, TrainingArguments, set_seed

from arithmark_tasks.calcgpt.console import without_advice
from arithmark_tasks.calcgpt.data import EncodedTasks, encode_data, load_tasks
from arithmark_tasks.calcgpt.model import IGNORED, build_model
from arithmark_tasks.calcgpt.settings import RunSettings
from arithmark_tasks.calcgpt.tokenizer import PAD_ID
from arithmark_tasks.calcgpt.trainer import exact_share, train

TARGET = 0.995
OURS = RunSettings(
    representation="padded-reversed",
    target=TARGET,
    examples=64_000,
    decay=14_000,
    muon_every=8,
    evaluate_every=500,
)
EPOCHS = 30


class Rows(Dataset[dict[str, torch.Tensor]]):
    """Whole sequences with labels on the answer and its end mark, as the usual recipe takes them."""

    def __init__(self, tasks: EncodedTasks) -> None:
        self.ids = torch.cat([tasks.ids, torch.full((len(tasks), 1), PAD_ID)], 1)
        self.labels = torch.full_like(self.ids, IGNORED)
        self.labels.scatter_(1, tasks.positions + 1, tasks.targets)

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, row: int) -> dict[str, torch.Tensor]:
        return {"input_ids": self.ids[row], "labels": self.labels[row]}


class Watch(TrainerCallback):
    """Evaluates every ``every`` steps with the clock stopped, and stops at the target."""

    def __init__(self, monitor: EncodedTasks, every: int, limit: int) -> None:
        self.monitor, self.every, self.limit = monitor, every, limit
        self.seconds = self.cpu_seconds = self.started = self.cpu_started = 0.0
        self.curve: list[dict[str, float]] = []
        self.reached: dict[str, float] | None = None

    def on_train_begin(self, *_: Any, **__: Any) -> None:
        """Start the clocks."""
        self.started, self.cpu_started = time.perf_counter(), time.process_time()

    def on_step_end(self, args: Any, state: Any, control: Any, model: Any = None, **_: Any) -> None:
        """Look at the held-out tasks."""
        if state.global_step % self.every and state.global_step < self.limit:
            return
        self.seconds += time.perf_counter() - self.started
        self.cpu_seconds += time.process_time() - self.cpu_started
        model.eval()
        row = {
            "examples": state.global_step * args.per_device_train_batch_size,
            "seconds": round(self.seconds, 2),
            "cpu_seconds": round(self.cpu_seconds, 2),
            "exact": exact_share(model, self.monitor, self.monitor.first),
        }
        model.train()
        self.curve.append(row)
        print("usual", row, flush=True)
        if row["exact"] >= TARGET:
            self.reached = row
        if self.reached or state.global_step >= self.limit:
            control.should_training_stop = True
        self.on_train_begin()


def usual_recipe(seed: int, dropout: float, limit: int) -> dict[str, Any]:
    """Train as most people would, at most ``limit`` examples."""
    data = encode_data(OURS, load_tasks(OURS))
    set_seed(seed)
    model = build_model(seed)
    for module in model.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = dropout
    watch = Watch(data.monitor, every=250, limit=-(-limit // 64))
    folder = tempfile.mkdtemp()
    arguments = TrainingArguments(
        output_dir=folder,
        per_device_train_batch_size=64,
        learning_rate=1e-3,
        warmup_steps=100,
        num_train_epochs=EPOCHS,
        seed=seed,
        save_strategy="no",
        report_to=[],
        disable_tqdm=True,
        logging_strategy="no",
        use_cpu=not torch.cuda.is_available(),
    )
    Trainer(model=model, args=arguments, train_dataset=Rows(data.train), callbacks=[watch]).train()
    shutil.rmtree(folder, ignore_errors=True)
    return {"seed": seed, "dropout": dropout, "reached": watch.reached, "curve": watch.curve}


def ours(seed: int, settings: RunSettings) -> dict[str, Any]:
    """One run of the trainer."""
    folder = Path(tempfile.mkdtemp()) / "run"
    record = train(replace(settings, seed=seed), folder, lambda done, text: print("ours", seed, done, text, flush=True))
    shutil.rmtree(folder.parent, ignore_errors=True)
    kept = ("threads", "examples_per_second", "train_seconds", "examples_seen", "reached", "curve")
    return {"seed": seed} | {name: record[name] for name in kept}


def main() -> None:
    """Run both sides and print the ratio."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, nargs="+", default=[41, 42, 43], help="our seeds")
    parser.add_argument("--usual-seeds", type=int, nargs="*", default=[41], help="the usual recipe's seeds")
    parser.add_argument("--dropout", type=float, default=0.0, help="the usual recipe's dropout")
    parser.add_argument("--limit", type=int, default=400_000, help="examples after which the usual recipe gives up")
    parser.add_argument("--threads", type=int, default=0, help="our threads; 0 measures")
    parser.add_argument("--usual-threads", type=int, default=0, help="the usual recipe's threads; 0 is torch's default")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    default_threads = options.usual_threads or torch.get_num_threads()
    with without_advice():
        mine = [ours(seed, replace(OURS, threads=options.threads)) for seed in options.seeds]
        torch.set_num_threads(default_threads)
        usual = [usual_recipe(seed, options.dropout, options.limit) for seed in options.usual_seeds]
    result: dict[str, Any] = {
        "machine": {"cpus": os.cpu_count(), "processor": platform.machine(), "torch": torch.__version__},
        "load_average": os.getloadavg(),
        "target": TARGET,
        "settings": OURS.as_dict(),
        "usual_threads": default_threads,
        "usual": usual,
        "ours": mine,
        **ratio(usual, mine),
    }
    print(json.dumps(ratio(usual, mine)))
    if options.out is not None:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8", newline="\n")


def ratio(usual: list[dict[str, Any]], mine: list[dict[str, Any]]) -> dict[str, Any]:
    """Fastest usual time over our slowest, by the clock and in processor time; None where a run did not get there.

    Processor time says more than the clock on a machine that does other work as well.
    """
    result: dict[str, Any] = {}
    for name in ("seconds", "cpu_seconds"):
        times = [[run["reached"][name] if run["reached"] else None for run in runs] for runs in (usual, mine)]
        complete = all(times) and None not in (*times[0], *times[1])
        result[f"usual_{name}"], result[f"ours_{name}"] = times
        result["ratio" if name == "seconds" else "cpu_ratio"] = (
            round(min(times[0]) / max(times[1]), 2) if complete else None
        )
    return result


if __name__ == "__main__":
    main()
