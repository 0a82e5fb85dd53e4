"""Progress on terminals and elsewhere."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import shutil
import struct
import subprocess
import termios
from pathlib import Path

import pytest
from conftest import synthesize

from kinema._executable import environment, executable


def on_terminal(columns: int, *words: str | os.PathLike[str]) -> str:
    """What a command writes to standard error, a terminal of so many columns."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen(
        [executable(), *words], env=environment(), stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=slave,
    )  # fmt: skip
    os.close(slave)
    output = b""
    while True:
        try:
            piece = os.read(master, 65536)
        except OSError:  # The other end is closed.
            break
        output += piece
    os.close(master)
    assert process.wait() == 0, output
    return output.decode()


@pytest.mark.parametrize("columns", [40, 100])
def test_a_bar_fits_into_its_terminal(columns: int, tmp_path: Path) -> None:
    video = synthesize(
        tmp_path / "a video with a name that is rather long for a terminal.mp4", "squats", 4, 15
    )
    text = on_terminal(columns, "pose", video, "--no-cache", "--output", tmp_path / "a.npz")
    lines = [re.sub(r"\x1b\[K", "", line) for line in text.split("\r")]
    shown = [line for line in lines if "fps" in line]
    assert shown and max(map(len, shown)) < columns
    assert ("█" in "".join(shown)) == (columns > 80) and all("%" in line for line in shown)
    assert ("…" in shown[0]) == (columns == 40)


def test_extraction_reports_lines_or_json_without_a_terminal(
    video: Path, tmp_path: Path
) -> None:
    (tmp_path / "videos").mkdir()
    shutil.copy(video, tmp_path / "videos/a.mp4")

    def errors(*words: str) -> list[str]:
        output = tmp_path / f"out{len(words)}{words[-1:]}"
        found = subprocess.run(
            [executable(), "extract", tmp_path / "videos", "--output", output, *words],
            env=environment(), check=True, capture_output=True, text=True,
        )  # fmt: skip
        return found.stderr.splitlines()

    assert re.fullmatch(
        r"kinema: 1 of 1 videos, [\d.]+ videos a second, 0:00 left", errors()[-1]
    )
    line = json.loads(errors("--progress", "json")[-1])
    assert line["done"] == line["total"] == 1 and line["rate"] > 0 and line["secondsLeft"] == 0
    assert errors("--progress", "none") == []


def test_addresses_that_are_listed_fail_for_good(tmp_path: Path) -> None:
    videos = tmp_path / "videos.txt"
    videos.write_text("https://example.org/a.mp4\n")
    found = subprocess.run(
        [executable(), "extract", videos, "--output", tmp_path / "out"], env=environment(),
        capture_output=True, text=True,
    )  # fmt: skip
    assert found.returncode == 0
    index = (tmp_path / "out/index.csv").read_text()
    assert "https://example.org/a.mp4,failed,permanent,0" in index
    assert "is an address" in index
