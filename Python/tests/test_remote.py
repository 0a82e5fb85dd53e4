"""Videos, folders, lists and indexes at addresses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import command, synthesize

from kinema.cluster import ExtractionError, PoseExtractor, Row, is_address, read_list, write_index

fsspec = pytest.importorskip("fsspec")


@pytest.fixture
def bucket(tmp_path: Path) -> Any:
    """A file system in memory, with a video and a letter."""
    system = fsspec.filesystem("memory")
    video = synthesize(tmp_path / "a.mp4", "jumping_jacks", 1, 10)
    system.pipe_file("/in/a.mp4", video.read_bytes())
    system.pipe_file("/in/letter.mp4", b"Dear Sir or Madam")
    yield system
    system.rm("/", recursive=True)


def test_addresses_begin_with_a_scheme() -> None:
    assert is_address("s3://a/b") and is_address("https://a") and is_address("a+b-c://x")
    assert not is_address("/a/b") and not is_address("a.mp4") and not is_address("://a")
    assert not is_address("1://a") and not is_address("a b://c")


def test_videos_and_the_folder_may_be_elsewhere(bucket: Any, tmp_path: Path) -> None:
    extract = PoseExtractor("memory://out")
    videos = ["memory://in/a.mp4", "memory://in/letter.mp4", "memory://in/none.mp4", "nope://x/a.mp4"]
    rows = extract(videos)
    assert [row["status"] for row in rows] == ["done", "failed", "failed", "failed"]
    assert [row["kind"] for row in rows] == ["", "permanent", "transient", "permanent"]
    assert "memory://in/letter.mp4" in rows[1]["error"] and "not there" in rows[2]["error"]
    command("pose", tmp_path / "a.mp4", "--no-cache", "--threads", "1", "--output", tmp_path / "a.npz")
    assert rows[0]["poses"] == "memory://out/poses/memory/in/a.mp4.npz"
    assert bucket.cat_file("/out/poses/memory/in/a.mp4.npz") == (tmp_path / "a.npz").read_bytes()
    # What is done or has failed for good is not tried again.
    bucket.rm("/in/a.mp4")
    bucket.rm("/in/letter.mp4")
    again = extract(videos[:2])
    assert [row["status"] for row in again] == ["done", "failed"] and again[1]["kind"] == "permanent"
    # A folder of this machine, with a video from elsewhere.
    bucket.pipe_file("/in/a.mp4", (tmp_path / "a.mp4").read_bytes())
    local = PoseExtractor(tmp_path / "here")(["memory://in/a.mp4"])[0]
    assert local["poses"] == str(tmp_path / "here/poses/memory/in/a.mp4.npz")
    assert len(np.load(local["poses"])["times"]) > 3


def test_lists_and_indexes_may_be_elsewhere(bucket: Any, tmp_path: Path) -> None:
    bucket.pipe_file("/in/list.txt", b"# all\na.mp4\ns3://b/c.mp4\n/d.mp4\n")
    assert read_list("memory://in/list.txt") == ["memory://in/a.mp4", "s3://b/c.mp4", "/d.mp4"]
    (tmp_path / "list.csv").write_text("label,file_name\nrun,a.mp4\n")
    assert read_list(tmp_path / "list.csv") == [str(tmp_path / "a.mp4")]
    row = Row(
        video="a.mp4", status="done", kind="", attempts=1, poses="a.npz", seconds=1.5, error=""
    )
    write_index([row], "memory://out/index.csv")
    assert bucket.cat_file("/out/index.csv").decode().splitlines() == [
        "video,status,kind,attempts,poses,seconds,error", "a.mp4,done,,1,a.npz,1.5,",
    ]  # fmt: skip
    with pytest.raises(ExtractionError, match="end it in .parquet or .csv"):
        write_index([row], tmp_path / "index.txt")
    parquet = pytest.importorskip("pyarrow.parquet")
    write_index([row, row], tmp_path / "index.parquet")
    assert parquet.read_table(tmp_path / "index.parquet").to_pylist() == [row, row]
    assert read_list(tmp_path / "index.parquet") == [str(tmp_path / "a.mp4")] * 2
