"""Kills the child processes in which a server decodes files, at many moments of its work.

Part of kills.py: a live session and requests to /healthz go on beside uploads, imports, listings and
extraction of poses. After each kill the answer is a success or a sentence that says what happened, the
next attempt succeeds, and nothing else has noticed.
"""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Clients"))
from kinema_client import KINEMA, Server, pictures  # noqa: E402


class Bystander(threading.Thread):
    """Asks for /healthz all the time, and keeps the longest wait."""

    def __init__(self, server: Server):
        super().__init__(daemon=True)
        self.client, self.isOver = server.client(), threading.Event()
        self.longest, self.failures = 0.0, 0

    def run(self):
        while not self.isOver.is_set():
            start = time.monotonic()
            try:
                self.failures += self.client.request("GET", "/healthz")[0] != 200
            except OSError:
                self.failures += 1
            self.longest = max(self.longest, time.monotonic() - start)
            time.sleep(0.2)


class Watcher(threading.Thread):
    """A live session that sends a picture again and again, and answers what the server asks meanwhile."""

    def __init__(self, server: Server):
        super().__init__(daemon=True)
        self.frames, self.stream = pictures(server, 30), server.client().socket()
        self.stream.send({"type": "start", "source": {"kind": "browser"}, "settings": {}})
        self.stream.wait("ready")
        self.isOver, self.count, self.failure = threading.Event(), 0, ""

    def run(self):
        try:
            while not self.isOver.is_set():
                self.count += 1
                frame = self.frames[self.count % len(self.frames)]
                self.stream.send_picture(self.count, frame, time.monotonic() * 1000)
                self.stream.wait("frame")
                time.sleep(0.2)
        except (OSError, StopIteration) as error:
            self.failure = f"the live session ended after {self.count} pictures: {error!r}"


class DecoderKills:
    """A server whose children die, beside a live session."""

    def __init__(self, folder: Path):
        self.folder = folder / "videos"
        self.folder.mkdir()
        self.data = folder / "decoder-data"
        self.wrong: list[str] = []
        self.kills = 0
        self.sentences: set[str] = set()
        arguments = ["--actions", "squats", "--size", "320x240", "--fps", "15", "--repetitions"]
        for name, count in (("short", "2"), ("long", "12")):
            subprocess.run(
                [KINEMA, "synth", "--output", folder / f"{name}.mp4", *arguments, count],
                check=True, stdout=subprocess.DEVNULL,
            )
        self.short, self.long = (folder / f"{name}.mp4" for name in ("short", "long"))
        resources = Path(__file__).resolve().parents[2] / "Resources"
        self.sent = (resources / "Exercise.mlmodel").read_bytes()
        self.base = ""
        self.number = 0

    def fresh(self, video: Path) -> bytes:
        """The video with another content, so that no cache knows it."""
        self.number += 1
        # A box that readers skip (ISO/IEC 14496-12, section 8.1.2).
        return video.read_bytes() + (8 + 8).to_bytes(4, "big") + b"free" + self.number.to_bytes(8, "big")

    # What a server decodes for.

    def upload(self, client) -> tuple[int, object]:
        video = self.fresh(self.short)
        body = {"name": f"upload{self.number}.mp4", "size": len(video), "well": "training", "label": "squats"}
        status, answer = client.request("POST", f"{self.base}/uploads", body)
        if status != 201:
            return status, answer
        return client.request("PUT", f"{self.base}/uploads/{answer['id']}?offset=0", video)

    def import_folder(self, client) -> tuple[int, object]:
        place = self.folder / f"import{self.number}" / "squats"
        place.mkdir(parents=True)
        for _ in range(4):
            (place / f"{self.number}.mp4").write_bytes(self.fresh(self.short))
        return client.request("POST", f"{self.base}/import", {"path": str(place.parent), "well": "training"})

    def listing(self, client) -> tuple[int, object]:
        return client.request("GET", f"{self.base}/media")

    def preview(self, client) -> tuple[int, object]:
        """What a page shows of a video that no cache knows."""
        video = self.folder / f"preview{self.number}.mp4"
        video.write_bytes(self.fresh(self.short))
        item = {"file": str(video), "label": "squats", "well": "training"}
        status, answer = client.request("POST", f"{self.base}/items", {"items": [item]})
        if status != 201:
            return status, answer
        return client.request("GET", f"{self.base}/items?limit=1000")

    def model(self, client) -> tuple[int, object]:
        status, answer = client.request("POST", "/api/v1/models?name=sent.mlmodel", self.sent)
        if status == 201:
            client.request("DELETE", f"/api/v1/models/{answer['id']}")
        return status, answer

    def extraction(self, client) -> tuple[int, object]:
        video = self.folder / f"long{self.number}.mp4"
        video.write_bytes(self.fresh(self.long))
        item = {"file": str(video), "label": "squats", "well": "training"}
        status, answer = client.request("POST", f"{self.base}/items", {"items": [item]})
        return self.extracted(client) if status == 201 else (status, answer)

    def extracted(self, client) -> tuple[int, object]:
        status, answer = client.request("POST", f"{self.base}/extract")
        end = time.monotonic() + 300
        while status == 202 and time.monotonic() < end:
            status, answer = client.request("GET", f"{self.base}/jobs")
            job = answer["extraction"]
            if job["state"] != "running":
                return (200 if job["state"] == "idle" else 422), job
            status = 202
            time.sleep(0.05)
        return status, answer

    # Kills.

    def kill_child(self, server: Server) -> bool:
        """Kills a child of the server, if it has one; whether it did."""
        for path in Path("/proc").glob("[0-9]*/stat"):
            try:
                parent = int(path.read_text().rpartition(")")[2].split()[1])
                if parent == server.process.pid and b"--decode-files" in (path.parent / "cmdline").read_bytes():
                    os.kill(int(path.parent.name), signal.SIGKILL)
                    return True
            except (OSError, ValueError):
                continue
        return False

    def moment(self, server: Server):
        work = random.choice(
            [self.upload, self.import_folder, self.listing, self.preview, self.model, self.extraction]
        )
        done: list[tuple[int, object]] = []
        thread = threading.Thread(target=lambda: done.append(work(server.client())), daemon=True)
        thread.start()
        time.sleep(random.uniform(0, 0.3 if work != self.extraction else 2))
        end = time.monotonic() + 3
        isKilled = False
        while not isKilled and thread.is_alive() and time.monotonic() < end:
            isKilled = self.kill_child(server)
        self.kills += isKilled
        thread.join(600)
        name = work.__name__
        if not done:
            self.wrong.append(f"{name}: it never ended")
            return
        status, answer = done[0]
        if status not in (200, 201, 422):
            self.wrong.append(f"{name}: status {status}: {answer}")
        if status == 422:
            text = answer.get("message") or answer.get("error", {}).get("message", "")
            self.sentences.add(name)
            if "the process that tried ended" not in text:
                self.wrong.append(f"{name}: {text or answer}")
        # What failed succeeds when it is tried again.
        media = self.listing(server.client())
        problems = [m["problem"] for m in media[1]["media"] if m["problem"]] if media[0] == 200 else [media]
        if problems:
            self.wrong.append(f"{name}: afterwards {problems[:2]}")
        if work == self.extraction:
            again = self.extracted(server.client())
            if again[0] != 200:
                self.wrong.append(f"{name}: again {again}")

    def run(self, moments: int) -> list[str]:
        with Server("--folder", str(self.folder), data=self.data) as server:
            client = server.client()
            project = client.request("POST", "/api/v1/studio/projects", {"name": "Decoders"})[1]["id"]
            self.base = f"/api/v1/studio/projects/{project}"
            watcher, bystander = Watcher(server), Bystander(server)
            watcher.start()
            bystander.start()
            attempts = 0
            while self.kills < moments and attempts < 4 * moments and not self.wrong[20:]:
                attempts += 1
                self.moment(server)
            for thread in (watcher, bystander):
                thread.isOver.set()
                thread.join(60)
            if watcher.failure:
                self.wrong.append(watcher.failure)
            if bystander.failures:
                self.wrong.append(f"/healthz failed {bystander.failures} times")
            if server.process.poll() is not None:
                self.wrong.append(f"the server ended: {server.errors()}")
            if self.kills < moments:
                self.wrong.append(f"only {self.kills} children were there to kill")
        print(
            f"decoders: killed at {self.kills} moments of {attempts}, longest wait for /healthz "
            f"{bystander.longest:.2f} s, {len(self.wrong)} wrong", flush=True,
        )
        return self.wrong
