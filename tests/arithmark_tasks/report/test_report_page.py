"""The page of a report: complete in one file, well-formed, readable, and sortable in a real browser."""

import json
import re
import shutil
import subprocess
from base64 import b64decode
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest
import scored
from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from matplotlib import colormaps

from arithmark_tasks.generators.deeparithmark.tiers import control
from arithmark_tasks.report import writing as page_module
from arithmark_tasks.report.entries import read_entries
from arithmark_tasks.report.style import LINES, MARKERS, SERIES
from arithmark_tasks.report.writing import write_report
from arithmark_tasks.results import write_result

VOID = {"meta", "link", "br", "hr", "img", "input", "path", "use", "rect", "circle"}
NASTY = '<img src=x onerror="alert(1)"> | $x_1$ & co'
BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)


class Page(HTMLParser):
    """Collects tags with their attributes, the texts of table cells, and complains about unclosed elements."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.open, self.rows, self.tables = [], [], [], {}
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "table":
            self.tables[dict(attributes)["id"]] = len(self.rows)
        if tag == "tr":
            self.rows.append((dict(attributes).get("class"), []))
        if tag in ("td", "th"):
            self.rows[-1][1].append([tag, dict(attributes), "", ""])

    def handle_startendtag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> closes {self.open[-3:]}"
        self.open.pop()

    def handle_data(self, data):
        if {"td", "th"} & set(self.open):
            cell = self.rows[-1][1][-1]
            cell[2] += data
            # What is shown large, without the small print.
            cell[3] += data if self.open[-1] != "small" else ""

    def rows_of(self, table):
        """The rows below the heads of one table, each as text by column."""
        start = self.tables[table]
        end = min((place for place in self.tables.values() if place > start), default=len(self.rows))
        heads = [cell[3] for cell in self.rows[start][1]]
        return [dict(zip(heads, (cell[3] for cell in cells), strict=True)) for _, cells in self.rows[start + 1 : end]]

    def values(self, attribute):
        return [found[attribute] for _, found in self.tags if attribute in found]


@pytest.fixture(scope="module")
def folder(tmp_path_factory, items):
    """A report on two models, one of which has a name that HTML, Markdown and matplotlib would misread."""
    place = tmp_path_factory.mktemp("page")
    controls = list(control(items))
    paths = []
    for number, (name, skill) in enumerate(((NASTY, {2: 0.9}), ("plain", {}))):
        scores = [
            *scored.whole(scored.choice_scores(items, "deeparithmark", number, skill)),
            *scored.whole(
                scored.choice_scores(controls, "deeparithmark_control", number, {2: 0.9, 3: 0.8, 4: 0.7, 5: 0.6})
            ),
            *scored.generated_scores("zenyx_arith", number),
        ]
        paths.append(place / f"{number}.json")
        write_result(paths[-1], scored.result(name, scores))
    write_report(read_entries(paths), place / "out")
    return place / "out"


@pytest.fixture(scope="module")
def text(folder):
    return (folder / "index.html").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def parsed(text):
    return Page(text)


def test_the_page_loads_nothing(parsed, text):
    links = [link for name in ("src", "href", "srcset", "action", "data") for link in parsed.values(name)]
    assert links and all(link.startswith("#") for link in links)
    assert not {tag for tag, _ in parsed.tags} & {"link", "iframe", "object", "embed", "img", "image", "base"}
    assert re.findall(r"url\((?!#)", text) == [] and "@import" not in text
    assert re.findall(r"https?://[^\s<\"]+", re.sub(r"<dl>.*?</dl>", "", text, flags=re.DOTALL)) == []
    (policy,) = [found["content"] for _, found in parsed.tags if found.get("http-equiv") == "Content-Security-Policy"]
    assert policy.startswith("default-src 'none'")


def test_every_id_is_unique_and_every_reference_has_a_target(parsed, text):
    ids = parsed.values("id")
    assert len(ids) == len(set(ids)) > 100
    wanted = {link[1:] for link in parsed.values("href")} | set(re.findall(r"url\(#([^)]+)\)", text))
    wanted |= {name for names in parsed.values("aria-labelledby") for name in names.split()}
    assert wanted and wanted <= set(ids)


def test_names_from_the_files_are_shown_as_text(parsed, text, folder):
    assert NASTY not in text and "onerror" not in "".join(name for _, found in parsed.tags for name in found)
    assert any(cell[2] == NASTY for _, cells in parsed.rows for cell in cells)
    rendered = MarkdownIt().enable("table").render((folder / "leaderboard.md").read_text(encoding="utf-8"))
    assert f"<strong>{escapeHtml(NASTY)}</strong></td>" in rendered
    assert "$x_1$" in (folder / "plots" / "depth-curve.svg").read_text(encoding="utf-8")


def test_the_page_shows_the_figures_of_the_json(parsed, folder):
    made = json.loads((folder / "leaderboard.json").read_text(encoding="utf-8"))
    heads = [cell[2] for cell in parsed.rows[0][1]]
    assert heads == [
        "Model",
        "Params",
        "DeepArithmark",
        "p",
        "p (Holm)",
        "soft",
        "d2",
        "d3",
        "d4",
        "d5",
        "ArithMark-3",
        "Δ",
    ]
    assert len(made["rows"]) == 19
    for row, (kind, cells) in zip(made["rows"], parsed.rows[1:], strict=False):
        assert kind == ("published" if row["published"] else "ours")
        assert cells[0][2].startswith(row["model"]) and ("published, not ours" in cells[0][2]) == row["published"]
        shown = dict(zip(heads, cells, strict=True))
        assert float(shown["DeepArithmark"][1]["data-value"]) == row["deep"]["value"]
        low, high = (f"{100 * bound:.1f}" for bound in row["deep"]["interval"])
        assert shown["DeepArithmark"][2] == f"{100 * row['deep']['value']:.1f}{low}–{high}"
        for depth, score in row["depths"].items():
            assert float(shown[f"d{depth}"][1]["data-value"]) == score["value"]
            clear = score["p_holm"] < 0.05 and ("above" if score["value"] > 0.25 else "below")
            assert clear in (False, shown[f"d{depth}"][1].get("class"))


def test_cells_of_numbers_carry_the_number_that_they_are_sorted_by(parsed):
    heads, checked = [], 0
    for _, cells in parsed.rows:
        if cells[-1][0] == "th":
            heads = cells
            assert all(found["scope"] == "col" for _, found, *_ in heads)
            continue
        assert cells[0][0] == "th" and cells[0][1]["scope"] == "row"
        for head, (_, found, _, shown) in zip(heads, cells, strict=True):
            if "word" in head[1].get("class", "").split():
                assert "data-value" not in found
            elif shown:
                assert says(shown, float(found["data-value"])), (shown, found)
                checked += 1
    assert checked > 500


def says(shown, value):
    """Whether a text is the number itself, its percentage, or its size in units, rounded to the digits shown."""
    number, *unit = shown.replace(",", "").replace("−", "-").split()
    mantissa, _, exponent = number.partition("e")
    rounding = 0.5001 * 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))
    sizes = {"B": 1e9, "M": 1e6, "K": 1e3}
    meant = (value / sizes[unit[0]],) if unit else (value, 100 * value)
    return any(abs(float(number) - each) <= rounding for each in meant)


def test_mistakes_are_counted_as_in_the_items(parsed, folder):
    """Every offer of a mistake and every choice of it, counted again from the result file."""
    offered, chosen, wrong = Counter(), Counter(), Counter()
    for item in json.loads((folder.parent / "0.json").read_text(encoding="utf-8"))["items"]:
        if item["group"] == "deeparithmark":
            scores = [value / count for value, count in zip(item["loglikelihoods"], item["tokens"], strict=True)]
            best = scores.index(max(scores))
            for mistake in {name for source in item["sources"] for name in source.split("; ")} - {"correct"}:
                key = item["traits"]["template"], mistake
                offered[key] += 1
                chosen[key] += mistake in item["sources"][best].split("; ")
                wrong[key] += best != item["gold"]
    rows = parsed.rows_of("mistakes-1-table")
    assert {(row["template"], row["mistake"]) for row in rows} == set(offered) and len(rows) > 50
    for row in rows:
        key = row["template"], row["mistake"]
        assert (row["offered"], row["chosen"]) == (str(offered[key]), str(chosen[key]))
        assert row["of offered, %"] == f"{100 * chosen[key] / offered[key]:.1f}"
        assert row["of wrong, %"] == (f"{100 * chosen[key] / wrong[key]:.1f}" if wrong[key] else "")


def test_types_have_the_share_of_right_answers(parsed, folder):
    items = json.loads((folder.parent / "1.json").read_text(encoding="utf-8"))["items"]
    (row,) = [row for row in parsed.rows_of("types-table") if (row["model"], row["tasks"]) == ("plain", "zenyx_arith")]
    for code in scored.TYPES:
        right = [item["metrics"]["exact_match"] for item in items if item["traits"].get("type") == code]
        assert row[code] == f"{100 * sum(right) / len(right):.1f}"


def test_plots_are_described_in_words(parsed, folder):
    pictures = [found for tag, found in parsed.tags if tag == "svg"]
    assert len(pictures) == 6 and all(found["role"] == "img" for found in pictures)
    made = json.loads((folder / "leaderboard.json").read_text(encoding="utf-8"))
    (curve,) = [found["aria-label"] for found in pictures if "dependent steps" in found["aria-label"]]
    for row in (row for row in made["rows"] if not row["published"]):
        words = ", ".join(f"d{depth} {100 * score['value']:.1f} %" for depth, score in row["depths"].items())
        assert f"{row['model']}: {words}" in curve


def test_models_differ_without_colour_and_the_heat_map_by_lightness():
    assert len(set(MARKERS)) == len({str(line) for line in LINES}) == len(set(SERIES)) == len(SERIES)
    lightness = [luminance(colormaps["cividis"](step)[:3]) for step in range(0, 256, 5)]
    assert lightness == sorted(lightness)


def test_text_has_contrast_in_both_themes():
    css = (Path(page_module.__file__).parent / "page.css").read_text(encoding="utf-8")
    light, dark = (dict(re.findall(r"--([\w-]+): (#\w{6})", part)) for part in css.split("@media", 2)[:2])
    assert len(light) == len(dark) > 10
    pairs = [(ink, paper) for ink in ("ink", "faint", "link") for paper in ("paper", "ground")]
    pairs += [("above", "paper"), ("below", "paper"), ("above", "above-wash"), ("below", "below-wash")]
    for theme in (light, dark):
        for ink, paper in pairs:
            one, other = (luminance(int(theme[name][k : k + 2], 16) / 255 for k in (1, 3, 5)) for name in (ink, paper))
            assert (max(one, other) + 0.05) / (min(one, other) + 0.05) >= 4.5, (ink, paper)


def luminance(colour):
    """WCAG's relative luminance of an sRGB colour."""
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


# Runs inside the page, uses it as a reader would, and tells the frame around it what it saw.
PROBE = """
<script>
const table = document.getElementById("leaderboard-table"), body = table.tBodies[0];
const column = (place) => [...body.rows].map((row) => row.cells[place].querySelector("span").textContent);
const press = (place) => {
  const button = table.tHead.rows[0].cells[place].querySelector("button");
  button.focus();
  const focused = document.activeElement === button;
  button.click();
  return [focused, button.closest("th").getAttribute("aria-sort"), column(place)];
};
const seen = {deep: [press(2), press(2)], model: [press(0), press(0)], delta: press(11)};
document.getElementById("show-published").click();
seen.shown = [...body.rows].filter((row) => row.offsetHeight > 0).length;
document.getElementById("show-published").click();
for (const part of document.querySelectorAll("details")) part.open = true;
seen.width = innerWidth;
seen.page = document.documentElement.scrollWidth;
const outside = (part) => part.getBoundingClientRect().right > innerWidth + 1 && !part.closest(".scroll, .plot");
seen.wide = [...document.querySelectorAll("body *")].filter(outside).map((part) => part.outerHTML.slice(0, 80));
parent.postMessage(JSON.stringify(seen), "*");
</script>
"""
# A frame can be narrower than the narrowest window.
FRAME = """<!doctype html><title></title>
<script>onmessage = (sent) => document.title = btoa(encodeURIComponent(sent.data));</script>
<iframe src="page.html" style="border: 0; width: {width}px; height: 1500px"></iframe>"""


def browse(page, width, *options):
    command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--enable-logging=stderr"]
    command += [f"--window-size={width},1500", f"--user-data-dir={page.parent / f'profile-{width}'}", *options]
    done = subprocess.run([*command, page.as_uri()], capture_output=True, text=True, timeout=120, cwd=page.parent)
    assert done.returncode == 0, done.stderr
    assert "CONSOLE" not in done.stderr, done.stderr
    return done.stdout


@pytest.mark.skipif(BROWSER is None, reason="no Chromium here")
@pytest.mark.parametrize("width", [390, 1280])
def test_a_browser_shows_and_sorts_the_page_at_phone_and_desktop_width(folder, text, tmp_path, width):
    (tmp_path / "page.html").write_text(text.replace("</body>", f"{PROBE}</body>"), encoding="utf-8")
    frame = tmp_path / "frame.html"
    frame.write_text(FRAME.replace("{width}", str(width)), encoding="utf-8")
    shown = browse(frame, 1400, "--dump-dom", "--virtual-time-budget=5000")
    seen = json.loads(unquote(b64decode(re.search("<title>(.*?)</title>", shown)[1]).decode("ascii")))
    assert seen["width"] == width and seen["page"] <= width and seen["wide"] == []
    (focus, order, down), (_, back, up) = seen["deep"]
    assert focus and (order, back) == ("descending", "ascending") and len(down) == 19
    assert [float(value) for value in down] == sorted(map(float, down), reverse=True)
    assert [float(value) for value in up] == sorted(map(float, up))
    (_, order, names), (_, back, backwards) = seen["model"]
    assert (order, back) == ("ascending", "descending") and names[::-1] == backwards
    assert [name.lower().lstrip("<") for name in names if name[0].isalpha()] == sorted(
        name.lower() for name in names if name[0].isalpha()
    )
    deltas = seen["delta"][2]
    assert deltas[-4:] == [""] * 4 and all(deltas[:-4])
    assert seen["shown"] == 2

    picture = tmp_path / "page.png"
    browse(folder / "index.html", width, f"--screenshot={picture}")
    from matplotlib.image import imread

    pixels = imread(picture)
    assert pixels.shape[1] == width and pixels[..., :3].std() > 0.05
