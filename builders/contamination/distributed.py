"""A scan as a datatrove pipeline (extra ``distributed``): tasks scan their share of the pieces, a last one merges.

Tasks meet only in the folder of partial results, which all machines must see. A unit of work that is done is not done
again, so a pipeline that was stopped, or lost tasks, is started again with the same command.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...generators.errors import InputError
from ..files import write_json
from .plan import Plan, finish, read_failures, run_unit
from .scan import claim
from .scanner import warm_up
from .sources import find_sources

try:
    from datatrove.executor.base import PipelineExecutor
    from datatrove.executor.local import LocalPipelineExecutor
    from datatrove.executor.ray import RayPipelineExecutor
    from datatrove.executor.slurm import SlurmPipelineExecutor
    from datatrove.pipeline.base import PipelineStep
except ImportError as error:
    raise InputError("a distributed scan needs datatrove: pip install datatrove") from error

_MERGE_ERROR = "merge-error.json"


@dataclass(frozen=True, slots=True)
class Cluster:
    """Where and in how many tasks a scan runs.

    ``executor`` is ``local``, ``slurm`` or ``ray``; ``workers`` the number of tasks at a time, on Slurm and Ray 0 for
    as many as there are; ``memory`` GB per task; ``logs`` the folder of the tasks' logs, beside the index by default.
    """

    executor: str = "local"
    tasks: int = 1
    workers: int = 1
    partition: str = "cpu"
    time: str = "04:00:00"
    memory: int = 4
    logs: Path | None = None


class ScanShare(PipelineStep):
    """Scans every ``world_size``-th unit of a plan, from number ``rank`` on."""

    type = "SCAN"
    name = "expressions"

    def __init__(self, plan: Plan) -> None:
        super().__init__()
        self.plan = plan

    def run(self, data: Any, rank: int = 0, world_size: int = 1) -> Iterator[Any]:
        """Do this task's share; a source that cannot be read is noted for the last task."""
        warm_up()
        for unit in list(self.plan.units())[rank::world_size]:
            if not self.plan.is_done(unit):
                with self.track_time("unit"):
                    failure = run_unit(self.plan, unit, self._count)
                self.plan.note_failure(unit, failure)
                self.stat_update("failed" if failure else "done")
        yield from data or ()

    def _count(self, rows: int, size: int) -> None:
        self.stat_update("rows", value=rows)


class MergeShares(PipelineStep):
    """Merges what the tasks of a plan left, as the single-process scan does."""

    type = "MERGE"
    name = "seen-index"

    def __init__(self, plan: Plan, out: Path, skip_bad: bool, raises: bool) -> None:
        super().__init__()
        self.plan, self.out, self.skip_bad, self.raises = plan, out, skip_bad, raises

    def run(self, data: Any, rank: int = 0, world_size: int = 1) -> Iterator[Any]:
        """Write the index; an error is kept for the process that started the pipeline, or raised on Slurm."""
        warm_up()
        try:
            finish(self.plan, self.out, read_failures(self.plan), self.skip_bad)
        except InputError as error:
            write_json(self.plan.folder / _MERGE_ERROR, str(error))
            if self.raises:
                raise
        yield from data or ()


def _local(steps: list[PipelineStep], cluster: Cluster, **options: Any) -> PipelineExecutor:
    return LocalPipelineExecutor(steps, workers=cluster.workers, **options)


def _slurm(steps: list[PipelineStep], cluster: Cluster, **options: Any) -> PipelineExecutor:
    activate = Path(sys.prefix) / "bin" / "activate"
    return SlurmPipelineExecutor(
        steps,
        time=cluster.time,
        partition=cluster.partition,
        mem_per_cpu_gb=cluster.memory,
        workers=cluster.workers or -1,
        job_name=f"arithmark-{steps[0].type.lower()}",
        qos="",
        venv_path=str(activate) if activate.is_file() else None,
        **options,
    )


def _ray(steps: list[PipelineStep], cluster: Cluster, **options: Any) -> PipelineExecutor:
    return RayPipelineExecutor(steps, workers=cluster.workers or -1, mem_per_cpu_gb=cluster.memory, **options)


_EXECUTORS = {"local": _local, "slurm": _slurm, "ray": _ray}


def make_pipeline(plan: Plan, out: Path, *, skip_bad: bool, cluster: Cluster) -> PipelineExecutor:
    """The executor of the last task; those it depends on start with it. ``ValueError`` for an unknown executor."""
    if cluster.executor not in _EXECUTORS:
        raise ValueError(f"no executor {cluster.executor!r}: {' '.join(_EXECUTORS)}")
    make = _EXECUTORS[cluster.executor]
    logs = (cluster.logs or out.with_name(f"{out.name}.logs")).resolve()
    merge = MergeShares(plan, out, skip_bad, raises=cluster.executor == "slurm")
    # Which units are done is seen from their files, so datatrove's own record of finished tasks is not asked.
    scanning = make(
        [ScanShare(plan)], cluster, tasks=cluster.tasks, logging_dir=str(logs / "scan"), skip_completed=False
    )
    return make([merge], cluster, tasks=1, logging_dir=str(logs / "merge"), skip_completed=False, depends=scanning)


def run_pipeline(
    arguments: Sequence[str], out: Path, *, columns: Sequence[str] = (), skip_bad: bool = False, cluster: Cluster
) -> None:
    """Scan sources as ``cluster`` says; the same index as the single-process scan writes.

    Returns when the index is written, on Slurm when the jobs are submitted. ``InputError`` as for ``scan``.
    """
    out = out.resolve()
    found = find_sources(arguments, out)
    with claim(out) as folder:
        (folder / _MERGE_ERROR).unlink(missing_ok=True)
        _run(Plan.make(found, columns, folder), out, skip_bad, cluster)


def _run(plan: Plan, out: Path, skip_bad: bool, cluster: Cluster) -> None:
    warm_up()  # compiled once here, not by every task at the same time
    try:
        make_pipeline(plan, out, skip_bad=skip_bad, cluster=cluster).run()
    except ImportError as error:
        raise InputError(f"the {cluster.executor} executor is not installed: {error}") from error
    except FileNotFoundError as error:
        if error.filename != "sbatch":
            raise
        raise InputError("there is no sbatch here: start the scan where Slurm jobs are submitted") from error
    if (plan.folder / _MERGE_ERROR).is_file():
        raise InputError(json.loads((plan.folder / _MERGE_ERROR).read_text(encoding="utf-8")))
