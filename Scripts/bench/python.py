"""Measures what Python adds to the poses of a video, and to those of frames that are pushed.

    python.py [CLIP …] [--rounds N] [--json FILE]

A call of `kinema.poses` with a warm worker and without the cache, from the call to the arrays, against
the time of the same job by the worker's own report; and, by turns, against `kinema pose` as a whole
process, which loads the networks each time. Then frames of 720p with a person are pushed one by one: the
processor time of Python in `Stream.push` against that of the worker for the same frames, and the time of
the push beyond that of finding the poses.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from bench import KINEMA, REPOSITORY, synthetic_clip, timed

os.environ["KINEMA"] = KINEMA
sys.path.insert(0, str(REPOSITORY / "Python"))
import kinema  # noqa: E402
from kinema._worker import _Job  # noqa: E402

reported: list[float] = []
take = _Job.take


def take_and_note(job: _Job, answer: dict) -> None:
    if "seconds" in answer:
        reported.append(answer["seconds"])
    take(job, answer)


_Job.take = take_and_note


# Frames that are pushed before the measurement begins.
LOADING = 10


def call(clip: Path, worker: kinema.Worker) -> dict:
    start, processor = time.perf_counter(), time.process_time()
    kinema.poses(clip, no_cache=True, worker=worker)
    wall = time.perf_counter() - start
    return {"wall": wall, "worker": reported[-1], "python": time.process_time() - processor}


def processor_seconds(pid: int) -> float:
    """What a process has taken of the processors so far, with all its threads."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def pushes(round_count: int) -> list[dict]:
    """Of each round the mean seconds a frame: processor time of Python and of the worker, the push and
    what finding the poses took of it."""
    with tempfile.TemporaryDirectory() as folder:
        clip = f"{folder}/squats.mp4"
        kinema.synth(clip, actions="squats", repetitions=2, size="1280x720")
        found = subprocess.run(
            ["ffmpeg", "-v", "error", "-i", clip, "-f", "rawvideo", "-pix_fmt", "bgr24", "-"],
            check=True, capture_output=True,
        )  # fmt: skip
    images = np.frombuffer(found.stdout, np.uint8).reshape(-1, 720, 1280, 3)
    rounds = []
    for _ in range(round_count):
        with kinema.Stream() as stream:
            # The first frames load the networks.
            for index, image in enumerate(images[:LOADING]):
                stream.push(image, index / 30)
            poses = 0.0
            worker, python = processor_seconds(stream._worker.pid), time.process_time()
            start = time.perf_counter()
            for index, image in enumerate(images[LOADING:], LOADING):
                poses += stream.push(image, index / 30).seconds or 0
            wall, python = time.perf_counter() - start, time.process_time() - python
            worker = processor_seconds(stream._worker.pid) - worker
        sums = {"wall": wall, "poses": poses, "python": python, "worker": worker}
        rounds.append({name: value / (len(images) - LOADING) for name, value in sums.items()})
    return rounds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("clips", nargs="*", type=Path, help="videos; made on the spot when not given")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=Path, help="where to write every round's numbers")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds takes a number from 1")

    found = {}
    with tempfile.TemporaryDirectory() as folder, kinema.Worker() as worker:
        command = [KINEMA, "pose", "--no-cache", "--output", f"{folder}/poses.npz"]
        print(f"{options.rounds} rounds: median (least … most)")
        for clip in (clip.resolve() for clip in options.clips or [synthetic_clip()]):
            # Not counted: after this the networks are loaded and the file is in the system's cache.
            call(clip, worker)
            calls, walls = [], []
            for _ in range(options.rounds):
                calls.append(call(clip, worker))
                walls.append(timed([*command, str(clip)])["processWall"])
            found[clip.name] = {"calls": calls, "command": walls}
            shares = [100 * (one["wall"] / one["worker"] - 1) for one in calls]
            own = [1000 * one["python"] for one in calls]
            ratios = [one["wall"] / wall for one, wall in zip(calls, walls)]
            print(
                f"{clip.name}: job {statistics.median(one['worker'] for one in calls):.2f} s, "
                f"Python adds {spread(shares)} %, {spread(own)} ms of processor time; "
                f"call / command {spread(ratios)}",
                flush=True,
            )
    rounds = pushes(options.rounds)
    worker, python = ([1000 * one[name] for one in rounds] for name in ("worker", "python"))
    shares = [100 * one["python"] / one["worker"] for one in rounds]
    rest = [1000 * (one["wall"] - one["poses"]) for one in rounds]
    print(
        f"a pushed frame of 720p: worker {spread(worker)} ms of processor time, Python "
        f"{spread(python)} ms, {spread(shares)} %; from the call to the frame, finding poses takes "
        f"{spread([1000 * one['poses'] for one in rounds])} ms, all else {spread(rest)} ms"
    )
    print(f"load of the machine at the end: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    found["push"] = rounds
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n")


def spread(values: list[float]) -> str:
    return f"{statistics.median(values):.2f} ({min(values):.2f} … {max(values):.2f})"


if __name__ == "__main__":
    main()
