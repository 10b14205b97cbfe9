"""Tries, batches and common prefixes, checked against their definitions on drawn requests."""

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arithmark_tasks.scoring.rows import (
    Query,
    ancestors,
    batches,
    by_context,
    common_prefixes,
    joined,
    query,
    straight_rows,
    trie,
    tries,
)

TOKENS = st.integers(0, 3)


@st.composite
def drawn_queries(draw):
    contexts = draw(st.lists(st.lists(TOKENS, min_size=1, max_size=6), min_size=1, max_size=4))
    pairs = draw(
        st.lists(
            st.tuples(st.sampled_from(contexts), st.lists(TOKENS, min_size=1, max_size=4)), min_size=1, max_size=12
        )
    )
    return [query(number, context, option, 8) for number, (context, option) in enumerate(pairs)]


def path_to(row, node):
    path = []
    while node >= 0:
        path.append(node)
        node = row.parents[node]
    return path[::-1]


@given(drawn_queries())
def test_a_trie_has_every_sequence_as_a_path_and_each_beginning_once(queries):
    row = trie(queries)
    beginnings = {asked.tokens[:end] for asked in queries for end in range(1, len(asked.tokens) + 1)}
    assert len(row) == len(beginnings)
    for asked, nodes in row.reads:
        path = path_to(row, nodes[-1])
        assert tuple(row.tokens[node] for node in path) == asked.tokens
        assert path[-len(asked.targets) :] == nodes
        assert [row.depths[node] for node in path] == list(range(len(path)))


@given(drawn_queries(), st.integers(0, 3))
def test_a_node_sees_its_ancestors_and_itself_only(queries, padding):
    row = trie(queries)
    width = len(row) + padding
    expected = np.zeros((width, width), dtype=bool)
    for node in range(width):
        expected[node, path_to(row, node) if node < len(row) else [node]] = True
    assert (ancestors(row, width) == expected).all()


@given(drawn_queries(), st.integers(1, 20))
def test_every_query_is_in_one_row_and_rows_keep_to_their_size_where_they_can(queries, slots):
    rows = tries(by_context(queries), slots)
    assert sorted(asked.request for row in rows for asked, _ in row.reads) == list(range(len(queries)))
    assert all(len(row) <= slots or len(row.reads) == 1 for row in rows)


@given(drawn_queries(), st.integers(1, 40), st.integers(0, 40))
def test_batches_hold_every_row_once_within_the_budget(queries, budget, past):
    rows = straight_rows(queries)
    found = list(batches(rows, budget, past))
    assert sorted(map(id, rows)) == sorted(id(row) for batch in found for row in batch)
    for batch in found:
        width = max(map(len, batch))
        assert len(batch) == 1 or (len(batch) * width <= budget and len(batch) * (past + width) <= 4 * budget)


@given(st.lists(st.integers(1, 30), min_size=1, max_size=9), st.integers(1, 90), st.integers(0, 40))
def test_batches_are_as_even_as_so_few_passes_can_be(lengths, budget, past):
    rows = straight_rows([query(number, [number] * length, [7], 64) for number, length in enumerate(lengths)])
    found = [[len(row) for row in batch] for batch in batches(rows, budget, past)]

    def load(batch):  # a row alone has no choice
        return 0 if len(batch) == 1 else max(len(batch) * batch[0], -(-len(batch) * (past + batch[0]) // 4))

    ordered = sorted(lengths, reverse=True)
    cuts = [
        [ordered[start:end] for start, end in pairwise((0, *inner, len(ordered)))]
        for count in range(len(ordered))
        for inner in combinations(range(1, len(ordered)), count)
    ]
    fitting = [cut for cut in cuts if max(map(load, cut)) <= budget]
    fewest = min(map(len, fitting))
    assert len(found) == fewest
    assert max(map(load, found)) == min(max(map(load, cut)) for cut in fitting if len(cut) == fewest)


@given(drawn_queries())
def test_groups_of_one_context_are_sorted_and_complete(queries):
    groups = by_context(queries)
    contexts = [group[0].context for group in groups]
    assert contexts == sorted({asked.context for asked in queries})
    assert all(asked.context == group[0].context for group in groups for asked in group)


@given(st.lists(st.tuples(st.sampled_from([0, 40, 90]), st.integers(0, 50)), min_size=1, max_size=60))
def test_a_common_prefix_is_common_and_leaves_each_context_its_last_token(drawn):
    pairs = [([length] * length + [100 + end, 7], [5]) for length, end in drawn]
    queries = [query(number, context, option, 512) for number, (context, option) in enumerate(pairs)]
    groups = by_context(queries)
    parts = common_prefixes(groups)
    assert sorted(map(id, groups)) == sorted(id(group) for _, run in parts for group in run)
    for length, run in parts:
        assert len({group[0].tokens[:length] for group in run}) == 1
        assert all(length < len(group[0].context) for group in run)
        assert length == 0 or length * (len(run) - 1) >= 512


def test_many_prompts_behind_one_prefix_share_it():
    examples = list(range(100))
    queries = [query(item, [*examples, 200 + item, 9], [5], 512) for item in range(20)]
    ((length, run),) = common_prefixes(by_context(queries))
    assert (length, len(run)) == (100, 20)
    assert all(len(row) == 2 for row in tries(run, 512, length))


@pytest.mark.parametrize(("past", "rows"), [(0, 20), (3, 20), (8, 10), (40, 2), (1000, 1)])
def test_rows_behind_a_longer_prefix_hold_more_prompts(past, rows):
    groups = by_context(query(item, [7] * past + [200 + item, 9], [5], 2000) for item in range(20))
    merged = joined(groups, past)
    assert len(merged) == rows
    assert [asked for row in merged for asked in row] == [asked for group in groups for asked in group]


def test_prompts_without_a_prefix_worth_it_are_left_together():
    queries = [query(item, [1] * 20 + [item + 2] * 20, [5], 512) for item in range(200)]
    ((length, run),) = common_prefixes(by_context(queries))
    assert (length, len(run)) == (0, 200)


@pytest.mark.parametrize("window", [5, 6, 7])
def test_a_query_keeps_its_end_and_at_most_the_window(window):
    context, option = [1, 2, 3, 4], [5, 6, 7]
    asked = query(0, context, option, window)
    assert asked.tokens == tuple([*context, *option][:-1][-window:])
    assert asked.context == tuple([*context][len(context) - (len(asked.tokens) - 2) :])
    assert asked == Query(0, asked.tokens, (5, 6, 7))
