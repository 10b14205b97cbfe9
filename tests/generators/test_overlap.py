"""Shared contexts and eight-word runs are found, named with both lines, and nothing else is."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arithmark_tasks.generators.errors import InputError
from arithmark_tasks.generators.overlap import overlap, read_texts, runs, words

TEXT = "A shed held 420 crates, 40 were sold and the rest were packed"


def _write(path: Path, *records: Any) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def test_an_identical_context_is_found_whatever_its_case_and_spacing() -> None:
    found = overlap([(3, TEXT)], [(8, "  " + TEXT.upper().replace(" ", "\n"))])
    assert [(shared.line, shared.other_line) for shared in found.contexts] == [(3, 8)]


def test_signs_make_contexts_different() -> None:
    assert overlap([(1, "12 + 31 =")], [(1, "12 - 31 =")]).contexts == ()


def test_a_run_of_eight_words_is_shared_and_one_of_seven_is_not() -> None:
    eight = " ".join(words(TEXT)[2:10])
    found = overlap([(1, TEXT)], [(1, f"Then {eight} again"), (2, "so: " + eight.rsplit(" ", 1)[0])])
    assert [shared.text for shared in found.runs] == [eight]
    assert found.items == 1 and found.others == 2
    assert overlap([(1, TEXT)], [(1, " ".join(words(TEXT)[:7]) + " else")]).runs == ()


def test_a_changed_number_breaks_the_runs_that_hold_it() -> None:
    assert len(overlap([(1, TEXT)], [(1, TEXT.replace("420", "421"))]).runs) == len(list(runs(words(TEXT)[4:])))


@given(st.lists(st.sampled_from(["a", "b", "c"]), max_size=30), st.lists(st.sampled_from(["a", "b", "c"]), max_size=30))
def test_runs_agree_with_comparing_every_pair_of_places(left: list[str], right: list[str]) -> None:
    found = overlap([(1, " ".join(left))], [(1, " ".join(right))])
    shared = {
        tuple(left[i : i + 8])
        for i in range(len(left) - 7)
        for j in range(len(right) - 7)
        if left[i : i + 8] == right[j : j + 8]
    }
    assert {tuple(run.text.split()) for run in found.runs} == shared


def test_every_prompt_column_is_read_and_others_are_not(tmp_path: Path) -> None:
    path = _write(
        tmp_path / "other.jsonl",
        {"ctx": "one", "endings": ["no"]},
        {"question": "two", "text": "three", "id": 7},
        {"messages": [{"role": "user", "content": "four"}, "noise"]},
        {"answer": "no"},
    )
    assert list(read_texts(path)) == [(1, "one"), (2, "two"), (2, "three"), (3, "four")]


def test_progress_counts_every_byte(tmp_path: Path) -> None:
    path = _write(tmp_path / "other.jsonl", {"text": "one"}, {"text": "zwölf"})
    seen: list[int] = []
    list(read_texts(path, seen.append))
    assert sum(seen) == path.stat().st_size


@pytest.mark.parametrize(
    ("content", "words_expected"),
    [
        (b'{"text": "a"}\n{"text": \n', "line 2: not JSON"),
        (b"[1]\n", "line 1: not a JSON object"),
        (b"\xff\n", "line 1: not UTF-8"),
        (b'{"label": 3}\n', "no text in any of the columns"),
        (b"", "no text in any of the columns"),
    ],
)
def test_a_file_that_cannot_be_compared_is_bad_input(content: bytes, words_expected: str, tmp_path: Path) -> None:
    path = tmp_path / "other.jsonl"
    path.write_bytes(content)
    with pytest.raises(InputError, match=words_expected):
        list(read_texts(path))


def test_examples_come_in_the_order_of_the_other_set() -> None:
    ours = [(line, f"{TEXT} number {line}") for line in range(1, 6)]
    found = overlap(ours, [(line, text) for line, (_, text) in enumerate(reversed(ours), start=1)])
    assert len(found.contexts) == 5
    assert all(first.other_line <= second.other_line for first, second in pairwise(found.runs))
