"""Plays hostile clients against a live server, and measures what its well-behaved clients get.

    hostile.py [--connections 500] [--seconds 20] [--rate 5] [--survival] [--json FILE] [ATTACK …]

Two victims send frames all the time: one from another address than the attackers, one from the same
address that holds the token. Each attack comes after a quiet phase. Both victims must keep 90 % of
their rate, their p95 latency may at most double (or reach 60 ms), and nine in ten of their requests
on new connections must be answered. With --survival, for a machine that is busy, there is no quiet
phase: each attack lasts on until both victims have had some frames and some requests answered, however
long that takes within minutes, and no session may be lost.

Attackers are a process of their own with the lowest priority, as if they were on another machine:
what they compute is not the server's load.
"""

import argparse
import json
import multiprocessing
import os
import random
import select
import socket
import struct
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Clients"))
from kinema_client import Client, Server, pictures  # noqa: E402

TOKEN = "a-token-of-the-suite-0123456789"
ATTACKER, ELSEWHERE = "127.0.0.2", "127.0.0.3"
RATE_BAR, LATENCY_BAR, LATENCY_FLOOR = 0.9, 2.0, 60.0
# Survival: so many answers of each kind, after so many seconds at the latest.
ANSWERS, SURVIVAL_SECONDS = 3, 180


class Victim(threading.Thread):
    """A session that sends frames at a rate, and makes a request on a new connection each second."""

    def __init__(self, server: Server, source: str, frames: list[bytes], rate: float):
        super().__init__(daemon=True)
        self.client = server.client(token=TOKEN, source=source)
        self.frames, self.rate = frames, rate
        self.answers: list[tuple[float, float]] = []
        self.requests: list[tuple[float, float | None]] = []
        self.failure: str | None = None
        self.isReady, self.isOver = threading.Event(), threading.Event()

    def run(self):
        threading.Thread(target=self.ask, daemon=True).start()
        try:
            stream = self.client.socket()
            stream.send({"type": "start", "source": {"kind": "browser"}, "settings": {}})
            stream.wait("ready")
            self.isReady.set()
            sent: dict[int, float] = {}
            number, due = 0, time.monotonic()
            while not self.isOver.is_set():
                now = time.monotonic()
                if now >= due:
                    due = max(due + 1 / self.rate, now)
                    number += 1
                    sent[number] = now
                    stream.send_picture(number, self.frames[number % len(self.frames)], now * 1000)
                isWaiting = stream.buffer or (self.client.isSecure and stream.stream.pending())
                if not isWaiting and not select.select(
                    [stream.stream], [], [], max(0, due - time.monotonic())
                )[0]:
                    continue
                if not (message := stream.message()):
                    continue
                if message["type"] == "frame":
                    now = time.monotonic()
                    moment = sent.pop(message["sequence"], now)
                    self.answers.append((now, (now - moment) * 1000))
                elif message["type"] == "error":
                    self.failure = message["message"]
            stream.close()
        except (OSError, StopIteration) as error:
            self.failure = self.failure or repr(error)

    def ask(self):
        """Four new connections a second: whether others are locked out."""
        while not self.isOver.wait(0.25):
            start = time.monotonic()
            try:
                status = self.client.request("GET", "/api/v1/models")[0]
            except OSError:
                status = 0
            ms = (time.monotonic() - start) * 1000
            self.requests.append((time.monotonic(), ms if status == 200 else None))

    def survives(self, start: float) -> bool:
        """Whether it has had enough answers since a moment."""
        frames = sum(at >= start for at, _ in self.answers)
        answered = sum(at >= start and ms is not None for at, ms in self.requests)
        return min(frames, answered) >= ANSWERS

    def figures(self, start: float, end: float) -> dict:
        """What it got between two moments."""
        latencies = sorted(ms for at, ms in self.answers if start <= at < end)
        asked = [ms for at, ms in self.requests if start <= at < end]
        return {
            "rate": len(latencies) / max(end - start, 1e-3),
            "p95": latencies[int(0.95 * (len(latencies) - 1))] if latencies else float("inf"),
            "requests": len(asked),
            "answered": sum(ms is not None for ms in asked),
        }


class Attack:
    """What the attackers do, with a number of connections until it is over."""

    def __init__(self, host: str, port: int, isSecure: bool, connections: int, frames: list[bytes]):
        self.connections, self.frames = connections, frames
        self.stranger = Client(host, port, isSecure, token=None, source=ATTACKER, timeout=5)
        self.member = Client(host, port, isSecure, token=TOKEN, source=ATTACKER, timeout=5)
        self.isOver = threading.Event()
        self.opened = 0

    def play(self, name: str, isOver, opened):
        """Attacks in a process of its own until an event; counts the connections."""
        os.nice(19)
        job = threading.Thread(target=getattr(self, name), daemon=True)
        job.start()
        isOver.wait()
        self.isOver.set()
        job.join(10)
        opened.value = self.opened

    def raw(self) -> socket.socket:
        address = (self.stranger.host, self.stranger.port)
        stream = socket.create_connection(address, 5, (ATTACKER, 0))
        self.opened += 1
        return stream

    def hold(self, play):
        """Keeps so many connections open, each with a step now and then; renews those that end."""
        streams: list[socket.socket] = []
        while not self.isOver.is_set():
            while len(streams) < self.connections and not self.isOver.is_set():
                try:
                    stream = self.raw()
                    stream.setblocking(False)
                    streams.append(stream)
                except OSError:
                    break
            kept = []
            for stream in streams:
                try:
                    play(stream)
                    if stream.recv(4096) != b"":
                        kept.append(stream)
                        continue
                except BlockingIOError:
                    kept.append(stream)
                    continue
                except OSError:
                    pass
                stream.close()
            streams = kept
            self.isOver.wait(0.3)
        for stream in streams:
            stream.close()

    def many(self, job, count: int):
        """Runs a job again and again on some threads."""

        def loop():
            while not self.isOver.is_set():
                try:
                    job()
                except (OSError, StopIteration, ValueError):
                    self.isOver.wait(0.05)

        threads = [threading.Thread(target=loop, daemon=True) for _ in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    # Without the token

    def idle(self):
        """Connections that say nothing."""
        self.hold(lambda stream: None)

    def half_tls(self):
        """TLS handshakes that stop after the first bytes."""
        self.hold(lambda stream: stream.send(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"[:1]))

    def slow_head(self):
        """Bytes of a request, one at a time, in clear."""
        self.hold(lambda stream: stream.send(b"G"))

    def churn(self):
        """Connections that are opened and closed as fast as possible."""
        self.many(lambda: self.raw().close(), 4)

    def flood(self):
        """Requests without the token, on new and on kept connections."""

        def job():
            with self.stranger.connect() as stream:
                self.opened += 1
                head = f"GET / HTTP/1.1\r\nHost: {self.stranger.headers()['Host']}\r\n\r\n"
                for _ in range(100):
                    stream.sendall(head.encode())
                    if not stream.recv(65536) or self.isOver.is_set():
                        return

        self.many(job, 8)

    # With the token

    def sessions(self):
        """Many sessions that send frames as fast as they can."""

        def job():
            stream = self.member.socket()
            self.opened += 1
            stream.send({"type": "start", "source": {"kind": "browser"}, "settings": {}})
            number = 0
            while not self.isOver.is_set():
                number += 1
                stream.send_picture(number, random.choice(self.frames), number)
                time.sleep(0.02)
            stream.close()

        self.many(job, 12)

    def expensive(self):
        """Pictures that are small and take long to decode."""
        picture = expensive_picture()

        def job():
            stream = self.member.socket()
            self.opened += 1
            stream.send({"type": "start", "source": {"kind": "browser"}, "settings": {}})
            stream.wait("ready")
            number = 0
            while not self.isOver.is_set():
                number += 1
                stream.send_picture(number, picture, number)
                time.sleep(0.05)
            stream.close()

        self.many(job, 2)

    def slow_readers(self):
        """Sessions that never read what they asked for."""

        def job():
            stream = self.member.socket()
            self.opened += 1
            stream.send({"type": "start", "source": {"kind": "server", "id": "synthetic"}, "settings": {}})
            while not self.isOver.wait(0.5):
                stream.send({"type": "ping", "time": 1})

        self.many(job, 4)

    def uploads(self):
        """Bodies of models and uploads that come a byte at a time."""

        def job():
            with self.member.connect() as stream:
                self.opened += 1
                lines = {**self.member.headers(), "Content-Length": str(64 << 20)}
                head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
                stream.sendall(f"POST /api/v1/models?name=x.mlmodel HTTP/1.1\r\n{head}\r\n".encode())
                while not self.isOver.wait(0.5):
                    stream.sendall(b"x")

        self.many(job, 32)


ATTACKS = [
    "idle", "half_tls", "slow_head", "churn", "flood", "sessions", "expensive", "slow_readers",
    "uploads",
]


def expensive_picture(side: int = 1920, scans: int = 490) -> bytes:
    """A grey progressive JPEG with as many scans as the decoder allows (ITU-T T.81, annex G)."""

    def segment(marker: int, body: bytes) -> bytes:
        return struct.pack(">BBH", 0xFF, marker, len(body) + 2) + body

    def table(kind: int, symbol: int) -> bytes:
        return segment(0xC4, bytes([kind, 1] + [0] * 15 + [symbol]))

    def scan(first: int, last: int, high: int, low: int, data: bytes) -> bytes:
        return segment(0xDA, bytes([1, 1, 0, first, last, high << 4 | low])) + data

    blocks = (side // 8) ** 2
    # Two end-of-band runs of 2^14 and 14 bits more cover all blocks.
    run = format(blocks // 2 - (1 << 14), "014b")
    bits = (f"0{run}" * 2).ljust(32, "1")
    nothing = int(bits, 2).to_bytes(4, "big").replace(b"\xff", b"\xff\0")
    parts = [
        b"\xff\xd8",
        segment(0xDB, b"\0" + b"\1" * 64),
        segment(0xC2, struct.pack(">BHHB", 8, side, side, 1) + b"\1\x11\0"),
        table(0x00, 0x00),
        table(0x10, 0xE0),
        scan(0, 0, 0, 0, b"\0" * (blocks // 8)),
    ]
    steps = [(k, high, low) for k in range(1, 64) for high, low in [(0, 13)] + [(n, n - 1) for n in range(13, 0, -1)]]
    parts += [scan(k, k, high, low, nothing) for k, high, low in steps[: scans - 1]]
    return b"".join(parts) + b"\xff\xd9"


def phase(seconds: float) -> tuple[float, float]:
    start = time.monotonic()
    time.sleep(seconds)
    return start, time.monotonic()


def survival(victims: dict[str, Victim], seconds: float) -> tuple[float, float]:
    """A phase that lasts on until all have survived it, or too long."""
    start, _ = phase(seconds)
    while time.monotonic() < start + SURVIVAL_SECONDS:
        if all(victim.failure or victim.survives(start) for victim in victims.values()):
            break
        time.sleep(0.1)
    return start, time.monotonic()


def attacked(
    name: str, address: tuple, options, frames: list[bytes], victims: dict[str, Victim], report: dict
) -> tuple[float, float]:
    """A phase with an attack; how many connections it opened is reported."""
    processes = multiprocessing.get_context("spawn")
    isOver, isUnderWay, opened = processes.Event(), processes.Event(), processes.Value("q", 0)
    arguments = (name, address, options.connections, frames, isUnderWay, isOver, opened)
    attacker = processes.Process(target=attack, args=arguments, daemon=True)
    attacker.start()
    if not isUnderWay.wait(120):
        sys.exit(f"hostile: the attack {name} does not start")
    time.sleep(1)
    loud = (
        survival(victims, options.seconds) if options.survival else phase(options.seconds)
    )
    isOver.set()
    attacker.join(30)
    if attacker.exitcode != 0:
        sys.exit(f"hostile: the attack {name} ended with {attacker.exitcode}")
    report["opened"] = opened.value
    return loud


def attack(name, address, connections, frames, isUnderWay, isOver, opened):
    isUnderWay.set()
    Attack(*address, connections, frames).play(name, isOver, opened)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("attacks", nargs="*", metavar="ATTACK")
    parser.add_argument("--connections", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--rate", type=float, default=5)
    parser.add_argument("--survival", action="store_true")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    reports, missed = {}, []
    with Server() as first:
        frames = pictures(first, 30)
    with Server("--tls", "--token", TOKEN, "--sessions", "16") as server:
        victims = {
            "elsewhere": Victim(server, ELSEWHERE, frames, options.rate),
            "same address": Victim(server, ATTACKER, frames, options.rate),
        }
        for victim in victims.values():
            victim.start()
        for name, victim in victims.items():
            if not victim.isReady.wait(120):
                sys.exit(f"hostile: no session for the victim {name}: {victim.failure}")
        time.sleep(3)
        for name in options.attacks or ATTACKS:
            quiet = phase(0 if options.survival else options.seconds)
            report = reports[name] = {}
            address = (server.host, server.port, server.isSecure)
            loud = attacked(name, address, options, frames, victims, report)
            report["usage"] = server.usage()
            for who, victim in victims.items():
                before, during = victim.figures(*quiet), victim.figures(*loud)
                report[who] = {"before": before, "during": during, "failure": victim.failure}
                isMeasured = not options.survival
                isSlow = isMeasured and during["rate"] < RATE_BAR * before["rate"]
                latest = max(LATENCY_BAR * before["p95"], LATENCY_FLOOR)
                isLate = isMeasured and during["p95"] > latest
                isOut = (
                    not victim.survives(loud[0])
                    if options.survival
                    else during["answered"] < RATE_BAR * during["requests"]
                )
                isLost = victim.failure is not None
                wrong = [w for w, holds in (("rate", isSlow), ("latency", isLate), ("requests", isOut), ("session", isLost)) if holds]
                missed += [f"{name}, {who}: {w}" for w in wrong]
                print(
                    f"{name:13} {who:13} {before['rate']:5.1f} → {during['rate']:5.1f} frames a second, "
                    f"p95 {before['p95']:5.0f} → {during['p95']:5.0f} ms, requests "
                    f"{during['answered']} of {during['requests']}"
                    + (f"  MISSED: {', '.join(wrong)} {victim.failure or ''}" if wrong else ""),
                    flush=True,
                )
            if server.process.poll() is not None:
                missed.append(f"{name}: the server ended: {server.errors()}")
                break
        for victim in victims.values():
            victim.isOver.set()
        status = server.end() if server.process.poll() is None else server.process.returncode
        if status:
            missed.append(f"the server ended with status {status}: {server.errors()}")
    if options.json:
        options.json.write_text(json.dumps(reports, indent=1))
    for text in missed:
        print(f"missed: {text}")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
