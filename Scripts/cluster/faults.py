"""What the cluster tests share: videos, the processes that work on them, and what must come out."""

import csv
import os
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path

CLIPS = ("treadtv_woman_jacks", "nlarion_boxing", "treadtv_starfish", "rohit_squat")
POISON = "poison.mp4"


def make_videos(folder: Path, clips: Path, count: int) -> dict[str, str]:
    """Copies `count` clips and one more as the poison; the clip of each video."""
    videos = {f"{index:02}/{CLIPS[index % len(CLIPS)]}.mp4": CLIPS[index % len(CLIPS)] for index in range(count)}
    videos[POISON] = CLIPS[-1]
    for name, clip in videos.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(clips / f"{clip}.mp4", folder / name)
    return videos


def single_machine(kinema: str, folder: Path, clips: Path) -> dict[str, bytes]:
    """The pose file of each clip as `kinema pose` writes it."""
    poses = {}
    for clip in CLIPS:
        file = folder / f"{clip}.npz"
        subprocess.run(
            [kinema, "pose", clips / f"{clip}.mp4", "--no-cache", "--threads", "1", "--output", file],
            check=True, stdout=subprocess.DEVNULL,
        )  # fmt: skip
        poses[clip] = file.read_bytes()
    return poses


def children() -> dict[int, int]:
    """The parent of each process of this machine."""
    parents = {}
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            parents[int(process)] = int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            pass
    return parents


def holders(file: Path) -> list[int]:
    """The `kinema` processes that have a file open."""
    found = []
    for process in children():
        try:
            name = Path(f"/proc/{process}/comm").read_text().strip()
            links = [os.readlink(entry) for entry in Path(f"/proc/{process}/fd").iterdir()]
        except OSError:
            continue
        if name == "kinema" and str(file) in links:
            found.append(process)
    return found


def kill(process: int) -> None:
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        pass


class Faults(threading.Thread):
    """Kills the process that reads the poison, always, and others in turn, each with another video.

    A fault is called with the process of `kinema extract` that works on the video.
    """

    def __init__(self, videos: Path, output: Path, faults: dict[str, Callable[[int], None]]) -> None:
        super().__init__(daemon=True)
        self.videos, self.output = videos, output
        self.faults = list(faults.items())
        self.ended = threading.Event()
        self.poisoned = 0
        self.hit: set[Path] = set()
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            self.work()
        except BaseException as error:
            self.error = error

    def work(self) -> None:
        while not self.ended.wait(0.02):
            for process in holders(self.videos / POISON):
                self.poisoned += 1
                kill(process)
            if self.faults:
                self.strike()

    def strike(self) -> None:
        for record in self.output.rglob("*.jsonl"):
            if record in self.hit or record.name.startswith(POISON):
                continue
            video = next(self.videos.glob(f"*/{record.name.removesuffix('.jsonl')}"), None)
            under_way = '"status"' not in (record.read_text().splitlines() or ['"status"'])[-1]
            # The process of the record works on the video by a child, or does so itself.
            owners = holders(record) if video is not None and under_way else []
            if owners:
                name, fault = self.faults.pop(0)
                print(f"fault: {name} ({record.name})", flush=True)
                self.hit.add(record)
                fault(owners[0])
                return

    def end(self) -> None:
        self.ended.set()
        self.join()
        if self.error is not None:
            raise self.error
        assert not self.faults, f"the work ended before {[name for name, _ in self.faults]}"


def check(rows: list[dict], videos: dict[str, str], folder: Path, single: dict[str, bytes]) -> None:
    """Every video has one row and the bytes of a single machine; the poison has none."""
    names = [os.path.relpath(row["video"], folder) for row in rows]
    assert sorted(names) == sorted(videos), f"rows: {sorted(names)}"
    for name, row in zip(names, rows):
        if name == POISON:
            assert (row["status"], row["kind"], int(row["attempts"])) == ("failed", "permanent", 3), row
            continue
        assert row["status"] == "done", row
        assert Path(row["poses"]).read_bytes() == single[videos[name]], f"{name} has other poses"


def read_index(output: Path, folder: Path) -> list[dict]:
    """The rows of `index.csv` with whole paths."""
    with open(output / "index.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row["video"] = str(folder / row["video"])
        row["poses"] = str(output / row["poses"])
    return rows


def waited(what: str, condition: Callable[[], bool], seconds: float = 300) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"{what}: not within {seconds:.0f} s"
        time.sleep(0.1)
