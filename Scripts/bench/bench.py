"""Compares kinema with MediaPipe's own Python solution, in alternation on one clip.

    bench.py [--clip CLIP] [--rounds N] [--model MODEL] [--json FILE]

Ratios are taken within a round, where both ran on the machine in the same state, and their median
over the rounds is what counts; absolute times differ from machine to machine.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
ENVIRONMENT = REPOSITORY / ".bench"
KINEMA = os.environ.get("KINEMA", str(REPOSITORY / ".build/product/release/kinema"))


def timed(command: list[str]) -> dict:
    """Runs a command; gives its output, and the time of the whole process measured from outside."""
    before = os.times()
    start = time.perf_counter()
    outcome = subprocess.run(command, capture_output=True, text=True)
    wall = time.perf_counter() - start
    after = os.times()
    if outcome.returncode != 0:
        sys.exit(
            f"bench: {Path(command[0]).name} ended with {outcome.returncode}:\n{outcome.stderr}"
        )
    cpu = (after.children_user + after.children_system) - (
        before.children_user + before.children_system
    )
    return {"output": outcome.stdout, "processCpu": cpu, "processWall": wall}


def run_kinema(clip: Path, model: Path | None) -> dict:
    """Milliseconds of processor time a frame; the load of the networks is left out of `cpu`."""
    command = [KINEMA, "bench", str(clip), "--format", "json"]
    values = json.loads(timed(command + (["--model", str(model)] if model else []))["output"])
    whole = timed([KINEMA, "pose", str(clip), "--no-cache", "--format", "jsonl"])
    fast = json.loads(
        timed([KINEMA, "bench", str(clip), "--format", "json", "--precision", "fast"])["output"]
    )
    return {
        "frames": values["frames"],
        "found": values["found"],
        "cpu": values["whole"],
        "fastCpu": fast["whole"],
        "fps": values["framesPerSecond"],
        "overhead": values["overhead"],
        "decode": values["decode"],
        "networks": values["networks"],
        "prediction": values.get("prediction"),
        "predictionProducts": values.get("predictionProducts"),
        "processCpu": whole["processCpu"],
        "processWall": whole["processWall"],
    }


def run_mediapipe(clip: Path) -> dict:
    program = Path(__file__).with_name("mediapipe_pose.py")
    outcome = timed([str(ENVIRONMENT / "bin/python"), str(program), str(clip)])
    values = json.loads(outcome["output"])
    return {
        "found": values["found"],
        "cpu": 1000 * values["cpuSeconds"] / values["frames"],
        "fps": values["frames"] / values["wallSeconds"],
        "processCpu": outcome["processCpu"],
        "processWall": outcome["processWall"],
    }


def synthetic_clip() -> Path:
    clip = ENVIRONMENT / "people.mp4"
    subprocess.run(
        [KINEMA, "synth", "--output", str(clip), "--size", "1280x720", "--repetitions", "2"],
        check=True, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    return clip


def spread(values: list[float], unit: str = "") -> str:
    return f"{statistics.median(values):8.2f}{unit}   ({min(values):.2f} … {max(values):.2f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clip", type=Path, help="a video; made on the spot when not given")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--model", type=Path, help="a classifier to measure; fitted when not given")
    parser.add_argument("--json", type=Path, help="where to write every round's numbers")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds takes a number from 1")

    clip = options.clip or synthetic_clip()
    # Not counted: after this both find their files in the system's cache.
    run_kinema(clip, None)
    run_mediapipe(clip)
    ours: list[dict] = []
    theirs: list[dict] = []
    for number in range(options.rounds):
        print(f"\rround {number + 1} of {options.rounds}", end="", file=sys.stderr)
        for is_ours in (True, False) if number % 2 == 0 else (False, True):
            if is_ours:
                ours.append(run_kinema(clip, options.model))
            else:
                theirs.append(run_mediapipe(clip))
    print(file=sys.stderr)

    def each(runs: list[dict], name: str) -> list[float]:
        return [run[name] for run in runs]

    def ratios(first: list[dict], second: list[dict], name: str) -> list[float]:
        return [a[name] / b[name] for a, b in zip(first, second)]

    print(f"{clip.name}, {ours[0]['frames']} frames, {len(ours)} rounds: median (least … most)")
    print(f"frames with a pose     kinema {ours[0]['found']}, MediaPipe {theirs[0]['found']}")
    print(f"kinema     CPU/frame   {spread(each(ours, 'cpu'), ' ms')}")
    print(f"MediaPipe  CPU/frame   {spread(each(theirs, 'cpu'), ' ms')}")
    print(f"kinema     speed       {spread(each(ours, 'fps'), ' fps')}")
    print(f"MediaPipe  speed       {spread(each(theirs, 'fps'), ' fps')}")
    print(f"MediaPipe's CPU / kinema's           {spread(ratios(theirs, ours, 'cpu'), '×')}")
    fast = [run["cpu"] / own["fastCpu"] for run, own in zip(theirs, ours)]
    print(f"the same, --precision fast           {spread(fast, '×')}")
    print(f"kinema's speed / MediaPipe's         {spread(ratios(ours, theirs, 'fps'), '×')}")
    print(f"the same, whole processes, CPU       {spread(ratios(theirs, ours, 'processCpu'), '×')}")
    print(f"the same, whole processes, wall      {spread(ratios(theirs, ours, 'processWall'), '×')}")
    overheads = [100 * overhead for overhead in each(ours, "overhead")]
    print(f"beyond reading and the networks      {spread(overheads, ' %')}")
    if ours[0]["prediction"]:
        print(f"a prediction                         {spread(each(ours, 'prediction'), ' ms')}")
        limits = [run["prediction"] / run["predictionProducts"] for run in ours]
        print(f"a prediction / its matrix products   {spread(limits, '×')}")

    if options.json:
        options.json.write_text(
            json.dumps({"clip": clip.name, "kinema": ours, "mediapipe": theirs}, indent=2) + "\n"
        )


if __name__ == "__main__":
    main()
