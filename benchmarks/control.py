"""What someone scores without solving the problems: on DeepArithmark-1 and on its control with adjacent endings.

Run: python benchmarks/control.py [--out FILE] [--no-classifiers]. Three kinds of solver: the strategies and classifiers
of `arithmark audit`; a guess at the magnitude, which is the answer with a random relative error (the option nearest to
it is picked); and someone who knows the answer's last digit or its parity alone. The last two are calculated, not
drawn, on the items whose answer is an amount.
"""

import argparse
from collections.abc import Sequence
from math import inf, log
from pathlib import Path
from statistics import NormalDist
from typing import Any

from arithmark_tasks.builders.classifiers import classifier_rows
from arithmark_tasks.builders.files import write_json
from arithmark_tasks.generators.choices.audit import audit_items, question
from arithmark_tasks.generators.choices.item import CLOCK_UNIT
from arithmark_tasks.generators.deeparithmark.build import build_split

SETS = ("default", "control")
ERRORS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0)
Item = dict[str, Any]


def guessed(item: Item, error: float) -> float:
    """The chance that the option nearest to the answer times exp(error * z) is the right one, z standard normal."""
    values = item["metadata"]["option_values"]
    right = values[int(item["label"])]
    below = max((value for value in values if value < right), default=-inf)
    above = min((value for value in values if value > right), default=inf)
    normal = NormalDist(0, error)
    low = normal.cdf(log((right + below) / 2 / right)) if below > -inf else 0.0
    high = normal.cdf(log((right + above) / 2 / right)) if above < inf else 1.0
    return high - low


def known_remainder(item: Item, modulus: int) -> float:
    """The credit of someone who knows the answer's remainder and draws among the options that have it."""
    values = item["metadata"]["option_values"]
    right = values[int(item["label"])]
    return 1 / sum(value % modulus == right % modulus for value in values)


def mean(values: Sequence[float]) -> float:
    """The mean, to a hundredth of a per cent."""
    return round(sum(values) / len(values), 4)


def scores(items: Sequence[Item], classifiers: bool) -> dict[str, float]:
    """Every solver's accuracy on one set."""
    rows = audit_items(items)
    if classifiers:
        rows += classifier_rows([question(item) for item in items])
    found = {row.strategy: round(row.score, 4) for row in rows if row.score is not None}
    amounts = [item for item in items if item["metadata"]["unit"] != CLOCK_UNIT]
    for error in ERRORS:
        found[f"guess, relative error {error:g}"] = mean([guessed(item, error) for item in amounts])
    found["last digit known"] = mean([known_remainder(item, 10) for item in amounts])
    found["parity known"] = mean([known_remainder(item, 2) for item in amounts])
    return found


def main() -> None:
    """Print a Markdown table of both sets, and write all figures with ``--out``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--no-classifiers", action="store_true")
    options = parser.parse_args()
    found = {name: scores(build_split(name, "test"), not options.no_classifiers) for name in SETS}
    print(f"| solver | {' | '.join(SETS)} |\n|---|---|---|")
    for solver in found["default"]:
        print(f"| {solver} | {' | '.join(f'{100 * found[name][solver]:.1f}' for name in SETS)} |")
    if options.out is not None:
        write_json(options.out, {"chance": 0.25, "scores": found})


if __name__ == "__main__":
    main()
