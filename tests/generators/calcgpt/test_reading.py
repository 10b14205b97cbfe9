"""Readers of other people's task files: what is taken, what is refused by line, what is left out on request."""

import gzip
import json
from pathlib import Path

import pytest

from arithmark_tasks.generators.calcgpt.reading import audit, parse_digits, parse_task, read_file, read_tasks
from arithmark_tasks.generators.errors import InputError
from arithmark_tasks.generators.expression import Expression


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("12+34=46", Expression(12, "+", 34)),
        ("$128+367=594$", Expression(128, "+", 367)),
        ("  012 + 034 = 6400 ", Expression(12, "+", 34)),
        ("12+34=", Expression(12, "+", 34)),
        ("12+34", Expression(12, "+", 34)),
        ("12 − 5 = 7", Expression(12, "-", 5)),
        ("5-12=-7", Expression(5, "-", 12)),
        ("１２＋３４", Expression(12, "+", 34)),
        ("12×3=36", Expression(12, "*", 3)),
        ('{"text": "12+34=46"}', Expression(12, "+", 34)),
        ('{"prompt": "12+34=", "completion": "46"}', Expression(12, "+", 34)),
        ('{"left": 12, "operator": "+", "right": 34, "answer": 46}', Expression(12, "+", 34)),
        ('"12+34=46"', Expression(12, "+", 34)),
        ("12+34=46;", Expression(12, "+", 34)),
        ("12+34=46.", Expression(12, "+", 34)),
        ("12+34=46<|endoftext|>", Expression(12, "+", 34)),
        ("$1,034+2=1,036$", Expression(1034, "+", 2)),
        ("12+34 -> 46", Expression(12, "+", 34)),
        ("12+34 → 46", Expression(12, "+", 34)),
        ("12+34\t46", Expression(12, "+", 34)),
        ("What is 98 plus 45?", Expression(98, "+", 45)),
        ('{"context": "Q: What is 98 plus 45?\\nA:", "completion": " 143"}', Expression(98, "+", 45)),
        ('{"context": "Q: What is (98) plus 45?", "task": "98 minus 45", "answer": 53}', Expression(98, "-", 45)),
        ('{"task": "addition", "input": "12+34", "output": "46"}', Expression(12, "+", 34)),
        ('{"text": "", "input": "12+34=", "output": "46"}', Expression(12, "+", 34)),
        ('{"input": "12+34", "note": "a\u2028b"}', Expression(12, "+", 34)),
        (
            '{"messages": [{"role": "user", "content": "12 + 34 ="}, {"role": "assistant", "content": "It is 46."}]}',
            Expression(12, "+", 34),
        ),
    ],
)
def test_the_reader_takes_any_way_of_writing_a_task(tmp_path: Path, line: str, expected: Expression) -> None:
    file = tmp_path / "tasks.jsonl"
    file.write_text(line + "\n\n", encoding="utf-8")
    (task,) = read_tasks(file)
    assert task.expression == expected and task.answer_is_right


@pytest.mark.parametrize(
    "line", ["hello", "1+2+3=6", "12+34=46 ok", '{"a": 1}', "{broken", "[1]", "1.5+2=3", "9" * 5000 + "+1"]
)
def test_the_reader_names_file_and_line_of_anything_else(tmp_path: Path, line: str) -> None:
    file = tmp_path / "tasks.txt"
    file.write_text("1+1=2\n" + line + "\n")
    with pytest.raises(ValueError, match=r"tasks\.txt, line 2: "):
        read_tasks(file)


def test_a_wrong_answer_is_listed_and_not_hidden() -> None:
    result = audit([parse_task("1+1=2", 1)], [parse_task("12+34=47", 1), parse_task("12+34=64", 2)])
    assert [(side, task.text) for side, task in result.wrong] == [("test", "12+34=47")]
    assert len(result.repeated) == 1


@pytest.mark.parametrize(
    ("line", "right"),
    [
        ('{"left": 12, "operator": "+", "right": 34, "answer": 46}', True),
        ('{"left": 12, "operator": "+", "right": 34, "answer": 47}', False),
        ('{"prompt": "12+34=", "completion": " 47"}', False),
        ('{"task": "12-34", "expected": "-22", "produced": "22"}', True),
        ("1,034+2=1,037", False),
    ],
)
def test_answers_are_judged_wherever_they_stand(tmp_path: Path, line: str, right: bool) -> None:
    file = tmp_path / "tasks.jsonl"
    file.write_text(line)
    assert [task.answer_is_right for task in read_tasks(file)] == [right]


def test_json_csv_and_packed_files_are_read_with_their_row_numbers(tmp_path: Path) -> None:
    expected = [Expression(1, "+", 2), Expression(34, "-", 5)]
    rows = [{"left": task.left, "operator": task.operator, "right": task.right} for task in expected]
    contents = {
        "a.json": json.dumps(rows).encode(),
        "a.csv": b"left,operator,right,answer\n1,+,2,3\n34,-,5,29\n",
        "a.tsv": b"question\tanswer\n1 + 2\t3\n34 - 5\t29\n",
        "a.txt": b"1+2=3\r\n34-5=29\r\n",
        "a.json.gz": gzip.compress(json.dumps(rows).encode()),
        "a.txt.gz": gzip.compress(b"\xef\xbb\xbf1+2=3\n\n34-5=29"),
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
        tasks = read_tasks(tmp_path / name)
        assert [task.expression for task in tasks] == expected and all(task.answer_is_right for task in tasks), name


@pytest.mark.parametrize("content", [gzip.compress(b"1+2=3")[:-6], b"1+2=3", gzip.compress(b"\xff\xfe\xff")])
def test_a_damaged_archive_is_one_clear_line(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "tasks.txt.gz"
    file.write_bytes(content)
    with pytest.raises(InputError, match=r"tasks\.txt\.gz") as caught:
        read_tasks(file)
    assert "\n" not in str(caught.value)


def test_lines_left_out_on_request_are_listed(tmp_path: Path) -> None:
    file = tmp_path / "scratchpad.txt"
    file.write_text("<scratch>\n2+3, C: 0\n12+13=25\n[1]\n")
    found = read_file(file, skip_unread=True)
    assert [task.line for task in found.tasks] == [3]
    assert [line for line, _ in found.unread] == [1, 2, 4]
    file.write_text("<scratch>\n")
    with pytest.raises(InputError, match="no tasks"):
        read_file(file, skip_unread=True)


def test_rows_of_an_adder_and_reversed_operands_are_the_tasks_they_stand_for() -> None:
    row = parse_digits("0307010", 2, 5)  # 3 + 7 = 10, its digits units first
    assert (row.expression, row.answer_reads_right(backwards=True)) == (Expression(3, "+", 7), True)
    with pytest.raises(InputError, match="7 digits"):
        parse_digits("85505310", 2)
    turned = parse_task("43+21=64").with_operands_reversed()
    assert turned.expression == Expression(34, "+", 12) and turned.answer_reads_right(backwards=True)
    assert [pair.kind for pair in audit([turned], [parse_task("12+34=46")]).overlaps] == ["twin"]
