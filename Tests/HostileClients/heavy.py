"""Measures what others get while a server does all that takes long at once.

    heavy.py [--seconds 60] [--rate 5] [--files 100000] [--json FILE]

Two imports of annotations of 30 MB, one after the other each, listings of a folder of 100,000 files, and a
training go on together. A live session keeps 90 % of its rate before, /healthz answers within 200 ms 99 times
of 100, and the server's memory stays below 1 GB.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from hostile import ELSEWHERE, RATE_BAR, TOKEN, Victim, phase

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Clients"))
from kinema_client import KINEMA, Server, pictures  # noqa: E402

HEALTH_BAR, MEMORY_BAR = 0.2, 1024
TABLE_BYTES, TABLE_ROWS = 30 << 20, 199_000
STUDIO = "/api/v1/studio/projects"


class Repeated(threading.Thread):
    """Does something again and again, and keeps how long it took."""

    def __init__(self, work, pause: float = 0):
        super().__init__(daemon=True)
        self.work, self.pause = work, pause
        self.isOver = threading.Event()
        self.times: list[tuple[float, float]] = []
        self.failures: list[str] = []

    def run(self):
        while not self.isOver.wait(self.pause):
            start = time.monotonic()
            try:
                wrong = self.work()
            except OSError as error:
                wrong = repr(error)
            if wrong:
                self.failures.append(str(wrong)[:200])
                time.sleep(0.1)
            self.times.append((start, time.monotonic() - start))


def table(file: str) -> bytes:
    """Annotations of the largest size that is allowed, with as many rows."""
    label = "x" * (TABLE_BYTES // TABLE_ROWS - len(file) - 8)
    rows = "".join(f"{file},{label},{number}\n" for number in range(TABLE_ROWS))
    return b"file_name,label,start_time\n" + rows.encode()


def data_set(folder: Path, files: int):
    """A folder that a server offers: poses to train on, and many empty files."""
    subprocess.run(
        [KINEMA, "synth", "--dataset", folder / "poses", "--sequences", "60", "--labels", "squats,jumping_jacks"],
        check=True, stdout=subprocess.DEVNULL,
    )
    (folder / "many").mkdir()
    for number in range(files):
        (folder / "many" / f"{number}.mp4").touch()


def project(client, name: str, poses: Path) -> str:
    place = f"{STUDIO}/{client.request('POST', STUDIO, {'name': name})[1]['id']}"
    status, answer = client.request("POST", f"{place}/import", {"path": str(poses), "well": "training"})
    if status != 200:
        sys.exit(f"heavy: no data: {answer}")
    return place


def train(client, place: str):
    """Starts a training that lasts longer than the measurement, and waits until it trains."""
    client.request("PATCH", place, {"parameters": {"iterations": 2000}})
    status, run = client.request("POST", f"{place}/runs", {})
    end = time.monotonic() + 300
    while status in (200, 201) and run["state"] != "training" and time.monotonic() < end:
        time.sleep(0.5)
        status, run = client.request("GET", f"{place}/runs/{run['id']}")
    if run.get("state") != "training":
        sys.exit(f"heavy: no training: {run}")


def measure(options, folder: Path) -> dict:
    data_set(folder, options.files)
    with Server() as first:
        frames = pictures(first, 30)
    with Server("--folder", str(folder), "--token", TOKEN) as server:
        client = server.client()
        training, imports = (project(client, name, folder / "poses") for name in ("Training", "Imports"))
        medium = client.request("GET", f"{imports}/media")[1]["media"][0]["file"]
        body = table(medium)
        victim = Victim(server, ELSEWHERE, frames, options.rate)
        victim.start()
        if not victim.isReady.wait(120):
            sys.exit(f"heavy: no session: {victim.failure}")
        time.sleep(3)
        quiet = phase(15)

        def asked(method: str, path: str, body=None):
            def ask():
                status, answer = server.client().request(method, path, body)
                return None if status in (200, 400, 422) else f"{method} {path[:60]}: {status} {answer}"

            return ask

        def memory():
            memories.append(server.usage()["memory"])

        memories: list[float] = []
        idle = server.usage()["memory"]
        train(client, training)
        works = {
            "import": Repeated(asked("POST", f"{imports}/annotations/import", body)),
            "import beside it": Repeated(asked("POST", f"{imports}/annotations/import", body)),
            "folder": Repeated(asked("GET", f"/api/v1/studio/folders?path={folder}/many")),
            "healthz": Repeated(asked("GET", "/healthz"), 0.1),
            "memory": Repeated(memory, 0.2),
        }
        for work in works.values():
            work.start()
        loud = phase(options.seconds)
        for work in works.values():
            work.isOver.set()
        for work in works.values():
            work.join(120)
        state = client.request("GET", f"{training}/runs/1")[1]["state"]
        waits = sorted(seconds for _, seconds in works["healthz"].times)
        before, during = victim.figures(*quiet), victim.figures(*loud)
        victim.isOver.set()
        failures = [failure for work in works.values() for failure in work.failures]
        return {
            "requests": {name: len(works[name].times) for name in works},
            "healthz p99": waits[min(len(waits) - 1, len(waits) * 99 // 100)],
            "healthz longest": waits[-1],
            "rate before": before["rate"], "rate": during["rate"],
            "latency before": before["p95"], "latency": during["p95"],
            "memory of the session": idle, "memory before": memories[0], "memory": max(memories), "training": state,
            "failures": failures + [f for f in [victim.failure] if f],
        }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--rate", type=float, default=5)
    parser.add_argument("--files", type=int, default=100_000)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="kinema-heavy-") as folder:
        figures = measure(options, Path(folder))
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1))
    counts = ", ".join(f"{name} {count}" for name, count in figures["requests"].items())
    print(f"requests: {counts}; training: {figures['training']}")
    print(
        f"heavy: /healthz p99 {figures['healthz p99'] * 1000:.0f} ms, longest {figures['healthz longest'] * 1000:.0f} ms; "
        f"{figures['rate before']:.1f} → {figures['rate']:.1f} frames a second, p95 "
        f"{figures['latency before']:.0f} → {figures['latency']:.0f} ms; memory {figures['memory']:.0f} MB"
    )
    wrong = {
        "/healthz": figures["healthz p99"] > HEALTH_BAR,
        "rate": figures["rate"] < RATE_BAR * figures["rate before"],
        "memory": figures["memory"] > MEMORY_BAR,
        "training": figures["training"] != "training",
        f"failures {figures['failures'][:3]}": bool(figures["failures"]),
    }
    missed = [name for name, isWrong in wrong.items() if isWrong]
    if missed:
        sys.exit(f"heavy: MISSED: {', '.join(missed)}")


if __name__ == "__main__":
    main()
