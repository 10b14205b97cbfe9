"""What a seen-index holds of the bench's own questions, and what the indexes say about themselves."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from hashlib import sha256
from operator import or_
from pathlib import Path
from typing import Any

from ..generators.errors import InputError
from ..generators.expression import SemanticKey
from ..generators.zenyx import QuestionType
from .contamination.index import read_account
from .files import hash_stream

Paths = str | Path | Sequence[str | Path] | None


@dataclass(frozen=True, slots=True)
class Seen:
    """Keys of one or several indexes within the asked types, the accounts in their footers, their distinct union."""

    keys: frozenset[SemanticKey]
    accounts: tuple[dict[str, Any], ...]
    distinct: int


def index_paths(seen: Paths) -> list[str | Path]:
    """One path, several or none as a list.

    It has its place here because ``datasets`` puts another ``Path`` into the module of a builder that was used.
    """
    if seen is None:
        return []
    return [seen] if isinstance(seen, str | Path) else list(seen)


def read_seen(paths: Sequence[str | Path], kinds: Iterable[QuestionType]) -> Seen:
    """Read the indexes in a stream and keep the keys within the types' spaces. ``InputError`` for a file that is none.

    >>> read_seen([], []).distinct
    0
    """
    import polars as pl

    accounts = tuple(read_account(path) for path in paths)
    if not paths:
        return Seen(frozenset(), (), 0)
    _check_disjoint(paths, accounts)
    kinds = list(kinds)
    columns = ["operator", "left", "right"]
    rows = pl.concat([pl.scan_parquet(path, glob=False).select(columns) for path in paths])
    wanted = reduce(or_, (_within(pl, kind) for kind in kinds), pl.lit(False))
    found = rows.filter(wanted).unique().collect(engine="streaming")
    keys = frozenset(key for key in found.iter_rows() if any(key in kind.space for kind in kinds))
    if len(paths) == 1:
        return Seen(keys, accounts, accounts[0]["totals"]["distinct"])
    return Seen(keys, accounts, rows.unique().select(pl.len()).collect(engine="streaming").item())


def _check_disjoint(paths: Sequence[str | Path], accounts: Sequence[dict[str, Any]]) -> None:
    """``InputError`` for a file of the corpus that two indexes hold: its rows would count twice."""
    met: dict[str, str | Path] = {}
    for path, account in zip(paths, accounts, strict=True):
        for source in account["sources"]:
            if met.setdefault(source["sha256"], path) is not path and source["size"]:
                other = met[source["sha256"]]
                raise InputError(f"{source['name']} is in {other} too, so its rows would count twice", file=path)


def _within(pl: Any, kind: QuestionType) -> Any:
    bounds = kind.space.bounds
    left, right = pl.col("left").is_between(*bounds.left), pl.col("right").is_between(*bounds.right)
    return (pl.col("operator") == bounds.operator) & left & right


def content_digest(paths: Sequence[str | Path]) -> str:
    """16 hex digits over the bytes of the index files, in order: another index under the same name is another one."""
    digest = sha256()
    for path in paths:
        read_account(path)  # says in one line that a file is missing or no index
        with Path(path).open("rb") as stream:
            hash_stream(stream, digest)
    return digest.hexdigest()[:16]
