"""The examples of docs/python.md run."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import sys
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kinema

DOCUMENT = Path(__file__).parents[2] / "docs" / "python.md"


class Camera:
    """OpenCV's camera, with ten frames."""

    def __init__(self, index: int) -> None:
        self.count = 0

    def read(self) -> tuple[bool, Any]:
        self.count += 1
        there = self.count <= 10
        return there, np.full((90, 160, 3), self.count, np.uint8) if there else None


def opencv() -> types.ModuleType:
    """What the examples use of OpenCV: there is no camera and no screen."""
    module: Any = types.ModuleType("cv2")
    module.VideoCapture, module.FONT_HERSHEY_SIMPLEX = Camera, 0
    module.line = module.putText = module.imshow = lambda *_: None
    module.waitKey = lambda _: -1
    found: types.ModuleType = module
    return found


def examples() -> list[str]:
    """The examples of the document, in its order; one uses the names of those before."""
    found: list[str] = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)
    return found


def missing(example: str) -> set[str]:
    """The packages that an example needs and that are not installed."""
    names = re.findall(r"^import (\w+)", example, re.MULTILINE)
    if "to_dataframe" in example:
        names.append("pandas")
    return {name for name in names if name != "cv2" and not importlib.util.find_spec(name)}


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
    assert len(examples()) >= 7
    monkeypatch.setitem(sys.modules, "cv2", opencv())
    for example in examples():
        if not missing(example):
            # A file in place of the camera.
            exec(example.replace("rtsp://camera.local/stream", "workout.mp4"), names)
    assert names["counted"].count >= 6
    assert os.path.exists("Mine.mlmodel")
    packages = set().union(*map(missing, examples()))
    if packages:
        pytest.skip(f"examples that need {', '.join(sorted(packages))} were not run")
