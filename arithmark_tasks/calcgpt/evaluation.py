"""Greedy evaluation of a causal language model on CalcGPT tasks, through ``transformers`` alone.

Three readings of an answer: ``exact`` (the very characters), ``format_valid`` (a number in the representation's form,
right or wrong), ``numerically_correct`` (the right value, padding aside). ``ended`` counts answers closed by the end
mark. A low score is a result, not an error.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from arithmark_tasks.generators.intervals import wilson

from ..generators.calcgpt import representations
from ..generators.calcgpt.contracts import carry_key
from ..generators.calcgpt.manifest import roster_hash
from ..generators.expression import Expression, evaluate

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

MEASURES = ("exact", "numerically_correct", "format_valid", "ended")
SHOWN = 5


@dataclass(frozen=True, slots=True)
class Graded:
    """One answered task."""

    task: Expression
    expected: str
    produced: str
    exact: bool
    numerically_correct: bool
    format_valid: bool
    ended: bool


def grade(task: Expression, produced: str, ended: bool, representation: str, width: int) -> Graded:
    """Judge one produced answer.

    >>> graded = grade(Expression(12, "+", 34), "640", True, "reversed", 3)
    >>> graded.exact, graded.format_valid, graded.numerically_correct
    (False, False, True)
    """
    form = representations.get(representation)
    expected = form.answer(task, width)
    try:
        form.read_answer(produced, width)
        valid = True
    except ValueError:
        valid = False
    # the value alone: digits in the representation's order, any padding
    digits = produced[::-1] if form.reversed else produced
    plain = digits.isascii() and digits.isdigit() and len(digits) < 100
    return Graded(
        task=task,
        expected=expected,
        produced=produced,
        exact=produced == expected,
        numerically_correct=plain and int(digits) == evaluate(task),
        format_valid=valid,
        ended=ended,
    )


def answer(
    model: "PreTrainedModel",
    tokenizer: "PreTrainedTokenizerBase",
    prompts: Sequence[str],
    new_tokens: int,
    batch: int = 256,
    notify: Callable[[int], None] = lambda done: None,
) -> list[tuple[str, bool]]:
    """Greedy continuations and whether each ended by itself, in the order of the prompts."""
    import torch

    answers = []
    for start in range(0, len(prompts), batch):
        inputs = tokenizer(list(prompts[start : start + batch]), return_tensors="pt", padding=True, padding_side="left")
        inputs = {name: inputs[name].to(model.device) for name in ("input_ids", "attention_mask")}
        with torch.no_grad():
            output: Any = model.generate(  # type: ignore[operator]
                **inputs,
                do_sample=False,
                max_new_tokens=new_tokens,
                pad_token_id=tokenizer.pad_token_id,
                eos_token_id=tokenizer.eos_token_id,
            )
        for row in output[:, inputs["input_ids"].shape[1] :].tolist():
            ended = tokenizer.eos_token_id in row
            kept = row[: row.index(tokenizer.eos_token_id)] if ended else row
            answers.append((str(tokenizer.decode(kept, skip_special_tokens=True)), ended))
        notify(len(answers))
    return answers


def evaluate_tasks(
    model: "PreTrainedModel",
    tokenizer: "PreTrainedTokenizerBase",
    tasks: Sequence[Expression],
    representation: str,
    width: int,
    batch: int = 256,
    notify: Callable[[int], None] = lambda done: None,
) -> tuple[dict[str, Any], list[Graded]]:
    """The report, and every graded task in order. One token more than answer and end mark may be written."""
    form = representations.get(representation)
    start = time.perf_counter()
    prompts = [form.prompt(task, width) for task in tasks]
    answers = answer(model, tokenizer, prompts, width + 3, batch, notify)
    seconds = time.perf_counter() - start
    graded = [
        grade(task, produced, ended, representation, width)
        for task, (produced, ended) in zip(tasks, answers, strict=True)
    ]
    report = {
        "representation": representation,
        "width": width,
        "tasks": len(tasks),
        "task_roster_sha256": roster_hash(tasks),
        "overall": summary(graded),
        "by_bucket": _groups(graded, bucket),
        "by_operator": _groups(graded, lambda task: task.operator),
        "by_carries": _groups(graded, carries),
        "wrong_examples": [asdict(item) | {"task": str(item.task)} for item in graded if not item.exact][:SHOWN],
        "seconds": round(seconds, 3),
        "tasks_per_second": round(len(tasks) / seconds, 1),
    }
    return report, graded


def bucket(task: Expression) -> str:
    """Digits of the operands: ``2 digits``, or ``mixed`` when they differ.

    >>> bucket(Expression(7, "+", 345))
    'mixed'
    """
    left, right = len(str(task.left)), len(str(task.right))
    return ("1 digit" if left == 1 else f"{left} digits") if left == right else "mixed"


def carries(task: Expression) -> str:
    """How many columns carry or borrow.

    >>> carries(Expression(58, "+", 67))
    '+ with 2 carries'
    """
    count = int(carry_key(task)[1]).bit_count()
    noun = {"+": ("carry", "carries"), "-": ("borrow", "borrows")}[task.operator][count != 1]
    return f"{task.operator} with {count} {noun}"


def summary(graded: Sequence[Graded]) -> dict[str, Any]:
    """Each measure as a count, the denominator, the share and its 95 % interval."""
    result: dict[str, Any] = {}
    for measure in MEASURES:
        right = sum(getattr(item, measure) for item in graded)
        low, high = wilson(right, len(graded))
        result[measure] = {
            "right": right,
            "of": len(graded),
            "share": right / len(graded),
            "low": round(low, 6),
            "high": round(high, 6),
        }
    return result


def _groups(graded: Iterable[Graded], name: Callable[[Expression], str]) -> dict[str, Any]:
    groups: dict[str, list[Graded]] = {}
    for item in graded:
        groups.setdefault(name(item.task), []).append(item)
    return {key: summary(groups[key]) for key in sorted(groups)}
