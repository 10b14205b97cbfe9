"""Greedy evaluation of a causal language model on CalcGPT tasks, through ``transformers`` alone.

Three readings of an answer: ``exact`` (the very characters), ``format_valid`` (a number in the representation's form,
right or wrong), ``numerically_correct`` (the right value, padding aside). ``ended`` counts answers closed by the end
mark. What is wrong has a kind: see :func:`error_kind`. A low score is a result, not an error.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from ..generators.calcgpt import contracts, representations
from ..generators.calcgpt.contracts import carry_key
from ..generators.calcgpt.manifest import roster_hash
from ..generators.expression import Expression, evaluate, semantic_key
from ..generators.intervals import wilson

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
    error: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """For JSON; ``task`` and ``expected`` are what ``arithmark verify --evaluated`` reads."""
        return asdict(self) | {"task": str(self.task)}


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
    value = int(digits) if plain else None
    return Graded(
        task=task,
        expected=expected,
        produced=produced,
        exact=produced == expected,
        numerically_correct=value == evaluate(task),
        format_valid=valid,
        ended=ended,
        error=None if produced == expected else error_kind(task, expected, produced, value),
    )


def error_kind(task: Expression, expected: str, produced: str, value: int | None) -> str:
    """What is wrong with an answer of that value, the closest of these kinds, in this order.

    ``no number``; ``other form`` of the right value; ``cut short`` and ``too long`` as they stand in the text; ``carry
    lost``: one or more of the task's carries (or borrows) were not taken over; ``off by a power of ten``; ``digits
    swapped``: two of them; ``one digit wrong``; ``other``.

    >>> error_kind(Expression(58, "+", 67), "125", "115", 115), error_kind(Expression(1, "+", 2), "3", "4", 4)
    ('carry lost', 'off by a power of ten')
    """
    right = evaluate(task)
    if value is None:
        return "no number"
    if value == right:
        return "other form"
    if expected.startswith(produced):
        return "cut short"
    if produced.startswith(expected):
        return "too long"
    missing = right - value if task.operator == "+" else value - right
    mask = int(carry_key(task)[1])
    # a carry out of column i is worth ten to the i + 1
    digits = str(missing)[:-1][::-1] if missing > 0 and missing % 10 == 0 else ""
    if digits and set(digits) <= {"0", "1"} and all(mask >> i & 1 for i, digit in enumerate(digits) if digit == "1"):
        return "carry lost"
    if str(abs(missing)).strip("0") == "1":
        return "off by a power of ten"
    wrong = [place for place, pair in enumerate(zip(expected, produced, strict=False)) if pair[0] != pair[1]]
    if len(expected) == len(produced) and len(wrong) == 2 and sorted(expected) == sorted(produced):
        return "digits swapped"
    return "one digit wrong" if len(expected) == len(produced) and len(wrong) == 1 else "other"


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
            text = str(tokenizer.decode(kept, skip_special_tokens=True))
            # other people's models start a new line instead of ending
            line, mark, _ = text.lstrip(" ").partition("\n")
            answers.append((line.rstrip(" ") if mark or text != line else text, ended or bool(mark)))
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
    *,
    contract: str = contracts.DEFAULT,
    prefix: str = "",
    suffix: str = "",
) -> tuple[dict[str, Any], list[Graded]]:
    """The report, and every graded task in order. One token more than answer and end mark may be written.

    ``prefix`` and ``suffix`` stand around each prompt, for models that want to be asked in another way. Intervals take
    the classes of the ``contract`` as the sample.
    """
    form, key = representations.get(representation), contracts.get(contract).key
    start = time.perf_counter()
    prompts = [prefix + form.prompt(task, width) + suffix for task in tasks]
    answers = answer(model, tokenizer, prompts, width + 3, batch, notify)
    seconds = time.perf_counter() - start
    graded = [
        grade(task, produced, ended, representation, width)
        for task, (produced, ended) in zip(tasks, answers, strict=True)
    ]
    report = {
        "representation": representation,
        "width": width,
        "contract": contract,
        "prefix": prefix,
        "suffix": suffix,
        "tasks": len(tasks),
        "task_roster_sha256": roster_hash(tasks),
        "overall": summary(graded, key),
        "by_bucket": _groups(graded, bucket, key),
        "by_operator": _groups(graded, lambda task: task.operator, key),
        "by_carries": _groups(graded, carries, key),
        "errors": error_counts(graded),
        "wrong_examples": [item.as_dict() for item in graded if not item.exact][:SHOWN],
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


def error_counts(graded: Iterable[Graded]) -> dict[str, int]:
    """How many answers are wrong in which way, the most frequent first."""
    counts = Counter(item.error for item in graded if item.error is not None)
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


def summary(graded: Sequence[Graded], key: Callable[[Expression], contracts.Key] = semantic_key) -> dict[str, Any]:
    """Each measure as a count, the denominator, the share and its 95 % interval.

    The sample of the interval is the ``classes`` under the key, not the tasks: what a model has learnt of a class, it
    answers in all of its tasks alike.
    """
    classes = len({key(item.task) for item in graded})
    result: dict[str, Any] = {}
    for measure in MEASURES:
        right = sum(getattr(item, measure) for item in graded)
        low, high = wilson(classes * right / len(graded), classes)
        result[measure] = {
            "right": right,
            "of": len(graded),
            "classes": classes,
            "share": right / len(graded),
            "low": round(low, 6),
            "high": round(high, 6),
        }
    return result


def _groups(
    graded: Iterable[Graded], name: Callable[[Expression], str], key: Callable[[Expression], contracts.Key]
) -> dict[str, Any]:
    groups: dict[str, list[Graded]] = {}
    for item in graded:
        groups.setdefault(name(item.task), []).append(item)
    return {group: summary(groups[group], key) for group in sorted(groups)}
