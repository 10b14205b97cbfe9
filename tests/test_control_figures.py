"""The figures on the control in the task README are those of the result file, and the script that makes it is right."""

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from arithmark_tasks.generators.deeparithmark.build import build_split
from benchmarks import control as script

REPOSITORY = Path(__file__).resolve().parent.parent
README = REPOSITORY / "arithmark_tasks" / "tasks" / "deeparithmark" / "README.md"
PLACES = re.compile(r"slot \d|(second )?(smallest|largest)")


@pytest.fixture(scope="module")
def stored() -> dict[str, dict[str, float]]:
    path = REPOSITORY / "benchmarks" / "results" / "control.json"
    return json.loads(path.read_text(encoding="utf-8"))["scores"]


def test_the_table_shows_the_stored_figures(stored: dict[str, dict[str, float]]) -> None:
    table = README.read_text(encoding="utf-8").split("| solver |", 1)[1].split("\n\n", 1)[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]
    assert len(rows) > 8
    for solver, default, matched in rows:
        shown = []
        for config in ("default", "control"):
            found = [score for name, score in stored[config].items() if PLACES.fullmatch(name)]
            low, high = min(found), max(found)
            one = stored[config].get(solver)
            shown.append(f"{100 * low:.1f} to {100 * high:.1f}" if one is None else f"{100 * one:.1f}")
        assert [default, matched] == shown, solver
        assert solver in stored["default"] or solver == "always one slot, or one rank"


def test_a_guess_is_right_as_often_as_it_is_in_many_draws() -> None:
    rng = random.Random(5)
    for values, label in (([43, 44, 45, 46], 1), ([43, 44, 45, 46], 3), ([100, 60, 240, 144], 0), ([9, 21, 24, 8], 2)):
        item: dict[str, Any] = {"label": str(label), "metadata": {"option_values": values}}
        for error in (0.01, 0.1, 0.5):
            guesses = [values[label] * 2.718281828459045 ** rng.gauss(0, error) for _ in range(4000)]
            right = sum(min(values, key=lambda v, g=guess: abs(v - g)) == values[label] for guess in guesses)
            assert script.guessed(item, error) == pytest.approx(right / 4000, abs=0.03)


def test_of_four_neighbours_the_last_digit_leaves_one_and_the_parity_two() -> None:
    for item in build_split("control", "test", items=32):
        assert script.known_remainder(item, 10) == 1 and script.known_remainder(item, 2) == 0.5


@pytest.mark.slow
def test_the_stored_figures_can_be_made_again(stored: dict[str, dict[str, float]]) -> None:
    for config in script.SETS:
        assert script.scores(build_split(config, "test"), classifiers=True) == pytest.approx(stored[config], abs=0.002)
