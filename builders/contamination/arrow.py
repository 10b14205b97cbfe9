"""NumPy arrays as Arrow arrays and back, without pyarrow's own conversions: those import pandas, for 0.3 seconds."""

from collections.abc import Sequence

import numpy as np
import polars as pl
import pyarrow as pa


def to_arrow(values: np.ndarray) -> pa.Array:
    """An Arrow array of the same integers."""
    return pl.Series(values).to_arrow()


def to_numpy(array: pa.Array) -> np.ndarray:
    """A view of an Arrow array of ``int64`` without nulls."""
    return np.frombuffer(array.buffers()[1], dtype=np.int64)[array.offset : array.offset + len(array)]


def strings(values: Sequence[str]) -> pa.Array:
    """An Arrow array of strings."""
    return pl.Series(values, dtype=pl.String).to_arrow().cast(pa.string())


def coded_strings(codes: np.ndarray, values: pa.Array) -> pa.Array:
    """The strings ``values[code]`` as a dictionary array."""
    return pa.DictionaryArray.from_arrays(to_arrow(codes.astype(np.int32)), values)
