"""Fails every write, fsync, rename, open, recv … of a live server in turn.

    server_faults.py [--points N] [--calls write,fsync,…] [history] [uploads]

A request then gives the right answer, or an error with a sentence; a live session goes on; the
server ends with status 0 (or refuses to start with 74). After a restart without the fault, whatever
was confirmed is there, the database is whole, and nothing half-written is left.
"""

import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from faults import arguments, build_library, places  # noqa: E402
from kinema_client import KINEMA, Server, pictures  # noqa: E402

CALLS = ["write", "fsync", "rename", "open", "mkdir", "truncate", "receive"]


class Run:
    """One life of a server with a fault, and what comes after."""

    def __init__(self, bench: "Bench"):
        self.bench = bench
        self.wrong: list[str] = []
        self.confirmed: dict[str, object] = {}

    def ask(self, client, method: str, path: str, body=None, tries: int = 3):
        """The status and answer; a connection that breaks is tried again."""
        for _ in range(tries):
            try:
                status, answer = client.request(method, path, body)
            except OSError:
                continue
            if status >= 400:
                error = answer.get("error", {}) if isinstance(answer, dict) else {}
                if not error.get("message"):
                    self.wrong.append(f"{method} {path}: status {status} without a message")
                else:
                    self.bench.messages.add(f"{status} {error.get('code')}: {error['message']}")
            return status, answer
        return 0, {}

    def history(self, server: Server):
        client = server.client()
        first, second, *_ = self.bench.sessions
        status, answer = self.ask(client, "PATCH", f"/api/v1/history/{first}", {"name": "Monday"})
        self.confirmed["renamed"] = status == 200
        self.confirmed["deleted"] = self.ask(client, "DELETE", f"/api/v1/history/{second}")[0] == 204
        routine = {"name": "Legs", "items": [{"label": "squats", "repetitions": 10}]}
        self.confirmed["routine"] = self.ask(client, "PUT", "/api/v1/routines", routine)[0] == 200
        self.session(server)

    def session(self, server: Server):
        """A live session of some seconds, so that its row is written and updated."""
        try:
            stream = server.client().socket()
            stream.send({"type": "start", "source": {"kind": "browser"}, "settings": {}})
            start, number = time.monotonic(), 0
            stream.wait("ready")
            while time.monotonic() < start + 4.5:
                number += 1
                frame = self.bench.frames[number % len(self.bench.frames)]
                stream.send_picture(number, frame, time.monotonic() * 1000)
                while True:
                    message = next(stream.messages())
                    if message["type"] == "error":
                        self.bench.messages.add(f"session {message['code']}: {message['message']}")
                        if message["isFatal"]:
                            self.wrong.append(f"the session ended: {message['message']}")
                            return
                    if message["type"] == "frame":
                        break
                time.sleep(0.2)
            stream.close()
        except (OSError, StopIteration) as error:
            if self.bench.call != "receive":
                self.wrong.append(f"the session broke: {error!r}")

    def history_after(self, server: Server):
        client = server.client()
        sessions = client.request("GET", "/api/v1/history?limit=500")[1]["sessions"]
        names = {session["id"]: session["name"] for session in sessions}
        first, second, *others = self.bench.sessions
        if any(number not in names for number in (first, *others)):
            self.wrong.append(f"sessions are lost: {names}")
        if self.confirmed["renamed"] and names.get(first) != "Monday":
            self.wrong.append("a confirmed name is lost")
        if self.confirmed["deleted"] and second in names:
            self.wrong.append("a deleted session is back")
        routines = client.request("GET", "/api/v1/routines")[1]["routines"]
        if self.confirmed["routine"] and not routines:
            self.wrong.append("a confirmed routine is lost")

    def uploads(self, server: Server):
        client, video = server.client(), self.bench.video
        base = f"/api/v1/studio/projects/{self.bench.project}"
        body = {"name": "take.mp4", "size": len(video), "well": "training", "label": "squats"}
        for _ in range(3):
            status, upload = self.ask(client, "POST", f"{base}/uploads", body)
            if status == 201:
                break
        if status != 201:
            return
        offset = 0
        for _ in range(8):
            part = video[offset : offset + len(video) // 2 + 1]
            status, answer = self.ask(client, "PUT", f"{base}/uploads/{upload['id']}?offset={offset}", part)
            if status == 200 and answer.get("done"):
                self.confirmed["file"] = answer["file"]
                return
            if status == 200:
                offset = answer["offset"]
                continue
            uploads = self.ask(client, "GET", f"{base}/uploads")[1].get("uploads", [])
            mine = [u for u in uploads if u["id"] == upload["id"]]
            if not mine:
                return
            offset = mine[0]["offset"]

    def uploads_after(self, server: Server):
        client = server.client()
        base = f"/api/v1/studio/projects/{self.bench.project}"
        for upload in client.request("GET", f"{base}/uploads")[1]["uploads"]:
            client.request("DELETE", f"{base}/uploads/{upload['id']}")
        media = client.request("GET", f"{base}/media")[1]["media"]
        for medium in media:
            if client.request("GET", f"{base}/media/{medium['file']}")[1] != self.bench.video:
                self.wrong.append(f"{medium['file']} is another file")
        if "file" in self.confirmed and not media:
            self.wrong.append("a confirmed upload is lost")
        items = client.request("GET", f"{base}/items")[1]["items"]
        if "file" in self.confirmed and not items:
            self.wrong.append("the item of a confirmed upload is lost")


class Bench:
    def __init__(self, folder: Path):
        self.folder = folder
        self.library, self.report = folder / "faults.so", folder / "report"
        build_library(self.library)
        video = folder / "take.mp4"
        arguments = ["--actions", "squats", "--repetitions", "1", "--size", "160x120", "--fps", "10"]
        subprocess.run([KINEMA, "synth", "--output", video, *arguments], check=True, stdout=subprocess.DEVNULL)
        self.video = video.read_bytes()
        self.template, self.data = folder / "template", folder / "data"
        self.messages: set[str] = set()
        self.call = ""
        # Three sessions, and a project.
        with Server(data=self.template) as server:
            self.frames = pictures(server, 40)
            run = Run(self)
            for _ in range(3):
                run.session(server)
            client = server.client()
            self.project = client.request("POST", "/api/v1/studio/projects", {"name": "Faults"})[1]["id"]
            sessions = client.request("GET", "/api/v1/history")[1]["sessions"]
            self.sessions = sorted(session["id"] for session in sessions)
            server.end()
        if len(self.sessions) < 3:
            raise RuntimeError(f"the server kept the sessions {self.sessions} only: {run.wrong}")

    def check(self, kind: str, call: str, place: str) -> tuple[int, list[str]]:
        """Runs a server with a fault; how many calls failed, or count, and what is wrong."""
        self.call = call
        shutil.rmtree(self.data, ignore_errors=True)
        shutil.copytree(self.template, self.data)
        self.report.write_bytes(b"")
        run = Run(self)
        fault = {
            "LD_PRELOAD": str(self.library),
            "KINEMA_FAULT": f"{call}:{place}",
            "KINEMA_FAULT_PATH": str(self.data),
            "KINEMA_FAULT_REPORT": str(self.report),
        }
        try:
            with Server(data=self.data, environment=fault) as server:
                getattr(run, kind)(server)
                status = server.end()
                if status:
                    run.wrong.append(f"status {status}: {server.errors()[-300:]}")
        except RuntimeError as error:
            # It may refuse to start, with a reason.
            text = str(error)
            self.messages.add(f"start: {text.splitlines()[-1][-200:]}")
            if "kinema: " not in text or "Something went wrong" in text:
                run.wrong.append(f"start: {text[-300:]}")
            run.confirmed = {"renamed": False, "deleted": False, "routine": False}
        count = len(self.report.read_bytes())
        if not count:
            return 0, []
        with Server(data=self.data) as server:
            getattr(run, f"{kind}_after")(server)
            if status := server.end():
                run.wrong.append(f"afterwards: status {status}")
        with sqlite3.connect(self.data / "history.sqlite") as database:
            state = database.execute("PRAGMA integrity_check").fetchone()[0]
        database.close()
        if state != "ok":
            run.wrong.append(f"history: {state}")
        run.wrong += [
            f"left over: {path.relative_to(self.data)}"
            for path in self.data.rglob("*")
            if path.name.endswith(".part") or "damaged" in path.name
        ]
        return count, run.wrong


def main():
    options = arguments(__doc__, "KIND", CALLS)
    total = failures = 0
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="kinema-faults-") as name:
        bench = Bench(Path(name).resolve())
        for kind in options.operands or ["history", "uploads"]:
            for call in options.calls.split(","):
                count, wrong = bench.check(kind, call, "0")
                if wrong:
                    sys.exit(f"faults: {kind} fails without a fault: {wrong}")
                tried = wrongs = 0
                for place in places(count, options.points):
                    fired, wrong = bench.check(kind, call, str(place))
                    tried += bool(fired)
                    for text in wrong:
                        wrongs += 1
                        print(f"  {kind}, {call} {place} of {count}: {text}", flush=True)
                total, failures = total + tried, failures + wrongs
                if count:
                    state = f"{wrongs} wrong" if wrongs else "fine"
                    print(f"{kind:18} {call:9} {count:5} calls, {tried:5} failed: {state}", flush=True)
    for message in sorted(bench.messages):
        print(f"  said: {message}")
    minutes = (time.monotonic() - start) / 60
    print(f"faults: {total} servers with a fault in {minutes:.1f} min, {failures} findings")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
