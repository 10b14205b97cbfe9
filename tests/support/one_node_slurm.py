"""A real Slurm on this one machine, from Debian's ``slurm-wlm`` and ``munge``, in a folder of its own."""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "srun", "squeue")
_CONFIGURATION = """\
ClusterName=tests
SlurmctldHost={host}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CryptoType=crypto/munge
SlurmUser=root
SlurmdUser=root
SlurmctldPort={controller}
SlurmdPort={daemon}
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
SlurmdSpoolDir={folder}/spool
StateSaveLocation={folder}/state
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=1,batch_sched_delay=0
KillWait=2
MinJobAge=60
NodeName={host} CPUs={processors} RealMemory=8000 State=UNKNOWN
PartitionName=cpu Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def missing() -> str:
    """Why Slurm cannot be run here, empty where it can."""
    absent = [name for name in PROGRAMS if shutil.which(name) is None]
    if absent:
        return f"{', '.join(absent)} not installed (apt-get install slurm-wlm munge)"
    return "" if os.getuid() == 0 else "the daemons of Slurm are started as root"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def one_node_slurm(folder: Path) -> Iterator[Path]:
    """Start munge and Slurm with all their files in ``folder``; the configuration to put into ``SLURM_CONF``."""
    for name in ("spool", "state"):
        (folder / name).mkdir(parents=True)
    (folder / "munge.key").write_bytes(os.urandom(128))
    (folder / "munge.key").chmod(0o400)
    folder.chmod(0o755)
    configuration = folder / "slurm.conf"
    ports = {"controller": _free_port(), "daemon": _free_port()}
    text = _CONFIGURATION.format(host=socket.gethostname(), folder=folder, processors=os.cpu_count(), **ports)
    configuration.write_text(text, encoding="utf-8")
    files = {"key": "munge.key", "socket": "munge.socket", "pid": "munge.pid", "log": "munge.log", "seed": "munge.seed"}
    options = [f"--{name}{'' if name == 'socket' else '-file'}={folder / file}" for name, file in files.items()]
    commands = (
        ["munged", "--foreground", "--force", "--num-threads=1", *options],
        ["slurmctld", "-D", "-f", str(configuration)],
        ["slurmd", "-D", "-f", str(configuration)],
    )
    daemons: list[subprocess.Popen[bytes]] = []
    try:
        for command in commands:
            log = (folder / f"{command[0]}.out").open("wb")
            daemons.append(subprocess.Popen(command, stdout=log, stderr=log))
            time.sleep(1)
        _wait_until_idle(configuration)
        yield configuration
    finally:
        for daemon in reversed(daemons):
            daemon.terminate()
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()


def _wait_until_idle(configuration: Path) -> None:
    deadline = time.monotonic() + 60
    state = ""
    while "idle" not in state:
        if time.monotonic() > deadline:
            logs = "\n".join(log.read_text(errors="replace")[-2000:] for log in configuration.parent.glob("*.out"))
            raise RuntimeError(f"Slurm does not come up: {state}\n{logs}")
        time.sleep(0.5)
        command = ["sinfo", "-h", "-o", "%T"]
        environment = {**os.environ, "SLURM_CONF": str(configuration)}
        result = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
        state = result.stdout + result.stderr
