"""Extraction in batches, with faults, on one machine; `make test-cluster` runs it on clusters."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import pickle
import shutil
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest
from conftest import command, synthesize

from kinema.cluster import ExtractionError, PoseExtractor, _fitting


@pytest.fixture(scope="module")
def short_video(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return synthesize(tmp_path_factory.mktemp("video") / "short.mp4", "jumping_jacks", 1, 10)


@pytest.fixture(scope="module")
def single(short_video: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The pose file of the command line."""
    file = tmp_path_factory.mktemp("single") / "poses.npz"
    command("pose", short_video, "--no-cache", "--threads", "1", "--output", file)
    return file.read_bytes()


@pytest.fixture
def copies(short_video: Path, tmp_path: Path) -> list[str]:
    """Two copies of the video."""
    paths = [tmp_path / "videos" / name for name in ("first.mp4", "second.mp4")]
    paths[0].parent.mkdir()
    for path in paths:
        shutil.copyfile(short_video, path)
    return [str(path) for path in paths]


def test_a_process_pool_extracts_each_video_once(
    copies: list[str], single: bytes, tmp_path: Path
) -> None:
    letter = tmp_path / "letter.mp4"
    letter.write_text("Dear Sir or Madam")
    videos = [copies[0], str(letter), copies[1]]
    extract = PoseExtractor(tmp_path / "out")
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        batches = pool.map(pickle.loads(pickle.dumps(extract)), [videos[:2], videos[2:]])
        rows = [row for batch in batches for row in batch]
    assert [row["video"] for row in rows] == videos
    assert [row["status"] for row in rows] == ["done", "failed", "done"]
    assert [row["kind"] for row in rows] == ["", "permanent", ""]
    assert [row["attempts"] for row in rows] == [1, 1, 1]
    assert "letter.mp4" in rows[1]["error"] and rows[1]["poses"] == ""
    for row in (rows[0], rows[2]):
        assert Path(row["poses"]).read_bytes() == single

    # A batch as Ray Data gives it, in this process: nothing is left to do.
    labels = np.array(["a", "b", "c"])
    columns = extract({"video": np.array(videos, dtype=object), "label": labels})
    assert list(columns["label"]) == list(labels) and np.isnan(columns["seconds"][1])
    for name in ("video", "status", "kind", "attempts", "poses", "error"):
        assert list(columns[name]) == [row[name] for row in rows]


def test_a_video_that_kills_its_process_is_a_row(
    copies: list[str], single: bytes, tmp_path: Path
) -> None:
    """The first video kills each process that works on it, the second one only the first."""
    output = tmp_path / "out"
    ended = threading.Event()
    killed: set[tuple[str, int]] = set()

    def kill() -> None:
        while not ended.wait(0.005):
            for record in output.rglob("*.jsonl"):
                lines = record.read_text().splitlines()
                # Each attempt is killed once, with the process that it is just starting, if any:
                # until that one has begun its own program, it holds the record as well.
                attempt = (record.name, len(lines))
                if not lines or "status" in lines[-1] or attempt in killed:
                    continue
                if record.name == "second.mp4.jsonl" and len(lines) > 1:
                    continue
                for process in holders(record):
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(process, signal.SIGKILL)
                    killed.add(attempt)

    thread = threading.Thread(target=kill)
    thread.start()
    try:
        rows = PoseExtractor(output)(copies)
    finally:
        ended.set()
        thread.join()
    first = {("first.mp4.jsonl", attempt) for attempt in (1, 2, 3)}
    assert killed == first | {("second.mp4.jsonl", 1)}
    assert [row["status"] for row in rows] == ["failed", "done"]
    assert (rows[0]["kind"], rows[0]["attempts"], rows[0]["poses"]) == ("permanent", 3, "")
    assert rows[1]["attempts"] == 2
    assert Path(rows[1]["poses"]).read_bytes() == single
    # A permanent failure stays one.
    assert [row["attempts"] for row in PoseExtractor(output)(copies)] == [3, 2]


def test_control_c_ends_the_process_and_the_next_call_starts_another_one(
    copies: list[str], single: bytes, tmp_path: Path
) -> None:
    extract = PoseExtractor(tmp_path / "out")

    def interrupt() -> None:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not any((tmp_path / "out").rglob("*.jsonl")):
            time.sleep(0.005)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        extract(copies[:1])
        time.sleep(60)
    thread.join()
    # An attempt that was interrupted does not count.
    row = extract(copies[:1])[0]
    assert row["attempts"] == 1 and Path(row["poses"]).read_bytes() == single


def test_a_file_that_is_missing_fails_transiently_and_other_options_raise(tmp_path: Path) -> None:
    missing = str(tmp_path / "missing.mp4")
    for attempt in (1, 2):
        row = PoseExtractor(tmp_path / "out")([missing])[0]
        assert (row["status"], row["kind"], row["attempts"]) == ("failed", "transient", attempt)
        assert "missing.mp4" in row["error"]
    with pytest.raises(ExtractionError, match="without options"):
        PoseExtractor(tmp_path / "out", rate=5)([missing])


def test_paths_that_are_no_line_fail_and_long_ones_go_in_parts(tmp_path: Path) -> None:
    for video in ("two\nlines.mp4", ""):
        for output in (tmp_path / "out", "memory://out"):
            if output != "memory://out" or importlib.util.find_spec("fsspec"):
                row = PoseExtractor(output)([video])[0]
                assert (row["video"], row["status"], row["kind"]) == (video, "failed", "permanent")
                assert "a line of UTF-8" in row["error"]
    with pytest.raises(ValueError, match="output is empty"):
        PoseExtractor("")
    paths = [f"{index:04}" * 1000 for index in range(20)]
    assert 0 < len(_fitting(paths)) < 20
    assert _fitting(["x" * 100_000]) == ["x" * 100_000]
    assert _fitting(["short"] * 20) == ["short"] * 20


def holders(file: Path) -> Iterator[int]:
    """The processes, other than this one, that have a file open."""
    for process in filter(str.isdigit, os.listdir("/proc")):
        if int(process) == os.getpid():
            continue
        try:
            links = [os.readlink(entry) for entry in Path(f"/proc/{process}/fd").iterdir()]
        except OSError:
            continue
        if str(file) in links:
            yield int(process)
