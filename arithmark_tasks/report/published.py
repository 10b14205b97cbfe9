"""The 17 rows of the published DeepArithmark-1 table, to place a user's model among them."""

import json
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from typing import Any


@dataclass(frozen=True, slots=True)
class PublishedRow:
    """One row as printed: percentages, ``delta`` in points, None where the table has a dash or no date."""

    model: str
    release: str | None
    params: str
    parameters: int
    deep: float
    soft: float
    d2: float
    d3: float
    d4: float
    d5: float
    arithmark3: float | None
    delta: float | None


@dataclass(frozen=True, slots=True)
class Published:
    """The table with its source, the protocol it was scored under, and the number of items behind each column."""

    title: str
    source: dict[str, str]
    protocol: str
    items: dict[str, int]
    rows: tuple[PublishedRow, ...]


@cache
def published() -> Published:
    """The table that is installed with the package.

    >>> row = published().rows[7]
    >>> row.model, row.deep, row.d2, row.delta
    ('Qwen3-0.6B-Base', 29.2, 37.6, -39.2)
    """
    text = files("arithmark_tasks.published").joinpath("deeparithmark_17models.json").read_text(encoding="utf-8")
    content: dict[str, Any] = json.loads(text)
    rows = tuple(PublishedRow(**row) for row in content["rows"])
    return Published(**{field.name: content[field.name] for field in fields(Published)} | {"rows": rows})
