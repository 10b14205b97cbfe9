"""What the leak audit finds in splits that others publish: ``python -m benchmarks.leaks --page docs/leaks.md``.

minGPT's adder (projects/adder/adder.py) numbers all pairs of N-digit operands, shuffles the numbers by
``torch.randperm`` under seed 1337 and tests on the first 500, at most a fifth. The split is drawn here as it is there,
written as its rows are, read by ``parse_digits`` and compared by the audit.
"""

import argparse
import json
from pathlib import Path
from typing import Any

import torch

from arithmark_tasks.builders.files import write_json, write_text
from arithmark_tasks.generators.calcgpt.reading import audit, parse_digits

RESULT = Path(__file__).parent / "results" / "leaks.json"
SEED = 1337


def adder_rows(digits: int) -> tuple[list[str], list[str]]:
    """(training rows, test rows) of minGPT's adder with operands of up to ``digits`` digits."""
    count = 10**digits
    generator = torch.Generator()
    generator.manual_seed(SEED)
    numbers = torch.randperm(count**2, generator=generator).tolist()
    rows = [_row(*divmod(number, count), digits) for number in numbers]
    tested = min(int(len(rows) * 0.2), 500)
    return rows[tested:], rows[:tested]


def _row(left: int, right: int, digits: int) -> str:
    return f"{left:0{digits}d}{right:0{digits}d}" + f"{left + right:0{digits + 1}d}"[::-1]


def measure(digits: int) -> dict[str, Any]:
    """The audit's counts on one adder split."""
    train, test = ([parse_digits(row, digits, line) for line, row in enumerate(rows, 1)] for rows in adder_rows(digits))
    counts = audit(train, test).as_dict()
    kept = ("train_tasks", "test_tasks", "exact_overlap", "twins", "semantic_overlap", "wrong_answers")
    alike = sum(task.expression.left == task.expression.right for task in test)
    return {"split": f"minGPT adder, {digits} digits", "seed": SEED, "equal_operands": alike} | {
        name: counts[name] for name in kept
    }


def page(results: list[dict[str, Any]]) -> str:
    """The page of these results."""
    rows = "\n".join(
        f"| {found['split']} | {found['train_tasks']:,} | {found['test_tasks']:,} | {found['exact_overlap']} "
        f"| {found['twins']} | {100 * found['twins'] / found['test_tasks']:.1f} % |"
        for found in results
    )
    return f"""# What the leak audit finds in published splits

A test that shares no string with its training data can still be a test of memory: `34+12` was trained on, `12+34` is
tested. `arithmark calcgpt audit TRAIN TEST` counts such twins.

| split | training tasks | test tasks | same string | operands swapped | share of the test |
|---|---:|---:|---:|---:|---:|
{rows}

minGPT's adder numbers all pairs of operands, shuffles the numbers under seed {SEED} and tests on the first 500. No row
of the test stands in training, and nearly every sum does, with its operands exchanged: whoever trains on nearly all
ordered pairs has seen the other order of nearly each one that is left.
{_remainder(results[0])} That is no fault of a demonstration, and no measure of generalisation.

`python -m benchmarks.leaks --page docs/leaks.md` draws the splits as that project does, and writes this page from what
the audit counts. A file of such rows is read by `arithmark calcgpt audit TRAIN TEST --adder-digits 2`.
"""


def _remainder(found: dict[str, Any]) -> str:
    """What the tasks without a twin in training are."""
    left = found["test_tasks"] - found["twins"]
    alike = found["equal_operands"]
    return (
        f"Of the {left} two-digit test tasks without a twin in training {alike} add a number to itself, which has no "
        f"other order, and\n{left - alike} have their other order in the test, too."
    )


def main() -> None:
    """Measure, store, and write the page when asked for."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--page", type=Path, help="also write the page here")
    chosen = options.parse_args()
    results = [measure(digits) for digits in (2, 3)]
    write_json(RESULT, results)
    print(json.dumps(results, indent=1))
    if chosen.page:
        write_text(chosen.page, page(results))


if __name__ == "__main__":
    main()
