"""The compiled scanner against a slow second one, and the table that counts its keys."""

from collections import Counter

import numba
import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference_scanner import scan_text
from scanning import Scan

from arithmark_tasks.builders.contamination.kernel import table
from arithmark_tasks.builders.contamination.kernel.matcher import pack_key
from arithmark_tasks.builders.contamination.scanner import Scanner, Texts
from arithmark_tasks.generators.expression import Expression, semantic_key

NUMBERS = [
    *("1", "2", "12", "34", "345", "200", "1,200", "1{,}200", "1,00", "0", "00", "012", "3.5", "76.0", "1.0.0", "-5"),
    *(
        "123456789012345678",
        "1234567890123456789",
        "0000000000000000000005",
        "\uff11",
        "\uff12",
        "\u0661",
        "\U0001d7d1",
    ),
    *(
        "2020",
        "01",
        "15",
        "2020-01-15",
        "1/2/2020",
        "2020-05",
        "10:30",
        "192.168.0.1",
        "(-3)",
        "x2",
        "1E+",
        "1e-",
        "::",
    ),
]
OPERATORS = [
    *(
        "+",
        "-",
        "*",
        "/",
        "+ ",
        " + ",
        " - ",
        " * ",
        " / ",
        "**",
        "***",
        "//",
        "--",
        "x",
        "X",
        " x ",
        "{+}",
        "{\\times}",
    ),
    *("\u00d7", "\u00f7", "\u2212", "\u2013", "\u2014", "\u00b7", "\uff0b", "\uff0d", "\uff0a", "\uff0f", "\u0445"),
    *(" plus ", " minus ", "times", " times ", " multiplied by ", " divided  by ", "divided\nby", " subtracted from "),
    *(
        "over",
        " take away ",
        "added to",
        "Plus",
        "plu",
        "\\times",
        "\\cdot ",
        " \\div ",
        "\\*",
        "\\-",
        "\\/",
        "\\over ",
    ),
    *(
        "&times;",
        "&minus;",
        "&#215;",
        "&#xD7;",
        "&amp;times;",
        "&ndash;",
        "&#x2b",
        "&amp;amp;#43;",
        "&times",
        "\\u00d7",
    ),
]
CONTEXT = [
    *(
        "^",
        "\u00b2",
        "\u00bd",
        "_",
        "`",
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        " ",
        "  ",
        "\n",
        "\n\n",
        "\t",
        "~",
        "\u00a0",
        "\u2009",
    ),
    *(
        "\u200b",
        "\u00e9",
        "a",
        "e",
        "T",
        "Q",
        "v",
        "H",
        "$",
        "\u20ac",
        "%",
        "!",
        "?",
        "=",
        ":",
        ".",
        ",",
        "'",
        "\u2019",
    ),
    *(";", "<", ">", "<<", ">>", "#", "@", "\\frac{", "}{", "\\,", "\\ ", "\\(", "\\)", "\\left(", "\\right)", "\\n"),
    *("\\nSo", "\\\\", "\\\\times ", "\\alpha", "\\foo", "\\u0032", "\\text{", "\\$", "\\", "\\quad", "\\t", "&nbsp;"),
    *(
        "&thinsp;",
        "&amp;",
        "&",
        "&#50;",
        "&lt;",
        "&bogus;",
        "&frac12;",
        "&nbsp",
        "\uff08",
        "\uff09",
        "\uff0c",
        "\uff0e",
    ),
    *("\u066c", "\u066b", "\u4e2d", "\U0001f600", "\u2460", "\ufe0f", "\u0301", "3\ufe0f\u20e3", "{}"),
]
fragments = st.one_of(st.sampled_from(NUMBERS), st.sampled_from(OPERATORS), st.sampled_from(CONTEXT))
tricky = st.lists(fragments, min_size=2, max_size=12).map("".join)


def reference(texts: list[str]) -> tuple[dict[tuple[str, int, int], tuple[int, int, set[str]]], Counter, Counter]:
    keys: dict[tuple[str, int, int], tuple[int, int, set[str]]] = {}
    surfaces, left_out = Counter[str](), Counter[str]()
    for row, text in enumerate(texts):
        found, left = scan_text(text)
        left_out += left
        for item in found:
            key = semantic_key(item.expression)
            count, first, seen = keys.get(key, (0, row, set()))
            keys[key] = (count + 1, first, seen | {item.surface})
            surfaces[item.surface] += 1
    return keys, surfaces, left_out


@settings(max_examples=600, deadline=None)
@given(st.lists(tricky, min_size=1, max_size=4))
def test_compiled_scanner_and_reference_agree_on_text_of_tricky_fragments(texts: list[str]) -> None:
    scan = Scan(texts)
    keys, surfaces, left_out = reference(texts)
    found = {key: (count, first, set(seen.split(","))) for key, (count, first, seen) in scan.keys.items()}
    assert found == keys
    assert (scan.surfaces, scan.left_out) == (surfaces, left_out)


PROSE = [
    "12",
    "+",
    " + ",
    "34",
    "5",
    ".",
    " ",
    "\u201c",
    "\u201d",
    "\u2018",
    "\u2019",
    "\u2014",
    "\u2003",
    "\u2718",
    "word ",
]
LONG = ["plain words of more than one block, ", "caf\u00e9 ", "\\times ", "&times;", "\uff11", "{}", "^\\circ"]


@settings(max_examples=400, deadline=None)
@given(st.lists(st.sampled_from(PROSE + LONG), min_size=4, max_size=20).map("".join))
def test_quotes_that_are_read_as_they_are_and_blocks_that_are_copied_change_nothing(text: str) -> None:
    scan = Scan([text])
    keys, surfaces, left_out = reference([text])
    assert {key: count for key, (count, _, _) in scan.keys.items()} == {key: value[0] for key, value in keys.items()}
    assert (scan.surfaces, scan.left_out) == (surfaces, left_out)


@pytest.mark.slow
@settings(max_examples=25_000, deadline=None)
@given(tricky)
def test_compiled_scanner_and_reference_agree_on_very_many_texts(text: str) -> None:
    scan = Scan([text])
    keys, surfaces, left_out = reference([text])
    assert {key: count for key, (count, _, _) in scan.keys.items()} == {key: value[0] for key, value in keys.items()}
    assert (scan.surfaces, scan.left_out) == (surfaces, left_out)


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=60))
def test_compiled_scanner_and_reference_agree_on_any_unicode(text: str) -> None:
    text = f"1{text}+{text}2"
    assert Scan([text]).surfaces == reference([text])[1]


@given(st.binary(max_size=200))
def test_bytes_that_are_no_utf8_are_read_without_harm(data: bytes) -> None:
    scanner = Scanner(lambda run: None)
    scanner.feed(Texts.from_lines(data + b"\n\n12+34\n", 0))
    assert int(scanner.surfaces.sum()) >= 1


@numba.njit
def packed_key(code: int, left: int, right: int) -> tuple[int, int]:
    return pack_key(code, left, right)


operands = st.one_of(st.integers(0, 120), st.integers(0, 10**18 - 1))


@given(operands, st.sampled_from("+-*/"), operands)
def test_compiled_key_is_the_semantic_key(left: int, operator: str, right: int) -> None:
    packed, other = packed_key("+-*/".index(operator) + 1, left, right)
    assert ("+-*/"[packed >> 60], packed & ((1 << 60) - 1), other) == semantic_key(Expression(left, operator, right))


@given(operands, st.sampled_from("+-*/"), operands, st.sampled_from(["", " ", "  "]), st.sampled_from(["", "0", "000"]))
def test_any_expression_is_found_under_its_semantic_key(left: int, sign: str, right: int, gap: str, zeros: str) -> None:
    scan = Scan([f"{zeros}{left}{gap}{sign}{gap}{right}"])
    assert set(scan.keys) == {semantic_key(Expression(left, sign, right))}


@given(st.lists(st.tuples(st.integers(0, 40), st.sampled_from("+-*/"), st.integers(0, 40)), max_size=400))
def test_counts_and_first_rows_survive_a_table_that_overflows(pairs: list[tuple[int, str, int]]) -> None:
    texts = [f"{left} {sign} {right}" for left, sign, right in pairs]
    scan = Scan(texts, most_slots=64)
    counted: dict = {}
    for run in scan.runs:
        columns = list(map(tuple, run[:2].T.tolist()))
        assert columns == sorted(set(columns))
        for packed, right, first, count, _ in run.T.tolist():
            key = ("+-*/"[packed >> 60], packed & ((1 << 60) - 1), right)
            before = counted.get(key, (0, first))
            counted[key] = (before[0] + count, min(before[1], first))
    expected = {key: (count, first) for key, (count, first, _) in reference(texts)[0].items()}
    assert counted == expected
    assert len(scan.runs) > 1 or len(expected) <= 32


@given(st.lists(st.tuples(st.integers(0, 2**62 - 1), st.integers(0, 300), st.integers(0, 9)), min_size=1, max_size=200))
def test_folding_sorts_rows_and_adds_up_those_of_one_key(rows: list[tuple[int, int, int]]) -> None:
    columns = np.array([[key, right, first, 1, 1 << first] for key, right, first in rows], dtype=np.int64).T.copy()
    folded = table.fold_rows(columns)
    expected: dict = {}
    for key, right, first in rows:
        old = expected.get((key, right), (first, 0, 0))
        expected[key, right] = (min(old[0], first), old[1] + 1, old[2] | 1 << first)
    assert [tuple(row) for row in folded.T.tolist()] == [(*key, *expected[key]) for key in sorted(expected)]


def test_more_pairs_than_fit_in_memory_at_once_are_all_counted() -> None:
    text = "1+" * 300_000 + "1"
    scan = Scan([text, text])
    assert scan.keys == {("+", 1, 1): (600_000, 0, "plain,chained")}


def test_strings_of_every_length_are_read_where_polars_keeps_them() -> None:
    texts = ["" if length % 7 == 0 else "1+2".ljust(length, ".") for length in range(40)]
    column = pl.concat([pl.Series([None, *texts]), pl.Series(texts)]).slice(1, 60)
    runs: list[np.ndarray] = []
    scanner = Scanner(lambda run: runs.append(run.copy()))
    scanner.feed(Texts.from_series(column, np.arange(60, dtype=np.int64)))
    scanner.flush()
    expected = [row for row, text in enumerate(column.to_list()) if text and "1+2" in text]
    assert runs[0][3, 0] == len(expected)
    assert runs[0][2, 0] == expected[0]


def test_lines_of_a_text_are_rows_and_an_expression_may_be_wrapped() -> None:
    runs: list[np.ndarray] = []
    scanner = Scanner(lambda run: runs.append(run.copy()))
    scanner.feed(Texts.from_lines("a\u00e9\n12 +\n34\n\n5\\\\n\n7*8".encode(), 100))
    scanner.flush()
    assert {("+-*/"[key >> 60], right): first for key, right, first, _, _ in runs[0].T.tolist()} == {
        ("+", 34): 101,
        ("*", 8): 105,
    }
