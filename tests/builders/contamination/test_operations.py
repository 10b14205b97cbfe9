"""Rows of numbers: operands and operator in columns or fields of their own, found by name and by type."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from corpora import index_rows
from hypothesis import given
from hypothesis import strategies as st

from arithmark_tasks.builders.contamination.account import rate, warnings
from arithmark_tasks.builders.contamination.check import read_questions
from arithmark_tasks.builders.contamination.operations import cells_frame, read_integers, read_operations
from arithmark_tasks.builders.contamination.scan import scan
from arithmark_tasks.generators import zenyx
from arithmark_tasks.generators.expression import Expression, semantic_key

Row = dict[str, Any]
ROWS: list[tuple[Row, set[str]]] = [
    ({"a": 1234, "op": "+", "b": 5678}, {"1234+5678"}),
    ({"left": 12, "operator": "-", "right": 5}, {"12-5"}),
    ({"num1": 12, "num2": 34, "operation": "multiplication"}, {"12*34"}),
    ({"x": 48, "y": 4, "op": "\u00f7", "answer": 12}, {"48/4"}),
    ({"operand_a": "1,200", "operand_b": " 34 ", "sign": "plus"}, {"34+1200"}),
    ({"id": 7, "firstNumber": 12, "secondNumber": 34, "type": "2-digit addition"}, {"12+34"}),
    ({"minuend": 50, "subtrahend": 26}, {"50-26"}),
    ({"dividend": 48, "divisor": 4, "quotient": 12}, {"48/4"}),
    ({"addend1": 12, "addend2": 34}, {"12+34"}),
    ({"a": 12, "b": 34, "result": 46}, {"12+34"}),
    ({"a": 50, "b": 26, "out": 24}, {"50-26"}),
    ({"n": 12, "f": "+", "k": 34, "value": 46}, {"12+34"}),
    ({"task": "mul", "p1": 12, "p2": 34}, {"12*34"}),
    ({"a": 12.0, "op": "+", "b": 34.0}, {"12+34"}),
    ({"a": "12.00", "op": "+", "b": "0034"}, {"12+34"}),
    ({"\u0061": "\uff11\uff12", "op": "\uff0b", "b": "34"}, {"12+34"}),
    ({"problem": {"a": 12, "op": "+", "b": 34}}, {"12+34"}),
    ({"items": [{"a": 12, "op": "+", "b": 34}, {"a": 5, "op": "-", "b": 3}]}, {"12+34", "5-3"}),
    ({"operands": [12, 34], "op": "+"}, {"12+34"}),
    ({"numbers": [1, 2, 3], "operator": "sum"}, {"1+2", "2+3"}),
    ({"a": [12, 5], "op": ["+", "-"], "b": [34, 3]}, {"12+34", "5-3"}),
    ({"a": 12, "op": "^", "b": 34}, set()),
    ({"a": 12.5, "op": "+", "b": 34}, set()),
    ({"a": -12, "op": "+", "b": 34}, set()),
    ({"a": None, "op": "+", "b": 34}, set()),
    ({"a": True, "op": "+", "b": 34}, set()),
    ({"a": 12, "b": 34}, set()),
    ({"year": 1934, "name": "plus", "pages": "xii"}, set()),
]


def keys(out: Path) -> set[str]:
    return {f"{row[0]}{row[1]}{row[2]}" for row in index_rows(out)}


@pytest.mark.parametrize(("row", "found"), ROWS)
@pytest.mark.parametrize("kind", ["jsonl", "mixed.jsonl", "json", "parquet", "csv"])
def test_a_row_of_numbers_yields_its_operation_in_every_kind_of_file(
    row: Row, found: set[str], kind: str, tmp_path: Path
) -> None:
    path = tmp_path / f"a.{kind}"
    if kind == "csv":
        if any(isinstance(value, dict | list) for value in row.values()):
            pytest.skip("a CSV file nests nothing")
        pl.DataFrame([row]).write_csv(path)
    elif kind == "parquet":
        pl.DataFrame([row]).write_parquet(path)
    elif kind == "json":
        path.write_text(json.dumps([row], indent=2), encoding="utf-8")
    else:  # a row of another shape sends the block to the reading that needs no schema
        rows = [row, {name: ["x", {"y": 1}] for name in row}] if "mixed" in kind else [row]
        path.write_text("".join(json.dumps(one) + "\n" for one in rows), encoding="utf-8")
    account = scan([str(path)], tmp_path / "seen.parquet")
    assert keys(tmp_path / "seen.parquet") == found
    assert account["totals"]["surfaces"]["columns"] == len(found)
    assert account["totals"]["with_key"] == bool(found)
    assert all(row[6] == {"columns"} for row in index_rows(tmp_path / "seen.parquet"))


def test_the_columns_read_are_named_and_the_others_are_unread(tmp_path: Path) -> None:
    frame = pl.DataFrame({"id": [1, 2], "a": [12, 5], "op": ["+", "-"], "b": [34, 3], "score": [0.5, 0.1]})
    frame.write_parquet(tmp_path / "a.parquet")
    (source,) = scan([str(tmp_path / "a.parquet")], tmp_path / "seen.parquet")["sources"]
    assert (source["operations"], source["columns"]) == (["a, op, b"], ["op"])
    assert source["unread"] == {"id": "Int64", "score": "Float64"}
    (source,) = scan([str(tmp_path / "a.parquet")], tmp_path / "seen.parquet", columns=["op"])["sources"]
    assert source["operations"] == [] and source["unread"]["a"] == "Int64, not asked for"


def test_lists_that_are_columns_are_no_unread_columns(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"a": [12, 5], "op": ["+", "-"], "b": [34, 3], "c": [0.5]}', encoding="utf-8")
    (source,) = scan([str(tmp_path / "a.json")], tmp_path / "seen.parquet")["sources"]
    assert source["unread"] == {"c[]": "Float64"}
    assert keys(tmp_path / "seen.parquet") == {"12+34", "5-3"}


def test_what_columns_state_and_no_index_can_hold_is_left_out_by_reason(tmp_path: Path) -> None:
    rows = [{"a": value, "op": "+", "b": 1} for value in ("12.5", "-3", "9" * 19, "x", "")]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    totals = scan([str(tmp_path / "a.jsonl")], tmp_path / "seen.parquet")["totals"]
    left_out = {name: count for name, count in totals["left_out"].items() if count}
    assert left_out == {"decimal": 1, "negative": 1, "too_wide": 1}
    assert (totals["two_numbers"], totals["with_key"]) == (3, 0)


whole = st.integers(0, 10**18 - 1)


@given(whole, st.sampled_from("+-*/"), whole)
def test_integers_floats_and_texts_read_alike(left: int, sign: str, right: int) -> None:
    key = semantic_key(Expression(left, sign, right))
    for frame in (
        pl.DataFrame({"a": [left], "op": [sign], "b": [right]}),
        pl.DataFrame({"a": [f"{left:,}"], "op": [sign], "b": [f"{right}.00"]}),
        cells_frame([{"a": left, "op": sign, "b": str(right)}]),
    ):
        stated = read_operations(frame)
        assert stated is not None
        operators, lefts, rights = (column.tolist() for column in stated.semantic_keys())
        assert [("+-*/"[operators[0]], lefts[0], rights[0])] == [key]


@given(st.lists(st.one_of(st.none(), st.floats(), st.integers(-(2**63), 2**63 - 1)), max_size=5))
def test_no_number_is_cut_off(values: list[float | int | None]) -> None:
    numbers = [float(value) if value is not None else None for value in values]
    found, states = read_integers(pl.Series(numbers, dtype=pl.Float64))
    for value, whole_number, state in zip(numbers, found.tolist(), states.tolist(), strict=True):
        if state == 1:
            assert value == whole_number
        else:
            assert value is None or not (value.is_integer() and 0 <= value < 10**18)


def test_the_bench_rewritten_as_phrases_and_as_rows_is_not_certified_as_absent(tmp_path: Path) -> None:
    """16,000 questions as phrases in one file and as columns in another: what is read is found, the rest is said."""
    items = zenyx.build()
    phrases = {"+": "the sum of {a} and {b}", "-": "subtract {b} from {a}", "*": "the product of {a} and {b}"}
    lines = (phrases.get(item["operator"], "divide {a} by {b}").format(**item) for item in items)
    (tmp_path / "phrases.txt").write_text("".join(f"What is {line}?\n" for line in lines), encoding="utf-8")
    table = pl.DataFrame([{name: item[name] for name in ("a", "operator", "b")} for item in items])
    table.write_csv(tmp_path / "rows.csv")
    account = scan([str(tmp_path)], tmp_path / "out" / "seen.parquet")
    texts, rows = account["sources"]
    assert (rows["two_numbers"], rows["with_key"], texts["two_numbers"]) == (16_000, 16_000, 16_000)
    wanted = {semantic_key(Expression(item["a"], item["operator"], item["b"])) for item in items}
    assert {(row[1], row[0], row[2]) for row in index_rows(tmp_path / "out" / "seen.parquet")} >= wanted
    assert "of the 32,000 rows that hold two numbers" in rate(account)
    silent = [warning for warning in warnings(account) if "yielded no expression: " in warning and "phrases" in warning]
    assert bool(silent) == (texts["with_key"] == 0)


@pytest.mark.parametrize(("row", "found"), ROWS)
def test_the_same_recogniser_reads_questions(row: Row, found: set[str], tmp_path: Path) -> None:
    if any(isinstance(value, dict | list) for value in row.values()) or "year" in row:
        pytest.skip("no row of a question")
    (tmp_path / "q.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    (question,) = read_questions(tmp_path / "q.jsonl")
    assert {f"{left}{operator}{right}" for operator, left, right in question.keys} == found
    assert bool(question.unread) == (not found)
