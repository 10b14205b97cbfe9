"""``arithmark report``: every figure recomputed from the items, and folders that are whole or absent."""

import json
import math
import re
from dataclasses import asdict, replace
from pathlib import Path

import pytest
import scored
from scipy.stats import binomtest
from typer.testing import CliRunner

from arithmark_tasks.cli import app
from arithmark_tasks.evaluation.comparison import compare
from arithmark_tasks.generators.deeparithmark.build import build_split
from arithmark_tasks.generators.deeparithmark.tiers import control
from arithmark_tasks.generators.errors import InputError
from arithmark_tasks.report import writing
from arithmark_tasks.report.entries import DEEP_TIER, read_entries, size_text
from arithmark_tasks.report.leaderboard import boards, placement, published, published_rows
from arithmark_tasks.report.writing import write_report
from arithmark_tasks.results import write_result
from arithmark_tasks.statistics import binomial_p, holm

ABLE, GUESSER, TYPED = "able-1.5B", "guesser", "typed"


def report(*arguments):
    outcome = CliRunner().invoke(app, ["report", *map(str, arguments)], env={"COLUMNS": "100"})
    if outcome.exception is not None and not isinstance(outcome.exception, SystemExit):
        raise outcome.exception
    assert outcome.exit_code == 0, outcome.output
    return outcome.output


@pytest.fixture(scope="module")
def files(tmp_path_factory, items):
    """A model that does two and three steps, one that guesses (with ties), and one scored on Zenyx tasks only."""
    folder = tmp_path_factory.mktemp("results")
    controls = list(control(items))
    able = [
        *scored.whole(scored.choice_scores(items, "deeparithmark", 1, {2: 0.9, 3: 0.7})),
        *scored.whole(scored.choice_scores(controls, "deeparithmark_control", 1, {2: 0.95, 3: 0.9, 4: 0.8, 5: 0.8})),
        *scored.choice_scores(items[:40], "arithmark3", 1, {2: 0.9, 3: 0.9, 4: 0.9, 5: 0.9}),
        *scored.generated_scores("zenyx_arith", 1),
    ]
    guesser = scored.whole(scored.choice_scores(items, "deeparithmark", 2, {}))
    guesser[0] = replace(guesser[0], loglikelihoods=tuple(-2.0 * count for count in guesser[0].tokens))
    typed = [*scored.generated_scores("zenyx_arith", 3), *scored.target_scores("zenyx_arith_ll", 3)]
    paths = {}
    for name, scores, size in ((ABLE, able, 1_540_000_000), (GUESSER, guesser, 134_515_008), (TYPED, typed, None)):
        paths[name] = folder / f"{name}.json"
        write_result(paths[name], scored.result(name, scores, size))
    return paths


@pytest.fixture(scope="module")
def folder(files, tmp_path_factory):
    """The report of the three."""
    out = tmp_path_factory.mktemp("report") / "out"
    report(*files.values(), "--out", out)
    return out


@pytest.fixture(scope="module")
def made(folder):
    """What ``leaderboard.json`` holds."""
    return json.loads((folder / "leaderboard.json").read_text(encoding="utf-8"))


def raw_items(path, group):
    return [item for item in json.loads(path.read_text(encoding="utf-8"))["items"] if item["group"] == group]


def credit(item):
    """What the answer by log-likelihood per token earns, ties shared."""
    scores = [value / tokens for value, tokens in zip(item["loglikelihoods"], item["tokens"], strict=True)]
    return (scores[item["gold"]] == max(scores)) / scores.count(max(scores))


@pytest.fixture(scope="module")
def pairs(folder):
    """What ``pairs.json`` holds."""
    return json.loads((folder / "pairs.json").read_text(encoding="utf-8"))["pairs"]


def row_of(made, model):
    (row,) = [row for row in made["rows"] if row["model"] == model]
    return row


@pytest.mark.parametrize("model", [ABLE, GUESSER])
def test_every_score_of_the_leaderboard_is_that_of_the_items(made, files, model):
    row, found = row_of(made, model), raw_items(files[model], "deeparithmark")
    parts = {"deep": found} | {str(d): [i for i in found if i["traits"]["depth"] == d] for d in (2, 3, 4, 5)}
    assert set(row["depths"]) == set(parts) - {"deep"}
    for name, part in parts.items():
        score = row["deep"] if name == "deep" else row["depths"][name]
        right = math.fsum(map(credit, part))
        assert score["value"] == pytest.approx(right / len(part)) and score["n"] == len(part)
        if right == int(right):
            test = binomtest(int(right), len(part), 0.25)
            assert score["p"] == pytest.approx(test.pvalue)
            assert score["interval"] == pytest.approx(list(test.proportion_ci(method="wilson")))
    soft = math.fsum(softmax_of_gold(item) for item in found) / len(found)
    assert row["soft"] == pytest.approx(soft)


def softmax_of_gold(item):
    scores = [math.exp(value / count) for value, count in zip(item["loglikelihoods"], item["tokens"], strict=True)]
    return scores[item["gold"]] / sum(scores)


def test_the_guessers_tie_earns_a_quarter(made):
    assert row_of(made, GUESSER)["deep"]["value"] * 1000 % 1 == pytest.approx(0.25)


def test_the_difference_to_arithmark3_is_in_the_leaderboard(made, files):
    row, other = row_of(made, ABLE), raw_items(files[ABLE], "arithmark3")
    expected = math.fsum(map(credit, other)) / len(other)
    assert row["arithmark3"]["value"] == pytest.approx(expected)
    assert row["delta"] == pytest.approx(row["deep"]["value"] - expected)
    assert row_of(made, GUESSER)["delta"] is None


def test_holm_is_over_all_models_and_groups_of_the_report(made, files):
    found = [raw_items(files[ABLE], group) for group in ("deeparithmark", "deeparithmark_control", "arithmark3")]
    found.append(raw_items(files[GUESSER], "deeparithmark"))
    ps = [binomial_p(math.fsum(map(credit, items)), len(items), 0.25) for items in found]
    adjusted = dict(zip(ps, holm(ps), strict=True))
    for model in (ABLE, GUESSER):
        deep = row_of(made, model)["deep"]
        assert deep["p_holm"] == pytest.approx(adjusted[deep["p"]])
    depths = [score for model in (ABLE, GUESSER) for score in row_of(made, model)["depths"].values()]
    assert [score["p_holm"] for score in depths] == pytest.approx(holm([score["p"] for score in depths]))


def test_rows_come_best_first_and_all_published_ones_are_among_them(made):
    values = [row["deep"]["value"] for row in made["rows"]]
    assert values == sorted(values, reverse=True)
    assert sorted(row["model"] for row in made["rows"] if row["published"]) == sorted(
        row.model for row in published().rows
    )
    assert {row["model"] for row in made["rows"] if not row["published"]} == {ABLE, GUESSER}


def test_two_models_are_compared_item_by_item(pairs, files):
    (found,) = [row for row in pairs if row["part"] == "deeparithmark"]
    a, b = ({item["id"]: credit(item) for item in raw_items(files[m], "deeparithmark")} for m in (ABLE, GUESSER))
    differences = [a[name] - b[name] for name in a]
    wins, losses = (sum(sign * d > 0 for d in differences) for sign in (1, -1))
    pair = found["paired"]
    assert (found["a"], found["b"], pair["n"]) == (ABLE, GUESSER, len(a))
    assert pair["difference"] == pytest.approx(math.fsum(differences) / len(a))
    assert (pair["only_a"], pair["only_b"]) == (wins, losses)
    assert pair["p"] == pytest.approx(binomtest(wins, wins + losses).pvalue)
    assert pair["interval"][0] < pair["difference"] < pair["interval"][1]


def test_models_scored_on_other_data_are_not_compared(files, tmp_path):
    content = json.loads(files[GUESSER].read_text(encoding="utf-8"))
    content["datasets"]["deeparithmark"]["sha256"] = "another seed"
    other = tmp_path / "other.json"
    other.write_text(json.dumps(content), encoding="utf-8")
    report(files[ABLE], other, "--out", tmp_path / "out")
    assert not (tmp_path / "out" / "pairs.json").exists()
    made = json.loads((tmp_path / "out" / "leaderboard.json").read_text(encoding="utf-8"))
    assert len(made["boards"]) == 2 and made["boards"][0]["apart"] == []
    (reason,) = made["boards"][1]["apart"]
    assert "(another seed" in reason or "instead of deeparithmark version 1 (another seed" in reason
    for name in ("index.html", "leaderboard.md"):
        assert "(another seed" in (tmp_path / "out" / name).read_text(encoding="utf-8")


def test_the_control_gap_is_the_mean_over_the_same_prompts(made, files):
    deep, controls = (
        [credit(item) for item in raw_items(files[ABLE], g)] for g in ("deeparithmark", "deeparithmark_control")
    )
    gaps = {row["part"]: row["paired"] for row in made["control"]}
    assert set(gaps) == {"all", "d2", "d3", "d4", "d5"}
    assert gaps["all"]["difference"] == pytest.approx((sum(deep) - sum(controls)) / len(deep))
    parts = [gaps[f"d{depth}"] for depth in (2, 3, 4, 5)]
    total = math.fsum(part["difference"] * part["n"] for part in parts)
    assert total / len(deep) == pytest.approx(gaps["all"]["difference"])


def test_the_report_and_the_comparison_that_eval_stores_agree(made, files):
    result = read_entries([files[ABLE]])[0].result
    stored = compare(result.items, result.tasks)
    gaps, other = {row["part"]: row["paired"] for row in made["control"]}, stored["arithmark3"]["all"]
    assert gaps["all"]["difference"] == pytest.approx(stored["control"]["all"]["difference"])
    assert gaps["all"]["p"] == stored["control"]["all"]["p"]
    for depth, pair in stored["control"]["by"]["depth"].items():
        assert gaps[f"d{depth}"]["difference"] == pytest.approx(pair["difference"])
        assert gaps[f"d{depth}"]["p"] == pair["p"]
    assert [gap["p_holm"] for gap in gaps.values()] == holm([gap["p"] for gap in gaps.values()])
    row = row_of(made, ABLE)
    assert row["delta"] == pytest.approx(other["difference"]) and row["delta_test"] == {**other, "p_holm": None}


def test_the_deep_tier_continues_the_depth_curve(tmp_path, items):
    deeper = build_split("deep", "test", items=48)
    both = [*scored.choice_scores(items, "deeparithmark", 4, {}), *scored.choice_scores(deeper, DEEP_TIER, 4, {6: 0.9})]
    for name, scores, depths in (("both", both, range(2, 9)), ("deeper", both[len(items) :], range(6, 9))):
        write_result(tmp_path / f"{name}.json", scored.result(name, scores))
        made = write_report(read_entries([tmp_path / f"{name}.json"]), tmp_path / name)
        (curve,) = [plot for plot in made.plots if plot.name == "depth-curve"]
        credits = {depth: [is_right(item) for item in scores if item.traits["depth"] == depth] for depth in depths}
        assert all(credits.values()) and len(scores) == sum(map(len, credits.values()))
        words = ", ".join(f"d{depth} {100 * sum(each) / len(each):.1f} %" for depth, each in credits.items())
        assert f"{name}: {words}." in curve.description
        assert "depth-curve.png" in (tmp_path / name / "leaderboard.md").read_text(encoding="utf-8")
    assert made.boards == ()


def is_right(item):
    return credit(asdict(item))


def test_the_published_table_agrees_with_itself():
    rows = published().rows
    assert len({row.model for row in rows}) == 17
    for row in rows:
        assert (row.d2 + row.d3 + row.d4 + row.d5) / 4 == pytest.approx(row.deep, abs=0.051)
        value, unit = row.params.split()
        assert row.parameters == pytest.approx(float(value) * {"B": 1e9, "M": 1e6}[unit])
        if row.arithmark3 is None:
            assert row.delta is None
        else:
            assert row.deep - row.arithmark3 == pytest.approx(row.delta, abs=0.0051)
    assert [row.model for row in rows if row.delta is None] == ["Qwen2.5-1.5B-Instruct", "SmolLM2-360M-Instruct"]


@pytest.mark.parametrize(
    ("model", "depth", "p"),
    [
        ("nanowhale-100m-base", None, 0.007),
        ("LFM2.5-350M-Base", None, 0.0002),
        ("Qwen3-0.6B-Base", None, 0.0027),
        ("Qwen3-0.6B-Base", "2", 1e-5),
        ("Qwen3-0.6B-Base", "5", 0.016),
        ("LFM3-1.7B-Base", "3", 3e-6),
        ("Qwen3.5-2B-Base", "2", 2e-30),
        ("SmolLM3-3B-Base", None, 8e-16),
    ],
)
def test_published_rows_have_the_published_p(model, depth, p):
    (row,) = [row for row in published_rows(published()) if row.model == model]
    found = (row.depths[depth] if depth else row.deep)["p"]
    digits = len(f"{p:g}".split("e")[0].replace("0.", "").lstrip("0"))
    assert float(f"{found:.{digits - 1}e}") == pytest.approx(p)


def test_a_model_is_placed_between_its_published_neighbours(tmp_path, items):
    scores = scored.whole(scored.choice_scores(items[:40], "deeparithmark", 3, {}))
    write_result(tmp_path / "r.json", scored.result("own", scores))
    (board,) = boards(read_entries([tmp_path / "r.json"]), published())
    rows = [row for row in board.rows if row.published]
    (own,) = board.own
    own = replace(own, deep=rows[5].deep)
    assert placement(board, own) == f"level with {rows[5].model}, below 5 and above 11 of the published rows"
    between = (rows[4].deep["value"] + rows[5].deep["value"]) / 2
    own = replace(own, deep={**own.deep, "value": between})
    better, worse = (f"{row.model} ({100 * row.deep['value']:.1f} %)" for row in (rows[4], rows[5]))
    assert placement(board, own) == f"below 5 of 17 published rows, between {better} and {worse}"
    for value, words in ((0.99, "above all 17 published rows"), (0.01, "below all 17 published rows")):
        assert placement(board, replace(own, deep={**own.deep, "value": value})) == words


def test_markdown_holds_the_same_figures(made, folder):
    text = (folder / "leaderboard.md").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    for row in made["rows"]:
        name = row["model"] + (f" ({row['release']})" if row["release"] else "")
        name = name if row["published"] else f"**{name}"
        (line,) = [line for line in lines if line.split(" | ")[0].startswith(f"| {name}") and row["params"] in line]
        assert ("published, not ours" in line) == row["published"]
        assert f"{100 * row['deep']['value']:.1f} (" in line
    assert {len(line.split(" | ")) for line in lines[: 2 + len(made["rows"])]} == {12}


def test_the_files_are_those_that_the_json_lists(made, folder):
    present = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert present == set(made["files"])
    stems = {Path(name).stem for name in present if name.startswith("plots/")}
    assert stems == {"placement", "depth-curve", "control-gap", "templates", "mistakes-1", "mistakes-2"}
    assert present >= {"leaderboard.md", "tables.md", "scores.md", "pairs.md", "pairs.json", "mistakes.md"}
    assert present >= {f"plots/{stem}.{ending}" for stem in stems for ending in ("png", "svg")}


def test_the_same_results_give_the_same_bytes(files, folder, tmp_path):
    report(*files.values(), "--out", tmp_path / "again")
    for path in folder.rglob("*.*"):
        assert (tmp_path / "again" / path.relative_to(folder)).read_bytes() == path.read_bytes(), path.name


def test_without_deeparithmark_there_are_tables_and_no_leaderboard(files, tmp_path):
    report(files[TYPED], "--out", tmp_path / "out")
    made = json.loads((tmp_path / "out" / "leaderboard.json").read_text(encoding="utf-8"))
    assert made["rows"] == [] and [name for name in made["files"] if name.startswith("plots/")] == []
    text = (tmp_path / "out" / "scores.md").read_text(encoding="utf-8")
    right = [item["metrics"]["exact_match"] for item in raw_items(files[TYPED], "zenyx_arith")]
    assert rf"| {TYPED} | zenyx\_arith | exact\_match | {len(right)} | {100 * sum(right) / len(right):.1f} (" in text


def test_an_earlier_report_is_replaced_and_nothing_else_is(files, tmp_path):
    out = tmp_path / "out"
    report(files[TYPED], "--out", out)
    before = (out / "index.html").read_bytes()
    report(files[GUESSER], "--out", out)
    assert (out / "index.html").read_bytes() != before and (out / "plots").is_dir()
    (out / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match=r"not ours and would be lost, such as notes\.txt"):
        report(files[TYPED], "--out", out)
    assert (out / "plots").is_dir()
    with pytest.raises(InputError, match="not an earlier report"):
        report(files[TYPED], "--out", files[TYPED].parent)
    with pytest.raises(InputError, match="not a folder"):
        report(files[TYPED], "--out", files[TYPED])


def test_a_failure_on_the_way_leaves_no_folder(files, tmp_path, monkeypatch):
    def fail(made):
        raise KeyboardInterrupt

    monkeypatch.setattr(writing, "render_page", fail)
    outcome = CliRunner().invoke(app, ["report", str(files[TYPED]), "--out", str(tmp_path / "out")])
    assert outcome.exit_code != 0 and list(tmp_path.iterdir()) == []


def test_bad_results_are_named_and_nothing_is_written(files, tmp_path):
    empty, broken = tmp_path / "empty.json", tmp_path / "broken.json"
    content = json.loads(files[TYPED].read_text(encoding="utf-8"))
    empty.write_text(json.dumps(content | {"items": []}), encoding="utf-8")
    broken.write_text("{", encoding="utf-8")
    out = tmp_path / "out"
    for bad, complaint in ((empty, "no scored item"), (broken, "not JSON"), (tmp_path / "none.json", "cannot be read")):
        with pytest.raises(InputError, match=f"{bad.name}: {complaint}"):
            report(files[TYPED], bad, "--out", out)
    with pytest.raises(InputError, match=f"{TYPED}.json: given twice"):
        report(files[TYPED], files[TYPED], "--out", out)
    assert not out.exists()


def test_models_of_one_name_are_told_apart_by_their_files(items, tmp_path):
    paths = [tmp_path / "run" / "a.json", tmp_path / "run" / "b.json", tmp_path / "other" / "b.json"]
    for path in paths:
        write_result(path, scored.result("same", scored.choice_scores(items[:4], "deeparithmark", 1, {})))
    assert [entry.label for entry in read_entries(paths[:2])] == ["same (a)", "same (b)"]
    assert [entry.label for entry in read_entries(paths)] == ["same (a)", "same (b) #1", "same (b) #2"]


def test_every_model_has_its_legend_entry_whatever_its_name_begins_with(tmp_path, items):
    names = ["_hidden", "__init__", "plain"]
    for name in names:
        write_result(
            tmp_path / f"{name}.json", scored.result(name, scored.choice_scores(items, "deeparithmark", 4, {}))
        )
    made = write_report(read_entries([tmp_path / f"{name}.json" for name in names]), tmp_path / "out")
    (curve,) = [plot for plot in made.plots if plot.name == "depth-curve"]
    assert [name for name in names if f">{name}</text>" in curve.svg] == names


@pytest.mark.parametrize("row", published().rows, ids=lambda row: row.model)
def test_sizes_are_written_as_in_the_published_table(row):
    assert size_text(row.parameters) == row.params


@pytest.mark.parametrize(
    ("field", "value", "complaint"),
    [
        ("group", True, "item 3: group is True"),
        ("gold", [1], "item 3: gold is [1]"),
        ("tokens", [3, 3, "x", 3], "item 3: tokens holds 'x'"),
        ("loglikelihoods", "-1", "item 3: loglikelihoods is '-1'"),
        ("traits", {"depth": None}, "item 3: traits holds None"),
        ("sources", ["correct", "slip"], "item 3: 4 log-likelihoods but 2 sources"),
        ("tokens", [0, 3, 3, 3], "an empty continuation"),
    ],
)
def test_a_wrong_value_in_a_result_is_named(files, tmp_path, field, value, complaint):
    content = json.loads(files[GUESSER].read_text(encoding="utf-8"))
    content["items"][3][field] = value
    bad = tmp_path / "bad.json"
    bad.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(f"bad.json: {complaint}")):
        report(bad, "--out", tmp_path / "out")
    assert not (tmp_path / "out").exists()
