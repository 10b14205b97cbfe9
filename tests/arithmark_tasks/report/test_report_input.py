"""``arithmark report`` on files that nobody should have written: refused in one line, or shown as they are."""

import json
import re
from dataclasses import asdict, replace
from xml.etree import ElementTree

import pytest
import scored
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from scipy.stats import fisher_exact

from arithmark_tasks.generators.errors import InputError
from arithmark_tasks.report.entries import read_entries
from arithmark_tasks.report.leaderboard import boards, placement, published
from arithmark_tasks.report.style import inline_svg
from arithmark_tasks.report.table import markdown_text, plain
from arithmark_tasks.report.writing import write_report
from arithmark_tasks.results import FORMAT, FORMAT_VERSION, read_result, write_result

MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


@pytest.fixture
def content(items):
    """A good file of 8 items, as JSON."""
    found = scored.result("model", scored.choice_scores(items[:8], "deeparithmark", 1, {}))
    return json.loads(json.dumps({"format": FORMAT, "format_version": FORMAT_VERSION, **asdict(found)}))


def read(path, content):
    path.write_text(json.dumps(content), encoding="utf-8")
    return read_result(path)


@pytest.mark.parametrize(
    ("field", "value", "complaint"),
    [
        ("loglikelihoods", [-1, -2, -3, 10**400], "loglikelihoods holds 1000"),
        ("loglikelihoods", [-1, -2, -3, float("inf")], "a log-likelihood is inf"),
        ("loglikelihoods", [-1, -2, -3, float("nan")], "a log-likelihood is nan"),
        ("loglikelihoods", [-1, -2, -3, 800.0], "a log-likelihood is 800.0"),
        ("tokens", [1, 1, 1, 10**400], "tokens holds 1000"),
        ("metrics", {"exact_match": 10**400}, "metrics holds 1000"),
        ("traits", {"depth": 10**30}, "traits holds 1000"),
        ("traits", {"depth": 10**6}, "depth is 1000000"),
        ("traits", {"depth": "2"}, "depth is '2'"),
        ("traits", {"template": "a\x00b"}, r"traits holds 'a\x00b'"),
        ("sources", ["correct", "a", "b", "\ud800"], r"sources holds '\ud800'"),
        ("id", "two\nlines", r"id is 'two\nlines'"),
    ],
)
def test_a_value_that_nothing_can_show_is_named(content, tmp_path, field, value, complaint):
    content["items"][3][field] = value
    with pytest.raises(InputError, match=re.escape(f"r.json: item 3: {complaint}")):
        read(tmp_path / "r.json", content)


@pytest.mark.parametrize("parameters", [-5, 10**30, 1.5, True, "many"])
def test_a_number_of_parameters_that_no_model_has_is_refused(content, tmp_path, parameters):
    content["model"]["parameters"] = parameters
    with pytest.raises(InputError, match=re.escape(f"r.json: model: parameters is {parameters!r}"[:60])):
        read(tmp_path / "r.json", content)


def test_a_repeated_item_is_named(content, tmp_path):
    content["items"].append(content["items"][2])
    item = content["items"][2]
    with pytest.raises(InputError, match=f"item 8: {item['id']} of {item['task']} is there twice"):
        read(tmp_path / "r.json", content)
    content["items"][-1] = item | {"task": "another"}
    assert len(read(tmp_path / "r.json", content).items) == 9


def test_brackets_without_end_are_refused(tmp_path):
    (tmp_path / "deep.json").write_text("[" * 100_000)
    with pytest.raises(InputError, match=r"deep\.json: .* nested too deeply"):
        read_result(tmp_path / "deep.json")


def test_facts_within_facts_without_end_are_refused(content, tmp_path):
    for _ in range(300):
        content["run"] = {"run": content["run"]}
    with pytest.raises(InputError, match=r"r\.json: .* nested too deeply"):
        read(tmp_path / "r.json", content)


def test_certain_and_impossible_options_are_read(content, tmp_path):
    content["items"][0]["loglikelihoods"] = [0, float("-inf"), -1.5, -2]
    assert read(tmp_path / "r.json", content).items[0].loglikelihoods == (0, float("-inf"), -1.5, -2)


@pytest.mark.filterwarnings("error")
def test_names_with_control_characters_make_whole_files(items, content, tmp_path):
    content["model"]["name"] = "nul\x00 bell\x07\nhalf \ud800 " + "long" * 100
    content["run"]["note"] = "\x00\ud800"
    (tmp_path / "r.json").write_text(json.dumps(content), encoding="utf-8")
    write_report(read_entries([tmp_path / "r.json"]), tmp_path / "out")
    for path in (tmp_path / "out").rglob("*.*"):
        if path.suffix != ".png":
            assert re.search("[\x00-\x08\ufffe\ud800]", path.read_bytes().decode("utf-8")) is None
        if path.suffix == ".svg":
            ElementTree.parse(path)
    assert "nul� bell� half �" in (tmp_path / "out" / "leaderboard.md").read_text(encoding="utf-8")


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=20))
def test_markdown_shows_any_text_as_it_is(text):
    shown = plain(f"x {text} x")
    cell = MARKDOWN.render(f"| head |\n| --- |\n| {markdown_text(f'x {text} x')} |\n")
    assert re.search("<td>(.*)</td>", cell)[1] == escapeHtml(shown)
    link = MARKDOWN.render(f"![{markdown_text(f'x {text} x')}](a.png)")
    assert f'alt="{escapeHtml(shown)}"' in link


def test_labels_keep_their_text_when_a_plot_is_put_into_a_page():
    label = '#0072b2 id="q" url(#z) href="#a" \'DejaVu Sans\' <metadata>'
    svg = (
        '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        'viewBox="0 0 9 9"><metadata>m</metadata><defs><style>*{}</style><g id="m"/></defs><use xlink:href="#m" '
        f'style="fill: #0072b2"/><g clip-path="url(#m)"><text>{escapeHtml(label)}</text></g></svg>'
    )
    made = ElementTree.fromstring(inline_svg(svg, "p", label))
    assert made.find(".//text").text == label and made.get("aria-label") == label
    assert made.find(".//defs/g").get("id") == "p-m" and made.find(".//metadata") is made.find(".//style") is None
    assert made.find("use").attrib == {"href": "#p-m", "style": "fill: var(--series-1)"}
    assert made.find("g").get("clip-path") == "url(#p-m)"


def is_right(item):
    per_token = [value / count for value, count in zip(item.loglikelihoods, item.tokens, strict=True)]
    return per_token.index(max(per_token)) == item.gold


def test_a_limited_run_has_no_place_and_shows_its_numbers_of_items(items, tmp_path):
    skill = {2: 0.9, 3: 0.5}
    scores = scored.choice_scores(items[:60], "deeparithmark", 1, skill)
    scores += scored.choice_scores(items[:24], "arithmark3", 2, {2: 0.9, 3: 0.9, 4: 0.9, 5: 0.9})
    write_result(tmp_path / "r.json", scored.result("limited", scores))
    entries = read_entries([tmp_path / "r.json"])
    (board,) = boards(entries, published())
    (own,) = rows = list(board.rows)
    said = "not placed among the published rows: 60 items instead of 1,000 items"
    assert placement(board, own) == said and not board.placed
    report = write_report(entries, tmp_path / "out")
    (table,) = [found for found in report.sections[0].tables if found.name == "leaderboard"]
    cells = dict(zip(table.columns, table.rows[rows.index(own)], strict=True))
    assert cells["Model"].note == "60 items only" and cells["ArithMark-3"].note.endswith(", 24 items only")
    assert cells["Δ"].note.endswith("60 and 24 items only")
    right = [sum(map(is_right, entries[0].items(group))) for group in ("deeparithmark", "arithmark3")]
    assert own.delta == pytest.approx(right[0] / 60 - right[1] / 24)
    assert own.delta_test["p"] == pytest.approx(fisher_exact([[right[0], 60 - right[0]], [right[1], 24 - right[1]]])[1])
    for text in (tmp_path / "out" / "leaderboard.md", tmp_path / "out" / "index.html"):
        assert said[1:] in text.read_text(encoding="utf-8")
        assert "published, not ours" not in text.read_text(encoding="utf-8")
    card = re.search('<p class="big">(.*?)</p>', (tmp_path / "out" / "index.html").read_text(encoding="utf-8"))[1]
    assert card.endswith(", 60 items only</small>")
    assert "limited (60 items only)" in (tmp_path / "out" / "plots" / "placement.svg").read_text(encoding="utf-8")


def test_a_model_without_token_counts_stands_by_characters_beside_the_others(items, tmp_path):
    told = scored.choice_scores(items, "deeparithmark", 1, {2: 0.9})
    untold = [replace(item, tokens=()) for item in scored.choice_scores(items, "deeparithmark", 2, {})]
    write_result(tmp_path / "told.json", scored.result("told", told))
    write_result(tmp_path / "untold.json", scored.result("untold", untold))
    report = write_report(read_entries([tmp_path / "told.json", tmp_path / "untold.json"]), tmp_path / "out")
    tokens, characters = report.boards
    assert [row.model for row in tokens.rows] == ["told"] and {r.model for r in characters.rows} == {"told", "untold"}
    assert characters.cohort.apart == ("acc_norm instead of acc_norm_tok",)
    assert [(pair.a, pair.b, pair.metric) for pair in report.comparisons] == [("told", "untold", "acc_norm")]
    (guest,) = [row for row in characters.rows if row.model == "told"]
    assert guest.deep["value"] == pytest.approx(sum(item.metrics["acc_norm"] for item in told) / len(told))
    for name in ("leaderboard.md", "index.html"):
        text = (tmp_path / "out" / name).read_text(encoding="utf-8").replace("\\", "")
        assert "told stand here by characters too" in text and "show the published rows" not in text
