"""The README's figure and tables show what the stored result says, counted again from its items."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
import scored
from scipy.stats import binomtest

from arithmark_tasks.generators.deeparithmark import build, build_split
from arithmark_tasks.generators.deeparithmark.tiers import TIERS, control
from arithmark_tasks.generators.zenyx import PER_TYPE
from arithmark_tasks.report.entries import read_entries
from arithmark_tasks.results import read_result, write_result
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


@pytest.fixture(scope="module")
def stored():
    """The stored result of the model, its Zenyx result and the audits."""
    return read_entries([script.RESULT])[0], read_result(script.ZENYX_RESULT), json.loads(script.AUDIT.read_text())


def test_every_generated_line_of_the_repository_is_the_one_that_the_stored_results_give(stored):
    for page, regions in script.written(*stored).items():
        text = page.read_text(encoding="utf-8")
        assert script.with_regions(text, regions) == text, page
        assert text.count(script.MARKER) == len(regions), page
    entry, zenyx, _ = stored
    assert f"\nTIME := {script.time_words(entry.result)}\n" in script.MAKEFILE.read_text(encoding="utf-8")
    assert json.loads(script.CARD_SCORES.read_text(encoding="utf-8")) == script.card_scores(entry, zenyx)


def test_a_page_without_the_marker_of_a_region_is_named():
    page = "a\n<!-- made by benchmarks/readme_figure.py: x -->\nold\n<!-- end -->\nb\n"
    assert script.with_regions(page, {"x": r"\1 new" + "\n"}) == page.replace("old", r"\1 new")
    with pytest.raises(ValueError, match="0 regions are called y"):
        script.with_regions(page, {"y": ""})


def test_what_the_reading_counts_is_counted_so_again_from_the_items(stored):
    items = json.loads(script.RESULT.read_text(encoding="utf-8"))["items"]
    picked = {group: [] for group in SETS}
    for item in items:
        if item["group"] in SETS:
            scores = [value / size for value, size in zip(item["loglikelihoods"], item["tokens"], strict=True)]
            picked[item["group"]].append((item["values"], scores.index(max(scores)), item["gold"]))
    fives = [row for row in picked["deeparithmark_control"] if sum(value % 5 == 0 for value in row[0]) == 1]
    taken = [row for row in fives if row[0][row[1]] % 5 == 0]
    hit, right = sum(row[1] == row[2] for row in taken), sum(row[1] == row[2] for row in fives)
    smallest = [values[choice] == min(values) for values, choice, _ in picked["deeparithmark"]]
    reading = " ".join(script.reading(*stored[:2]).split())
    assert f"smallest of the four endings in {100 * sum(smallest) / len(smallest):.0f} % of the items" in reading
    assert f"{len(fives)} of its items offer exactly one multiple of five" in reading
    assert f"takes the multiple in {len(taken)} of them, where that is right {hit} times" in reading
    assert f"in all {len(fives)} it is right {right} times" in reading
    answers = {"zenyx_arith": [], "zenyx_arith_bare": []}
    for item in json.loads(script.ZENYX_RESULT.read_text(encoding="utf-8"))["items"]:
        if item["group"] in answers:
            answers[item["group"]].append(item["metrics"]["exact_match"])
    shots, bare = (f"{sum(each):.0f}" for each in answers.values())
    assert f"Of {len(answers['zenyx_arith'])} Zenyx questions it answers {shots} with 4 exemplars" in reading
    assert f"and {bare} without" in reading


def test_the_reading_says_which_rows_are_clear_of_chance_after_adjustment():
    def row(name, value, p):
        return name, {"value": value, "n": 100, "p": p}, p

    none = script.depth_words([row("depth 2", 0.2, 0.2), row("all", 0.2, 0.9)])
    assert "no row is above or below chance" in none
    both = script.depth_words([row("depth 2", 0.5, 0.001), row("depth 3", 0.4, 0.01), row("all", 0.1, 0.04)])
    assert "depth 2 and depth 3 are above chance and all is below chance" in both
    assert "and none is above it" in script.depth_words([row("depth 2", 0.2, 0.4), row("all", 0.1, 0.01)])


def test_the_sizes_that_the_readme_names_are_those_of_the_sets(stored):
    readme = " ".join((script.REPOSITORY / "README.md").read_text(encoding="utf-8").split())
    default = TIERS["default"]
    assert f"{default.splits['test']:,} word problems of 2 to 5 dependent steps" in readme
    further = {3: "three", 4: "four"}[len(set(TIERS) - {"default", "control"})]
    assert f"a matched control and {further} further tiers" in readme
    assert f"{8 * PER_TYPE:,} integer questions of 8 types" in readme and f"{4 * PER_TYPE:,} of four more" in readme
    assert f"{stored[2]['default']['fixed']['count']} rules, 3 classifiers" in readme


def test_the_design_page_tells_how_many_choices_differ_between_tokens_and_characters():
    differ = total = 0
    for item in json.loads(script.RESULT.read_text(encoding="utf-8"))["items"]:
        if item["group"] == "deeparithmark":
            picks = []
            for unit in ("tokens", "characters"):
                scores = [value / size for value, size in zip(item["loglikelihoods"], item[unit], strict=True)]
                picks.append(scores.index(max(scores)))
            differ, total = differ + (picks[0] != picks[1]), total + 1
    page = (script.REPOSITORY / "docs" / "design.md").read_text(encoding="utf-8")
    assert f"{differ} of {total:,} choices of the README's model differ by it" in page
