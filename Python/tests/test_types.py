"""The package, its tests and the examples of docs/python.md are clean in mypy --strict and in pyright."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from test_document import examples

FOLDER = Path(__file__).parents[1]

PROGRAM = '''
import kinema
import numpy as np
from numpy.typing import NDArray

image: NDArray[np.uint8] = np.zeros((90, 160, 3), np.uint8)
poses = kinema.poses(image, color="rgb", persons=2)
kinema.poses("a.mp4", persoms=2)  # type: ignore[call-arg]
poses.angles(heigth=1.8)  # type: ignore[call-arg]
kinema.count("a.mp4", pairs="yes")  # type: ignore[arg-type]
with kinema.Stream("Workout", everybody=True) as stream:
    frame: kinema.Frame = stream.push(image, 0.5)
    count: int | None = frame.count
kinema.Stream(persoms=2)  # type: ignore[call-arg]
windows: NDArray[np.float32] = kinema.windows(poses, kinema.Model("Exercise"))
kinema.synth("a.mp4", repetitions=2)
'''
"""A misspelt option and a value of another type are errors: mypy reports a comment that ignores none."""


def check(tool: str, *words: str | Path) -> None:
    pytest.importorskip(tool)
    environment = {
        **os.environ, "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1", "PYTHONDONTWRITEBYTECODE": "1"
    }  # fmt: skip
    # Pyright's package fetches the program itself from npm.
    started = subprocess.run(
        [sys.executable, "-m", tool, "--version"], capture_output=True, text=True, env=environment
    )
    if started.returncode != 0:
        pytest.skip(f"{tool} does not start here: {started.stderr[-200:]}")
    found = subprocess.run(
        [sys.executable, "-m", tool, *words],
        capture_output=True, text=True, cwd=FOLDER, env=environment,
    )  # fmt: skip
    assert found.returncode == 0, found.stdout + found.stderr


@pytest.fixture
def programs(tmp_path: Path) -> list[Path]:
    """A program with typical mistakes, and the examples of the document as one."""
    mistakes, document = tmp_path / "mistakes.py", tmp_path / "document.py"
    mistakes.write_text(PROGRAM)
    document.write_text("\n".join(examples()))
    return [mistakes, document]


def test_mypy_is_strict_and_finds_nothing(programs: list[Path], tmp_path: Path) -> None:
    check("mypy", "--cache-dir", tmp_path / "cache", "kinema", "tests", *programs)


def test_the_package_needs_nothing_newer_than_its_oldest_python(tmp_path: Path) -> None:
    check("mypy", "--python-version", "3.10", "--cache-dir", tmp_path / "cache", "kinema")


def test_pyright_finds_nothing(programs: list[Path]) -> None:
    check("pyright", "--warnings", "kinema", "tests", *programs)
