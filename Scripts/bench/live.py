"""Loads the live server with WebSocket clients, and reports how each of them was served.

    live.py CLIP [--sessions 4] [--rate 15] [--seconds 20] [--url ws://127.0.0.1:8642] [--json]

Without --url it starts `kinema live` itself. Every client sends the clip's frames as 640×480 JPEG at
the given rate, never waiting, as a camera does, and counts the answers. `latency` is from sending a
picture to its answer. Nothing but the standard library is needed, and the ffmpeg command.
"""

import argparse
import base64
import json
import os
import re
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from urllib.parse import urlsplit

REPOSITORY = Path(__file__).resolve().parents[2]
KINEMA = os.environ.get("KINEMA", str(REPOSITORY / ".build/product/release/kinema"))


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


class Socket:
    """A WebSocket client (RFC 6455), as little as is needed here."""

    def __init__(self, url: str):
        parts = urlsplit(url)
        self.stream = socket.create_connection((parts.hostname, parts.port), timeout=20)
        self.stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        key = base64.b64encode(os.urandom(16)).decode()
        self.stream.sendall(
            f"GET /api/v1/live HTTP/1.1\r\nHost: {parts.netloc}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Protocol: kinema.live.v1\r\n\r\n".encode()
        )
        self.buffer = b""
        while b"\r\n\r\n" not in self.buffer:
            self.fill()
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise ConnectionError(head.decode(errors="replace"))
        self.lock = threading.Lock()

    def fill(self):
        data = self.stream.recv(65536)
        if not data:
            raise ConnectionError("closed")
        self.buffer += data

    def send(self, payload: bytes, opcode: int):
        length = len(payload)
        head = bytes([0x80 | opcode])
        if length < 126:
            head += bytes([0x80 | length])
        elif length < 65536:
            head += bytes([0x80 | 126]) + struct.pack(">H", length)
        else:
            head += bytes([0x80 | 127]) + struct.pack(">Q", length)
        # A mask of zeros is as good as any between two programs of one machine.
        with self.lock:
            self.stream.sendall(head + b"\0\0\0\0" + payload)

    def take(self, count: int) -> bytes:
        while len(self.buffer) < count:
            self.fill()
        data, self.buffer = self.buffer[:count], self.buffer[count:]
        return data

    def receive(self) -> tuple[int, bytes]:
        while True:
            first, second = self.take(2)
            length = second & 127
            if length == 126:
                length = struct.unpack(">H", self.take(2))[0]
            elif length == 127:
                length = struct.unpack(">Q", self.take(8))[0]
            payload = self.take(length)
            if first & 15 == 9:
                self.send(payload, 10)
            elif first & 15 == 8:
                raise ConnectionError(f"closed: {payload[2:].decode(errors='replace')}")
            else:
                return first & 15, payload


class Client(threading.Thread):
    """One session: sends at a rate, counts what comes back."""

    def __init__(self, url: str, frames: list[bytes], rate: float, seconds: float):
        super().__init__(daemon=True)
        self.url, self.frames, self.rate, self.seconds = url, frames, rate, seconds
        self.sent: dict[int, float] = {}
        self.latencies: list[float] = []
        self.answers = self.found = 0
        self.summary: dict = {}
        self.failure = None
        self.isReady = threading.Event()

    def run(self):
        try:
            self.socket = Socket(self.url)
            message = {"type": "start", "source": {"kind": "browser"}, "settings": {}}
            self.socket.send(json.dumps(message).encode(), 1)
            threading.Thread(target=self.listen, daemon=True).start()
            if not self.isReady.wait(20):
                raise ConnectionError(self.failure or "no answer to start")
            start = time.monotonic()
            for number in range(int(self.seconds * self.rate)):
                due = start + number / self.rate
                time.sleep(max(0, due - time.monotonic()))
                moment = time.monotonic()
                self.sent[number] = moment
                head = struct.pack("<4sId", b"KFR1", number, (due - start) * 1000)
                self.socket.send(head + self.frames[number % len(self.frames)], 2)
            time.sleep(1)
        except OSError as error:
            self.failure = str(error)

    def listen(self):
        try:
            while True:
                opcode, payload = self.socket.receive()
                if opcode != 1:
                    continue
                message = json.loads(payload)
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


def resident(process: int) -> float:
    """The megabytes of memory that a process holds."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0


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
    server = None
    with tempfile.TemporaryDirectory() as folder:
        if not options.url:
            server = subprocess.Popen(
                [KINEMA, "live", "--port", "0", "--data", folder],
                stdout=subprocess.PIPE,
                text=True,
            )
            address = re.search(r"http://\S+", server.stdout.readline())
            if not address:
                sys.exit("live: the server printed no address")
            options.url = address.group(0).replace("http", "ws", 1)
        clients = [
            Client(options.url, frames, options.rate, options.seconds)
            for _ in range(options.sessions)
        ]
        for client in clients:
            client.start()
        memory = []
        while any(client.is_alive() for client in clients):
            time.sleep(min(5, max(1, options.seconds / 20)))
            if server:
                memory.append(round(resident(server.pid), 1))
        reports = [client.report() for client in clients]
        if server:
            server.terminate()
            server.wait(20)
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
