"""Kills extraction, training and a live server at many moments, and checks what comes after.

    kills.py [--moments 200] [--seed 1] [extraction] [training] [server] [decoders]

Half of the moments are before a write, fsync or rename, the others at a time. After each kill the
same command must give the result of an uninterrupted run, byte for byte, and leave nothing else. The
server is killed with a live session, whose history it saves, and an upload on the way: after a
restart the database is whole, earlier sessions are unchanged, and the upload goes on from what was
reported to an identical file. The processes in which a server decodes files are killed at a quarter of
the moments (decoder_kills.py).
"""

import argparse
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from decoder_kills import DecoderKills  # noqa: E402
from faults import Bench, Case, cases  # noqa: E402
from kinema_client import KINEMA, Server, pictures  # noqa: E402


def killed_by_call(bench: Bench, case: Case, call: str, place: int) -> bool:
    os.environ["KINEMA_FAULT_ERROR"] = "kill"
    try:
        return bench.run(case, f"{call}:{place}").returncode == -signal.SIGKILL
    finally:
        del os.environ["KINEMA_FAULT_ERROR"]


def killed_by_time(bench: Bench, case: Case, seconds: float) -> bool:
    """Whether it was still running then."""
    environment = bench.environment()
    if "own-cache" in case.resumed:
        environment["XDG_CACHE_HOME"] = str(bench.work / "own-cache")
    process = subprocess.Popen(
        [KINEMA, *case.command], cwd=bench.work, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, env=environment,
    )
    try:
        process.wait(seconds)
        return False
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return True


def command_kills(bench: Bench, name: str, case: Case, moments: int) -> list[str]:
    """Kills a command at so many moments; what is wrong."""
    bench.clear()
    start = time.monotonic()
    bench.run(case)
    length = time.monotonic() - start
    right = bench.outputs(case)
    places = []
    for call in ("write", "fsync", "rename", "truncate"):
        bench.clear()
        bench.run(case, f"{call}:0")
        places += [(call, n + 1) for n in range(len(bench.report.read_bytes()))]
    random.shuffle(places)
    wrong, kills, number = [], 0, 0

    def note(text: str):
        wrong.append(text)
        print(f"  {name}, {what}: {text}", flush=True)

    while kills < moments and number < 3 * moments:
        bench.clear()
        if number % 2 == 0 and places:
            what = places[number // 2 % len(places)]
            isKilled = killed_by_call(bench, case, *what)
        else:
            what = (random.uniform(0, length),)
            isKilled = killed_by_time(bench, case, *what)
        number += 1
        kills += isKilled
        if not isKilled:
            continue
        # In half of the cases it is killed once more, soon after it has gone on.
        if number % 4 == 3:
            killed_by_time(bench, case, random.uniform(0, length))
        for output, content in bench.outputs(case).items():
            if content != right[output]:
                note(f"{output} is incomplete after the kill")
        again = bench.run(case)
        if again.returncode or bench.outputs(case) != right:
            text = again.stderr.decode(errors="replace").strip()[-300:]
            note(f"another result, status {again.returncode}, {text}")
        elif others := bench.others(case):
            note(f"left over: {', '.join(others)}")
        if kills % 20 == 0:
            print(f"  {name}: {kills} kills, {len(wrong)} wrong", flush=True)
    print(f"{name}: killed at {kills} moments ({len(places)} calls), {len(wrong)} wrong", flush=True)
    return wrong


class ServerKills:
    """A server with one data folder that is killed again and again."""

    def __init__(self, folder: Path):
        self.data = folder / "data"
        self.wrong: list[str] = []
        self.finished: dict[int, dict] = {}
        with Server() as server:
            self.frames = pictures(server, 30)
        video = folder / "upload.mp4"
        arguments = ["--actions", "squats", "--repetitions", "2", "--size", "320x240", "--fps", "15"]
        subprocess.run([KINEMA, "synth", "--output", video, *arguments], check=True, stdout=subprocess.DEVNULL)
        self.video = video.read_bytes()
        self.project = None
        self.upload = None
        self.acknowledged = 0
        self.uploads = 0

    def live(self, server: Server, isOver: threading.Event):
        """A live session, whose frames go to the history."""
        try:
            stream = server.client().socket()
            stream.send({"type": "start", "source": {"kind": "browser"}, "settings": {}})
            stream.wait("ready")
            number = 0
            while not isOver.is_set():
                number += 1
                stream.send_picture(number, self.frames[number % len(self.frames)], time.monotonic() * 1000)
                stream.wait("frame")
                if number % 25 == 0:
                    stream.send({"type": "new"})
                time.sleep(0.1)
        except (OSError, StopIteration):
            pass

    @staticmethod
    def ask(client, *request):
        """An answer, also where the server has refused a connection or request that came too soon."""
        for _ in range(20):
            answer = client.request(*request)
            if answer[0] not in (429, 503):
                break
            time.sleep(0.5)
        return answer

    def uploading(self, server: Server, isOver: threading.Event):
        """Uploads the video in small parts, again and again."""
        client = server.client()
        base = f"/api/v1/studio/projects/{self.project}"
        try:
            while not isOver.is_set():
                if self.upload is None:
                    body = {"name": "take.mp4", "size": len(self.video), "well": "training", "label": "squats"}
                    status, answer = self.ask(client, "POST", f"{base}/uploads", body)
                    if "id" not in answer:
                        self.wrong.append(f"upload: status {status}: {answer}")
                        return
                    self.upload, self.acknowledged = answer["id"], 0
                part = self.video[self.acknowledged : self.acknowledged + len(self.video) // 8 + 1]
                path = f"{base}/uploads/{self.upload}"
                status, answer = self.ask(client, "PUT", f"{path}?offset={self.acknowledged}", part)
                if status != 200:
                    self.wrong.append(f"upload: status {status}: {answer}")
                    self.upload = None
                    continue
                self.acknowledged = answer["offset"]
                if answer.get("done"):
                    self.finish(client, base, answer)
        except OSError:
            pass

    def finish(self, client, base: str, answer: dict):
        """Compares a finished upload, and removes it."""
        status, data = self.ask(client, "GET", f"{base}/media/{answer['file']}")
        if status != 200 or data != self.video:
            self.wrong.append(f"upload: another file ({status}, {len(data)} bytes)")
        self.upload = None
        self.uploads += 1
        status, answer = self.ask(client, "GET", f"{base}/items?limit=1000")
        if status != 200:
            self.wrong.append(f"items: status {status}: {answer}")
            return
        items = answer["items"]
        if items:
            self.ask(client, "DELETE", f"{base}/items", {"ids": [item["id"] for item in items]})
        for medium in self.ask(client, "GET", f"{base}/media")[1]["media"]:
            self.ask(client, "DELETE", f"{base}/media/{medium['file']}")

    def verify(self, server: Server):
        """Compares what a restarted server has with what there was."""
        client = server.client()
        if self.project is None:
            self.project = self.ask(client, "POST", "/api/v1/studio/projects", {"name": "Kills"})[1]["id"]
        sessions = self.ask(client, "GET", "/api/v1/history?limit=500")[1]["sessions"]
        present = {session["id"]: session for session in sessions}
        for number, session in self.finished.items():
            if present.get(number) != session:
                self.wrong.append(f"history: session {number} was {session}, is {present.get(number)}")
        self.wrong += [f"history: session {n} is open" for n, s in present.items() if s["isOpen"]]
        # Few enough that the list shows all.
        for number in sorted(present)[:-100]:
            self.ask(client, "DELETE", f"/api/v1/history/{number}")
            del present[number]
        self.finished = present
        if self.upload is not None:
            base = f"/api/v1/studio/projects/{self.project}"
            uploads = self.ask(client, "GET", f"{base}/uploads")[1]["uploads"]
            mine = [u for u in uploads if u["id"] == self.upload]
            if mine and mine[0]["offset"] < self.acknowledged:
                self.wrong.append(f"upload: {mine[0]['offset']} of {self.acknowledged} bytes are left")
            if mine:
                self.acknowledged = mine[0]["offset"]
            else:
                # Killed while the last part was answered, or before the first was.
                media = self.ask(client, "GET", f"{base}/media")[1]["media"]
                if self.acknowledged and not media:
                    self.wrong.append("upload: it is lost")
                self.upload = None

    def run(self, moments: int) -> list[str]:
        for moment in range(moments):
            with Server(data=self.data) as server:
                self.verify(server)
                isOver = threading.Event()
                jobs = [
                    threading.Thread(target=job, args=(server, isOver), daemon=True)
                    for job in (self.live, self.uploading)
                ]
                for job in jobs:
                    job.start()
                time.sleep(random.uniform(0, 5))
                server.end(signal.SIGKILL)
                isOver.set()
                for job in jobs:
                    job.join(60)
            with sqlite3.connect(self.data / "history.sqlite") as database:
                state = database.execute("PRAGMA integrity_check").fetchone()[0]
            database.close()
            if state != "ok":
                self.wrong.append(f"history: {state}")
            if (moment + 1) % 20 == 0:
                print(f"  server: {moment + 1} kills, {self.uploads} uploads, {len(self.wrong)} wrong", flush=True)
        with Server(data=self.data) as server:
            self.verify(server)
            client, base = server.client(), f"/api/v1/studio/projects/{self.project}"
            for upload in self.ask(client, "GET", f"{base}/uploads")[1]["uploads"]:
                self.ask(client, "DELETE", f"{base}/uploads/{upload['id']}")
            errors = server.errors()
            status = server.end()
        if status:
            self.wrong.append(f"server: status {status}: {errors}")
        for path in self.data.rglob("*"):
            if path.name.endswith(".part") or "damaged" in path.name:
                self.wrong.append(f"server: left over: {path}")
        print(
            f"server: killed at {moments} moments, {self.uploads} uploads, "
            f"{len(self.finished)} sessions kept, {len(self.wrong)} wrong", flush=True,
        )
        return self.wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kinds", nargs="*", metavar="KIND")
    parser.add_argument("--moments", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    random.seed(options.seed)
    kinds = options.kinds or ["extraction", "training", "server", "decoders"]
    wrong = []
    with tempfile.TemporaryDirectory(prefix="kinema-kills-") as name:
        folder = Path(name).resolve()
        every = cases()
        if {"extraction", "training"} & set(kinds):
            bench = Bench(folder)
            for kind, case in (("extraction", "cache"), ("training", "train")):
                if kind in kinds:
                    every[case].part = "/work/"
                    wrong += command_kills(bench, kind, every[case], options.moments)
        if "server" in kinds:
            wrong += ServerKills(folder).run(options.moments)
        if "decoders" in kinds:
            wrong += DecoderKills(folder).run(max(1, options.moments // 4))
    for text in wrong[:50]:
        print(f"  {text}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
