"""How many threads to compute with: measured, because more is slower by far on a small machine that others use too."""

import time
from collections.abc import Callable
from typing import Any

import torch

from ..builders.machine import processors


def choose_threads(step: Callable[[], object], repeats: int = 6) -> int:
    """The fastest of one thread and all cores this process may use, timed on the caller's own ``step``.

    More threads must win clearly: when another program takes a core, threads that wait for each other at every
    operation lose more than they ever gained. The count stays set in torch.
    """
    available = processors()
    if available == 1:
        torch.set_num_threads(1)
        return 1
    candidates = sorted({1, min(available, 8)})
    times = {}
    for count in candidates:
        torch.set_num_threads(count)
        step()
        times[count] = max(_timed(step) for _ in range(repeats))
    best = candidates[-1] if times[candidates[-1]] < 0.8 * times[1] else 1
    torch.set_num_threads(best)
    return best


def choose_for_generation(model: Any) -> None:
    """Set the thread count for greedy decoding by a forward pass of the model; nothing to do off the CPU."""
    if model.device.type == "cpu":
        ids = torch.zeros(64, 8, dtype=torch.long)
        with torch.no_grad():
            choose_threads(lambda: model(ids), repeats=3)


def _timed(step: Callable[[], object]) -> float:
    start = time.perf_counter()
    step()
    return time.perf_counter() - start
