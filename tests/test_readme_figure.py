"""The README's figure and tables show what the stored result says, counted again from its items."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
import scored
from scipy.stats import binomtest

from arithmark_tasks.generators.deeparithmark import build, build_split
from arithmark_tasks.generators.deeparithmark.control import control
from arithmark_tasks.report.entries import read_entries
from arithmark_tasks.results import write_result
from benchmarks import readme_figure as script

SETS = ("deeparithmark", "deeparithmark_deep", "deeparithmark_control")


@pytest.fixture(scope="module")
def result(tmp_path_factory):
    """A scripted model on three sets and on the Zenyx tasks."""
    items, seed = build(items=80), 5
    scores = [
        *scored.choice_scores(items, "deeparithmark", seed, {2: 0.8, 3: 0.4}),
        *scored.choice_scores(build_split("deep", "test", items=48), "deeparithmark_deep", seed, {6: 0.7}),
        *scored.choice_scores(control(items), "deeparithmark_control", seed, {2: 0.9, 3: 0.8, 4: 0.6, 5: 0.6}),
        *scored.generated_scores("zenyx_arith", seed),
    ]
    path = tmp_path_factory.mktemp("stored") / "stored.json"
    write_result(path, scored.result("scripted", scores))
    return path


def credits_by_depth(path):
    """``{(group, depth): [credit]}`` by log-likelihood per token, from the file alone."""
    found = {}
    for item in json.loads(path.read_text(encoding="utf-8"))["items"]:
        if item["group"] in SETS:
            scores = [value / size for value, size in zip(item["loglikelihoods"], item["tokens"], strict=True)]
            best = [option for option, value in enumerate(scores) if value == max(scores)]
            key = item["group"], item["traits"]["depth"]
            found.setdefault(key, []).append((item["gold"] in best) / len(best))
    return found


def check_figure(svg, path):
    shown = [text.text for text in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]
    shares = [f"{100 * sum(each) / len(each):.1f}" for each in credits_by_depth(path).values()]
    assert len(shares) >= 4 and sorted(text for text in shown if re.fullmatch(r"\d+\.\d", text)) == sorted(shares)


def check_table(markdown, path):
    credits = credits_by_depth(path)
    lines = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in markdown.split("\n\n")[0].splitlines()]
    rows = {row[0]: dict(zip(lines[0], row, strict=True)) for row in lines[2:]}
    parts = {f"depth {depth}": each for (group, depth), each in credits.items() if group != SETS[2]}
    parts["all"] = [credit for (group, _), each in credits.items() if group == SETS[0] for credit in each]
    controls = {f"depth {depth}": each for (group, depth), each in credits.items() if group == SETS[2]}
    controls["all"] = [credit for each in controls.values() for credit in each]
    assert set(rows) == set(parts)
    for name, each in parts.items():
        mean, row = sum(each) / len(each), rows[name]
        assert row["n"] == f"{len(each):,}" and row[r"acc\_norm\_tok"].startswith(f"{100 * mean:.1f} (")
        if sum(each).is_integer():
            p = binomtest(int(sum(each)), len(each), 0.25).pvalue
            assert row["p"] == (f"{p:.3f}" if p >= 0.001 else f"{p:.0e}")
        if controls.get(name):
            other = sum(controls[name]) / len(controls[name])
            assert row["control"] == f"{100 * other:.1f}"
            assert row["set − control"].startswith(f"{100 * (mean - other):+.1f} (".replace("-", "−"))


def test_figure_and_tables_show_the_items_of_a_result(result):
    (entry,) = read_entries([result])
    check_figure(script.figure(entry).svg, result)
    check_table(script.tables(entry), result)
    right = [item["metrics"]["exact_match"] for item in json.loads(result.read_text())["items"] if not item["tokens"]]
    assert rf"| zenyx\_arith | exact\_match | 200 | {sum(right) / 2:.1f} (" in script.tables(entry)


@pytest.mark.skipif(not script.RESULT.exists(), reason="no stored result of the model")
def test_the_readme_shows_the_stored_result():
    (entry,) = read_entries([script.RESULT])
    readme = Path(script.REPOSITORY / "README.md").read_text(encoding="utf-8")
    check_figure(script.FIGURE.read_text(encoding="utf-8"), script.RESULT)
    check_table(script.tables(entry), script.RESULT)
    assert script.depth_table(entry).markdown() in readme and "docs/smollm2.svg" in readme


@pytest.mark.skipif(not script.RESULT.is_file(), reason="no stored result")
def test_the_preferences_that_the_readme_tells_are_those_of_the_stored_items():
    items = json.loads(script.RESULT.read_text(encoding="utf-8"))["items"]
    picked = {group: [] for group in SETS}
    for item in items:
        if item["group"] in SETS:
            scores = [value / size for value, size in zip(item["loglikelihoods"], item["tokens"], strict=True)]
            picked[item["group"]].append((item["values"], scores.index(max(scores)), item["gold"]))
    fives = [row for row in picked["deeparithmark_control"] if sum(value % 5 == 0 for value in row[0]) == 1]
    taken = sum(values[choice] % 5 == 0 for values, choice, _ in fives)
    right = sum(values[gold] % 5 == 0 for values, _, gold in fives)
    smallest = sum(values[choice] == min(values) for values, choice, _ in picked["deeparithmark"])
    readme = " ".join((script.REPOSITORY / "README.md").read_text(encoding="utf-8").split())
    assert (
        f"it takes the smallest ending in {100 * smallest / len(picked['deeparithmark']):.0f} % of the items" in readme
    )
    assert (
        f"of the {len(fives)} items that offer one multiple of five it takes that in {taken}, and is right in {right}"
        in readme
    )


def test_the_zenyx_counts_of_the_readme_are_those_of_the_stored_items():
    stored = script.RESULT.with_name("smollm2-135m-instruct-zenyx.json")
    right = {"zenyx_arith": [], "zenyx_arith_bare": []}
    for item in json.loads(stored.read_text(encoding="utf-8"))["items"]:
        if item["group"] in right:
            right[item["group"]].append(item["metrics"]["exact_match"])
    assert {len(each) for each in right.values()} == {400}
    readme = " ".join((script.REPOSITORY / "README.md").read_text(encoding="utf-8").split())
    shots, bare = (f"{sum(each):.0f}" for each in right.values())
    assert "Of 400 Zenyx questions" in readme and f"it answers {shots} with four exemplars and {bare} bare" in readme
