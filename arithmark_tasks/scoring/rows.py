"""Requests as token sequences, sequences that begin alike as tries, tries as rows of batches. Pure functions."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, takewhile

import numpy as np

SHORTEST_PREFIX = 32  # tokens; a shorter prefix is not worth passes of its own
SMALLEST_SAVING = 512  # tokens that a prefix must save in all


@dataclass(frozen=True, slots=True)
class Query:
    """What one request asks: the model reads ``tokens``, whose last ``len(targets)`` places predict ``targets``."""

    request: int
    tokens: tuple[int, ...]
    targets: tuple[int, ...]

    @property
    def context(self) -> tuple[int, ...]:
        """The tokens before the continuation, as far as the window leaves them."""
        return self.tokens[: len(self.tokens) - len(self.targets) + 1]


def query(request: int, context: Sequence[int], continuation: Sequence[int], window: int) -> Query:
    """The query of a request, cut from the left to ``window`` tokens as lm-eval cuts it.

    >>> query(0, [5, 6, 7], [8, 9], window=3)
    Query(request=0, tokens=(6, 7, 8), targets=(8, 9))

    ``ValueError`` for an empty context or continuation and for a continuation longer than the window.
    """
    if not context or not 0 < len(continuation) <= window:
        raise ValueError(
            f"request {request}: {len(context)} context and {len(continuation)} continuation tokens; "
            f"need at least one of each, and a continuation of at most {window}"
        )
    return Query(request, (*context, *continuation)[-(window + 1) :][:-1], tuple(continuation))


@dataclass(slots=True)
class TokenRow:
    """A trie of sequences, one node per token: the parent (-1: none), depth and token of each node in order.

    ``reads`` holds, per query, the nodes whose logits predict its targets.
    """

    tokens: list[int] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    depths: list[int] = field(default_factory=list)
    reads: list[tuple[Query, list[int]]] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.tokens)

    @property
    def is_straight(self) -> bool:
        """Whether it has no branches."""
        return self.parents == list(range(-1, len(self) - 1))


def trie(queries: Iterable[Query], skip: int = 0) -> TokenRow:
    """One row for all queries, without their first ``skip`` tokens, which must be the same in all of their contexts.

    >>> row = trie([Query(0, (5, 6, 7), (7, 8)), Query(1, (5, 6, 9), (9, 8))])
    >>> row.tokens, row.parents, [nodes for _, nodes in row.reads]
    ([5, 6, 7, 9], [-1, 0, 1, 1], [[1, 2], [1, 3]])
    """
    row = TokenRow()
    children: dict[tuple[int, int], int] = {}
    for asked in queries:
        node, path = -1, []
        for depth, token in enumerate(asked.tokens[skip:]):
            parent, node = node, children.setdefault((node, token), len(row))
            if node == len(row):
                row.tokens.append(token)
                row.parents.append(parent)
                row.depths.append(depth)
            path.append(node)
        row.reads.append((asked, path[-len(asked.targets) :]))
    return row


def ancestors(row: TokenRow, width: int) -> np.ndarray:
    """Who sees whom: ``[width, width]`` booleans, true where the column is the row's node or an ancestor of it.

    Nodes after the last, which only pad, see themselves.
    """
    seen = np.eye(width, dtype=bool)
    straight = _common(row.parents, range(-1, len(row) - 1))
    seen[:straight, :straight] = np.tri(straight, dtype=bool)
    for node in range(straight, len(row)):
        parent = row.parents[node]
        if parent >= 0:
            seen[node, :node] = seen[parent, :node]
    return seen


def by_context(queries: Iterable[Query]) -> list[list[Query]]:
    """The queries of each context, contexts in lexicographic order, so that equal beginnings are neighbours."""
    groups: dict[tuple[int, ...], list[Query]] = {}
    for asked in queries:
        groups.setdefault(asked.context, []).append(asked)
    return [sorted(groups[context], key=lambda asked: asked.tokens) for context in sorted(groups)]


def tries(groups: Iterable[list[Query]], slots: int, skip: int = 0) -> list[TokenRow]:
    """A row per group; a group that needs more than ``slots`` nodes is halved until it fits or is one query."""
    rows = []
    for group in groups:
        row = trie(group, skip)
        if len(row) > slots and len(group) > 1:
            half = len(group) // 2
            rows += tries([group[:half], group[half:]], slots, skip)
        else:
            rows.append(row)
    return rows


def joined(groups: list[list[Query]], past: int) -> list[list[Query]]:
    """Neighbours merged until a row has half as many nodes as the ``past`` tokens that every row holds a copy of.

    Fewer, longer rows copy less and attend more; this is about where the two cancel (8 % faster behind 224 tokens).
    """
    longest = max((len(trie(group, past)) for group in groups), default=1)
    count = max(1, past // 2 // longest)
    return [list(chain.from_iterable(groups[start : start + count])) for start in range(0, len(groups), count)]


def straight_rows(queries: Iterable[Query]) -> list[TokenRow]:
    """A row per different sequence, without branches: what a plain causal model reads."""
    same: dict[tuple[int, ...], list[Query]] = {}
    for asked in queries:
        same.setdefault(asked.tokens, []).append(asked)
    return [trie(group) for group in same.values()]


def batches(rows: Iterable[TokenRow], budget: int, past: int = 0) -> Iterator[list[TokenRow]]:
    """Rows of like length, as many as ``budget`` padded tokens hold, at least one; the longest come first.

    Every row of a batch also holds its own copy of ``past`` cached tokens, which are lighter: four count as one. The
    batches are as even as they can be without one more of them: a last one of few rows would be slow.
    """
    ordered = sorted(rows, key=len, reverse=True)
    fewest = len(_filled(ordered, budget, past))
    even = bisect_left(range(budget), True, key=lambda size: len(_filled(ordered, size, past)) <= fewest)
    yield from _filled(ordered, even, past)


def _filled(ordered: list[TokenRow], budget: int, past: int) -> list[list[TokenRow]]:
    found, start = [], 0
    while start < len(ordered):
        longest = max(1, len(ordered[start]))
        count = max(1, min(budget // longest, 4 * budget // (past + longest)))
        found.append(ordered[start : start + count])
        start += count
    return found


def common_prefixes(groups: list[list[Query]]) -> list[tuple[int, list[list[Query]]]]:
    """Split sorted groups into runs that begin with the same tokens: (how many, the groups); 0 for all the rest.

    Few-shot examples and system prompts are such beginnings. A context's last token never counts: its logits are read.
    """
    alone: list[list[Query]] = []
    found = []
    for shared, run in _runs(groups):
        if shared >= SHORTEST_PREFIX and shared * (len(run) - 1) >= SMALLEST_SAVING:
            found.append((shared, run))
        else:
            alone += run
    return found + ([(0, alone)] if alone else [])


def _runs(groups: list[list[Query]]) -> Iterator[tuple[int, list[list[Query]]]]:
    run: list[list[Query]] = []
    shared = 0
    for group in groups:
        context = group[0].context[:-1]
        common = _common(run[0][0].context[:shared], context) if run else 0
        if run and common >= SHORTEST_PREFIX and (len(run) == 1 or 2 * common >= shared):
            run.append(group)
            shared = common
        else:
            if run:
                yield shared, run
            run, shared = [group], len(context)
    if run:
        yield shared, run


def _common(left: Sequence[int], right: Sequence[int]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(left, right, strict=False)))
