"""Timed runs that know whether the machine was theirs."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import psutil

MOST_FOREIGN, MOST_STOLEN = 0.04, 0.06  # shares of all processor time during a run


@dataclass(frozen=True, slots=True)
class Run:
    """Wall and own processor seconds, and what other processes and the hypervisor took of the processors meanwhile."""

    seconds: float
    cpu: float
    foreign: float
    stolen: float

    @property
    def quiet(self) -> bool:
        """Whether the machine was ours."""
        return self.foreign <= MOST_FOREIGN and self.stolen <= MOST_STOLEN


def timed(action: Callable[[], Any]) -> tuple[Run, Any]:
    """Run ``action`` and look at the processors before and after."""
    before, own, start = psutil.cpu_times(), time.process_time(), time.perf_counter()
    result = action()
    seconds, cpu, after = time.perf_counter() - start, time.process_time() - own, psutil.cpu_times()
    spent = {name: getattr(after, name) - getattr(before, name) for name in after._fields}
    total = sum(spent.values()) or 1.0
    stolen, idle = spent.get("steal", 0.0), spent["idle"] + spent.get("iowait", 0.0)
    return Run(seconds, cpu, max(0.0, total - idle - stolen - cpu) / total, stolen / total), result


def compete(actions: dict[str, Callable[[], Any]], rounds: int) -> tuple[dict[str, list[Run]], dict[str, Any]]:
    """All actions one after the other, in the other order every second round: their runs, and their last results.

    A round in which one run was disturbed is repeated, as often as there are rounds; if no round was quiet, the
    disturbed ones are returned.
    """
    kept: list[dict[str, Run]] = []
    disturbed: list[dict[str, Run]] = []
    results: dict[str, Any] = {}
    while len(kept) < rounds and len(disturbed) <= rounds:
        names = list(actions) if (len(kept) + len(disturbed)) % 2 == 0 else list(actions)[::-1]
        done = {name: timed(actions[name]) for name in names}
        results = {name: result for name, (_, result) in done.items()}
        runs = {name: run for name, (run, _) in done.items()}
        (kept if all(run.quiet for run in runs.values()) else disturbed).append(runs)
    return {name: [runs[name] for runs in kept or disturbed] for name in actions}, results
