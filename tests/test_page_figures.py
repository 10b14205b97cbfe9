"""The figures in the prose and tables of docs/ are those of the stored results, or are worked out here again."""

import json
import re
from collections import Counter
from math import sqrt
from typing import Any

import pytest

from arithmark_tasks.generators.deeparithmark.build import build_split
from arithmark_tasks.report.entries import DEFAULT
from arithmark_tasks.results import read_result
from arithmark_tasks.statistics import chosen
from benchmarks import interval_coverage, signals
from benchmarks.readme_figure import REPOSITORY

RESULTS = REPOSITORY / "benchmarks" / "results"


def page(name: str) -> str:
    """A page of docs/ with its lines joined, as it is read."""
    return " ".join((REPOSITORY / "docs" / name).read_text(encoding="utf-8").split())


def stored(name: str) -> Any:
    return json.loads((RESULTS / name).read_text(encoding="utf-8"))


def test_the_tables_of_signals_are_the_stored_ones_and_the_words_below_them_follow() -> None:
    models = stored("signals.json")["models"]
    text = (REPOSITORY / "docs" / "statistics.md").read_text(encoding="utf-8")
    for table in signals.tables(models).strip().split("\n\n"):
        assert table.strip() in text
    said = page("statistics.md")
    assert "three small models" in said and len(models) == 3
    assert "the cost falls from the first checkpoint on and never stops" in said
    for model in models:
        costs = [means["bits_per_byte"] for means in model["means"].values()]
        assert costs == sorted(costs, reverse=True)
    firsts, steps = [model["first"] for model in models], list(models[0]["means"])
    assert "`soft` moves before accuracy in all three, by one checkpoint or two, and `margin` in none" in said
    gaps = [steps.index(str(first["acc"])) - steps.index(str(first["soft"])) for first in firsts]
    assert set(gaps) == {1, 2}
    assert all(first["margin"] >= first["acc"] for first in firsts)
    found = re.search(
        r"passes −2 for good at step (\d+) in the two smaller models, before accuracy is clear, and", said
    )
    assert found is not None
    for model, expected in zip(models, [found[1], found[1], str(firsts[2]["acc"])], strict=True):
        below = [step for step, means in model["means"].items() if means["log_prob"] <= -2]
        assert steps[steps.index(below[-1]) + 1] == expected
    assert all(first["acc"] > int(found[1]) for first in firsts[:2])


@pytest.mark.slow
def test_the_table_of_coverage_is_what_the_simulation_gives() -> None:
    text = (REPOSITORY / "docs" / "statistics.md").read_text(encoding="utf-8")
    assert interval_coverage.table().markdown().strip() in text


def test_the_page_on_scoring_says_what_was_measured() -> None:
    found, said = stored("scoring.json"), page("scoring.md")
    rows = (REPOSITORY / "docs" / "scoring.md").read_text(encoding="utf-8").splitlines()
    for line in found["lines"]:
        (row,) = [text for text in rows if text.startswith(f"| {line['case']} |")]
        shown = [f"{line['largest_difference']:.1e}", line["same_choice"], line["same_is_greedy"]]
        shown += [f"{name} {seconds:.2f}" for name, seconds in line.get("seconds", {}).items()]
        shown += [f"{line['ratio']:.2f}", f"{100 * line['share_of_floor']:.0f} %"] if "seconds" in line else []
        assert all(text in row for text in shown), line["case"]
    lines = {line["case"]: line for line in found["lines"]}
    exact = [line["largest_difference"] for name, line in lines.items() if "float32" in name]
    assert "stay below 1e-4" in said and max(exact) < 1e-4
    factor = re.search(r"the multiplications alone differ by a factor of about ([\d.]+)", said)
    assert factor is not None
    line = lines["four-way, float32, batch 8"]
    head, body = 49_152 * 576, 134_515_008 - 49_152 * 576  # SmolLM2: the output layer shares the embedding's weights
    ours = line["tokens"] * body + line["output_rows"] * head
    assert line["tokens_hf"] * (head + body) / ours == pytest.approx(float(factor[1]), abs=0.05)
    bf16 = re.search(r"in the \[benchmark\]\(scoring.md\) (\d+) of (\d+) choices differ", page("design.md"))
    assert bf16 is not None
    same, of = map(int, lines["four-way, bfloat16, batch 8"]["same_choice"].split("/"))
    assert (int(bf16[1]), int(bf16[2])) == (of - same, of)


def test_the_noise_of_a_score_is_that_of_its_size() -> None:
    text = (REPOSITORY / "docs" / "design.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| [^|]+ \| ([\d,]+) \| ±([\d.]+) points \|$", text, re.MULTILINE)
    assert len(rows) == 3
    for size, margin in rows:
        digits = len(margin.partition(".")[2])
        assert f"{196 * sqrt(0.25 * 0.75 / int(size.replace(',', ''))):.{digits}f}" == margin


def test_the_scatter_of_preferences_is_the_stored_one() -> None:
    found = json.loads((REPOSITORY / "arithmark_tasks" / "statistics" / "scatter.json").read_text(encoding="utf-8"))
    tiers = {tier["tier"]: tier for tier in found["tiers"]}
    values = [f"{100 * tiers[tier][of]:.2f}" for tier in ("default", "deep") for of in ("spread", "binomial")]
    shown = "{} points on `default` (binomial {}) and of {} on `deep` ({})".format(*values)
    assert f"Over {tiers['default']['preferences']} random preferences" in page("design.md")
    assert shown in page("design.md")


def test_as_many_choices_differ_by_the_normalisation_as_the_page_says() -> None:
    result = read_result(RESULTS / "smollm2-135m-instruct.json")
    items = [item for item in result.items if item.group == DEFAULT]
    differ = sum(chosen(item, "acc_norm") != chosen(item, "acc_norm_tok") for item in items)
    assert f"{differ} of {len(items):,} choices of the README's model differ by it" in page("design.md")


def test_the_rows_of_templates_have_as_many_items_as_the_page_says() -> None:
    sizes = Counter(item["metadata"]["template"] for item in build_split("default", "test"))
    assert len(sizes) == 15 and "Fifteen families in the default set" in page("design.md")
    assert f"have {min(sizes.values())} to {max(sizes.values())} items each" in page("design.md")


def test_a_report_of_thirty_results_is_as_quick_and_small_as_the_page_says() -> None:
    found, said = stored("report.json"), page("report.md")
    assert "Thirty results of 2,000 items take less than a minute of one core" in said
    assert (found["results"], found["items_each"]) == (30, 2000) and found["cpu_seconds"] < 60
    assert "a page of less than 1 MB and a `leaderboard.md` of less than 16 KB" in said
    assert found["bytes"]["index.html"] < 10**6 and found["bytes"]["leaderboard.md"] < 16_000
