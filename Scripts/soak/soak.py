"""Runs a live server for hours with sessions, failing sources, uploads and requests.

    soak.py [--hours 1] [--sessions 4] [--rate 10] [--output .build/soak]

Each session takes sources in turn: the browser's pictures, files, HTTP, RTSP, MJPEG, a pipe, the
synthetic person. Connections break and resume. Memory, descriptors, threads and latency are sampled
every five seconds, and drawn in OUTPUT/soak.svg; OUTPUT/soak.json has the figures. The status is 1
where a bar is missed: memory grows by less than 1 MB in ten minutes after the first ten, and an
idle server has as many descriptors at the end as after the first ten minutes.
"""

import argparse
import json
import os
import random
import select
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "Tests/Clients"))

from chart import chart, slope  # noqa: E402
from kinema_client import KINEMA, Server, Socket, pictures  # noqa: E402
from sources import Sources  # noqa: E402

MEMORY_BAR = 1.0  # MB in ten minutes


class Soak:
    def __init__(self, server: Server, frames: list[bytes], rate: float):
        self.server, self.frames, self.rate = server, frames, rate
        self.ids = [source["id"] for source in server.client().request("GET", "/api/v1/info")[1]["sources"]]
        self.isOver = threading.Event()
        self.isPaused = threading.Event()
        self.lock = threading.Lock()
        self.project = ""
        self.latencies: list[tuple[float, float]] = []
        self.counts: dict[str, int] = {}
        self.surprises: list[str] = []

    def count(self, what: str, number: int = 1):
        with self.lock:
            self.counts[what] = self.counts.get(what, 0) + number

    def surprise(self, text: str):
        with self.lock:
            self.surprises.append(text)
        print(f"soak: {text}", file=sys.stderr, flush=True)

    def rests(self) -> bool:
        return self.isOver.is_set() or self.isPaused.is_set()

    # Sessions

    def session(self):
        """One session after the other, with breaks."""
        key = None
        while not self.isOver.is_set():
            if self.isPaused.is_set():
                time.sleep(0.5)
                continue
            try:
                stream = self.server.client().socket()
                key = self.watch(stream, key)
            except (OSError, StopIteration) as error:
                self.surprise(f"a session failed: {error!r}")
                key = None
                time.sleep(1)

    def source(self) -> dict:
        """The browser in two turns of five."""
        if random.random() < 0.4:
            return {"kind": "browser"}
        return {"kind": "server", "id": random.choice(self.ids)}

    def watch(self, stream: Socket, key: str | None) -> str | None:
        """Plays a session for a while; the key by which it can be resumed."""
        source = self.source()
        start = {"type": "start", "source": source, "settings": {}}
        stream.send(start | ({"resume": key} if key else {}))
        ready = stream.wait("ready")
        self.count("sessions")
        self.count("resumed", int(ready["session"] == key))
        end = time.monotonic() + random.uniform(15, 60)
        sent: dict[int, float] = {}
        number, due = 0, time.monotonic()
        while time.monotonic() < end and not self.rests():
            isBrowser = source["kind"] == "browser"
            # The synthetic person moves at 30 frames a second: for a short time only.
            if source.get("id") == "synthetic":
                end = min(end, time.monotonic() + 4)
            if isBrowser and time.monotonic() >= due:
                due = max(due + 1 / self.rate, time.monotonic())
                if len(sent) < 2:
                    number += 1
                    sent[number] = time.monotonic()
                    stream.send_picture(
                        number, self.frames[number % len(self.frames)], sent[number] * 1000
                    )
                    self.count("pictures")
            wait = min(1, max(0, due - time.monotonic())) if isBrowser else 1
            if not stream.buffer and not select.select([stream.stream], [], [], wait)[0]:
                sent = {k: v for k, v in sent.items() if time.monotonic() - v < 10}
                continue
            if not (message := stream.message()):
                continue
            if message["type"] == "frame":
                self.count("frames")
                moment = sent.pop(message["sequence"], None)
                if moment:
                    with self.lock:
                        self.latencies.append(
                            (time.monotonic(), (time.monotonic() - moment) * 1000)
                        )
            elif message["type"] == "error":
                self.surprise(f"error of a session: {message}")
                sent.clear()
            if random.random() < 0.004:
                order = random.choice(
                    [
                        {"type": "new"},
                        {"type": "configure", "settings": {"maximumPersonCount": 1}},
                        {"type": "challenge", "command": "start", "items": [{"label": "squats", "repetitions": 3}]},
                        {"type": "source", "source": self.source()},
                    ]
                )
                if order["type"] == "source":
                    source = order["source"]
                    sent.clear()
                stream.send(order)
        isBroken = random.random() < 0.5 and not self.rests()
        stream.close(None if isBroken else 1000)
        if isBroken:
            self.count("broken connections")
            time.sleep(random.uniform(0, 3))
        return ready["session"] if isBroken else None

    # Requests

    def visitor(self, video: Path):
        """Requests, uploads and downloads, one every few seconds."""
        client = self.server.client()
        self.project = client.request("POST", "/api/v1/studio/projects", {"name": "Soak"})[1]["id"]
        project = self.project
        base = f"/api/v1/studio/projects/{project}"
        jobs = [
            lambda: self.upload(base, video),
            lambda: self.broken_upload(base, video),
            lambda: self.model(),
            lambda: self.history(),
            lambda: self.expect(client.request("GET", "/"), 200),
            lambda: self.expect(client.request("GET", "/api/v1/info"), 200),
            lambda: self.expect(client.request("GET", base), 200),
        ]
        while not self.isOver.wait(random.uniform(2, 8)):
            if self.isPaused.is_set():
                continue
            try:
                random.choice(jobs)()
                self.count("visits")
            except OSError as error:
                self.surprise(f"a request failed: {error!r}")

    def expect(self, answer, *statuses: int):
        if answer[0] not in statuses:
            self.surprise(f"status {answer[0]} rather than {statuses}: {answer[1]!r:.300}")
        return answer[1]

    def upload(self, base: str, video: Path):
        client, data = self.server.client(), video.read_bytes()
        body = {"name": "take.mp4", "size": len(data), "well": "training", "label": "squats"}
        upload = self.expect(client.request("POST", f"{base}/uploads", body), 201)
        half = len(data) // 2
        path = f"{base}/uploads/{upload['id']}"
        self.expect(client.request("PUT", f"{path}?offset=0", data[:half]), 200)
        done = self.expect(client.request("PUT", f"{path}?offset={half}", data[half:]), 200)
        item = done.get("item")
        if random.random() < 0.2:
            self.expect(client.request("POST", f"{base}/extract"), 202)
            for _ in range(60):
                jobs = client.request("GET", f"{base}/jobs")[1]
                if jobs["extraction"]["state"] != "running":
                    break
                time.sleep(1)
        if item:
            self.expect(client.request("DELETE", f"{base}/items", {"ids": [item["id"]]}), 200)
        self.expect(client.request("DELETE", f"{base}/media/{done['file']}"), 204, 409)
        self.count("uploads")

    def broken_upload(self, base: str, video: Path):
        client, data = self.server.client(), video.read_bytes()
        body = {"name": "broken.mp4", "size": len(data)}
        upload = self.expect(client.request("POST", f"{base}/uploads", body), 201)
        path = f"{base}/uploads/{upload['id']}"
        with client.connect() as stream:
            head = f"PUT {path}?offset=0 HTTP/1.1\r\nHost: {client.host}:{client.port}\r\n"
            stream.sendall(f"{head}Content-Length: {len(data)}\r\n\r\n".encode() + data[:5000])
        self.expect(client.request("DELETE", path), 204, 404, 409)
        self.count("broken uploads")

    def model(self):
        client = self.server.client()
        data = (REPOSITORY / "Resources/Exercise.mlmodel").read_bytes()
        model = self.expect(client.request("POST", "/api/v1/models?name=soak.mlmodel", data), 201)
        self.expect(client.request("DELETE", f"/api/v1/models/{model['id']}"), 204)
        self.count("model uploads")

    def history(self):
        client = self.server.client()
        sessions = self.expect(client.request("GET", "/api/v1/history?limit=50"), 200)["sessions"]
        if not sessions:
            return
        path = f"/api/v1/history/{random.choice(sessions)['id']}"
        self.expect(client.request("GET", f"{path}/export?format=csv"), 200, 404)
        self.expect(client.request("PATCH", path, {"name": "Soak"}), 200, 404)
        if len(sessions) > 20:
            self.expect(client.request("DELETE", f"/api/v1/history/{sessions[-1]['id']}"), 204, 409)

    def remove_uploads(self):
        """Cancels the uploads that broke, and could not be cancelled then."""
        client, base = self.server.client(), f"/api/v1/studio/projects/{self.project}/uploads"
        for upload in self.expect(client.request("GET", base), 200)["uploads"]:
            self.expect(client.request("DELETE", f"{base}/{upload['id']}"), 204)

    # Samples

    def sample(self, samples: list[dict], start: float, since: float):
        """Adds the server's usage, and the latency of frames since a moment."""
        client = self.server.client()
        moment = time.monotonic()
        self.expect(client.request("GET", "/healthz"), 200)
        health = (time.monotonic() - moment) * 1000
        self.expect(client.request("GET", "/metrics"), 200)
        with self.lock:
            recent = sorted(ms for at, ms in self.latencies if at >= since)
            self.latencies = [pair for pair in self.latencies if pair[0] >= since]
        samples.append(
            {
                "minutes": (time.monotonic() - start) / 60,
                **self.server.usage(),
                "health": health,
                "latency": recent[int(0.95 * (len(recent) - 1))] if recent else None,
            }
        )

    def idle(self) -> dict:
        """The usage of the server without sessions."""
        self.isPaused.set()
        time.sleep(20)
        usage = self.server.usage() | {"open": self.server.open_files()}
        self.isPaused.clear()
        return usage


def soak(options, folder: Path) -> int:
    output = options.output
    output.mkdir(parents=True, exist_ok=True)
    video = folder / "people.mp4"
    actions = ["--actions", "squats,jumping_jacks", "--repetitions", "2", "--size", "320x240"]
    subprocess.run([KINEMA, "synth", "--output", str(video), *actions], check=True, stdout=subprocess.DEVNULL)
    with Server() as first:
        frames = pictures(first, 60)
        first.end()
    sources = Sources(video, folder, frames, options.rate)
    with Server(*sources.addresses, environment={"XDG_CACHE_HOME": str(folder / "cache")}) as server:
        run = Soak(server, frames, options.rate)
        jobs = [threading.Thread(target=run.session, daemon=True) for _ in range(options.sessions)]
        jobs.append(threading.Thread(target=run.visitor, args=(sources.upload,), daemon=True))
        start = time.monotonic()
        for job in jobs:
            job.start()
        length = options.hours * 3600
        settled = min(600, length / 6)
        samples: list[dict] = []
        early = None
        while (now := time.monotonic()) - start < length and server.process.poll() is None:
            try:
                run.sample(samples, start, now - 30)
            except OSError as error:
                run.surprise(f"a sample failed: {error!r}")
            if early is None and now - start > settled:
                early = run.idle()
            write(output, options, samples, run, settled / 60, early, None)
            time.sleep(max(0, now + 5 - time.monotonic()))
        late = run.idle() if server.process.poll() is None else None
        run.isOver.set()
        for job in jobs:
            job.join(90)
        if server.process.poll() is None:
            run.remove_uploads()
        status = server.end()
        sources.stop()
        parts = [str(p) for p in server.data.rglob("*") if p.name.endswith(".part")]
        run.counts["faults of sources"] = sources.faults
        figures = write(output, options, samples, run, settled / 60, early, late)
        figures |= {"status": status, "leftovers": parts, "standardError": server.errors()}
    (output / "soak.json").write_text(json.dumps(figures | {"samples": samples}, indent=1))
    fails = []
    if not figures["memorySlope"] < MEMORY_BAR:
        fails.append("memory")
    if late is None or late["descriptors"] > early["descriptors"]:
        fails.append("descriptors")
    fails += [name for name in ("status", "leftovers", "surprises") if figures[name]]
    print(json.dumps(figures, indent=1))
    print(f"soak: {'missed: ' + ', '.join(fails) if fails else 'all bars are met'}")
    return 1 if fails else 0


def write(output: Path, options, samples, run: Soak, settled: float, early, late) -> dict:
    """Draws what there is so far; the figures."""
    memory = [(s["minutes"], s["memory"]) for s in samples]
    grown, error = slope([point for point in memory if point[0] > settled])
    last = samples[-1]
    share = last["processor"] / (last["minutes"] * 60) if last["minutes"] > 0.1 else 0
    figures = {
        "minutes": round(last["minutes"], 1),
        "sessionsAtOnce": options.sessions,
        "framesPerSecond": options.rate,
        "memorySlope": round(grown * 10, 3),
        "memorySlopeError": round(error * 10, 3),
        "idleEarly": early,
        "idleLate": late,
        "processorShare": round(share, 3),
        "counts": dict(run.counts),
        "surprises": run.surprises[:50],
    }
    latency = [(s["minutes"], s["latency"]) for s in samples if s["latency"] is not None]
    panels = [
        ("Resident memory (MB)", memory, f"slope {grown * 10:+.2f} ± {error * 10:.2f} MB in ten minutes"),
        ("Descriptors", [(s["minutes"], s["descriptors"]) for s in samples], f"idle: {early and early['descriptors']} after ten minutes, {late and late['descriptors']} at the end"),
        ("Threads", [(s["minutes"], s["threads"]) for s in samples], ""),
        ("Latency of a picture, p95 of 30 s (ms)", latency, ""),
        ("Latency of /healthz (ms)", [(s["minutes"], s["health"]) for s in samples], ""),
    ]
    title = f"kinema live: {options.sessions} sessions, {options.rate:g} frames per second each"
    (output / "soak.svg").write_text(chart(title, panels))
    return figures


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hours", type=float, default=1)
    parser.add_argument("--sessions", type=int, default=4)
    parser.add_argument("--rate", type=float, default=10)
    parser.add_argument("--output", type=Path, default=REPOSITORY / ".build/soak")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    random.seed(options.seed)
    with tempfile.TemporaryDirectory(prefix="kinema-soak-") as folder:
        sys.exit(soak(options, Path(folder)))


if __name__ == "__main__":
    main()
