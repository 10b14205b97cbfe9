"""What the account of an index says in sentences: how much was read, what was not, and where it excludes nothing."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

Account = Mapping[str, Any]

LISTED = 1000  # files passed over beyond this many are counted, not named
_SHOWN = 5
_COUNTED = {"rows": "rows", "two_numbers": "rows with two numbers", "with_key": "rows with an expression"}
_DIGEST = re.compile("[0-9a-f]{64}")
_NUMBERS = ("Int", "UInt", "Float", "Decimal", "number")


def combine(accounts: Sequence[Account], distinct: int) -> dict[str, Any]:
    """Several accounts as one, for its sentences; ``distinct`` counts the union of their expressions."""
    totals = {name: sum(account["totals"][name] for account in accounts) for name in _COUNTED}
    lists = {name: [entry for one in accounts for entry in one[name]] for name in ("sources", "skipped", "repeated")}
    forms = dict.fromkeys(form for account in accounts for form in account["policy"]["not_read"])
    return {
        **lists,
        "totals": {**totals, "distinct": distinct},
        "passed_over": merge_passed_over(account["passed_over"] for account in accounts),
        "policy": {"not_read": list(forms)},
    }


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


def rate(account: Account) -> str:
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


def _holds_numbers(source: Mapping[str, Any]) -> bool:
    return source["two_numbers"] > 0 or any(kind.startswith(_NUMBERS) for kind in source["unread"].values())


def warnings(account: Account) -> list[str]:
    """Sentences for an index that excludes less than it seems to: it holds nothing, or little for its numbers."""
    totals = account["totals"]
    silent = [source["name"] for source in account["sources"] if _holds_numbers(source) and not source["with_key"]]
    if not totals["distinct"] and silent:
        nothing = "it says nothing about any question"
        return [f"the index holds no expression although its sources hold numbers: {nothing}"]
    found = [f"sources that hold numbers and yielded no expression: {_some(silent)}"] if silent else []
    if totals["two_numbers"] and 2 * totals["with_key"] < totals["two_numbers"]:
        found.append(f"most rows with numbers yielded nothing: {rate(account)}")
    return found


def _some(names: Iterable[str]) -> str:
    names = list(names)
    more = f" and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more


def not_read(account: Account) -> list[str]:
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


def describe(account: Account) -> dict[str, Any]:
    """An index's account with its sentences, for programs."""
    sentences = {"rate": rate(account), "warnings": warnings(account), "not_read": not_read(account)}
    return {**account, **sentences, "remarks": remarks(account)}


def remarks(account: Account) -> list[str]:
    """What was read in another way than as it stands: bytes that are no UTF-8, files of the same bytes."""
    lines = []
    repaired = {source["name"]: source["repaired"] for source in account["sources"] if source["repaired"]}
    if repaired:
        lines.append(f"{sum(repaired.values()):,} bytes were no UTF-8 and read as Windows-1252: {_some(repaired)}")
    if account["repeated"]:
        listed = _some(f"{entry['source']} as {entry['same_as']}" for entry in account["repeated"])
        lines.append(f"files of the same bytes as another count once: {listed}")
    return lines


def contradictions(account: Account) -> Iterator[str]:
    """Where an account contradicts itself: counts that do not add up, one file twice, rules of another scanner.

    ``KeyError`` or ``TypeError`` for an account that is not of the known form.
    """
    totals = account["totals"]
    for name, meaning in _COUNTED.items():
        summed = sum(source[name] for source in account["sources"])
        if summed != totals[name]:
            yield f"its sources have {summed:,} {meaning}, its totals say {totals[name]:,}"
    for where, counts in [*((source["name"], source) for source in account["sources"]), ("totals", totals)]:
        if not 0 <= counts["with_key"] <= counts["two_numbers"] <= counts["rows"]:
            yield f"{where}: rows with an expression, with two numbers and all rows are not in this order of size"
    if sum(totals["surfaces"].values()) != totals["occurrences"]:
        yield "the occurrences by surface form do not add up to all occurrences"
    if not totals["distinct"] <= totals["occurrences"] or bool(totals["distinct"]) != bool(totals["with_key"]):
        yield "distinct expressions, occurrences and rows with an expression contradict each other"
    files = [source["sha256"] for source in account["sources"] if source["size"]]
    if len(set(files)) < len(files) or not all(_DIGEST.fullmatch(digest) for digest in files):
        yield "the SHA-256 of its sources are not one for each file"
    if set(totals["surfaces"]) != set(account["policy"]["surfaces"]) or not account["policy"]["not_read"]:
        yield "its policy does not say what it counted and what it did not read"
