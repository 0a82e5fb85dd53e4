"""Runs `kinema watch` for hours on many cameras that fail, where people come and go, and a night passes.

    cameras.py [--hours 1] [--cameras 16] [--busy 4] [--output .build/soak-cameras]

Each camera is a pipe with 720p15 H.264 in real time. Before busy ones somebody comes twice a minute, before
the others every few minutes; for a fifth of the time, the night, nobody comes anywhere. Between visits, and
on one camera within them, cameras end, stall, or send garbage. Events go to standard output and, by rules,
to a webhook that often refuses them. Memory, descriptors, threads and processor time are sampled every five
seconds, and drawn in OUTPUT/soak.svg; OUTPUT/soak.json has the figures. The status is 1 where a bar is
missed: memory grows by less than 1 MB in ten minutes after the first ten and never exceeds 1.2 GB; who
comes is reported once, within two seconds, and who leaves once; nobody is reported where nobody comes; each
outage is reported, and outages begin and end in turn; the webhook gets each event once.
"""

import argparse
import http.server
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(REPOSITORY / "Scripts/bench"), str(REPOSITORY / "Tests/Clients")]

from chart import chart, slope  # noqa: E402
from kinema_client import usage  # noqa: E402
from watch import KINEMA, clips  # noqa: E402

MEMORY_BAR = 1.0  # MB in ten minutes
PEAK_BAR = 1200.0  # MB
LATENESS_BAR = 2.0  # seconds after the 0.5 s for which a person is seen before they are reported
SEEN_FIRST = 0.5
FRAME_RATE = 15
# Pictures that come no more are an outage after three seconds.
STALE = 3.0
# How long after a visit a person is reported to leave at the latest: 5 s out of view, and some for the way.
LEAVING = 15.0
# How long a camera may take to be back: it is opened again at growing intervals.
LONGEST_RETURN = 60.0
SENT = ("personEnters", "personLeaves", "sourceStale", "sourceBack", "fall")


@dataclass
class Visit:
    camera: str
    start: float
    end: float = float("inf")
    # Whether the camera may fail meanwhile: then only pairs of events are counted.
    mayFail: bool = False


@dataclass
class Run:
    length: float
    start: float = field(default_factory=time.monotonic)
    isOver: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)
    visits: list[Visit] = field(default_factory=list)
    outages: dict[str, list[float]] = field(default_factory=dict)
    # Each event with the moment at which it was printed.
    events: list[tuple[float, dict]] = field(default_factory=list)
    received: dict[str, int] = field(default_factory=dict)
    refused: int = 0
    surprises: list[str] = field(default_factory=list)

    def surprise(self, text: str):
        with self.lock:
            self.surprises.append(text)
        print(f"soak: {text}", file=sys.stderr, flush=True)

    @property
    def isNight(self) -> bool:
        return 0.4 <= (time.monotonic() - self.start) / self.length < 0.6

    def heard(self, camera: str, kinds: tuple[str, ...], since: float) -> list[float]:
        with self.lock:
            return [at for at, event in self.events
                    if event["source"] == camera and event["event"] in kinds and at >= since]  # fmt: skip


class Camera(threading.Thread):
    """A camera: clips one after the other into a pipe, and outages between them."""

    def __init__(self, name: str, clips: dict[str, Path], pipe: Path, isBusy: bool, mayFail: bool, run: Run):
        super().__init__(daemon=True)
        self.name, self.clips, self.pipe, self.isBusy, self.mayFail = name, clips, pipe, isBusy, mayFail
        self.shared = run
        self.output = -1
        self.opened = 0.0

    def run(self):
        self.open()
        while not self.shared.isOver.is_set():
            shortest, longest = (10, 20) if self.isBusy else (60, 240)
            self.play("empty", random.uniform(shortest, longest) / 2)
            if random.random() < (0.1 if self.isBusy else 0.5):
                self.fail()
            self.play("empty", random.uniform(shortest, longest) / 2)
            if not self.shared.isNight and not self.shared.isOver.is_set():
                self.visit()
        if self.output >= 0:
            os.close(self.output)

    def visit(self):
        kind = random.choice(["moving", "moving", "still"])
        seconds = random.uniform(8, 20)
        visit = Visit(self.name, time.monotonic(), mayFail=self.mayFail)
        with self.shared.lock:
            self.shared.visits.append(visit)
        self.play(kind, seconds / 2)
        if self.mayFail:
            self.fail()
        # The same person does the same on: clips are cut at keyframes.
        self.play(kind, seconds / 2, start=seconds / 2)
        visit.end = time.monotonic()
        self.play("empty", LEAVING)

    def open(self):
        while not self.shared.isOver.is_set():
            try:
                self.output = os.open(self.pipe, os.O_WRONLY | os.O_NONBLOCK)
            except OSError:
                time.sleep(0.2)
                continue
            os.set_blocking(self.output, True)
            self.opened = time.monotonic()
            return

    def feed(self, kind: str, seconds: float, start: float = 0.0) -> subprocess.Popen:
        words = ["ffmpeg", "-v", "quiet", "-nostdin", "-re", "-stream_loop", "-1", "-ss", f"{start:.2f}"]
        words += ["-i", str(self.clips[kind]), "-t", f"{seconds:.2f}", "-c", "copy"]
        # A camera's clock goes on.
        words += ["-output_ts_offset", f"{time.monotonic() - self.opened:.3f}", "-f", "mpegts", "-"]
        return subprocess.Popen(words, stdout=self.output)

    def play(self, kind: str, seconds: float, start: float = 0.0):
        if self.shared.isOver.is_set() or self.output < 0:
            return
        feeder = self.feed(kind, seconds, start)
        while feeder.poll() is None and not self.shared.isOver.wait(0.1):
            pass
        feeder.kill()
        feeder.wait()

    def fail(self):
        """No pictures for a while, and then the camera is waited for."""
        seconds = random.uniform(1.5 * STALE, 30)
        begin = time.monotonic()
        with self.shared.lock:
            self.shared.outages.setdefault(self.name, []).append(begin)
        kind = random.choice(["end", "stall", "garbage"])
        if kind == "stall":
            feeder = self.feed("empty", seconds + 1)
            time.sleep(0.5)
            feeder.send_signal(signal.SIGSTOP)
            self.shared.isOver.wait(seconds)
            feeder.send_signal(signal.SIGCONT)
            feeder.kill()
            feeder.wait()
        else:
            if kind == "garbage":
                try:
                    os.write(self.output, random.randbytes(50_000))
                except OSError:
                    pass
            os.close(self.output)
            self.output = -1
            self.shared.isOver.wait(seconds)
            self.open()
        back = time.monotonic()
        while not self.shared.isOver.is_set() and not self.shared.heard(self.name, ("sourceBack",), begin):
            self.play("empty", 2)
            if time.monotonic() - back > LONGEST_RETURN:
                self.shared.surprise(f"{self.name} was not back {LONGEST_RETURN:.0f} s after it failed ({kind})")
                return


class Webhook(http.server.ThreadingHTTPServer):
    """Takes events, and often refuses them."""

    daemon_threads = True

    def __init__(self, run: Run):
        super().__init__(("127.0.0.1", 0), Receiver)
        self.shared = run
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Receiver(http.server.BaseHTTPRequestHandler):
    server: Webhook

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        run, chance = self.server.shared, random.random()
        with run.lock:
            if chance < 0.15:
                run.refused += 1
            else:
                id = json.loads(body)["id"]
                run.received[id] = run.received.get(id, 0) + 1
        if chance < 0.05:
            time.sleep(2)
            self.close_connection = True
            return
        self.send_response(503 if chance < 0.15 else 200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *words):
        pass


def read_events(output, run: Run):
    for line in output:
        event = json.loads(line)
        with run.lock:
            run.events.append((time.monotonic(), event))


def assess(run: Run, ended: float) -> dict:
    """What was reported wrongly, and how late what was reported was."""
    wrong: list[str] = []
    lateness: list[tuple[float, float]] = []
    visits = [v for v in run.visits if not v.mayFail and v.end + LEAVING < ended]
    explained: set[int] = set()
    for visit in visits:
        inside = [(i, at, e) for i, (at, e) in enumerate(run.events)
                  if e["source"] == visit.camera and visit.start <= at < visit.end + LEAVING]  # fmt: skip
        enters = [(i, at) for i, at, e in inside if e["event"] == "personEnters"]
        leaves = [(i, at) for i, at, e in inside if e["event"] == "personLeaves"]
        when = f"{visit.camera}, minute {(visit.start - run.start) / 60:.1f}"
        if len(enters) != 1:
            wrong.append(f"{when}: {len(enters)} people came instead of 1")
        if len(leaves) != 1 or leaves[0][1] < visit.end:
            wrong.append(f"{when}: {len(leaves)} people left, {[round(at - visit.end, 1) for _, at in leaves]} s after")
        if enters:
            lateness.append(((visit.start - run.start) / 60, enters[0][1] - visit.start - SEEN_FIRST))
        explained |= {i for i, _ in enters + leaves}
    excused = [v for v in run.visits if v not in visits]
    for i, (at, event) in enumerate(run.events):
        if event["event"] not in ("personEnters", "personLeaves", "fall") or i in explained:
            continue
        if any(v.camera == event["source"] and v.start <= at <= v.end + LEAVING for v in excused):
            continue
        wrong.append(f"{event['source']}, minute {(at - run.start) / 60:.1f}: {event['event']} of nobody")
    present: set[tuple[str, int]] = set()
    for at, event in run.events:
        if event["event"] in ("personEnters", "personLeaves"):
            person = (event["source"], event["person"])
            if (person in present) == (event["event"] == "personEnters"):
                wrong.append(f"{person}, minute {(at - run.start) / 60:.1f}: {event['event']} again")
            present ^= {person}
    for camera in sorted({v.camera for v in run.visits} | run.outages.keys()):
        pairs = [e["event"] for _, e in run.events
                 if e["source"] == camera and e["event"] in ("sourceStale", "sourceBack")]  # fmt: skip
        if pairs[::2].count("sourceStale") != len(pairs[::2]) or "sourceStale" in pairs[1::2]:
            wrong.append(f"{camera}: outages do not begin and end in turn: {pairs}")
        outages = [at for at in run.outages.get(camera, []) if at + 2 * LONGEST_RETURN < ended]
        for at in outages:
            stale = run.heard(camera, ("sourceStale",), at)
            if not any(moment < at + 30 for moment in stale):
                wrong.append(f"{camera}, minute {(at - run.start) / 60:.1f}: an outage was not reported")
    ids = [e["id"] for _, e in run.events]
    sent = {e["id"] for _, e in run.events if e["event"] in SENT}
    if len(set(ids)) != len(ids):
        wrong.append(f"{len(ids) - len(set(ids))} events were printed twice")
    if lost := sent - run.received.keys():
        wrong.append(f"{len(lost)} events never reached the webhook")
    if twice := [id for id, count in run.received.items() if count > 1]:
        wrong.append(f"{len(twice)} events reached the webhook twice")
    return {"visits": len(visits), "lateness": lateness, "wrong": wrong}


def write(output: Path, options, samples: list[dict], run: Run, lateness=()) -> dict:
    """Draws what there is so far; the figures."""
    settled = min(10.0, run.length / 360)
    memory = [(s["minutes"], s["memory"]) for s in samples]
    grown, error = slope([point for point in memory if point[0] > settled])
    cores = [
        (b["minutes"], (b["processor"] - a["processor"]) / (b["minutes"] - a["minutes"]) / 60)
        for a, b in zip(samples, samples[6:])
    ]
    night = [value for minute, value in cores if 0.42 < minute * 60 / run.length < 0.58]
    day = [value for minute, value in cores if not 0.4 < minute * 60 / run.length < 0.62]
    figures = {
        "minutes": round(samples[-1]["minutes"], 1),
        "cameras": options.cameras,
        "busy": options.busy,
        "memorySlope": round(grown * 10, 3),
        "memorySlopeError": round(error * 10, 3),
        "peak": round(samples[-1]["peak"]),
        "coresByDay": round(sum(day) / max(1, len(day)), 3),
        "coresAtNight": round(sum(night) / max(1, len(night)), 3),
        "outages": sum(map(len, run.outages.values())),
        "outagesReported": sum(event["event"] == "sourceStale" for _, event in run.events),
        "events": len(run.events),
        "refused": run.refused,
        "surprises": run.surprises[:50],
    }
    panels = [
        ("Resident memory (MB)", memory, f"slope {grown * 10:+.2f} ± {error * 10:.2f} MB in ten minutes"),
        ("Cores, over half a minute", cores, f"night {figures['coresAtNight']:.2f}"),
        ("Descriptors", [(s["minutes"], s["descriptors"]) for s in samples], ""),
        ("Threads", [(s["minutes"], s["threads"]) for s in samples], ""),
    ]
    if lateness:
        panels.append(("Lateness of who enters (s)", sorted(lateness), f"at most {max(x for _, x in lateness):.1f} s"))
    title = f"kinema watch: {options.cameras} cameras, {options.busy} busy"
    (output / "soak.svg").write_text(chart(title, panels))
    return figures


def soak(options, folder: Path) -> int:
    options.output.mkdir(parents=True, exist_ok=True)
    made = clips(argparse.Namespace(empty=None, still=None, moving=None, noise=3), folder, FRAME_RATE)
    run = Run(options.hours * 3600)
    hook = Webhook(run)
    cameras = []
    for number in range(options.cameras):
        kind = "busy" if number < options.busy else "calm"
        pipe = folder / f"{kind}-{number + 1}.ts"
        os.mkfifo(pipe)
        # The last one fails while people are in view, too.
        cameras.append(Camera(f"{kind} {number + 1}", made, pipe, kind == "busy", number == options.cameras - 1, run))
    file = folder / "watch.json"
    file.write_text(
        json.dumps(
            {
                "sources": [{"name": c.name, "address": f"pipe:{c.pipe}"} for c in cameras],
                "rules": [{"when": {"event": kind}, "then": ["webhook"]} for kind in SENT],
                "webhook": {"url": f"http://127.0.0.1:{hook.server_port}/"},
            }
        )
    )
    errors = (options.output / "errors.log").open("w")
    process = subprocess.Popen(
        [KINEMA, "watch", str(file), "--threads", "2", "--data", str(folder / "data")],
        stdout=subprocess.PIPE, stderr=errors, text=True,
    )  # fmt: skip
    threading.Thread(target=read_events, args=(process.stdout, run), daemon=True).start()
    for camera in cameras:
        camera.start()
    samples: list[dict] = []
    try:
        while process.poll() is None and (now := time.monotonic()) - run.start < run.length:
            samples.append({"minutes": (now - run.start) / 60} | usage(process.pid))
            if len(samples) % 12 == 1:
                write(options.output, options, samples, run)
            time.sleep(max(0, now + 5 - time.monotonic()))
        ended = time.monotonic()
        if process.poll() is not None:
            run.surprise(f"kinema watch ended with status {process.returncode}")
        # What waits for the webhook is sent within its longest pause.
        time.sleep(min(90, run.length / 10))
    finally:
        run.isOver.set()
        process.terminate()
        status = process.wait(60)
        for camera in cameras:
            camera.join(10)
    found = assess(run, ended)
    figures = write(options.output, options, samples, run, found["lateness"])
    late = sorted(seconds for _, seconds in found["lateness"])
    figures |= {"status": status, "visits": found["visits"], "wrong": found["wrong"]}
    figures |= {"latenessMedian": round(late[len(late) // 2], 2), "latest": round(late[-1], 2)} if late else {}
    events = [{"seconds": at - run.start} | event for at, event in run.events]
    outages = {camera: [at - run.start for at in begins] for camera, begins in run.outages.items()}
    rest = {"samples": samples, "outageBegins": outages, "events": events}
    (options.output / "soak.json").write_text(json.dumps(figures | rest, indent=1))
    fails = [name for name in ("status", "surprises", "wrong") if figures[name]]
    if not figures["memorySlope"] < MEMORY_BAR:
        fails.append("memory")
    if figures["peak"] > PEAK_BAR:
        fails.append("peak memory")
    if not late or late[-1] > LATENESS_BAR:
        fails.append("lateness")
    print(json.dumps(figures, indent=1))
    print(f"soak: {'missed: ' + ', '.join(fails) if fails else 'all bars are met'}")
    return 1 if fails else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hours", type=float, default=1)
    parser.add_argument("--cameras", type=int, default=16)
    parser.add_argument("--busy", type=int, default=4)
    parser.add_argument("--output", type=Path, default=REPOSITORY / ".build/soak-cameras")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    random.seed(options.seed)
    with tempfile.TemporaryDirectory(prefix="kinema-soak-") as folder:
        sys.exit(soak(options, Path(folder)))


if __name__ == "__main__":
    main()
