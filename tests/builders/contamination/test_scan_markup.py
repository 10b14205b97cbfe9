"""Markup between operands: the compiled scanner against the slow one, and files that are no UTF-8."""

import gzip
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference_scanner import scan_text
from scanning import Scan

from arithmark_tasks.builders.contamination.scan import scan
from arithmark_tasks.generators.expression import semantic_key

NUMBERS = ["1", "2", "12", "34", "200", "1,200", "3.5", "x2", "-5", "0"]
OPERATORS = [
    *("+", "-", " * ", "*", "/", "--", " -- ", " --- ", "---", " x ", "x", " plus ", " take-away ", " divided into "),
    *("\\times", "\\textendash ", "\\textemdash ", " divided evenly by ", "multiplied with", "\u0096", "&#150;"),
]
MARKS = [
    *(" ", " ", "\n", "$", " $", "$ ", "\\(", "\\)", "%", "% ", "\\%", "|", "**", "*", "`", "_", "{", "}", "(", ")"),
    *("<b>", "</b>", "<sup>", "</sup>", "<sub>", "</SUB>", "<br/>", '<td a="1">', "<", ">", "< b>", "<b", "</"),
    *("\\frac", "\\frac ", "\\tfrac{", "}{", "\\frac1", "\\frac{48}", "\\text{", "\\text{ ", " }", "\\mathrm{"),
    *(
        "\\!",
        ",\\!",
        "\\;",
        "~",
        "{,}",
        "{\\,}",
        "\\thinspace ",
        "\u2018",
        "\u02bc",
        "\u060c",
        "word",
        "word ",
        "--",
        "-- ",
    ),
]
marked = st.lists(st.one_of(*map(st.sampled_from, (NUMBERS, OPERATORS, MARKS))), min_size=2, max_size=14).map("".join)


def check(text: str) -> None:
    scan = Scan([text])
    found, left_out = scan_text(text)
    assert {key: n for key, (n, _, _) in scan.keys.items()} == Counter(semantic_key(item.expression) for item in found)
    assert scan.surfaces == Counter(item.surface for item in found)
    assert scan.left_out == left_out


@settings(max_examples=1000, deadline=None)
@given(marked)
def test_compiled_scanner_and_reference_agree_on_markup(text: str) -> None:
    check(text)


@pytest.mark.slow
@settings(max_examples=25_000, deadline=None)
@given(marked)
def test_compiled_scanner_and_reference_agree_on_very_much_markup(text: str) -> None:
    check(text)


@pytest.mark.parametrize("name", ["a.txt", "a.txt.gz", "a.csv", "a.jsonl", "a.json"])
def test_a_byte_order_mark_of_utf8_is_passed_over(tmp_path: Path, name: str) -> None:
    content = {"jsonl": '{"text": "12+34"}\n', "json": '[{"text": "12+34"}]', "csv": "text\n12+34\n"}
    data = ("\ufeff" + content.get(name.partition(".")[2], "12+34\n")).encode()
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    account = scan([str(tmp_path / name)], tmp_path / "seen.parquet", columns=[] if "txt" in name else ["text"])
    assert (account["totals"]["rows"], account["totals"]["occurrences"]) == (1, 1)
