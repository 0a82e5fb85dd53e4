"""Fails every write, fsync, rename, open … of a command in turn, and checks what is left.

    faults.py [--points N] [--calls write,fsync,…] [CASE …]

A run in which a call has failed ends with the right result all the same, or with a status of
`sysexits.h` and one sentence, and with the right file, the one before, or none; nothing
half-written is left; and the same command without the fault then gives the right result. With
--points, N calls of each kind fail, the first and the last among them, rather than all.
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "Tests/Clients"))
from kinema_client import KINEMA  # noqa: E402

CALLS = ["write", "fsync", "rename", "open", "mkdir", "truncate", "read", "memory"]
# A file that cannot be written; for `open`, `read` and `memory` also one that cannot be read.
IO_ERROR, TRY_AGAIN = 74, 75
# EX_NOINPUT and EX_DATAERR of a file that could not be opened, EX_OSERR and EX_UNAVAILABLE.
READING = {65, 66, 69, 70}


@dataclass
class Case:
    """A command, and the files that it writes in its folder."""

    command: list[str]
    outputs: list[str]
    # Files whose path contains this count; the outputs' folder otherwise.
    part: str = "/work/"
    # Folders that a command keeps for its next run: a session, a cache.
    resumed: list[str] = field(default_factory=list)
    # Whether the command must succeed in spite of the fault.
    isSpared: bool = False
    # Standard output goes to this file of the folder.
    standardOutput: str | None = None


def cases() -> dict[str, Case]:
    model = str(REPOSITORY / "Resources/Exercise.mlmodel")
    found = {
        f"pose-{kind}": Case(["pose", "../s.mp4", "--output", f"x.{kind}"], [f"x.{kind}"])
        for kind in ("npz", "jsonl", "csv", "json")
    }
    for kind in ("json", "csv", "table"):
        out = {"standardOutput": f"{kind}.txt"}
        command = ["classify", "../s.npz", "--format", kind]
        found[f"classify-{kind}"] = Case(command, [f"{kind}.txt"], **out)
        command = ["count", "../s.npz", "--format", kind]
        found[f"count-{kind}"] = Case(command, [f"{kind}.txt"], **out)
    found |= {
        "pose-folder": Case(
            ["pose", "../s.mp4", "../t.mp4", "--output", "poses"], ["poses/s.npz", "poses/t.npz"]
        ),
        "pose-annotate": Case(["pose", "../s.mp4", "--annotate", "x.mp4"], ["x.mp4"]),
        "classify-annotate": Case(["classify", "../s.mp4", "--annotate", "x.mp4"], ["x.mp4"]),
        "count-report": Case(["count", "../s.npz", "--report", "x.html"], ["x.html"]),
        "convert-onnx": Case(["model", "convert", model, "--output", "x.onnx"], ["x.onnx"]),
        "convert-mlmodel": Case(["model", "convert", model, "--output", "x.mlmodel"], ["x.mlmodel"]),
        "synth": Case(
            "synth --output x.mp4 --poses x.npz --labels x.csv --actions squats --repetitions 1 "
            "--size 160x120 --fps 10".split(),
            ["x.mp4", "x.npz", "x.csv"],
        ),
        "train": Case(
            "train ../takes --output x.mlmodel --window 15 --frame-rate 10 --iterations 2 "
            "--checkpoint-every 0 --validation none --algorithm posture --cache cache".split(),
            ["x.mlmodel"],
            resumed=["x.training", "cache"],
        ),
        "cache": Case(
            ["pose", "../s.mp4", "--output", "x.npz"], ["x.npz"], part="/kinema/features",
            isSpared=True, resumed=["own-cache"],
        ),
        # A video whose reading fails must not leave the poses up to there in the cache.
        "pose-read": Case(
            ["pose", "../long.mp4", "--output", "x.npz"], ["x.npz"], part="/long.mp4",
            resumed=["own-cache"],
        ),
    }
    return found


def build_library(path: Path):
    """Compiles the library that fails calls."""
    source = Path(__file__).with_name("faults.c")
    compiler = os.environ.get("CC") or shutil.which("cc") or shutil.which("clang") or "cc"
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", path, source, "-ldl"], check=True)


class Bench:
    """A folder with inputs, where commands run with and without faults."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.library = folder / "faults.so"
        build_library(self.library)
        self.work = folder / "work"
        self.report = folder / "report"
        self.cache = folder / "cache"
        # The inputs: tiny videos whose poses are in the cache, poses, and training data.
        for name, action in (("s", "squats"), ("t", "jumping_jacks")):
            arguments = f"--actions {action} --repetitions 1 --size 160x120 --fps 10"
            self.make(f"synth --output {name}.mp4 --poses {name}.npz {arguments}")
        # One that is read in several parts.
        self.make("synth --output long.mp4 --actions squats --repetitions 3 --size 320x240 --fps 10")
        self.make("synth --dataset takes --sequences 6 --duration 2")
        self.make("pose s.mp4 t.mp4 --output warm")

    def make(self, command: str):
        result = subprocess.run(
            [KINEMA, *command.split()], cwd=self.folder, capture_output=True, text=True,
            env=self.environment(),
        )
        if result.returncode:
            raise RuntimeError(f"{command}: {result.stderr}")

    def environment(self, **extra: str) -> dict:
        return {**os.environ, "XDG_CACHE_HOME": str(self.cache), **extra}

    def clear(self):
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir()

    def run(self, case: Case, fault: str | None = None) -> subprocess.CompletedProcess:
        """Runs a case in the folder as it is."""
        extra = {}
        if fault is not None:
            self.report.write_bytes(b"")
            extra = {
                "LD_PRELOAD": str(self.library),
                "KINEMA_FAULT": fault,
                "KINEMA_FAULT_PATH": case.part,
                "KINEMA_FAULT_REPORT": str(self.report),
                "KINEMA_FAULT_BYTES": str(64 << 10),
            }
        if "own-cache" in case.resumed:
            extra["XDG_CACHE_HOME"] = str(self.work / "own-cache")
        output = open(self.work / case.standardOutput, "wb") if case.standardOutput else subprocess.DEVNULL
        try:
            return subprocess.run(
                [KINEMA, *case.command], cwd=self.work, stdout=output, stderr=subprocess.PIPE,
                env=self.environment(**extra), timeout=300,
            )
        finally:
            if case.standardOutput:
                output.close()

    def outputs(self, case: Case) -> dict[str, str]:
        """The outputs that are there, with their hashes."""
        return {
            name: hashlib.sha256((self.work / name).read_bytes()).hexdigest()
            for name in case.outputs
            if (self.work / name).is_file()
        }

    def others(self, case: Case) -> list[str]:
        """Files that should not be there."""
        names = [str(p.relative_to(self.work)) for p in self.work.rglob("*") if not p.is_dir()]
        return [
            name
            for name in names
            if name not in case.outputs
            and (".part" in name or not any(name.startswith(f"{k}/") for k in case.resumed))
        ]


BEFORE = b"the file before"


def check(bench: Bench, case: Case, call: str, place: str, right: dict) -> tuple[int, list[str]]:
    """Runs a case with a fault; how many calls failed, and what is wrong."""
    bench.clear()
    # Every other time there is a file before.
    hasBefore = int(place.rstrip("+")) % 2 == 0 and not case.standardOutput and "/" not in case.outputs[0]
    if hasBefore:
        for name in case.outputs:
            (bench.work / name).write_bytes(BEFORE)
    before = bench.outputs(case)
    try:
        result = bench.run(case, f"{call}:{place}")
    except subprocess.TimeoutExpired:
        return 1, ["it hangs"]
    fired = len(bench.report.read_bytes())
    if not fired:
        return 0, []
    wrong = []
    text = result.stderr.decode(errors="replace")
    lines = [line for line in text.splitlines() if line.startswith("kinema: ")]
    status, left = result.returncode, bench.outputs(case)
    if status == 0:
        if left != right:
            wrong.append("status 0 without the right result")
    elif case.isSpared and call != "memory":
        wrong.append(f"status {status}: {text.strip()[-300:]}")
    elif status < 0 or status >= 128:
        # Swift ends where it gets no memory; nothing else may.
        if call != "memory":
            wrong.append(f"status {status}: {text.strip()[-300:]}")
    else:
        allowed = {IO_ERROR, TRY_AGAIN} | (READING if call in ("open", "read", "memory") else set())
        if status not in allowed:
            wrong.append(f"status {status}")
        if not lines:
            wrong.append(f"no sentence: {text.strip()[-300:]!r}")
        elif any(word in lines[-1] for word in ("report this", "Something went wrong")):
            wrong.append(f"sentence: {lines[-1]}")
    if not case.standardOutput:
        for name, content in left.items():
            if content not in (right[name], before.get(name)):
                wrong.append(f"{name} is neither the right file nor the one before")
    isKilled = status < 0 or status >= 128
    if not isKilled and (others := bench.others(case)):
        wrong.append(f"left over: {', '.join(others)}")
    # The same command again, without the fault.
    again = bench.run(case)
    if again.returncode or bench.outputs(case) != right:
        text = again.stderr.decode(errors="replace").strip()[-300:]
        wrong.append(f"the next run: status {again.returncode}, {text}")
    elif others := bench.others(case):
        wrong.append(f"left over after the next run: {', '.join(others)}")
    return fired, wrong


def places(count: int, most: int | None) -> list[int]:
    """Which of so many calls fail: all, or some with the first and the last."""
    if most is None or count <= most:
        return list(range(1, count + 1))
    return sorted({1 + round(i * (count - 1) / max(1, most - 1)) for i in range(most)})


def arguments(description: str, operand: str, calls: list[str]) -> argparse.Namespace:
    """What the command line names: operands, how many calls fail of each kind, and which kinds."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("operands", nargs="*", metavar=operand)
    parser.add_argument("--points", type=int)
    parser.add_argument("--calls", default=",".join(calls))
    return parser.parse_args()


def main():
    options = arguments(__doc__, "CASE", CALLS)
    every = cases()
    unknown = [name for name in options.operands if name not in every]
    if unknown:
        sys.exit(f"faults: no case {', '.join(unknown)}; there are {', '.join(every)}")
    total = failures = 0
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="kinema-faults-") as folder:
        bench = Bench(Path(folder).resolve())
        for name in options.operands or every:
            case = every[name]
            bench.clear()
            result = bench.run(case)
            right = bench.outputs(case)
            if result.returncode or len(right) != len(case.outputs):
                sys.exit(f"faults: {name} fails without a fault: {result.stderr.decode()}")
            for call in options.calls.split(","):
                bench.clear()
                bench.run(case, f"{call}:0")
                count = len(bench.report.read_bytes())
                tried = wrongs = 0
                # A few more than were counted: not every run makes as many calls.
                for place in places(count, options.points):
                    for suffix in ("", "+") if call == "write" else ("",):
                        fired, wrong = check(bench, case, call, f"{place}{suffix}", right)
                        tried += bool(fired)
                        for text in wrong:
                            wrongs += 1
                            print(f"  {name}, {call} {place}{suffix} of {count}: {text}", flush=True)
                total += tried
                failures += wrongs
                if count:
                    state = f"{wrongs} wrong" if wrongs else "fine"
                    print(f"{name:18} {call:9} {count:5} calls, {tried:5} failed: {state}", flush=True)
    minutes = (time.monotonic() - start) / 60
    print(f"faults: {total} runs with a fault in {minutes:.1f} min, {failures} findings")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
