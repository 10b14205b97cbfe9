"""Checkpoints of one run in a report: in order of steps, with a test that looking often does not fool."""

import json
import random
from dataclasses import replace

import pytest
from scored import choice_scores, result

from arithmark_tasks.report.curves import ends_table, fading, first_above, last_and_best, training_runs
from arithmark_tasks.report.entries import read_entries
from arithmark_tasks.report.writing import write_report
from arithmark_tasks.results import write_result
from arithmark_tasks.statistics import spent
from benchmarks import training_curve

DEPTHS = (2, 3, 4, 5)


@pytest.fixture
def checkpoints(items, tmp_path):
    """A function that writes a result file for each step and its skill, and reads them as the report does."""

    def write(skills, run="run"):
        paths = []
        for step, skill in skills.items():
            scores = choice_scores(items, "deeparithmark", step, dict.fromkeys(DEPTHS, skill))
            made = result(f"{run}/checkpoint-{step}", scores)
            training = {"run": run, "step": step, "tokens": 1000 * step}
            paths.append(tmp_path / f"{run}-{step}.json")
            write_result(paths[-1], replace(made, model={**made.model, "training": training}))
        return paths

    return write


def test_a_run_is_recognised_and_in_the_order_of_its_steps(checkpoints):
    entries = read_entries([*checkpoints({1000: 0.5, 200: 0.25}), *checkpoints({5: 0.25}, run="alone")])
    (found,) = training_runs(entries)
    assert (found.name, found.steps, found.tokens) == ("run", (200, 1000), (200_000, 1_000_000))
    assert found.depths == ["2", "3", "4", "5"]


def test_the_report_shows_the_curve_and_says_where_chance_is_left(checkpoints, tmp_path):
    made = write_report(read_entries(checkpoints({10: 0.25, 20: 0.25, 30: 0.8, 40: 0.99})), tmp_path / "report")
    section = next(section for section in made.sections if section.name == "training")
    assert section.text[0].startswith("First step above chance: 30 ")
    assert [row[0].text for row in section.tables[0].rows] == ["10", "20", "30", "40"]
    assert "The last checkpoint, step 40, is the best." in section.text
    assert (tmp_path / "report" / "plots" / "training-curve.svg").exists()
    assert "Training of run" in (tmp_path / "report" / "tables.md").read_text(encoding="utf-8")


def test_the_last_is_compared_with_the_best_at_a_price(checkpoints):
    (found,) = training_runs(read_entries(checkpoints({10: 0.25, 20: 0.7, 30: 0.5})))
    last, best, paired = last_and_best(found)
    assert (last, best) == (2, 1)
    assert paired is not None
    assert paired["difference"] < 0
    table = ends_table(found, "ends")
    assert table is not None
    assert "multiplied by the 2 others" in table.caption


def test_mistakes_fade_where_their_share_falls(checkpoints):
    (found,) = training_runs(read_entries(checkpoints({10: 0.25, 20: 0.25, 30: 0.98})))
    rows = fading(found)
    assert rows
    assert {row.faded for row in rows if min(row.offered) > 40} == {2}
    (flat,) = training_runs(read_entries(checkpoints({1: 0.25, 2: 0.25}, run="flat")))
    assert all(row.faded is None for row in fading(flat))


def test_chance_over_many_looks_is_called_skill_less_often_than_the_level():
    """Runs of thirty looks at chance: a bare 5 % test is fooled by most, the spent level by few."""
    draw = random.Random(5)
    fooled = {"bare": 0, "spent": 0}
    for _ in range(400):
        ps = [draw.random() for _ in range(30)]
        fooled["bare"] += any(p < 0.05 for p in ps)
        fooled["spent"] += any(p < spent(look) for look, p in enumerate(ps, start=1))
    assert fooled["bare"] > 200
    assert fooled["spent"] <= 30


def test_a_run_that_never_leaves_chance_is_not_said_to(checkpoints):
    (found,) = training_runs(read_entries(checkpoints(dict.fromkeys(range(1, 7), 0.25))))
    assert first_above(found) is None


def test_the_page_shows_the_stored_run():
    figures = json.loads(training_curve.RESULTS.read_text(encoding="utf-8"))
    page = (training_curve.RESULTS.parents[2] / "docs" / "training.md").read_text(encoding="utf-8")
    assert training_curve.with_section(page, training_curve.section(figures)) == page
    assert len(figures["steps"]) > 1
