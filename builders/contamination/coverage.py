"""What a scan read of its sources and what it did not: counted with each piece, said in the summary and on the card."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from .kernel.two_numbers import count_numbers, count_numbers_by_line
from .scanner import Texts

LISTED = 1000  # files passed over beyond this many are counted, not named
_SHOWN = 5
_NUMBERS = ("Int", "UInt", "Float", "Decimal", "number", "List", "Array")


@dataclass(slots=True)
class Coverage:
    """What was read of a part of a source.

    ``columns`` are its text columns, ``operations`` the columns that state operations, as ``a, op, b``, and ``used``
    all columns among them; ``unread`` is every other column with its type. ``two_numbers`` counts the rows that hold
    two numbers or yielded a key, ``with_key`` those that did; ``repaired`` bytes that were no UTF-8, ``no_text``
    binary values that are no text.
    """

    columns: list[str] = field(default_factory=list)
    operations: list[str] = field(default_factory=list)
    used: list[str] = field(default_factory=list)
    unread: dict[str, str] = field(default_factory=dict)
    two_numbers: int = 0
    with_key: int = 0
    repaired: int = 0
    no_text: int = 0

    def add(self, other: "Coverage") -> None:
        """Add what was read of another part."""
        self.columns += [name for name in other.columns if name not in self.columns]
        self.operations += [name for name in other.operations if name not in self.operations]
        self.used += [name for name in other.used if name not in self.used]
        for name, kind in other.unread.items():
            known = self.unread.setdefault(name, kind)
            if kind not in known.split(" or "):
                self.unread[name] = f"{known} or {kind}"
        self.two_numbers += other.two_numbers
        self.with_key += other.with_key
        self.repaired += other.repaired
        self.no_text += other.no_text

    def settle(self) -> None:
        """Columns whose numbers were read somewhere as operands are not unread."""
        self.unread = {name: kind for name, kind in self.unread.items() if name not in self.used}

    def as_entry(self) -> dict[str, Any]:
        """What an index's footer says of a source."""
        entry = asdict(self)
        del entry["used"]
        return entry


class RowCounter:
    """Which rows of a block hold two numbers, and which yielded a key."""

    def __init__(self, first: int, rows: int) -> None:
        self._first = first
        self._numbers = np.zeros(rows, np.uint8)
        self._keyed = np.zeros(rows, bool)

    def add_keys(self, rows: np.ndarray) -> None:
        """These rows yielded a key."""
        self._keyed[rows - self._first] = True

    def add_two_numbers(self, rows: np.ndarray) -> None:
        """These rows hold two numbers."""
        self._numbers[rows - self._first] = 2

    def add_texts(self, texts: Texts) -> None:
        """Count the numbers of texts, in rows without a key; all texts of the block were scanned before."""
        self._numbers[self._keyed] = 2
        if texts.by_line:
            for address, length, row in zip(texts.addresses, texts.lengths, texts.rows, strict=True):
                count_numbers_by_line(address, length, row - self._first, self._numbers)
        else:
            count_numbers(texts.addresses, texts.lengths, texts.rows - self._first, self._numbers)

    def totals(self) -> tuple[int, int]:
        """How many rows hold two numbers or yielded a key, and how many yielded one."""
        return int(((self._numbers >= 2) | self._keyed).sum()), int(self._keyed.sum())


def passed_over_summary(entries: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Files passed over, as a footer holds them: how many for which reason, and the names of the first.

    >>> passed_over_summary([("a.png", "extension .png"), ("b.png", "extension .png")])["reasons"]
    {'extension .png': 2}
    """
    reasons, files = dict[str, int](), list[dict[str, str]]()
    for name, reason in entries:
        reasons[reason] = reasons.get(reason, 0) + 1
        if len(files) < LISTED:
            files.append({"name": name, "reason": reason})
    return {"reasons": reasons, "files": files}


def merge_passed_over(summaries: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The summary of several scans as of one."""
    reasons, files = dict[str, int](), list[dict[str, str]]()
    for summary in summaries:
        for reason, count in summary["reasons"].items():
            reasons[reason] = reasons.get(reason, 0) + count
        files += summary["files"]
    return {"reasons": reasons, "files": files[:LISTED]}


def rate(account: Mapping[str, Any]) -> str:
    """How many of the rows with two numbers yielded an expression, in words."""
    totals = account["totals"]
    two, keyed = totals["two_numbers"], totals["with_key"]
    if not two:
        return "no row that was read holds two numbers"
    return f"{keyed:,} of the {two:,} rows that hold two numbers yielded an expression ({_percent(keyed, two)})"


def _percent(part: int, whole: int) -> str:
    """A share that is 100 % or 0 % only where it is.

    >>> _percent(1, 3), _percent(99_999, 100_000), _percent(1, 1_000_000), _percent(0, 5)
    ('33.3 %', 'over 99.9 %', 'under 0.1 %', '0 %')
    """
    if part in (0, whole):
        return "100 %" if part else "0 %"
    share = 100 * part / whole
    return "over 99.9 %" if share > 99.9 else "under 0.1 %" if share < 0.1 else f"{share:.1f} %"


def _holds_numbers(account: Mapping[str, Any]) -> bool:
    kinds = [kind for source in account["sources"] for kind in source["unread"].values()]
    return account["totals"]["two_numbers"] > 0 or any(kind.startswith(_NUMBERS) for kind in kinds)


def warnings(account: Mapping[str, Any]) -> list[str]:
    """Sentences for an index that excludes less than it seems to: it holds nothing, or little for its numbers."""
    totals = account["totals"]
    found = []
    if not totals["distinct"] and _holds_numbers(account):
        found.append(
            "the index holds no expression although its sources hold numbers: it says nothing about any question"
        )
    elif totals["two_numbers"] and 2 * totals["with_key"] < totals["two_numbers"]:
        found.append(f"most rows with numbers yielded nothing: {rate(account)}")
    return found


def _some(names: Iterable[str]) -> str:
    names = list(names)
    more = f" and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more


def not_read(account: Mapping[str, Any]) -> list[str]:
    """What the sources of an index hold that was not read, a phrase for each kind of it; forms of writing aside."""
    lines = []
    columns = dict.fromkeys(
        f"{name} ({kind})" for source in account["sources"] for name, kind in source["unread"].items()
    )
    if columns:
        lines.append(f"columns that are no text and state no operation: {_some(columns)}")
    no_text = sum(source["no_text"] for source in account["sources"])
    if no_text:
        lines.append(f"{no_text:,} binary values that are no text")
    if account["skipped"]:
        failed = (f"{entry['source']} ({entry['reason']})" for entry in account["skipped"])
        lines.append(f"files or folders that could not be read: {_some(failed)}")
    reasons = account["passed_over"]["reasons"]
    if reasons:
        most = sorted(reasons.items(), key=lambda item: (-item[1], item[0]))
        listed = _some(f"{reason}: {count:,}" for reason, count in most)
        lines.append(f"files and folders passed over: {sum(reasons.values()):,} ({listed})")
    without = account["totals"]["two_numbers"] - account["totals"]["with_key"]
    if without:
        lines.append(f"whatever {without:,} rows with two numbers say that yielded no expression")
    return lines


def describe(account: Mapping[str, Any]) -> dict[str, Any]:
    """An index's account with its sentences, for programs."""
    sentences = {"rate": rate(account), "warnings": warnings(account), "not_read": not_read(account)}
    return {**account, **sentences, "remarks": remarks(account)}


def remarks(account: Mapping[str, Any]) -> list[str]:
    """What was read in another way than as it stands: bytes that are no UTF-8, files of the same bytes."""
    lines = []
    repaired = {source["name"]: source["repaired"] for source in account["sources"] if source["repaired"]}
    if repaired:
        lines.append(f"{sum(repaired.values()):,} bytes were no UTF-8 and read as Windows-1252: {_some(repaired)}")
    if account["repeated"]:
        listed = _some(f"{entry['source']} as {entry['same_as']}" for entry in account["repeated"])
        lines.append(f"files of the same bytes as another count once: {listed}")
    return lines
