"""Small corpora in every kind of file, and what an index of them must hold by the reference scanner."""

import gzip
import json
import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
from reference_scanner import scan_text

from arithmark_tasks.builders.contamination.index import COLUMNS
from arithmark_tasks.generators.expression import semantic_key

Rows = list[tuple[Any, ...]]


def make_texts(seed: int, count: int) -> list[str]:
    """Texts with a few expressions each, among them chains, decimals, Unicode and LaTeX."""
    draw = random.Random(seed)
    templates = (
        "{} + {} = ok",
        "so {}*{} then",
        "\\({} \\times {}\\)",
        "{}\u2212{}\u00e9",
        "{}.5+{}",
        "1+{}+{}",
        "{} plus {}",
        "no",
    )
    return [
        " ".join(
            draw.choice(templates).format(draw.randint(0, 60), draw.randint(0, 60)) for _ in range(draw.randint(0, 4))
        )
        for _ in range(count)
    ]


def write_corpus(path: Path, texts: list[str]) -> Path:
    """The texts as rows of a file whose name says of which kind."""
    lines = "".join(json.dumps({"id": number, "text": text}) + "\n" for number, text in enumerate(texts))
    compress = {".gz": gzip.compress, ".zst": lambda data: pa.compress(data, codec="zstd", asbytes=True)}
    kind = path.name.removesuffix(".gz").removesuffix(".zst").rpartition(".")[2]
    if kind == "parquet":
        pl.DataFrame({"id": range(len(texts)), "text": texts}).write_parquet(path, row_group_size=40)
        return path
    if kind in ("csv", "tsv"):
        separator = "," if kind == "csv" else "\t"
        data = pl.DataFrame({"id": range(len(texts)), "text": texts}).write_csv(separator=separator).encode()
    elif kind == "json":
        data = json.dumps([json.loads(line) for line in lines.splitlines()], indent=1).encode()
    elif kind == "txt":
        data = "".join(text + "\n" for text in texts).encode()
    else:
        data = lines.encode()
    path.write_bytes(compress.get(path.suffix, bytes)(data))
    return path


def expected_rows(corpus: Iterable[tuple[str, list[str]]]) -> Rows:
    """The rows of the index of ``(source name, texts by row)`` pairs, by the reference scanner, in index order."""
    found: dict[Any, list[Any]] = {}
    for source, texts in corpus:
        for row, text in enumerate(texts):
            for item in scan_text(text)[0]:
                entry = found.setdefault(semantic_key(item.expression), [0, source, row, set()])
                entry[0] += 1
                entry[3].add(item.surface)
    order = sorted(found, key=lambda key: ("+-*/".index(key[0]), *key[1:]))
    return [(left, op, right, *found[op, left, right][:3], found[op, left, right][3]) for op, left, right in order]


def index_rows(path: Path) -> Rows:
    """The rows of an index, surfaces as a set."""
    table = pl.read_parquet(path)
    assert tuple(table.columns) == COLUMNS
    return [(*row[:6], set(row[6].split(","))) for row in table.iter_rows()]
