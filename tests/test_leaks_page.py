"""The page on published splits says what the stored result says, and two digits are counted again here by hand."""

import json
from pathlib import Path

from benchmarks import leaks


def test_the_page_is_made_from_the_stored_result() -> None:
    stored = json.loads(leaks.RESULT.read_text(encoding="utf-8"))
    assert (leaks.RESULT.parents[2] / "docs" / "leaks.md").read_text(encoding="utf-8") == leaks.page(stored)


def test_the_twins_of_the_two_digit_adder_are_those_that_a_plain_loop_counts() -> None:
    train, test = leaks.adder_rows(2)
    trained = {(row[:2], row[2:4]) for row in train}
    twins = sum((row[2:4], row[:2]) in trained for row in test)
    measured = leaks.measure(2)
    assert measured == json.loads(leaks.RESULT.read_text(encoding="utf-8"))[0]
    assert (twins, measured["exact_overlap"]) == (measured["twins"], 0) and twins > 400
    assert measured["equal_operands"] == sum(row[:2] == row[2:4] for row in test)


def test_the_multiplications_of_a_clone_are_counted_by_key(tmp_path: Path) -> None:
    train, test = (tmp_path / f"{name}.txt" for name in leaks.MULTIPLICATION)
    train.write_text("2*3=6\n4*5=20\n")
    test.write_text("3*2=6\n4*5=20\n7*7=49\n5*5=25\n")
    found = leaks.measure_multiplication(tmp_path)
    assert (found["exact_overlap"], found["twins"], found["semantic_overlap"], found["test_tasks"]) == (1, 1, 2, 4)
