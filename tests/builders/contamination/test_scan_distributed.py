"""A scan as a datatrove pipeline gives the index of the single-process scan."""

import json
import os
import stat
import subprocess
from pathlib import Path

import pytest
from corpora import make_texts, write_corpus

from arithmark_tasks.builders.contamination.distributed import Cluster, make_pipeline, run_pipeline
from arithmark_tasks.builders.contamination.index import read_account
from arithmark_tasks.builders.contamination.plan import Plan
from arithmark_tasks.builders.contamination.scan import partial_folder, scan
from arithmark_tasks.builders.contamination.sources import find_sources
from arithmark_tasks.generators.errors import InputError


def write_shards(folder: Path) -> str:
    folder.mkdir()
    for number, kind in enumerate(("parquet", "jsonl", "csv.gz", "txt", "jsonl.zst", "parquet")):
        write_corpus(folder / f"{number}.{kind}", make_texts(number, 60))
    return str(folder)


def test_four_local_tasks_give_the_same_bytes_as_one_process(tmp_path: Path) -> None:
    folder = write_shards(tmp_path / "data")
    scan([folder], tmp_path / "one.parquet")
    run_pipeline([folder], tmp_path / "four.parquet", cluster=Cluster("local", tasks=4, workers=4))
    assert (tmp_path / "four.parquet").read_bytes() == (tmp_path / "one.parquet").read_bytes()
    assert not partial_folder(tmp_path / "four.parquet").exists()
    stats = [
        json.loads(path.read_text()) for path in (tmp_path / "four.parquet.logs" / "scan" / "stats").glob("*.json")
    ]
    assert len(stats) == 4


def test_tasks_leave_out_what_an_earlier_run_did(tmp_path: Path) -> None:
    folder = write_shards(tmp_path / "data")
    broken = tmp_path / "data" / "9.jsonl"
    broken.write_text('{"text": "1+2"}\n{', encoding="utf-8")
    cluster = Cluster("local", tasks=2, workers=1)
    with pytest.raises(InputError, match=r"1 of 7 sources cannot be read: .*9\.jsonl \(line 2"):
        run_pipeline([folder], tmp_path / "seen.parquet", cluster=cluster)
    done = {path.name: path.stat().st_mtime_ns for path in partial_folder(tmp_path / "seen.parquet").glob("*.arrow")}
    assert len(done) >= 6
    with pytest.raises(InputError):
        run_pipeline([folder], tmp_path / "seen.parquet", cluster=cluster)
    assert done == {
        path.name: path.stat().st_mtime_ns for path in partial_folder(tmp_path / "seen.parquet").glob("*.arrow")
    }
    run_pipeline([folder], tmp_path / "seen.parquet", skip_bad=True, cluster=cluster)
    assert [entry["source"] for entry in read_account(tmp_path / "seen.parquet")["skipped"]] == [str(broken)]


SBATCH = """#!/usr/bin/env python3
# Stands in for Slurm: runs every task of the submitted script at once, in order, and answers with a job number.
import os, re, subprocess, sys
script = sys.stdin.read() if not os.path.isfile(sys.argv[-1]) else open(sys.argv[-1]).read()
log = os.environ["FAKE_SLURM_LOG"]
number = len(open(log).readlines()) + 1 if os.path.exists(log) else 1
array = re.search(r"--array=0-(\\d+)", script)
command = re.search(r"^srun.*(launch_pickled_pipeline .*)$", script, re.M)
with open(log, "a") as file:
    print(number, array and array[1], " ".join(a for a in sys.argv[1:] if "dependency" in a), file=file)
for task in range(int(array[1]) + 1) if command else ():
    environment = {**os.environ, "SLURM_ARRAY_TASK_ID": str(task), "SLURM_NODELIST": "here", "RUN_OFFSET": "0"}
    subprocess.run(command[1], shell=True, check=True, env=environment, capture_output=True)
print("Submitted batch job", number)
"""


@pytest.mark.slow
def test_slurm_jobs_give_the_same_bytes_and_the_merge_waits_for_the_scan(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_shards(tmp_path / "data")
    scan([folder], tmp_path / "one.parquet")
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "sbatch").write_text(SBATCH, encoding="utf-8")
    (tools / "sbatch").chmod(stat.S_IRWXU)
    (tools / "scontrol").write_text("#!/bin/sh\necho here\n", encoding="utf-8")
    (tools / "scontrol").chmod(stat.S_IRWXU)
    scripts = Path(subprocess.sys.executable).parent
    monkeypatch.setenv("PATH", f"{tools}{os.pathsep}{scripts}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("FAKE_SLURM_LOG", str(tmp_path / "jobs"))
    out = tmp_path / "slurm.parquet"
    run_pipeline([folder], out, cluster=Cluster("slurm", tasks=3, workers=0, partition="p", time="1:00:00"))
    assert out.read_bytes() == (tmp_path / "one.parquet").read_bytes()
    jobs = (tmp_path / "jobs").read_text(encoding="utf-8").splitlines()
    assert jobs[0].split()[:2] == ["1", "2"]
    assert any("--dependency=afterok:1" in job for job in jobs)


@pytest.mark.parametrize("executor", ["local", "slurm", "ray"])
def test_every_executor_is_given_the_shares_and_the_merge_that_depends_on_them(executor: str, tmp_path: Path) -> None:
    plan = Plan.make(find_sources([write_shards(tmp_path / "data")]), [], tmp_path / "parts")
    cluster = Cluster(executor, tasks=5, workers=2, partition="big", time="10:00:00", memory=7)
    merge = make_pipeline(plan, tmp_path / "seen.parquet", skip_bad=False, cluster=cluster)
    assert type(merge).__name__.lower().startswith(executor)
    assert (merge.world_size, merge.depends.world_size) == (1, 5)
    assert [step.name for step in (*merge.depends.pipeline, *merge.pipeline)] == ["expressions", "seen-index"]
    if executor == "slurm":
        assert (merge.partition, merge.time, merge.mem_per_cpu_gb) == ("big", "10:00:00", 7)


def test_an_unknown_executor_is_an_error(tmp_path: Path) -> None:
    plan = Plan((), (), (), tmp_path)
    with pytest.raises(ValueError, match="no executor 'cloud'"):
        make_pipeline(plan, tmp_path / "seen.parquet", skip_bad=False, cluster=Cluster("cloud"))
