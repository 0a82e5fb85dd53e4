"""Measures what a machine does when all its cores are busy, and what people and minutes cost.

    throughput.py [--clip CLIP] [--rounds N] [--jobs N] [--minutes M] [--only PART,…] [--json FILE]

cores   frames a second of one `kinema pose`, which processes segments of one long video at the same
        time, against as many MediaPipe processes as there are cores, each with the whole video;
        starting included. By turns, the ratio taken within a round, the median over the rounds.
        Where other work takes a part of the cores, the ratio of the processor time is the steadier
        figure.
people  milliseconds of processor time a frame with one to four synthetic people.
minutes frames a second and memory of `kinema pose` along a video of many minutes.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path

from bench import ENVIRONMENT, KINEMA, spread, synthetic_clip

PARTS = ("cores", "people", "minutes")


def repeated(clip: Path, seconds: float, target: Path) -> Path:
    """The clip looped, without transcoding."""
    command = ["ffmpeg", "-v", "error", "-nostdin", "-y", "-stream_loop", "-1", "-i", str(clip)]
    subprocess.run(command + ["-t", f"{seconds}", "-an", "-c", "copy", str(target)], check=True)
    return target


def keyed(clip: Path, target: Path) -> Path:
    """The clip with a key frame every four seconds, as cameras and sites make them."""
    command = ["ffmpeg", "-v", "error", "-nostdin", "-y", "-i", str(clip), "-an", "-c:v", "libx264"]
    options = ["-preset", "veryfast", "-crf", "20", "-force_key_frames", "expr:gte(t,n_forced*4)"]
    subprocess.run(command + options + [str(target)], check=True)
    return target


def children_cpu() -> float:
    times = os.times()
    return times.children_user + times.children_system


def kinema_cores(clip: Path, jobs: int, precision: str) -> dict:
    before, start = children_cpu(), time.perf_counter()
    # Poses are dropped, as in the other program; a table has their number.
    command = [KINEMA, "pose", str(clip), "--no-cache", "--threads", str(jobs), "--precision", precision]
    outcome = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    wall = time.perf_counter() - start
    frames = int(outcome.stdout.splitlines()[1].split()[1])
    return {"fps": frames / wall, "cpu": 1000 * (children_cpu() - before) / frames}


def mediapipe_cores(clip: Path, jobs: int) -> dict:
    program = Path(__file__).with_name("mediapipe_pose.py")
    before, start = children_cpu(), time.perf_counter()
    command = [str(ENVIRONMENT / "bin/python"), str(program), str(clip)]
    runs = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        for _ in range(jobs)
    ]
    frames = sum(json.loads(run.communicate()[0])["frames"] + 1 for run in runs)
    wall = time.perf_counter() - start
    return {"fps": frames / wall, "cpu": 1000 * (children_cpu() - before) / frames}


def measure_cores(clip: Path, jobs: int, rounds: int) -> dict:
    long = repeated(keyed(clip, ENVIRONMENT / "keyed.mp4"), 120, ENVIRONMENT / "cores.mp4")
    runs = {"kinema": [], "fast": [], "mediapipe": []}
    measures = {
        "kinema": lambda: kinema_cores(long, jobs, "full"),
        "mediapipe": lambda: mediapipe_cores(long, jobs),
        "fast": lambda: kinema_cores(long, jobs, "fast"),
    }
    kinema_cores(long, jobs, "full")
    for number in range(rounds):
        print(f"\rcores: round {number + 1} of {rounds}", end="", file=sys.stderr)
        for name in list(measures) if number % 2 == 0 else reversed(measures):
            runs[name].append(measures[name]())
    print(file=sys.stderr)
    print(f"two minutes of {clip.name}, {jobs} cores busy, {rounds} rounds: median (least … most)")
    for name, title in (
        ("kinema", "kinema, one process"),
        ("fast", "--precision fast"),
        ("mediapipe", f"{jobs} MediaPipe processes"),
    ):
        print(f"{title:24} speed       {spread([run['fps'] for run in runs[name]], ' fps')}")
        print(f"{title:24} CPU/frame   {spread([run['cpu'] for run in runs[name]], ' ms')}")
    for name, title in (("kinema", "kinema"), ("fast", "fast")):
        pairs = list(zip(runs[name], runs["mediapipe"]))
        speed = [ours["fps"] / theirs["fps"] for ours, theirs in pairs]
        cpu = [theirs["cpu"] / ours["cpu"] for ours, theirs in pairs]
        print(f"{title}'s speed / MediaPipe's   {spread(speed, ' ×')}")
        print(f"MediaPipe's CPU / {title}'s     {spread(cpu, ' ×')}")
    return runs


def measure_people(rounds: int) -> list[dict]:
    clips = []
    for count in range(1, 5):
        clip = ENVIRONMENT / f"people-{count}.mp4"
        command = [KINEMA, "synth", "--output", str(clip), "--size", "1280x720", "--people"]
        actions = ["--actions", "jumping_jacks,squats", "--repetitions", "3"]
        subprocess.run(command + [str(count)] + actions, check=True, stdout=subprocess.DEVNULL)
        clips.append(clip)
    runs: list[list[dict]] = [[] for _ in clips]
    for _ in range(rounds):
        for clip, values in zip(clips, runs):
            output = subprocess.run(
                [KINEMA, "bench", str(clip), "--format", "json"], stdout=subprocess.PIPE, check=True
            ).stdout
            values.append(json.loads(output))
    print("synthetic people, 1280×720: median of the rounds")
    figures = []
    for number, values in enumerate(runs, start=1):
        cpu = statistics.median(run["whole"] for run in values)
        people = statistics.median(run["people"] for run in values)
        before = figures[-1]["cpu"] if figures else None
        figures.append({"people": number, "found": people, "cpu": cpu})
        more = "" if before is None else f", {cpu - before:+.2f} ms"
        print(f"{number} shown, {people:.2f} found in a frame: {cpu:6.2f} ms a frame{more}")
    return figures


def memory(process: subprocess.Popen) -> float:
    """The resident memory of a process in MB."""
    try:
        status = Path(f"/proc/{process.pid}/status").read_text()
    except OSError:
        return 0.0
    lines = [line for line in status.splitlines() if line.startswith("VmRSS:")]
    return int(lines[0].split()[1]) / 1024 if lines else 0.0


def measure_minutes(clip: Path, jobs: int, minutes: float) -> list[dict]:
    source = keyed(clip, ENVIRONMENT / "keyed.mp4")
    long = repeated(source, 60 * minutes, ENVIRONMENT / "minutes.mp4")
    command = [KINEMA, "pose", str(long), "--no-cache", "--format", "jsonl", "--threads", str(jobs)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    samples: list[dict] = []
    state = {"frames": 0, "time": 0.0}
    is_over = threading.Event()
    start = time.perf_counter()

    def sample() -> None:
        while not is_over.wait(0.5):
            samples.append({
                "wall": time.perf_counter() - start, "memory": memory(process),
                "frames": state["frames"],
            })  # fmt: skip

    watch = threading.Thread(target=sample)
    watch.start()
    for line in process.stdout:
        state["frames"] += 1
    process.wait()
    wall = time.perf_counter() - start
    is_over.set()
    watch.join()
    samples = [entry for entry in samples if entry["memory"] > 0]
    print(f"{minutes:g} minutes of {clip.name}, {jobs} threads: {state['frames'] / wall:.1f} fps,")
    print(f"at most {max(entry['memory'] for entry in samples):.0f} MB")
    for tenth in range(10):
        part = samples[len(samples) * tenth // 10 : len(samples) * (tenth + 1) // 10 + 1]
        frames = part[-1]["frames"] - part[0]["frames"]
        speed = frames / max(part[-1]["wall"] - part[0]["wall"], 1e-9)
        top = max(entry["memory"] for entry in part)
        print(f"  {part[-1]['wall']:6.1f} s   {speed:7.1f} fps   {top:6.0f} MB")
    return samples


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clip", type=Path, help="a video; made on the spot when not given")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--only", default=",".join(PARTS), help="parts, separated by commas")
    parser.add_argument("--json", type=Path, help="where to write every figure")
    options = parser.parse_args()
    parts = options.only.split(",")
    if options.rounds < 1 or not set(parts) <= set(PARTS):
        parser.error(f"--rounds takes a number from 1, --only some of {', '.join(PARTS)}")
    clip = options.clip or synthetic_clip()
    figures = {}
    if "cores" in parts:
        figures["cores"] = measure_cores(clip, options.jobs, options.rounds)
    if "people" in parts:
        figures["people"] = measure_people(options.rounds)
    if "minutes" in parts:
        figures["minutes"] = measure_minutes(clip, options.jobs, options.minutes)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    main()
