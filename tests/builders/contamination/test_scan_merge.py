"""Merging: runs into an index, indexes into one."""

import random
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from corpora import index_rows, make_texts, write_corpus
from hypothesis import given
from hypothesis import strategies as st

from arithmark_tasks.builders.contamination import runs as merge
from arithmark_tasks.builders.contamination import runs as partial
from arithmark_tasks.builders.contamination.index import find_hits, read_account
from arithmark_tasks.builders.contamination.scan import merge_indexes, scan
from arithmark_tasks.generators.errors import InputError
from arithmark_tasks.generators.expression import Expression, semantic_key

row = st.tuples(st.integers(0, 30), st.integers(0, 5), st.integers(0, 99), st.integers(1, 9), st.integers(1, 15))
runs_of_rows = st.lists(st.dictionaries(st.tuples(st.integers(0, 30), st.integers(0, 5)), row, max_size=30), max_size=9)


def as_blocks(rows: list[tuple[int, ...]], size: int) -> list[np.ndarray]:
    return [np.array(rows[at : at + size], dtype=np.int64).T.copy() for at in range(0, len(rows), size)]


@given(runs_of_rows, st.integers(1, 7))
def test_merged_runs_are_the_sorted_sum_of_all_their_rows(runs: list[dict], size: int) -> None:
    expected: dict = {}
    sorted_runs = []
    for run in runs:
        rows = sorted((*key, *values[2:]) for key, values in run.items())
        sorted_runs.append(rows)
        for key, right, first, count, surfaces in rows:
            old = expected.get((key, right), (first, 0, 0))
            expected[key, right] = (min(old[0], first), old[1] + count, old[2] | surfaces)
    merged = list(merge.merge_runs([iter(as_blocks(rows, size)) for rows in sorted_runs]))
    found = [tuple(item) for block in merged for item in block.T.tolist()]
    assert found == [(*key, *expected[key]) for key in sorted(expected)]


def test_more_runs_than_are_merged_at_a_time_are_merged_in_levels(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw = random.Random(1)
    files, expected = [], dict[tuple[int, int], int]()
    for number in range(23):
        keys = sorted({(draw.randint(0, 50), draw.randint(0, 3)) for _ in range(20)})
        for key in keys:
            expected[key] = expected.get(key, 0) + 1
        path = tmp_path / f"{number}.arrow"
        partial.write_run(path, as_blocks([(*key, 5, 1, 1) for key in keys], 6))
        files.append((path, 100 * number))
    monkeypatch.setattr(merge, "_FAN_IN", 3)
    rows = [tuple(item) for block in merge.merge_files(files, tmp_path) for item in block.T.tolist()]
    assert {item[:2]: item[3] for item in rows} == expected
    assert [item[:2] for item in rows] == sorted(expected)
    assert all(item[2] % 100 == 5 for item in rows)


def test_an_error_while_reading_ahead_reaches_the_caller() -> None:
    def blocks():
        yield np.zeros((5, 1), np.int64)
        raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        list(merge.read_ahead(blocks()))


def corpora(tmp_path: Path, count: int = 3) -> list[str]:
    kinds = ("jsonl", "parquet", "txt.gz")
    return [str(write_corpus(tmp_path / f"{n}.{kinds[n % 3]}", make_texts(n, 150))) for n in range(count)]


def test_a_merged_index_is_the_index_of_the_joined_corpus_byte_for_byte(tmp_path: Path) -> None:
    one, two, three = corpora(tmp_path)
    scan([one, two, three], tmp_path / "all.parquet")
    scan([one], tmp_path / "a.parquet")
    scan([two, three], tmp_path / "b.parquet")
    account = merge_indexes([tmp_path / "a.parquet", tmp_path / "b.parquet"], tmp_path / "merged.parquet")
    assert (tmp_path / "merged.parquet").read_bytes() == (tmp_path / "all.parquet").read_bytes()
    assert account == read_account(tmp_path / "all.parquet")


def test_the_order_of_indexes_decides_where_an_expression_was_first_seen(tmp_path: Path) -> None:
    one = str(write_corpus(tmp_path / "one.jsonl", ["no", "1+2"]))
    two = str(write_corpus(tmp_path / "two.jsonl", ["2+1", "5-3"]))
    for name in (one, two):
        scan([name], Path(f"{name}.parquet"))
    merge_indexes([Path(f"{two}.parquet"), Path(f"{one}.parquet")], tmp_path / "m.parquet")
    assert index_rows(tmp_path / "m.parquet") == [
        (1, "+", 2, 2, two, 0, {"plain"}),
        (5, "-", 3, 1, two, 1, {"plain"}),
    ]


def test_an_index_of_several_row_groups_merges_to_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arithmark_tasks.builders.contamination.index._ROW_GROUP", 50)
    one, two, three = corpora(tmp_path)
    scan([one, two, three], tmp_path / "all.parquet")
    assert pl.scan_parquet(tmp_path / "all.parquet").select(pl.len()).collect().item() > 300
    for name in (one, two, three):
        scan([name], Path(f"{name}.seen"))
    merge_indexes([Path(f"{name}.seen") for name in (one, two, three)], tmp_path / "merged.parquet")
    assert (tmp_path / "merged.parquet").read_bytes() == (tmp_path / "all.parquet").read_bytes()


def test_indexes_that_share_a_source_are_not_merged(tmp_path: Path) -> None:
    (one,) = corpora(tmp_path, 1)
    scan([one], tmp_path / "a.parquet")
    scan([one], tmp_path / "b.parquet")
    with pytest.raises(InputError, match="count twice"):
        merge_indexes([tmp_path / "a.parquet", tmp_path / "b.parquet"], tmp_path / "m.parquet")
    assert not (tmp_path / "m.parquet").exists()


def test_a_file_that_is_no_index_is_named(tmp_path: Path) -> None:
    pl.DataFrame({"a": [1]}).write_parquet(tmp_path / "a.parquet")
    (tmp_path / "b.parquet").write_bytes(b"PAR1")
    for name, message in (("a.parquet", "no account"), ("b.parquet", "not a Parquet"), ("c.parquet", "no such file")):
        with pytest.raises(InputError, match=f"{name}: .*{message}"):
            merge_indexes([tmp_path / name], tmp_path / "m.parquet")


def test_hits_are_found_by_key_and_other_operands_are_in_no_index(tmp_path: Path) -> None:
    source = str(write_corpus(tmp_path / "a.jsonl", ["no", "34 + 12", "12+34 \u00d7 5", "7-9"]))
    scan([source], tmp_path / "seen.parquet")
    asked = [(12, "+", 34), (34, "*", 5), (9, "-", 7), (7, "-", 9), (-1, "+", 2), (10**18, "+", 1), (10**30, "*", 2)]
    hits = find_hits(tmp_path / "seen.parquet", (semantic_key(Expression(*item)) for item in asked))
    assert {key: (hit.source, hit.row, hit.count, hit.surface) for key, hit in hits.items()} == {
        ("+", 12, 34): (source, 1, 2, "plain"),
        ("*", 5, 34): (source, 2, 1, "chained"),
        ("-", 7, 9): (source, 3, 1, "plain"),
    }
