"""Measures what Python adds to the poses of a video.

    python.py [CLIP …] [--rounds N] [--json FILE]

A call of `kinema.poses` with a warm worker and without the cache, from the call to the arrays, against
the time of the same job by the worker's own report; and, by turns, against `kinema pose` as a whole
process, which loads the networks each time.
"""

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

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
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n")


def spread(values: list[float]) -> str:
    return f"{statistics.median(values):.2f} ({min(values):.2f} … {max(values):.2f})"


if __name__ == "__main__":
    main()
