"""Runs examples/slurm-extract.sbatch as an array of eight on a Slurm cluster of this machine alone.

    slurm_test.py KINEMA CLIPS [--videos N]

Needs root, and slurm-wlm and munge. While the array runs, the process of one task is killed, and
another task is requeued; one video kills every process that reads it. Every video must have one row,
and the same poses as on a single machine.
"""

import argparse
import os
import shutil
import socket
import subprocess
import tempfile
from contextlib import ExitStack
from pathlib import Path

from faults import Faults, check, kill, make_videos, read_index, single_machine, waited

ROOT = Path(__file__).resolve().parents[2]
TASKS = 8

CONFIGURATION = """\
ClusterName=kinema
SlurmctldHost={host}
SlurmUser=root
SlurmctldPort={port}
SlurmdPort={node_port}
AuthType=auth/munge
AuthInfo=socket={work}/munge.socket
CredType=cred/munge
StateSaveLocation={work}/state
SlurmdSpoolDir={work}/spool
SlurmctldPidFile={work}/slurmctld.pid
SlurmdPidFile={work}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
SlurmdParameters=config_overrides
ReturnToService=2
MinJobAge=3600
NodeName={host} NodeAddr=127.0.0.1 CPUs={processors} RealMemory=16000 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("kinema")
    parser.add_argument("clips", type=Path)
    parser.add_argument("--videos", type=int, default=16)
    options = parser.parse_args()
    os.environ["KINEMA"] = options.kinema

    with tempfile.TemporaryDirectory() as temporary, ExitStack() as stack:
        work = Path(temporary)
        folder, output = work / "videos", work / "extracted"
        videos = make_videos(folder, options.clips, options.videos)
        output.mkdir()
        single = single_machine(options.kinema, work, options.clips)
        start_cluster(work, stack)

        requeued: list[str] = []

        def requeue(process: int) -> None:
            variables = Path(f"/proc/{process}/environ").read_bytes().decode().split("\0")
            values = dict(variable.split("=", 1) for variable in variables if "=" in variable)
            task = f"{values['SLURM_ARRAY_JOB_ID']}_{values['SLURM_ARRAY_TASK_ID']}"
            slurm("scontrol", "requeue", task)
            requeued.append(task)

        faults = Faults(folder, output, {"task": kill, "requeue": requeue})
        faults.start()
        script = ROOT / "examples" / "slurm-extract.sbatch"
        job = slurm(
            "sbatch", "--parsable", f"--array=1-{TASKS}", "--mem-per-cpu=100M", f"--chdir={work}",
            script, folder, output,
        ).strip()  # fmt: skip

        def has_ended() -> bool:
            # Slurm lets a requeued task wait for two minutes.
            for task in slurm("squeue", "-h", "-j", job, "-t", "PD", "-o", "%r %A").splitlines():
                if task.startswith("BeginTime"):
                    slurm("scontrol", "update", f"JobId={task.split()[1]}", "StartTime=now", check=False)
            return not slurm("squeue", "-h", "-j", job, "-t", "PD,R,CG,CF")

        waited("the array", has_ended, 1200)
        faults.end()
        for log in sorted(work.glob("*.log")):
            print(log.name, *log.read_text().strip().splitlines(), sep="\n  ")
        check(read_index(output, folder), videos, folder, single)
    print(
        f"slurm: {len(videos)} videos in {TASKS} tasks: every row once, poses equal; killed: a task, "
        f"and {faults.poisoned} times the reader of {next(reversed(videos))}; requeued: {requeued[0]}"
    )


def start_cluster(work: Path, stack: ExitStack) -> None:
    """Starts munged, slurmctld and slurmd; they end with the stack."""
    host = socket.gethostname().split(".")[0]
    for name in ("state", "spool"):
        (work / name).mkdir()
    (work / "munge.key").write_bytes(os.urandom(128))
    (work / "munge.key").chmod(0o400)
    (work / "slurm.conf").write_text(CONFIGURATION.format(
        host=host, work=work, port=free_port(), node_port=free_port(),
        processors=os.cpu_count(),
    ))  # fmt: skip
    os.environ["SLURM_CONF"] = str(work / "slurm.conf")

    def start(*command: str) -> None:
        log = open(work / f"{Path(command[0]).name}.out", "wb")
        process = subprocess.Popen(command, stdout=log, stderr=log)
        stack.callback(lambda: (process.terminate(), process.wait()))

    start(
        "/usr/sbin/munged", "--foreground", "--force", f"--key-file={work}/munge.key",
        f"--socket={work}/munge.socket", f"--pid-file={work}/munged.pid",
        f"--seed-file={work}/munged.seed", f"--log-file={work}/munged.log",
    )  # fmt: skip
    waited("munged", (work / "munge.socket").exists)
    start("/usr/sbin/slurmctld", "-D", "-c")
    start("/usr/sbin/slurmd", "-D", "-N", host)
    waited("slurmd", lambda: "idle" in slurm("sinfo", "-h", "-o", "%T", check=False), 60)


def slurm(*command: object, check: bool = True) -> str:
    errors = None if check else subprocess.DEVNULL
    command = tuple(str(word) for word in command)
    return subprocess.run(command, check=check, stdout=subprocess.PIPE, stderr=errors, text=True).stdout


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


if __name__ == "__main__":
    places = "/usr/sbin:/usr/bin"
    absent = [name for name in ("sbatch", "slurmctld", "munged") if not shutil.which(name, path=places)]
    if absent or os.geteuid() != 0:
        print(f"slurm: skipped: {', '.join(absent) or 'root'} is missing (make cluster-packages installs them)")
    else:
        main()
