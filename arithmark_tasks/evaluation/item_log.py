"""The answers of a run as they come, beside its result file, so that a killed run goes on where it was.

``R.json.items.jsonl`` (and ``R.json.items.1.jsonl`` of the second process, and so on) begins with a line that says what
gave the answers; each further line is one request, by the SHA-256 of its text, and its answer. Items, tasks, shots and
templates all show in the text of a request, so a run may ask for other items than the last one and still use its log.
"""

import glob
import json
import os
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TextIO

from filelock import FileLock, Timeout

from ..generators.errors import InputError
from ..generators.jsonl import parse_object

SYNC_SECONDS = 1.0


class ItemLog:
    """The answers known so far, by request, in memory and on disk.

    With ``out`` None nothing is written. ``scorer`` is everything that an answer depends on beside the request. What
    another scorer left is refused with an ``InputError``, or dropped with ``restart``; so is a log that another run is
    writing now.
    """

    def __init__(self, out: Path | None, scorer: Mapping[str, Any], *, process: int = 0, restart: bool = False) -> None:
        self.answers: dict[str, Any] = {}
        self._pending: list[str] = []
        self._synced = 0.0
        self._file: TextIO | None = None
        self._lock: FileLock | None = None
        if out is None:
            return
        out.parent.mkdir(parents=True, exist_ok=True)
        self._lock = _locked(log_path(out, process))
        try:
            self._open(out, scorer, process, restart)
        except BaseException:
            self.close()
            raise

    def _open(self, out: Path, scorer: Mapping[str, Any], process: int, restart: bool) -> None:
        own = log_path(out, process)
        for path in log_paths(out):
            content = path.read_bytes()
            whole = content[: content.rfind(b"\n") + 1]  # without a line that was cut short by the end of its process
            answers = _read(path, whole, scorer, drop=restart)
            self.answers |= answers or {}
            if path == own and answers is None:
                path.unlink()
            elif path == own and len(whole) < len(content):
                os.truncate(path, len(whole))
        begun = own.exists()
        self._file = own.open("a", encoding="utf-8", newline="\n")
        if not begun:
            self._pending.append(json.dumps({"scorer": scorer}))
            self.commit()

    def add(self, key: str, answer: Any) -> None:
        """Keep an answer; ``commit`` writes it."""
        if key not in self.answers:
            self.answers[key] = answer
            self._pending.append(json.dumps({"key": key, "answer": answer}, ensure_ascii=False))

    def commit(self, *, sync: bool = False) -> None:
        """Write what was added since the last time; at most a second of it is lost when the power fails."""
        if self._file is None or not self._pending:
            return
        self._file.write("".join(line + "\n" for line in self._pending))
        self._file.flush()
        self._pending.clear()
        if sync or time.monotonic() - self._synced > SYNC_SECONDS:
            os.fsync(self._file.fileno())
            self._synced = time.monotonic()

    def close(self) -> None:
        """Write everything and let go of the file."""
        self.commit(sync=True)
        if self._file is not None:
            self._file.close()
        if self._lock is not None:
            self._lock.release()
            Path(self._lock.lock_file).unlink(missing_ok=True)


def log_path(out: Path, process: int = 0) -> Path:
    """Where one process of a run keeps its answers.

    >>> str(log_path(Path("r.json"))), str(log_path(Path("r.json"), 1))
    ('r.json.items.jsonl', 'r.json.items.1.jsonl')
    """
    return out.with_name(f"{out.name}.items{f'.{process}' if process else ''}.jsonl")


def log_paths(out: Path) -> list[Path]:
    """The logs beside a result file, of however many processes there were."""
    return sorted(out.parent.glob(f"{glob.escape(out.name)}.items*.jsonl"))


def _locked(path: Path) -> FileLock:
    lock = FileLock(f"{path}.lock", timeout=0)
    try:
        lock.acquire()
    except Timeout:
        raise InputError("another run is writing this log now", file=path) from None
    return lock


def _read(path: Path, content: bytes, scorer: Mapping[str, Any], *, drop: bool) -> dict[str, Any] | None:
    """The answers in a log, or None when there is no use for it."""
    lines = _objects(path, content)
    found = next(lines, None)
    if found is None:
        return None
    other = found.get("scorer")
    if other != scorer:
        if drop:
            return None
        raise InputError(f"{_difference(other, scorer)}; use --force to drop it, or another --out", file=path)
    return {entry["key"]: entry["answer"] for entry in lines}


def _objects(path: Path, content: bytes) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(content.split(b"\n")[:-1], start=1):
        try:
            entry = parse_object(line)
            if entry.keys() not in ({"scorer"}, {"key", "answer"}) or ("scorer" in entry) != (number == 1):
                raise ValueError
        except ValueError:
            raise InputError(f"not a line of a log: {line[:60]!r}", file=path, line=number) from None
        yield entry


def _difference(found: Any, wanted: Mapping[str, Any]) -> str:
    if not isinstance(found, Mapping):
        return "not a log of answers"
    for name in wanted:
        if found.get(name) != wanted[name]:
            return f"answers of another run, with {name} {found.get(name)!r} instead of {wanted[name]!r}"
    return "answers of another run"
