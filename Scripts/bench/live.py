"""Loads the live server with WebSocket clients, and reports how each of them was served.

    live.py CLIP [--sessions 4] [--rate 15] [--seconds 20] [--url ws://127.0.0.1:8642] [--json]

Without --url it starts `kinema live` itself. Every client sends the clip's frames as 640×480 JPEG at
the given rate, never waiting, as a camera does, and counts the answers. `latency` is from sending a
picture to its answer. Nothing but the standard library is needed, and the ffmpeg command.
"""

import argparse
import contextlib
import json
import re
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Tests/Clients"))

import kinema_client  # noqa: E402


def pictures(clip: Path, rate: float) -> list[bytes]:
    """The clip's frames as JPEG, 640×480, at a rate."""
    shape = "scale=640:480:force_original_aspect_ratio=decrease,pad=640:480:-1:-1"
    stream = subprocess.run(
        ["ffmpeg", "-v", "error", "-i", str(clip), "-vf", f"fps={rate},{shape}", "-q:v", "4"]
        + ["-f", "image2pipe", "-c:v", "mjpeg", "-"],
        capture_output=True,
        check=True,
    ).stdout
    return re.findall(rb"\xff\xd8\xff.*?\xff\xd9", stream, re.S)


class Client(threading.Thread):
    """One session: sends at a rate, counts what comes back."""

    def __init__(self, server: kinema_client.Client, frames: list[bytes], rate: float, seconds: float):
        super().__init__(daemon=True)
        self.server, self.frames, self.rate, self.seconds = server, frames, rate, seconds
        self.sent: dict[int, float] = {}
        self.latencies: list[float] = []
        self.answers = self.found = 0
        self.summary: dict = {}
        self.failure = None
        self.isReady = threading.Event()

    def run(self):
        try:
            self.socket = self.server.socket()
            self.socket.send({"type": "start", "source": {"kind": "browser"}, "settings": {}})
            threading.Thread(target=self.listen, daemon=True).start()
            if not self.isReady.wait(20):
                raise ConnectionError(self.failure or "no answer to start")
            start = time.monotonic()
            for number in range(int(self.seconds * self.rate)):
                due = start + number / self.rate
                time.sleep(max(0, due - time.monotonic()))
                moment = time.monotonic()
                self.sent[number] = moment
                picture = self.frames[number % len(self.frames)]
                self.socket.send_picture(number, picture, (due - start) * 1000)
            time.sleep(1)
        except OSError as error:
            self.failure = str(error)

    def listen(self):
        try:
            for message in self.socket.messages():
                kind = message["type"]
                if kind == "ready":
                    self.isReady.set()
                elif kind == "frame":
                    self.answers += 1
                    self.found += bool(message["persons"])
                    sent = self.sent.pop(message["sequence"], None)
                    if sent:
                        self.latencies.append((time.monotonic() - sent) * 1000)
                elif kind == "summary":
                    self.summary = {
                        entry["label"]: (round(entry["seconds"], 1), entry["repetitions"])
                        for entry in message["entries"]
                    }
                elif kind == "error":
                    self.failure = message["message"]
        except OSError as error:
            self.failure = self.failure or str(error)

    def report(self) -> dict:
        ordered = sorted(self.latencies) or [float("nan")]
        return {
            "fps": round(self.answers / self.seconds, 2),
            "found": self.found,
            "p50": round(statistics.median(ordered), 1),
            "p95": round(ordered[int(0.95 * (len(ordered) - 1))], 1),
            "summary": self.summary,
            "failure": self.failure,
        }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("clip", type=Path)
    parser.add_argument("--sessions", type=int, default=4)
    parser.add_argument("--rate", type=float, default=15)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--url")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    frames = pictures(options.clip, options.rate)
    with contextlib.ExitStack() as stack:
        server = None
        if options.url:
            parts = urlsplit(options.url)
            target = kinema_client.Client(parts.hostname, parts.port)
        else:
            server = stack.enter_context(kinema_client.Server())
            target = server.client()
        clients = [
            Client(target, frames, options.rate, options.seconds) for _ in range(options.sessions)
        ]
        for client in clients:
            client.start()
        memory = []
        while any(client.is_alive() for client in clients):
            time.sleep(min(5, max(1, options.seconds / 20)))
            if server:
                memory.append(round(server.usage()["memory"], 1))
        reports = [client.report() for client in clients]
        if server:
            server.end(timeout=20)
    outcome = {"sessions": reports, "memory": memory}
    if options.json:
        print(json.dumps(outcome))
        return
    for number, report in enumerate(reports, 1):
        print(
            f"session {number}: {report['fps']:.1f} frames per second of {options.rate:g}, "
            f"p50 {report['p50']} ms, p95 {report['p95']} ms, a person in {report['found']}, "
            f"{report['summary']}" + (f" — {report['failure']}" if report["failure"] else "")
        )
    if memory:
        print(f"memory, MB: {memory[0]} … {memory[len(memory) // 2]} … {memory[-1]}")


if __name__ == "__main__":
    main()
