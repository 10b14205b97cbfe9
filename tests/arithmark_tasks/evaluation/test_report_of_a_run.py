"""What ``arithmark eval --compare`` stores is what ``arithmark report`` shows."""

import json
from statistics import fmean

import pytest

from arithmark_tasks.evaluation.run import save
from arithmark_tasks.report.entries import read_entries
from arithmark_tasks.report.writing import write_report


def test_a_run_with_comparisons_fills_the_leaderboard(scored, arithmark3_file, tmp_path):
    result = scored(compare=True, arithmark3=arithmark3_file)
    save(tmp_path / "tiny.json", result)
    write_report(read_entries([tmp_path / "tiny.json"]), tmp_path / "out")
    made = json.loads((tmp_path / "out" / "leaderboard.json").read_text(encoding="utf-8"))
    (row,) = [row for row in made["rows"] if not row["published"]]
    groups = result.summary["groups"]
    # Of a path the last part is enough to know a model by.
    assert row["model"] == result.model["name"].rpartition("/")[2]
    assert row["parameters"] == result.model["parameters"]
    assert row["deep"]["value"] == groups["deeparithmark"]["metrics"]["acc_norm_tok"]["value"]
    assert row["arithmark3"]["value"] == groups["arithmark3"]["metrics"]["acc_norm_tok"]["value"]
    assert {int(depth): score["n"] for depth, score in row["depths"].items()} == {2: 3, 3: 3, 4: 3, 5: 3}
    gaps = {gap["part"]: gap["paired"]["difference"] for gap in made["control"]}
    assert fmean(gaps[f"d{depth}"] for depth in (2, 3, 4, 5)) == pytest.approx(gaps["all"])
