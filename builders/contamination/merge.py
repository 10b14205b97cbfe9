"""Merge sorted runs into one, a block of each at a time: memory grows with the number of runs, not their length."""

import queue
import threading
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from .kernel.table import fold_rows
from .partial import RUN_BLOCK, read_run, write_run

_FAN_IN = 200  # runs merged at a time: some systems allow a process 256 open files
_STEP = 1 << 20  # rows that one step of a merge takes at most, 42 MB


def _rows_up_to(block: np.ndarray, key: int, right: int) -> int:
    """How many rows of a sorted block are not greater than a key."""
    low = int(np.searchsorted(block[0], key, side="left"))
    high = int(np.searchsorted(block[0], key, side="right"))
    return low + int(np.searchsorted(block[1, low:high], right, side="right"))


def merge_runs(runs: Sequence[Iterator[np.ndarray]]) -> Iterator[np.ndarray]:
    """Blocks of the merged run; rows of one key are folded into one."""
    held: list[tuple[np.ndarray, Iterator[np.ndarray]]] = []
    for run in runs:
        held += [(block, run) for block in [next(run, None)] if block is not None]
    while len(held) > 1:
        key, right = min((int(block[0, -1]), int(block[1, -1])) for block, _ in held)
        taken, kept = [], []
        for block, run in held:
            count = _rows_up_to(block, key, right)
            taken.append(block[:, :count])
            rest: np.ndarray | None = block[:, count:] if count < block.shape[1] else next(run, None)
            if rest is not None:
                kept.append((rest, run))
        held = kept
        yield fold_rows(np.concatenate(taken, axis=1))
    for block, run in held:
        yield block
        yield from run


def merge_files(files: Sequence[tuple[Path, int]], folder: Path) -> Iterator[np.ndarray]:
    """The merged blocks of run files, each with the offset of its positions.

    Many runs are first merged by groups into longer runs in ``folder``.
    """
    level, rows = 0, max(1, min(RUN_BLOCK, _STEP // min(_FAN_IN, max(1, len(files)))))
    while len(files) > _FAN_IN:
        longer = []
        for start in range(0, len(files), _FAN_IN):
            path = folder / f"merged-{level:02d}-{start:06d}.arrow"
            write_run(path, merge_runs([read_run(*file, rows) for file in files[start : start + _FAN_IN]]))
            longer.append((path, 0))
        files, level = longer, level + 1
    yield from merge_runs([read_run(*file, rows) for file in files])


def read_ahead(blocks: Iterable[np.ndarray], depth: int = 2) -> Iterator[np.ndarray]:
    """The same blocks, made in another thread while the caller works on those before."""
    waiting: queue.Queue[np.ndarray | BaseException | None] = queue.Queue(depth)
    stopped = threading.Event()

    def produce() -> None:
        try:
            for block in blocks:
                waiting.put(block)
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
