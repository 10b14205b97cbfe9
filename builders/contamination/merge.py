"""Merge sorted runs into one, a block of each at a time: memory grows with the number of runs, not their length."""

import queue
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import numpy as np

from .kernel.table import fold_rows
from .runs import read_run, write_run

_FAN_IN = 200  # runs merged at a time: some systems allow a process 256 open files
_STEP = 1 << 18  # rows held to cut from, 10 MB


T = TypeVar("T")


def _rows_up_to(block: np.ndarray, key: int, right: int) -> int:
    """How many rows of a sorted block are not greater than a key."""
    low = int(np.searchsorted(block[0], key, side="left"))
    high = int(np.searchsorted(block[0], key, side="right"))
    return low + int(np.searchsorted(block[1, low:high], right, side="right"))


class _Run:
    """A run that is read a piece at a time; ``held`` are its next rows, ``None`` at its end."""

    def __init__(self, blocks: Iterator[np.ndarray]) -> None:
        self._blocks = blocks
        self.held: np.ndarray | None = None

    def fill(self, rows: int) -> bool:
        """Read until ``rows`` rows are held, or all that are left; whether there are any."""
        parts = [] if self.held is None else [self.held]
        count = sum(part.shape[1] for part in parts)
        while count < rows and (block := next(self._blocks, None)) is not None:
            parts.append(block)
            count += block.shape[1]
        self.held = np.concatenate(parts, axis=1) if len(parts) > 1 else parts[0] if parts else None
        return self.held is not None and count > 0

    def take(self, count: int) -> np.ndarray:
        """The next ``count`` rows."""
        if self.held is None:
            raise ValueError("a run that was not filled")
        taken, self.held = self.held[:, :count], self.held[:, count:]
        return taken


def cut_runs(runs: Sequence[Iterator[np.ndarray]]) -> Iterator[np.ndarray]:
    """The rows of several runs in ranges of keys: each block holds all rows of one range, run after run."""
    waiting = [_Run(run) for run in runs]
    rows = max(1, _STEP // max(1, len(waiting)))
    # All runs are filled again before each cut. They then begin at the same key and reach about equally far, so that
    # a cut takes most of what is held; without that it would take one block, however many runs there are.
    while waiting := [run for run in waiting if run.fill(rows)]:
        held = [run.held for run in waiting if run.held is not None]
        key, right = min((int(block[0, -1]), int(block[1, -1])) for block in held)
        counts = [_rows_up_to(block, key, right) for block in held]
        # A copy: views of what each run holds would keep all of it in memory until they are folded.
        yield np.concatenate([run.take(count) for run, count in zip(waiting, counts, strict=True)], axis=1)


def merge_runs(runs: Sequence[Iterator[np.ndarray]], threads: int = 2) -> Iterator[np.ndarray]:
    """Blocks of the merged run; rows of one key are folded into one.

    The runs are read and cut in one thread, ranges of keys folded in ``threads`` others, while the caller works on
    those before.
    """
    if len(runs) == 1:
        yield from runs[0]
        return
    with ThreadPoolExecutor(threads) as pool:
        folding: deque[Future[np.ndarray]] = deque()
        for block in read_ahead(cut_runs(runs)):
            folding.append(pool.submit(fold_rows, block))
            if len(folding) > threads:
                yield folding.popleft().result()
        for future in folding:
            yield future.result()


def merge_files(files: Sequence[tuple[Path, int]], folder: Path) -> Iterator[np.ndarray]:
    """The merged blocks of run files, each with the offset of its positions.

    Many runs are first merged by groups into longer runs in ``folder``.
    """
    level = 0
    while len(files) > _FAN_IN:
        longer = []
        for start in range(0, len(files), _FAN_IN):
            path = folder / f"merged-{level:02d}-{start:06d}.arrow"
            write_run(path, merge_runs([read_run(*file) for file in files[start : start + _FAN_IN]]))
            longer.append((path, 0))
        files, level = longer, level + 1
    yield from merge_runs([read_run(*file) for file in files])


def read_ahead(items: Iterable[T], depth: int = 2) -> Iterator[T]:
    """The same items, made in another thread while the caller works on those before."""
    waiting: queue.Queue[T | BaseException | None] = queue.Queue(depth)
    stopped = threading.Event()

    def produce() -> None:
        try:
            for item in items:
                waiting.put(item)
                if stopped.is_set():
                    return
            waiting.put(None)
        except BaseException as error:  # handed to the caller, who raises it
            waiting.put(error)

    threading.Thread(target=produce, daemon=True).start()
    try:
        while (item := waiting.get()) is not None:
            if isinstance(item, BaseException):
                raise item
            yield item
    finally:
        stopped.set()
        while not waiting.empty():  # lets a thread that waits for room go on to see that it is stopped
            waiting.get_nowait()
