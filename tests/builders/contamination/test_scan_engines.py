"""The engines that run a distributed scan, really run: Ray on this machine, one worker killed; Slurm on this node."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import psutil
import pytest
from corpora import make_texts, write_corpus
from one_node_slurm import missing, one_node_slurm

from arithmark_tasks.builders.contamination.distributed import Cluster, run_pipeline
from arithmark_tasks.builders.contamination.scan import partial_folder, scan

pytestmark = pytest.mark.slow


@pytest.fixture
def corpus(tmp_path: Path) -> str:
    folder = tmp_path / "data"
    folder.mkdir()
    for number, kind in enumerate(("parquet", "jsonl", "csv.gz", "txt", "jsonl.zst", "parquet", "html", "md")):
        write_corpus(folder / f"{number}.{kind}", make_texts(number, 60))
    scan([str(folder)], tmp_path / "one.parquet")
    return str(folder)


@pytest.fixture
def local_ray() -> Iterator[None]:
    ray = pytest.importorskip("ray")
    try:
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    except Exception as error:  # a machine without shared memory, or one that forbids servers
        pytest.skip(f"Ray does not start here: {error}")
    yield
    ray.shutdown()


@pytest.fixture
def slurm(tmp_path: Path) -> Iterator[Path]:
    if missing():
        pytest.skip(missing())
    with ExitStack() as stack:
        try:
            configuration = stack.enter_context(one_node_slurm(tmp_path / "slurm"))
        except (RuntimeError, OSError) as error:
            pytest.skip(f"Slurm does not start here: {error}")
        yield configuration


def kill_one_task() -> list[int]:
    """The process of a Ray worker that is in its task, and those it started, once they are killed."""
    deadline = time.monotonic() + 600
    while time.monotonic() < deadline:
        with suppress(psutil.NoSuchProcess):
            for process in psutil.Process().children(recursive=True):
                started = process.children(recursive=True)
                if "run_for_rank" in " ".join(process.cmdline()) and started:
                    for one in (process, *started):
                        one.kill()
                    return [process.pid, *(one.pid for one in started)]
        time.sleep(0.02)
    return []


@pytest.mark.timeout(1200)
def test_ray_gives_the_same_bytes_when_a_worker_is_killed_in_its_task(
    corpus: str, local_ray: None, tmp_path: Path
) -> None:
    out = tmp_path / "ray.parquet"
    killed: list[int] = []
    killer = threading.Thread(target=lambda: killed.extend(kill_one_task()))
    killer.start()
    run_pipeline([corpus], out, cluster=Cluster("ray", tasks=4, workers=2, memory=1))
    killer.join()
    assert killed
    assert out.read_bytes() == (tmp_path / "one.parquet").read_bytes()
    assert not partial_folder(out).exists()


@pytest.mark.timeout(1200)
def test_slurm_on_one_node_gives_the_same_bytes(
    corpus: str, slurm: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "slurm.parquet"
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("SLURM_CONF", str(slurm))
    run_pipeline([corpus], out, cluster=Cluster("slurm", tasks=3, workers=2, time="00:10:00", memory=1))
    deadline = time.monotonic() + 900
    while not out.exists() and time.monotonic() < deadline:
        time.sleep(1)
    queue = subprocess.run(["squeue", "-o", "%i %j %T %r"], capture_output=True, text=True, check=True).stdout
    logs = "".join(path.read_text(errors="replace")[-1500:] for path in tmp_path.rglob("*.out"))
    assert out.exists(), f"{queue}\n{logs}"
    assert out.read_bytes() == (tmp_path / "one.parquet").read_bytes()
