"""The keywords of the functions are the options of the commands."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from kinema import _executable, _options

ROOT = Path(__file__).resolve().parents[2]


def test_keywords_are_those_of_the_program() -> None:
    made = subprocess.run(
        [
            sys.executable, ROOT / "Scripts/python/options.py", _executable.executable(), "--check",
            _options.__file__,
        ],  # fmt: skip
        capture_output=True,
        text=True,
    )
    assert made.returncode == 0, made.stderr


def test_keywords_are_typed() -> None:
    assert _options.CountOptions.__annotations__["pairs"].__forward_arg__ == "bool | None"
    assert "from_" in _options.TrainOptions.__annotations__
    assert {"annotate", "report", "session"} <= _options.PATHS
