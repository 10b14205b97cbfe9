"""Looking up questions of every kind in an index."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from corpora import write_corpus

from arithmark_tasks.builders.contamination.check import Report, check_questions, operand_size, read_questions
from arithmark_tasks.builders.contamination.scan import scan
from arithmark_tasks.generators.errors import InputError

TEXTS = ["nothing", "34 + 12 = 46 and 430 / 16", "98,765 \u00d7 43210 or 12+34", "76.0 - 25.0"]


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("seen")
    source = write_corpus(folder / "corpus.jsonl", TEXTS)
    scan([str(source)], folder / "seen.parquet")
    return folder / "seen.parquet"


def write_rows(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def flagged(report: Report) -> list[tuple[str, int, str, int, int]]:
    rows = [flag.as_row() for flag in report.flags]
    return [(row["id"], row["line"], row["expression"], row["row"], row["count"]) for row in rows]


def test_zenyx_rows_are_looked_up_by_their_operands(seen: Path, tmp_path: Path) -> None:
    rows = [
        {"id": "2da-0", "type": "2da", "a": 12, "operator": "+", "b": 34, "question": "What is 1 + 1?"},
        {"id": "5dm-7", "type": "5dm", "a": 43210, "operator": "*", "b": 98765, "question": "?"},
        {"id": "3ds-1", "type": "3ds", "a": 25, "operator": "-", "b": 76, "question": "?"},
        {"id": "3ds-2", "type": "3ds", "a": 76, "operator": "-", "b": 25, "question": "?"},
    ]
    report = check_questions(write_rows(tmp_path / "q.jsonl", rows), [seen])
    assert flagged(report) == [
        ("2da-0", 1, "12+34", 1, 2),
        ("5dm-7", 2, "43210*98765", 2, 1),
        ("3ds-2", 4, "76-25", 3, 1),
    ]
    assert {name: (tally.checked, tally.seen) for name, tally in report.by_type.items()} == {
        "2da": (1, 1),
        "3ds": (2, 1),
        "5dm": (1, 1),
    }
    assert {name: (tally.checked, tally.seen) for name, tally in report.by_size.items()} == {
        "2-digit + 2-digit": (1, 1),
        "2-digit - 2-digit": (2, 1),
        "5-digit * 5-digit": (1, 1),
    }


def test_a_parquet_or_csv_table_of_questions_is_read_like_json_lines(seen: Path, tmp_path: Path) -> None:
    table = pl.DataFrame({"left": [12, 99], "operator": ["+", "+"], "right": [34, 1]})
    table.write_parquet(tmp_path / "q.parquet")
    table.write_csv(tmp_path / "q.csv")
    for name in ("q.parquet", "q.csv"):
        report = check_questions(tmp_path / name, [seen])
        assert flagged(report) == [("line 1", 1, "12+34", 1, 2)]
        assert list(report.by_type) == ["addition"]


def test_deeparithmark_items_are_looked_up_step_by_step(seen: Path, tmp_path: Path) -> None:
    steps = ["after delivery: 12 + 34 = 46", "good units: 46 - 1 = 45", "full crates: 430 / 16 = 26 (remainder 14)"]
    item = {
        "source_id": "deep_0001",
        "ctx": "9 + 9",
        "metadata": {"template": "boxes", "topic": "inventory", "depth": 3, "solution_steps": steps},
    }
    report = check_questions(write_rows(tmp_path / "q.jsonl", [item]), [seen])
    assert flagged(report) == [("deep_0001", 1, "12+34", 1, 2), ("deep_0001", 1, "430/16", 1, 1)]
    assert report.by_type["boxes"].checked == report.by_type["boxes"].seen == 1
    assert sum(tally.checked for tally in report.by_size.values()) == 3


def test_questions_in_words_are_read_by_the_scanner(seen: Path, tmp_path: Path) -> None:
    rows = [{"question": "What is 34 plus 12?"}, {"question": "How many are left?"}, {"question": "$430 \\div 16$?"}]
    report = check_questions(write_rows(tmp_path / "q.jsonl", rows), [seen])
    assert [item[1:3] for item in flagged(report)] == [(1, "12+34"), (3, "430/16")]
    assert [question.line for question in report.unchecked] == [2]


def test_a_roster_is_read_as_lines_or_as_a_manifest(seen: Path, tmp_path: Path) -> None:
    (tmp_path / "roster.txt").write_text("12+34=46\n\n034+012=046\n5-3=2\n76-25=51\n", encoding="utf-8")
    report = check_questions(tmp_path / "roster.txt", [seen])
    assert [item[1:3] for item in flagged(report)] == [(1, "12+34"), (3, "12+34"), (5, "76-25")]
    assert {name: tally.seen for name, tally in report.by_type.items()} == {"addition": 2, "subtraction": 1}
    tasks = [{"task": "12+34", "key": ["+", 12, 34], "bucket": 2}, {"task": "5-3", "key": ["-", 5, 3], "bucket": 1}]
    for name, value in (("m.json", {"schema": "s", "tasks": tasks}), ("b.json", {"holdout": {"tasks": tasks}})):
        (tmp_path / name).write_text(json.dumps(value), encoding="utf-8")
        assert [item[1:3] for item in flagged(check_questions(tmp_path / name, [seen]))] == [(1, "12+34")]


def test_evidence_comes_from_the_first_index_that_has_it(seen: Path, tmp_path: Path) -> None:
    other = write_corpus(tmp_path / "other.jsonl", ["5-3", "12+34"])
    scan([str(other)], tmp_path / "other.parquet")
    write_rows(tmp_path / "q.jsonl", [{"a": 12, "operator": "+", "b": 34}, {"a": 5, "operator": "-", "b": 3}])
    report = check_questions(tmp_path / "q.jsonl", [seen, tmp_path / "other.parquet"])
    assert [flag.index for flag in report.flags] == [str(seen), str(tmp_path / "other.parquet")]
    assert report.as_json("q.jsonl")["indexes"][1]["totals"]["rows"] == 2


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ('{"answer": "1+2"}', "line 2: no operation to check"),
        ("[1]", "line 2: not a question"),
        ("{", "line 2: not JSON"),
    ],
)
def test_a_row_that_is_no_question_is_named(row: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").write_text(f'{{"question": "1+2"}}\n{row}\n', encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_questions(tmp_path / "q.jsonl")


def test_operands_that_no_index_can_hold_are_reported_as_unchecked(seen: Path, tmp_path: Path) -> None:
    rows = [{"a": 10**18, "operator": "+", "b": 1}, {"a": -12, "operator": "+", "b": 34}]
    report = check_questions(write_rows(tmp_path / "q.jsonl", rows), [seen])
    assert report.flags == []
    assert len(report.unchecked) == 2


def test_operand_sizes_ignore_the_order_of_what_may_swap() -> None:
    assert operand_size(("+", 7, 1234)) == "1-digit + 4-digit"
    assert operand_size(("-", 1234, 7)) == "4-digit - 1-digit"


@pytest.mark.parametrize(
    ("row", "expression"),
    [
        ({"op": "\u00d7", "num1": "43,210", "num2": 98765}, "43210*98765"),
        ({"instruction": "Add the numbers.", "input": "34 + 12", "output": "46"}, "12+34"),
        ({"query": "What is 0012 + 34?"}, "12+34"),
        ({"problem": "430 \u00f7 16"}, "430/16"),
        ({"messages": [{"role": "system", "content": "5+5"}, {"role": "user", "content": "34 plus 12"}]}, "12+34"),
        ({"conversations": [{"from": "human", "value": "12+34"}, {"from": "gpt", "value": "430/16"}]}, "12+34"),
        ({"Body": "He had 76.", "Question": "How many are left?", "Equation": "( 76.0 - 25.0 )"}, "76-25"),
        ({"ctx": "What is 12 + 34?", "endings": ["1"], "metadata": {"template": "4da"}}, "12+34"),
        ({"a": 12.0, "operator": "+", "b": "34"}, "12+34"),
    ],
)
def test_columns_of_many_names_are_understood(row: dict[str, Any], expression: str, seen: Path, tmp_path: Path) -> None:
    report = check_questions(write_rows(tmp_path / "q.jsonl", [row]), [seen])
    assert [flag.as_row()["expression"] for flag in report.flags] == [expression]
    assert report.unchecked == []


def test_what_cannot_be_read_is_not_checked_and_nothing_is_cut_off(seen: Path, tmp_path: Path) -> None:
    steps = ["after the first stretch: 9:26 p.m. + 157 min = 12:03 a.m.", "then 3 - 1 = 2"]
    rows = [
        {"type": "x", "a": 12.9, "operator": "+", "b": 34.0},
        {"type": "x", "a": 12, "operator": "^", "b": 34},
        {"type": "x", "question": "How many are left?"},
        {"type": "x", "a": 12, "operator": "+", "b": 34},
        {"source_id": "clock", "metadata": {"template": "clock", "solution_steps": steps}},
    ]
    report = check_questions(write_rows(tmp_path / "q.jsonl", rows), [seen])
    tallies = {name: (tally.checked, tally.seen, tally.not_checked) for name, tally in report.by_type.items()}
    assert tallies == {"clock": (0, 0, 1), "x": (1, 1, 3)}
    assert [question.line for question in report.unchecked] == [1, 2, 3, 5]
    listed = report.as_json("q.jsonl")["not_checked"]
    assert listed[3] == {"id": "clock", "line": 5, "unread": [steps[0]]}


def test_the_manifest_of_a_built_folder_is_a_roster_or_says_where_questions_are(tmp_path: Path) -> None:
    tasks = [{"task": "12+34", "key": ["+", 12, 34], "bucket": 2}]
    manifest = {"format": "arithmark-folder", "splits": [{"config": "plain", "rows": 2}], "holdout": {"tasks": tasks}}
    (tmp_path / "manifest.json").write_text(json.dumps(manifest, indent=1), encoding="utf-8")
    assert [question.keys for question in read_questions(tmp_path / "manifest.json")] == [(("+", 12, 34),)]
    del manifest["holdout"]
    (tmp_path / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(InputError, match="manifest of a built folder, which holds no questions"):
        read_questions(tmp_path / "manifest.json")


@pytest.mark.parametrize(
    ("name", "data", "found"),
    [
        ("q.csv", b"", None),
        ("q.csv", b"question\n", None),
        ("q.txt", b"\n", None),
        ("q.parquet", b"PAR1", None),
        ("q.csv", b"a,b\n1+2\n1,2,3\n", None),
        ("q.txt", b"12 \xd7 34\n", ("*", 12, 34)),
        ("q.txt", b"\x00\xff\x01 5-3\n", ("-", 5, 3)),
        ("q.csv", "question\n5 \u2212 3\n".encode("utf-16"), ("-", 5, 3)),
        ("q.csv", b"12,+,34\n", ("+", 12, 34)),
        ("q.jsonl", b'{"question": "12 \xf7 4"}\n', ("/", 12, 4)),
    ],
)
def test_files_of_questions_in_any_state_end_in_keys_or_one_line(
    name: str, data: bytes, found: tuple[str, int, int] | None, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(data)
    if found:
        assert read_questions(tmp_path / name)[0].keys == (found,)
        return
    with pytest.raises(InputError) as error:
        read_questions(tmp_path / name)
    assert name in str(error.value) and "\n" not in str(error.value)
