"""A small GPT-2 trained on tier `train` by transformers.Trainer, scored as it learns: its curve in docs/training.md.

Run: python benchmarks/training_curve.py --work DIR [--items 3000] [--evaluations 5]
     python benchmarks/training_curve.py --work DIR --page docs/training.md

The first form draws the items, trains a byte-level BPE of 512 tokens and a model of about a million parameters on
prompts with their right endings, for one pass, and has `ArithmarkCallback` score it before the first step and after
each part. What is done is kept in DIR: started again, it goes on from the last checkpoint. The second form stores the
figures of the result files that are in DIR by then, and writes the part of the page that shows them.
"""

import argparse
import json
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import (
    DataCollatorForLanguageModeling,
    GPT2Config,
    GPT2LMHeadModel,
    PreTrainedTokenizerFast,
    Trainer,
    TrainingArguments,
    set_seed,
)

from arithmark_tasks.builders.files import write_json, write_text
from arithmark_tasks.generators.deeparithmark.build import build_split
from arithmark_tasks.report.curves import curve_table, fading, fading_table, said, training_runs
from arithmark_tasks.report.entries import read_entries
from arithmark_tasks.training import ArithmarkCallback

BATCH, LONGEST, WORDS, ITEMS = 16, 256, 512, 3000
RESULTS = Path(__file__).parent / "results" / "training-curve.json"
BEGIN, END = "<!-- made by benchmarks/training_curve.py -->", "<!-- end -->"
TASKS = ("deeparithmark", "deeparithmark_control")


def drawn(work: Path, number: int) -> list[dict[str, Any]]:
    """The training items, drawn once; the last 64 of them are kept for the loss."""
    file = work / f"train-{number}.jsonl"
    if not file.exists():
        write_text(file, "".join(json.dumps(item) + "\n" for item in build_split("train", "train", items=number)))
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def tokenizer_of(texts: list[str]) -> PreTrainedTokenizerFast:
    """Byte-level BPE in which each digit is a token of its own."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=WORDS, special_tokens=["<end>"], initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator(texts, trainer)
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token="<end>", eos_token="<end>", pad_token="<end>")


def train(work: Path, number: int, evaluations: int) -> None:
    """Train, or go on training, and leave a result file for each evaluation in ``work/results``."""
    set_seed(1)
    texts = [item["ctx"] + item["endings"][int(item["label"])] for item in drawn(work, number)]
    tokenizer = tokenizer_of(texts)
    ids = tokenizer([f"{text}<end>" for text in texts], truncation=True, max_length=LONGEST)["input_ids"]
    rows = [{"input_ids": row} for row in ids]
    steps = (len(rows) - 64) // BATCH
    config = GPT2Config(
        vocab_size=len(tokenizer), n_positions=LONGEST, n_embd=128, n_layer=5, n_head=4, bos_token_id=0, eos_token_id=0
    )
    arguments = TrainingArguments(
        output_dir=str(work / "run"),
        max_steps=steps,
        eval_strategy="steps",
        eval_steps=steps // evaluations,
        eval_on_start=True,
        save_steps=steps // evaluations,
        save_total_limit=1,
        per_device_train_batch_size=BATCH,
        per_device_eval_batch_size=BATCH,
        learning_rate=1e-3,
        warmup_steps=10,
        lr_scheduler_type="constant_with_warmup",
        include_num_input_tokens_seen="non_padding",
        logging_steps=10,
        report_to=[],
        use_cpu=True,
        seed=1,
    )
    trainer = Trainer(
        model=GPT2LMHeadModel(config),
        args=arguments,
        data_collator=DataCollatorForLanguageModeling(tokenizer, mlm=False),
        train_dataset=rows[:-64],
        eval_dataset=rows[-64:],
        processing_class=tokenizer,
    )
    trainer.add_callback(ArithmarkCallback(trainer, tasks=TASKS, out=work / "results"))
    trainer.train(resume_from_checkpoint=any((work / "run").glob("checkpoint-*")))


def stored(work: Path) -> dict[str, Any]:
    """The figures of the result files, as the report computes them; ``SystemExit`` with fewer than two of them."""
    found = training_runs(read_entries(sorted((work / "results").glob("step-*.json"))))
    if not found:
        raise SystemExit("fewer than two evaluations are there yet")
    (run,) = found
    steps = fading(run)
    table, faded = curve_table(run, "training"), fading_table(run, steps, "fading")
    model = run.entries[0].result.model
    return {
        "model": {name: model[name] for name in ("architecture", "parameters")},
        "versions": run.entries[0].result.run["versions"],
        "planned_steps": (len(drawn(work, ITEMS)) - 64) // BATCH if (work / f"train-{ITEMS}.jsonl").exists() else None,
        "steps": list(run.steps),
        "said": list(said(run, steps)),
        "tables": [{"caption": one.caption, "markdown": one.markdown()} for one in (table, faded) if one],
    }


def section(figures: dict[str, Any]) -> str:
    """The part of the page that is made of the stored figures."""
    model, steps, planned = figures["model"], figures["steps"], figures["planned_steps"]
    ended = steps[-1] if planned is None else f"{steps[-1]} of the {planned} planned"
    parts = [
        f"`{model['architecture']}` with {model['parameters']:,} parameters, drawn at random and trained on prompts of "
        f"tier `train` with their right endings. The last evaluation is that of step {ended}.",
        *figures["said"],
    ]
    for table in figures["tables"]:
        parts += [table["markdown"].rstrip(), table["caption"]]
    return "\n\n".join(parts)


def with_section(page: str, text: str) -> str:
    """The page with what stands between the marks replaced."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{text}\n{END}{after}"


def main() -> None:
    """Train, or write the page of what is there."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--items", type=int, default=ITEMS)
    parser.add_argument("--evaluations", type=int, default=5)
    parser.add_argument("--page", type=Path)
    arguments = parser.parse_args()
    if arguments.page is not None:
        figures = stored(arguments.work)
        write_json(RESULTS, figures)
        write_text(arguments.page, with_section(arguments.page.read_text(encoding="utf-8"), section(figures)))
        return
    arguments.work.mkdir(parents=True, exist_ok=True)
    train(arguments.work, arguments.items, arguments.evaluations)


if __name__ == "__main__":
    main()
