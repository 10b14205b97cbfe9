"""The compiled scanner on a few texts, for tests."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
import polars as pl

from arithmark_tasks.builders.contamination.index import surface_names
from arithmark_tasks.builders.contamination.kernel.alphabet import LEFT_OUT, SURFACES
from arithmark_tasks.builders.contamination.scanner import Scanner, Texts

Key = tuple[str, int, int]


class Scan:
    """Everything the scanner says of some texts: keys with count, first row and surface forms, and its totals."""

    def __init__(self, texts: Sequence[str], most_slots: int = 1 << 16) -> None:
        runs: list[np.ndarray] = []
        scanner = Scanner(lambda run: runs.append(run.copy()), most_slots=most_slots)
        scanner.feed(Texts.from_series(pl.Series(texts, dtype=pl.String), np.arange(len(texts), dtype=np.int64)))
        scanner.flush()
        self.runs = runs
        self.surfaces = Counter({name: int(n) for name, n in zip(SURFACES, scanner.surfaces, strict=True) if n})
        self.left_out = Counter({name: int(n) for name, n in zip(LEFT_OUT, scanner.left_out, strict=True) if n})
        self.keys: dict[Key, tuple[int, int, str]] = {}
        for run in runs:
            for packed, right, first, count, surfaces in run.T.tolist():
                key = ("+-*/"[packed >> 60], packed & ((1 << 60) - 1), right)
                self.keys[key] = (count, first, surface_names(surfaces))


def keys_of(text: str) -> set[str]:
    """The keys of one text, written like ``12+34``."""
    return {f"{left}{operator}{right}" for operator, left, right in Scan([text]).keys}
