"""The sets as inspect-ai tasks whose answers are read by ``arithmark_tasks.answers``, as lm-eval's are.

``inspect eval arithmark/deeparithmark_gen --model MODEL`` finds them by the entry point ``inspect_ai`` (extra
``inspect``). ``eval.yaml`` of a published set holds the same questions with inspect-ai's own scorers, which know no
thoughts, harmony channels or units.
"""

from collections.abc import Iterable
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import CORRECT, INCORRECT, Score, Scorer, Target, accuracy, choice, scorer, stderr
from inspect_ai.solver import TaskState, generate, multiple_choice, prompt_template

from .answers import extract, extract_clock
from .builders import load_dataset
from .builders.eval_yaml import PROBLEM, QUESTION, SUM
from .builders.verify.deeparithmark import flat_row
from .metrics import exact_match_results


@scorer(metrics=[accuracy(), stderr()])
def final_answer() -> Scorer:
    """The final integer, or time of day, of what the model wrote, compared exactly as in lm-eval's tasks.

    ``metadata`` of a sample is the item itself; ``answer`` of a score is what was read, None where nothing could be.
    """

    async def score(state: TaskState, target: Target) -> Score:
        text, item = state.output.completion, state.metadata
        clock = (item.get("metadata") or {}).get("unit") == "clock"
        value, status = extract_clock(text) if clock else extract(text)
        right = exact_match_results(item, [text])["exact_match"] == 1.0
        found = None if value is None else str(value)
        return Score(value=CORRECT if right else INCORRECT, answer=found, explanation=f"{status}: {text}")

    return score


@task
def deeparithmark(config: str = "default") -> Task:
    """DeepArithmark-1 as a choice of one letter of four; ``config`` is a tier."""
    return Task(dataset=_samples(_problems(config), "target"), solver=multiple_choice(), scorer=choice())


@task
def deeparithmark_gen(config: str = "default") -> Task:
    """DeepArithmark-1 with an answer in the model's own words; ``config`` is a tier."""
    solver = [prompt_template(PROBLEM), generate()]
    return Task(dataset=_samples(_problems(config), "answer", choices=False), solver=solver, scorer=final_answer())


@task
def zenyx_arith(config: str = "default") -> Task:
    """Zenyx Arithmetic Bench: single operations; ``config`` is ``default``, ``extended`` or ``legacy``."""
    rows = [(row["id"], row["question"], row) for row in load_dataset("zenyx", config, split="test")]
    samples = [Sample(id=name, input=text, target=row["answer"], metadata=row) for name, text, row in rows]
    solver = [prompt_template(QUESTION), generate()]
    return Task(dataset=MemoryDataset(samples), solver=solver, scorer=final_answer())


@task
def calcgpt_heldout() -> Task:
    """The held-out additions and subtractions of CalcGPT."""
    rows: Any = load_dataset("calcgpt", split="heldout")
    samples = [
        Sample(id=row["semantic_key"], input=row["semantic_key"], target=str(row["answer"]), metadata=row)
        for row in rows
    ]
    return Task(dataset=MemoryDataset(samples), solver=[prompt_template(SUM), generate()], scorer=final_answer())


def _problems(config: str) -> Iterable[dict[str, Any]]:
    rows: Any = load_dataset("deeparithmark", config, split="test")
    return rows


def _samples(items: Iterable[dict[str, Any]], target: str, *, choices: bool = True) -> MemoryDataset:
    asked = [(item, flat_row(item)) for item in items]
    return MemoryDataset(
        [
            Sample(
                id=item["source_id"],
                input=row["question"],
                target=row[target],
                choices=row["choices"] if choices else None,
                metadata=item,
            )
            for item, row in asked
        ]
    )
