"""Measures what Python adds to the poses of a video, and to those of frames that are pushed.

    python.py [CLIP …] [--rounds N] [--json FILE]

A call of `kinema.poses` with a warm worker and without the cache, from the call to the arrays, against
the time of the same job by the worker's own report; and, by turns, against `kinema pose` as a whole
process, which loads the networks each time. Then frames of 720p with a person are pushed one by one: the
time of `Stream.push` against what finding the poses took in the worker.
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


def call(clip: Path, worker: kinema.Worker) -> dict:
    start, processor = time.perf_counter(), time.process_time()
    kinema.poses(clip, no_cache=True, worker=worker)
    wall = time.perf_counter() - start
    return {"wall": wall, "worker": reported[-1], "python": time.process_time() - processor}


def pushes(round_count: int) -> list[list[tuple[float, float]]]:
    """Of each round the seconds of each push, and those of finding its poses."""
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
        times = []
        with kinema.Stream() as stream:
            for index, image in enumerate(images):
                start = time.perf_counter()
                frame = stream.push(image, index / 30)
                times.append((time.perf_counter() - start, frame.seconds or 0))
        # The first frames load the networks.
        rounds.append(times[10:])
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
    own = [statistics.median(one - poses for one, poses in times) for times in rounds]
    poses = [statistics.median(poses for _, poses in times) for times in rounds]
    shares = [100 * one / all_of_it for one, all_of_it in zip(own, poses)]
    print(
        f"a pushed frame of 720p: poses {spread([1000 * one for one in poses])} ms; pushing, "
        f"recognising and the answer {spread([1000 * one for one in own])} ms, {spread(shares)} %"
    )
    found["push"] = {"poses": poses, "rest": own}
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n")


def spread(values: list[float]) -> str:
    return f"{statistics.median(values):.2f} ({min(values):.2f} … {max(values):.2f})"


if __name__ == "__main__":
    main()
