"""The examples of docs/python.md run."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kinema

DOCUMENT = Path(__file__).parents[2] / "docs" / "python.md"


def test_the_examples_run(
    video: Path, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(video, tmp_path / "workout.mp4")
    shutil.copytree(data, tmp_path / "people")
    monkeypatch.chdir(tmp_path)
    model = kinema.Model("Exercise")
    names: dict[str, Any] = {
        "windows": np.zeros((2, model.window_size, 3, model.joint_count), np.float32)
    }
    examples = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)
    assert len(examples) >= 7
    for example in examples:
        # A file in place of the camera.
        exec(example.replace("rtsp://camera.local/stream", "workout.mp4"), names)
    assert names["counted"].count >= 6
    assert os.path.exists("Mine.mlmodel")
