"""What a check of a data set says: one result per claim, with the lines that break it."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import InputError
from .jsonl import parse_object, to_line

Item = Mapping[str, Any]
NumberedItem = tuple[int, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Failure:
    """One breach of a claim; ``line`` is None when no single line is to blame.

    >>> str(Failure(7, "two endings are the same"))
    'line 7: two endings are the same'
    """

    line: int | None
    message: str

    def __str__(self) -> str:
        return self.message if self.line is None else f"line {self.line}: {self.message}"


@dataclass(frozen=True, slots=True)
class Result:
    """A claim with everything found against it; ``skipped`` says why it could not be checked."""

    claim: str
    failures: tuple[Failure, ...] = ()
    skipped: str = ""

    @property
    def holds(self) -> bool:
        """Whether the claim was checked and nothing was found."""
        return not self.failures and not self.skipped


@dataclass(frozen=True, slots=True)
class ClaimSection:
    """The claims of one file or folder."""

    title: str
    results: tuple[Result, ...]

    @property
    def holds(self) -> bool:
        """Whether no claim was found broken; a claim that could not be checked counts as broken."""
        return all(found.holds for found in self.results)


def result(claim: str, failures: Iterable[Failure]) -> Result:
    """A checked claim."""
    return Result(claim, tuple(failures))


def per_item(claim: str, check: Callable[[Item], Iterable[str]], items: Iterable[NumberedItem]) -> Result:
    """A claim that each item keeps or breaks on its own: ``check`` yields what is wrong with one item."""
    return result(claim, (Failure(line, message) for line, item in items for message in check(item)))


def read_lines(path: str | Path) -> tuple[list[NumberedItem], list[Failure]]:
    """The items of a canonical JSONL file, and every line that is not canonical.

    Canonical: UTF-8 without a byte order mark, one JSON object to a line, each line ended by a single line feed, no
    key twice, spaced as ``json.dumps`` does. A line that can be read although it is not canonical gives both an item
    and a failure. ``InputError`` when the file is missing or empty.
    """
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise InputError(error.strerror or str(error), file=path) from None
    if not content:
        raise InputError("the file is empty", file=path)
    *lines, rest = content.split(b"\n")
    if rest:
        lines.append(rest)
    items: list[NumberedItem] = []
    failures: list[Failure] = []
    for number, line in enumerate(lines, start=1):
        item, problems = _read(line)
        failures += (Failure(number, problem) for problem in problems)
        if item is not None:
            items.append((number, item))
    if rest:
        failures.append(Failure(len(lines), "the last line is cut off: no line feed at its end"))
    return items, failures


def _read(line: bytes) -> tuple[dict[str, Any] | None, list[str]]:
    try:
        item = parse_object(line, object_pairs_hook=_unique, parse_constant=_no_constant)
    except ValueError as error:
        return None, [str(error)]
    return item, list(_blemishes(line, item))


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    item = dict(pairs)
    if len(item) < len(pairs):
        raise ValueError(f"a key occurs twice: {[key for key, _ in pairs]}")
    return item


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


def _blemishes(line: bytes, item: dict[str, Any]) -> Iterator[str]:
    if line.endswith(b"\r"):
        yield "the line ends in CRLF, not in a single line feed"
        line = line[:-1]
    if line.startswith(b"\xef\xbb\xbf"):
        yield "the line starts with a byte order mark"
    elif line != to_line(item).encode(errors="surrogatepass"):
        yield "not written as canonical JSON (spaces, escapes or number form differ)"
