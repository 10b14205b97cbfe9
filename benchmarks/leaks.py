"""What the leak audit finds in splits that others publish: ``python -m benchmarks.leaks --page docs/leaks.md``.

minGPT's adder (projects/adder/adder.py) numbers all pairs of N-digit operands, shuffles the numbers by
``torch.randperm`` under seed 1337 and tests on the first 500, at most a fifth. The split is drawn here as it is there,
written as its rows are, read by ``parse_digits`` and compared by the audit.

With ``--teaching-arithmetic data/bal`` of a clone of github.com/lee-ny/teaching_arithmetic its multiplications are
audited, too; without it their stored counts are kept.
"""

import argparse
import json
from pathlib import Path
from typing import Any

import torch

from arithmark_tasks.builders.files import write_json, write_text
from arithmark_tasks.generators.calcgpt.reading import WrittenTask, audit, parse_digits, read_tasks

RESULT = Path(__file__).parent / "results" / "leaks.json"
SEED = 1337
MULTIPLICATION = ("train_multiplication_3000", "test_multiplication_7000")


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
    alike = sum(task.expression.left == task.expression.right for task in test)
    return {"split": f"minGPT adder, {digits} digits", "seed": SEED, "equal_operands": alike} | _counts(train, test)


def measure_multiplication(folder: Path) -> dict[str, Any]:
    """The audit's counts on teaching_arithmetic's multiplications, 3,000 to train and the rest to test."""
    train, test = (read_tasks(folder / f"{name}.txt") for name in MULTIPLICATION)
    return {"split": "teaching_arithmetic, multiplication 3000/7000"} | _counts(train, test)


def _counts(train: list[WrittenTask], test: list[WrittenTask]) -> dict[str, Any]:
    counts = audit(train, test).as_dict()
    kept = ("train_tasks", "test_tasks", "exact_overlap", "twins", "semantic_overlap", "wrong_answers")
    return {name: counts[name] for name in kept}


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

{_multiplication(results)}`python -m benchmarks.leaks --page docs/leaks.md` draws the adder's splits as that project
does, and writes this page from what the audit counts. A file of such rows is read by
`arithmark calcgpt audit TRAIN TEST --adder-digits 2`.
"""


def _multiplication(results: list[dict[str, Any]]) -> str:
    """What the multiplications show, where they were measured."""
    found = next((found for found in results if "multiplication" in found["split"]), None)
    if found is None:
        return ""
    known, of = found["semantic_overlap"], found["test_tasks"]
    return f"""teaching_arithmetic (github.com/lee-ny/teaching_arithmetic, `data/bal`) tests multiplication on the pairs
that training does not hold in this order: {known:,} of {of:,} test tasks ({100 * known / of:.1f} %) have their other
order in training, and {found["exact_overlap"]} stand there as they are.
`python -m benchmarks.leaks --teaching-arithmetic DIR` counts them in a clone.

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
    options.add_argument("--teaching-arithmetic", type=Path, help="data/bal of a clone of that repository")
    chosen = options.parse_args()
    results = [measure(digits) for digits in (2, 3)]
    if chosen.teaching_arithmetic is not None:
        results.append(measure_multiplication(chosen.teaching_arithmetic))
    elif RESULT.exists():
        results += json.loads(RESULT.read_text(encoding="utf-8"))[2:]
    write_json(RESULT, results)
    print(json.dumps(results, indent=1))
    if chosen.page:
        write_text(chosen.page, page(results))


if __name__ == "__main__":
    main()
