"""Measures what watched cameras cost, with `kinema watch` choosing the frames and with every frame.

    watch.py [--seconds 30] [--cameras 16] [--busy 4] [--noise 8] [--empty CLIP] [--still CLIP]
             [--moving CLIP] [--json]

First one 720p25 camera of each kind: an empty room, a person who keeps still, one who moves. Then many
720p15 cameras on two threads. Each camera is a named pipe into which ffmpeg copies H.264 at its own rate
(one keyframe in two seconds, no pictures that refer to later ones, as cameras send it). Without clips,
rooms are drawn and people are synthetic; before busy cameras a person comes and goes. Costs are processor
time as a share of one core, decoding included, after the first half minute. Nothing but the standard library
and the ffmpeg command is needed.
"""

import argparse
import contextlib
import datetime
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

KINEMA = os.environ.get("KINEMA", "kinema")
WARM_UP = 30
# What others publish about the same work, for comparison.
FRIGATE = """\
Frigate, from its own documents (docs.frigate.video, read in November 2026): detects in 5 frames a second
of a camera's small stream, and only where something moves; a CPU as detector is not recommended
(/frigate/hardware), software decoding is "one of the most CPU-intensive tasks" (/troubleshooting/cpu). A
user's figures without accelerators: 0.7 cores a camera for decoding and 0.9 for its own process
(github.com/blakeblackshear/frigate/discussions/2186).
"""


def ffmpeg(*words: str) -> None:
    subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-y", *words], check=True)


def as_camera(source: list[str], clip: Path, rate: int, noise: int) -> Path:
    """Encodes a video as a camera does: 720p, noise, a keyframe in two seconds and at no other time."""
    picture = f"fps={rate},scale=1280:720:force_original_aspect_ratio=increase,crop=1280:720"
    ffmpeg(
        *source, "-an", "-vf", f"{picture},noise=alls={noise}:allf=t,format=yuv420p",
        "-c:v", "libx264", "-preset", "veryfast", "-crf", "26", "-bf", "0", "-g", str(2 * rate), "-sc_threshold", "0",
        str(clip),
    )  # fmt: skip
    return clip


def clips(options: argparse.Namespace, folder: Path, rate: int) -> dict[str, Path]:
    room = (
        f"gradients=size=1280x720:rate={rate}:duration=60:c0=0xb0a890:c1=0x706858:speed=0.00001,"
        "drawbox=120:380:300:200:0x604028:fill,drawbox=700:120:220:160:0xd8e0e8:fill,"
        "drawbox=980:300:180:340:0x484850:fill"
    )
    made = {}
    for kind in ("empty", "still", "moving"):
        given = getattr(options, kind)
        if given:
            source = ["-i", str(given)]
        elif kind == "empty":
            source = ["-f", "lavfi", "-i", room]
        else:
            video = folder / f"{kind}-people.mp4"
            if not video.exists():
                actions = "standing" if kind == "still" else "squats,jumping_jacks,lunges"
                # A second each; where a still person's video begins again, they would jump.
                count = f"{WARM_UP + options.seconds + 10:.0f}" if kind == "still" else "5"
                subprocess.run(
                    [KINEMA, "synth", "--output", str(video), "--actions", actions]
                    + ["--repetitions", count, "--fps", "25", "--size", "640x360"],
                    check=True,
                    capture_output=True,
                )
            source = ["-i", str(video)]
        made[kind] = as_camera(source, folder / f"{kind}-{rate}.mp4", rate, options.noise)
    return made


def coming_and_going(clips: dict[str, Path], folder: Path, rate: int) -> Path:
    """Ten seconds of a moving person, and as many of the empty room."""
    list_file = folder / "busy.txt"
    list_file.write_text(
        "".join(f"file '{clips[kind]}'\ninpoint 0\noutpoint 10\n" for kind in ("moving", "empty"))
    )
    return as_camera(
        ["-f", "concat", "-safe", "0", "-i", str(list_file)], folder / f"busy-{rate}.mp4", rate, noise=0
    )


def free_port() -> int:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        return server.getsockname()[1]


def processor_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def peak_memory(process: int) -> float:
    text = Path(f"/proc/{process}/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+)", text)[1]) / 1024


def metrics(port: int) -> dict[tuple[str, str, str], float]:
    """The values by metric, source and the other label."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=30) as answer:
        text = answer.read().decode()
    values = {}
    for name, labels, value in re.findall(r"^kinema_source_(\w+)\{(.*)\} (\S+)$", text, re.M):
        found = dict(re.findall(r'(\w+)="([^"]*)"', labels))
        source = found.pop("source")
        values[name, source, next(iter(found.values()), "")] = float(value)
    return values


def lateness(lines: list[str]) -> tuple[float, int]:
    """By how much events come later after their pictures than the quickest of their kind and source, in
    seconds, and how many events there are of kinds that came several times."""
    offsets: dict[tuple[str, str], list[float]] = {}
    for line in lines:
        event = json.loads(line)
        when = datetime.datetime.fromisoformat(event["time"].replace("Z", "+00:00")).timestamp()
        if event["event"] in ("personEnters", "personLeaves", "actionBegins", "fall"):
            offsets.setdefault((event["source"], event["event"]), []).append(when - event["at"])
    several = [times for times in offsets.values() if len(times) > 1]
    return max((max(times) - min(times) for times in several), default=0.0), sum(map(len, several))


def moving_rate(name: str, moments: list[tuple[float, dict]]) -> float:
    """The frames a second of a source while it is moving, by the seconds that begin and end so."""
    frames, seconds = 0.0, 0.0
    for (start, before), (end, after) in zip(moments, moments[1:]):
        if before.get(("state", name, "moving")) and after.get(("state", name, "moving")):
            frames += after["frames_total", name, ""] - before["frames_total", name, ""]
            seconds += end - start
    return frames / seconds if seconds else 0.0


def watch(cameras: dict[str, Path], folder: Path, seconds: float, rate, threads: int) -> dict:
    """Watches cameras, each a clip by its name."""
    port = free_port()
    sources = []
    with contextlib.ExitStack() as stack:
        for name, clip in cameras.items():
            pipe = folder / f"{name}.ts"
            pipe.unlink(missing_ok=True)
            os.mkfifo(pipe)
            sources.append({"name": name, "address": str(pipe), "rate": rate})
            command = f"exec ffmpeg -v quiet -nostdin -re -stream_loop -1 -i '{clip}' -c copy -f mpegts - > '{pipe}'"
            feeder = subprocess.Popen(["sh", "-c", command])
            stack.callback(feeder.wait)
            stack.callback(feeder.kill)
        file = folder / "watch.json"
        file.write_text(json.dumps({"sources": sources}))
        output = stack.enter_context((folder / "events").open("w+"))
        process = subprocess.Popen(
            [KINEMA, "watch", str(file), "--threads", str(threads), "--metrics", str(port)]
            + ["--data", str(folder / "data")],
            stdout=output,
        )
        stack.callback(process.wait)
        stack.callback(process.kill)
        time.sleep(WARM_UP)
        start, before, values = time.monotonic(), processor_seconds(process.pid), metrics(port)
        moments = [(start, values)]
        while time.monotonic() - start < seconds:
            time.sleep(1)
            moments.append((time.monotonic(), metrics(port)))
        after = moments[-1][1]
        span = time.monotonic() - start
        result = {
            "cores": (processor_seconds(process.pid) - before) / span,
            "memory": peak_memory(process.pid),
            "sources": {},
        }
        process.terminate()
        process.wait()
        output.seek(0)
        result["lateness"], result["events"] = lateness(output.read().splitlines())
    for name in cameras:
        counted = after["frames_total", name, ""] - values["frames_total", name, ""]
        result["sources"][name] = {"rate": counted / span, "moving": moving_rate(name, moments)} | {
            stage: (after["processor_seconds_total", name, stage]
                    - values["processor_seconds_total", name, stage]) / span
            for stage in ("reading", "poses")
        } | {"state": next((state for (metric, source, state), value in after.items()
                            if metric == "state" and source == name and value), "")}  # fmt: skip
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--cameras", type=int, default=16)
    parser.add_argument("--busy", type=int, default=4)
    for kind in ("empty", "still", "moving"):
        parser.add_argument(f"--{kind}", type=Path)
    parser.add_argument("--noise", type=int, default=8, help="of the cameras, in steps of 256 (default 8)")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    report: dict = {"single": {}, "many": None}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made = clips(options, folder, 25)
        for kind, clip in made.items():
            report["single"][kind] = {
                rate: watch({kind: clip}, folder, options.seconds, rate, threads=1)
                for rate in ("full", "auto")
            }
        if options.cameras:
            made = clips(options, folder, 15)
            made["busy"] = coming_and_going(made, folder, 15)
            cameras = {
                f"{'busy' if number < options.busy else 'empty'} {number + 1}":
                    made["busy" if number < options.busy else "empty"]
                for number in range(options.cameras)
            }  # fmt: skip
            report["many"] = watch(cameras, folder, options.seconds, "auto", threads=2)
    if options.json:
        print(json.dumps(report, indent=1))
        return
    print(f"{'720p25, one camera':22}{'every frame':>14}{'auto':>10}{'decoding':>10}{'frames/s':>10}  state")
    for kind, rates in report["single"].items():
        auto = rates["auto"]["sources"][kind]
        print(
            f"{kind:22}{rates['full']['cores']:>13.1%}{rates['auto']['cores']:>10.1%}"
            f"{auto['reading']:>10.1%}{auto['rate']:>10.1f}  {auto['state']}"
        )
    if many := report["many"]:
        busy = [many["sources"][name]["moving"] for name in many["sources"] if name.startswith("busy")]
        print(
            f"{options.cameras} cameras, 720p15, {options.busy} busy, two threads: {many['cores']:.2f} cores, "
            f"{many['memory']:.0f} MB, busy ones {min(busy, default=0):.1f} to {max(busy, default=0):.1f} poses "
            f"a second while somebody moves, {many['events']} events at most {many['lateness']:.1f} s late"
        )
    print("\n" + FRIGATE, end="")


if __name__ == "__main__":
    sys.exit(main())
